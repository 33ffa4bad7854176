//! `check BOT…`: checks that bots follow the protocol and the rules.

pub(crate) mod endurance;

use crate::bots::{self, BotLoader, CompanionFiles};
use crate::intake::{self, Classification, IntakeBar, IntakeEvent, ListedFile, LoadSubmission, Submission};
use crate::isolation::{self, Batch};
use crate::options::{HOUR, IsolationArgs, LanguagesArgs, LimitsArgs, SECOND, WithFiles, time, whole_number};
use crate::{CliError, Exit, Registry, own, show};
use clap::{Args, ValueEnum};
use cornerman_conformance::games::known;
use cornerman_conformance::select::{find, select};
use cornerman_conformance::{BotReport, Options, SelectionError, VerdictCache, exit_code, speaks_as_its_game};
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_spec::CHECK_BUDGET;
use cornerman_harness::names;
use cornerman_harness::sandbox::{Isolation, Level};
use cornerman_harness::text::plain_json;
use cornerman_harness::toolchain::cache;
use cornerman_harness::toolchain::language::Languages;
use cornerman_report::check::{self, Layout};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Bots, and folders of bots
    #[arg(value_name = "BOT", required_unless_present_any = ["list", "explain"])]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub with_files: WithFiles,
    /// The game: {games} [default: the one that each bot names, or else that its answers show]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    /// Run only these checks: ids, prefixes of ids, or patterns with `*`
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub run: Vec<String>,
    /// Skip these checks
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub skip: Vec<String>,
    /// Count a failed `should` as a failed `must`
    #[arg(long)]
    pub strict: bool,
    /// Show failed shoulds in full too
    #[arg(short, long)]
    pub verbose: bool,
    /// Seed of random arenas and opponents
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Wall time for each bot. The most telling cases of every check run first; those that do not fit are left out
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, SECOND, Duration::ZERO..=24 * HOUR))]
    #[arg(default_value = humantime::format_duration(CHECK_BUDGET).to_string())]
    pub budget: Duration,
    /// Play whole games against the reference bots of the game for this long instead, such as 30s, 10m or 1h, and
    /// report how rare a fault must be
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, SECOND, SECOND..=7 * 24 * HOUR))]
    #[arg(conflicts_with_all = ["run", "skip", "budget", "full", "fast", "list", "explain", "again", "status_dir"])]
    pub endurance: Option<Duration>,
    /// Leave no case out, however long that takes
    #[arg(long, conflicts_with = "budget")]
    pub full: bool,
    /// Stop at the first `must` that fails
    #[arg(long)]
    pub fast: bool,
    /// List the checks
    #[arg(long, conflicts_with_all = ["bots", "explain"])]
    pub list: bool,
    /// Explain a check: the rule, what is observed, what to do
    #[arg(long, value_name = "ID", conflicts_with = "bots")]
    pub explain: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    /// Build and check again bots that an earlier run has built and checked
    #[arg(long)]
    pub again: bool,
    /// Write a file for the author of each entry into this folder: what fails, and how to fix it
    #[arg(long, value_name = "FOLDER")]
    pub status_dir: Option<PathBuf>,
    /// Folder for the exact bytes of failures [default: .cornerman/check]
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// The output formats of `check`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text for people
    #[value(alias = "human")]
    Text,
    /// A line of JSON for each bot
    Json,
    /// JUnit XML, with a suite for each bot and a case for each check
    Junit,
}

/// Checks the bots and prints a report of each, or lists or explains checks.
pub(crate) fn run(args: CheckArgs, games: &Registry) -> Result<Exit, CliError> {
    let languages = args.languages.read()?;
    args.isolation.host_judges(&languages)?;
    let ruleset = args.rules.as_deref().map(|name| games.games.ruleset(name, Path::new(""))).transpose()?;
    let suites = ruleset.as_ref().map_or_else(|| games.suites(), |ruleset| games.suites_for(ruleset));
    let game = args.game.clone().or(ruleset.as_ref().map(|ruleset| ruleset.game().to_string()));
    let asked = game.as_deref().map(|game| known(&suites, game)).transpose()?;
    if let Some((ruleset, suite)) =
        ruleset.as_ref().zip(asked).filter(|(ruleset, suite)| suite.game() != ruleset.game())
    {
        return Err(usage!(
            "the ruleset {} is for the game {}, not for {}",
            ruleset.id,
            ruleset.game(),
            suite.game()
        ));
    }
    if args.list {
        let suite = asked.or(suites.first().copied()).ok_or(SelectionError::Nothing)?;
        let catalogue = suite.catalogue();
        return print_as(args.format, "--list", &check::list(catalogue), &check::list_json(catalogue));
    }
    if let Some(id) = &args.explain {
        let check = find(&suites, id)?;
        return print_as(args.format, "--explain", &check::explain(check), &check::explain_json(check));
    }
    let layout = layout(&args);
    // Wrong ids are reported before any bot is built.
    select(&suites, &args.run, &args.skip)?;
    if let Some(time) = args.endurance {
        return endurance::run(&args, time, &layout, games);
    }
    let submissions = Submissions::new(&args.bots, args.isolation.loader(&languages, games))?;
    let bounds = match submissions.has_strangers {
        Some(strangers) => isolation::of_batch(args.isolation, Batch::Folder, strangers)?,
        None => args.isolation,
    };
    if submissions.has_strangers.is_none() && args.format == CheckFormat::Text {
        isolation::announce_below(Level::Namespaced, bounds)?;
    }
    let conditions = bounds.conditions()?;
    let options = Options {
        games: suites,
        game,
        run: args.run,
        skip: args.skip,
        seed: args.seed.unwrap_or(cornerman_conformance::DEFAULT_SEED),
        budget: (!args.full).then_some(args.budget),
        fast: args.fast,
        files: Some(args.files.unwrap_or_else(|| PathBuf::from(cornerman_conformance::DEFAULT_FILES))),
        conditions,
        ruleset,
        limits: args.limits.overrides(),
        verdicts: verdicts(&conditions.isolation()?, args.again),
        slots: None,
    };
    let mut loader = bounds.loader(&languages, games);
    loader.options.again = args.again;
    let with = CompanionFiles::for_entries(
        submissions.entries.iter().map(|entry| entry.spec.as_str()),
        &args.with_files.with,
        loader.options,
    )?;
    let load = |number: usize| {
        let spec = &submissions.entries[number].spec;
        bots::load_with(spec, with.of_bot(spec), loader)
    };
    let CheckResults { mut reports, bots } = check_all(&submissions, &load, &options, args.format, &layout)?;
    bots::report_duplicates(&bots);
    if let Some(folder) = &args.status_dir {
        intake::write_status(folder, &reports, &layout)?;
    }
    let named: Vec<_> = reports.iter().map(|report| (report.name.clone(), report.spec.clone())).collect();
    for (report, name) in reports.iter_mut().zip(names::told_apart(&named)) {
        report.name = name;
    }
    match args.format {
        CheckFormat::Text if reports.len() > 1 => print(&format!("\n{}", check::table(&reports, &layout)))?,
        CheckFormat::Junit => print(&check::junit(&reports, &layout))?,
        CheckFormat::Text | CheckFormat::Json => Exit::Fine,
    };
    match exit_code(&reports, args.strict) {
        0 => Ok(Exit::Fine),
        1 => Ok(Exit::No),
        _ => Err(CliError::failure("the sandbox failed: the report says for which bot")),
    }
}

/// Prints what `option` asks for, as text or as JSON.
fn print_as(format: CheckFormat, option: &str, text: &str, json: &Value) -> Result<Exit, CliError> {
    match format {
        CheckFormat::Text => print(&show::folded_lines(text)),
        CheckFormat::Json => print(&json.to_string()),
        CheckFormat::Junit => Err(usage!("{option} has the formats text and json, not junit")),
    }
}

/// How reports are written, with the options that are needed to see a failure again.
fn layout(args: &CheckArgs) -> Layout {
    let option = |name: &str, value: &OsStr| format!(" --{name} {}", own::quoted(value));
    let given =
        |name: &str, value: Option<String>| value.map_or(String::new(), |value| format!(" --{name} {value}"));
    let LimitsArgs { move_time, memory, processes } = args.limits;
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    let move_time = move_time.map(|time| format!("{}ms", time.as_millis()));
    let limits = [("move-time", move_time), ("memory", number(memory)), ("processes", number(processes))];
    let with = args.with_files.with.iter().map(|file| option("with", file.as_ref()));
    let languages = args.languages.file().map(|file| option("languages", file.as_os_str()));
    let rules = args.rules.as_ref().map_or(String::new(), |rules| option("rules", rules.as_ref()));
    Layout {
        strict: args.strict,
        is_whole: args.verbose || !args.run.is_empty(),
        program: own::command(),
        load_options: with.chain(languages).collect(),
        check_options: rules + &limits.map(|(name, value)| given(name, value)).concat(),
        ..Layout::new(show::style())
    }
}

/// The cache of verdicts that were reached at `isolation`. With `again` they are replaced rather than used. `None` if
/// the cache cannot be opened: then everything is checked.
pub(crate) fn verdicts(isolation: &Isolation, again: bool) -> Option<VerdictCache> {
    VerdictCache::open(&cache::open().ok()?.join("verdicts"), isolation, again).ok()
}

/// Prints a text, with a line feed if it does not end with one.
fn print(text: &str) -> Result<Exit, CliError> {
    let mut out = show::stdout();
    write!(out, "{text}{}", if text.ends_with('\n') { "" } else { "\n" })?;
    Ok(Exit::Fine)
}

/// The report with its first line folded to the terminal. The other lines fit already, except those to copy.
fn with_folded_headline(report: &str) -> String {
    let (headline, rest) = report.split_once('\n').unwrap_or((report, ""));
    format!("{}\n{rest}", show::folded(headline, 6))
}

/// The entries to check.
struct Submissions {
    entries: Vec<Submission>,
    /// Files in folders of entries that are not entries, each with the reason.
    ignored: Vec<(PathBuf, String)>,
    /// Whether folders of entries have entries that are not Cornerman's own; `None` without such a folder.
    has_strangers: Option<bool>,
}

impl Submissions {
    /// The entries that `specs` name. A folder of several entries, without a `bot.toml`, is replaced by its content.
    fn new(specs: &[String], loader: BotLoader) -> Result<Submissions, CliError> {
        let languages = loader.options.languages;
        let are_paths = bots::all_or_errors(specs.iter().map(|spec| bots::check_exists(spec, loader)))?;
        let mut submissions = Submissions { entries: Vec::new(), ignored: Vec::new(), has_strangers: None };
        for (spec, is_path) in specs.iter().zip(are_paths) {
            let path = Path::new(spec);
            if path.is_dir() && !path.join("bot.toml").exists() && submissions.open(path, languages)? {
                continue;
            }
            let refused = is_path.then(|| intake::refused(path)).flatten();
            submissions.entries.push(Submission { refused, ..Submission::new(spec) });
        }
        Ok(submissions)
    }

    /// Adds the content of `folder` if it has several entries, and returns whether it did. A folder with one source
    /// file is rather a bot whose `bot.toml` is missing: the error of loading it says so.
    fn open(&mut self, folder: &Path, languages: &Languages) -> Result<bool, CliError> {
        let found = intake::list(folder, languages).map_err(|why| usage!("{}: {why}", folder.display()))?;
        let count = found.iter().filter(|found| !matches!(found.class, Classification::Ignored(_))).count();
        if count < 2 {
            return Ok(false);
        }
        for ListedFile { path, class } in found {
            let refused = match class {
                Classification::Entry => None,
                Classification::Refused(why) => Some(why),
                Classification::Ignored(why) => {
                    self.ignored.push((path, why));
                    continue;
                }
            };
            let has_strangers = self.has_strangers.unwrap_or(false) || !isolation::is_shipped(&path);
            self.has_strangers = Some(has_strangers);
            self.entries.push(Submission { spec: path.to_string_lossy().into_owned(), refused });
        }
        Ok(true)
    }

    /// Prints what is ignored, and why; nothing as JUnit XML.
    fn print_ignored(&self, format: CheckFormat) -> Result<(), CliError> {
        for (path, why) in &self.ignored {
            let path = path.display();
            match format {
                CheckFormat::Text => print(&show::plain(format!("      {path}: ignored: {why}")))?,
                CheckFormat::Json => {
                    let object = json!({ "schema": check::SCHEMA, "spec": path.to_string(), "ignored": why });
                    print(&plain_json(object.to_string()))?
                }
                CheckFormat::Junit => Exit::Fine,
            };
        }
        Ok(())
    }
}

/// The results of a check.
struct CheckResults {
    reports: Vec<BotReport>,
    /// The bots that were loaded, without those whose game has no checks.
    bots: Vec<Bot>,
}

/// Checks all entries. Prints each report as soon as it is known, unless the format has one document for all; on a
/// terminal a progress bar is shown meanwhile.
fn check_all(
    submissions: &Submissions,
    load: LoadSubmission,
    options: &Options,
    format: CheckFormat,
    layout: &Layout,
) -> Result<CheckResults, CliError> {
    submissions.print_ignored(format)?;
    let mut bar = IntakeBar::new(submissions.entries.len());
    let named: Vec<_> = submissions.entries.iter().map(|entry| (entry.name(), entry.spec.clone())).collect();
    let mut names = named.iter().zip(names::told_apart(&named));
    let judged = intake::judge(&submissions.entries, load, Some(options), &mut |event| {
        bar.on_event(&event);
        let IntakeEvent::Known(judged) = event else { return Ok(()) };
        let name = names.next().filter(|((name, _), _)| judged.report.as_ref().is_some_and(|it| it.name == *name));
        let Some(report) = &judged.report else {
            // Only an engine has no report: it cannot be checked, which is an error.
            return judged.bot.as_ref().map_or(Ok(()), |bot| Ok(speaks_as_its_game(bot)?));
        };
        let text = match format {
            CheckFormat::Text => {
                // Bots that gave themselves the same name are told apart when all are known.
                let name = name.map_or_else(|| report.name.clone(), |(_, apart)| apart);
                with_folded_headline(&check::text(&BotReport { name, ..report.clone() }, layout))
            }
            CheckFormat::Json => check::json(report, layout.strict),
            CheckFormat::Junit => return Ok(()),
        };
        bar.suspend(|| print(&text)).map(drop)
    })?;
    drop(bar);
    let mut reports = Vec::new();
    let mut bots = Vec::new();
    for judged in judged {
        reports.extend(judged.report);
        bots.extend(judged.bot);
    }
    Ok(CheckResults { reports, bots })
}
