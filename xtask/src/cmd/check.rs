//! `check BOT…`: does a bot keep to the protocol?

use crate::bots::{self, Makings, With};
use crate::cli::{self, CheckFormat};
use crate::exit::{Exit, Failure};
use crate::intake::{self, Bar, Event, Found, Load, Submission, Taken};
use crate::registry::Registry;
use crate::show;
use cornerman_conformance::games::known;
use cornerman_conformance::report::{self, Style};
use cornerman_conformance::select::select;
use cornerman_conformance::suite::speaks_as_its_game;
use cornerman_conformance::{BotReport, Options, SuiteError, Verdicts, exit_code, explain, list};
use cornerman_harness::bot::Bot;
use cornerman_harness::plain::plain_json;
use cornerman_harness::sandbox::{Isolation, Level};
use cornerman_harness::toolchain::cache;
use cornerman_harness::toolchain::language::Languages;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Checks the bots and prints what was found.
pub fn run(args: cli::Check, games: &Registry) -> Result<Exit, Failure> {
    let suites = games.suites();
    let asked = args.game.as_deref().map(|game| known(&suites, game).map_err(Failure::usage)).transpose()?;
    if args.list {
        let suite = asked.or(suites.first().copied()).ok_or_else(|| Failure::usage(SuiteError::NoGame))?;
        return print(&list(suite.catalogue()));
    }
    if let Some(id) = &args.explain {
        return print(&explain(&suites, id).map_err(Failure::usage)?);
    }
    // Before any bot is built.
    select(&suites, &args.run, &args.skip).map_err(Failure::usage)?;
    let options = Options {
        games: suites,
        game: args.game,
        run: args.run,
        skip: args.skip,
        strict: args.strict,
        seed: args.seed.unwrap_or(cornerman_conformance::DEFAULT_SEED),
        budget: (!args.full).then_some(Duration::from_secs(args.budget)),
        fast: args.fast,
        files: Some(args.files.unwrap_or_else(|| PathBuf::from(cornerman_conformance::DEFAULT_FILES))),
        conditions: args.isolation.conditions()?,
        ruleset: None,
        limits: args.limits.overrides(),
        verdicts: None,
    };
    let languages = args.languages.read()?;
    let makings = args.isolation.makings(&languages, games);
    let handed_in = HandedIn::of(&args.bots, makings)?;
    let with =
        With::of(handed_in.entries.iter().map(|entry| entry.spec.as_str()), &args.handed_in.with, makings.terms)?;
    let load = |number: usize| {
        let spec = &handed_in.entries[number].spec;
        bots::load_with(spec, with.of_bot(spec), makings)
    };
    let isolation = options.conditions.isolation()?;
    if isolation.level < Level::Namespaced && args.format == CheckFormat::Human {
        print(&format!("judged at isolation {}: `doctor` says what would give more", isolation.level))?;
    }
    let options = Options { verdicts: verdicts(&isolation, args.again), ..options };
    let Seen { reports, bots } = watched(&handed_in, &load, &options, args.format)?;
    bots::tell_of_twins(&bots);
    if let Some(folder) = &args.status_dir {
        intake::write_status(folder, &reports)?;
    }
    match args.format {
        CheckFormat::Human if reports.len() > 1 => print(&format!("\n{}", report::table(&reports, &style())))?,
        CheckFormat::Junit => print(&report::junit(&reports, args.strict))?,
        CheckFormat::Human | CheckFormat::Json => Exit::Fine,
    };
    match exit_code(&reports, args.strict) {
        0 => Ok(Exit::Fine),
        1 => Ok(Exit::No),
        _ => Err(Failure::Kit(anyhow::anyhow!("the sandbox failed: see the report"))),
    }
}

/// Where verdicts that were reached at `isolation` are kept, unless all is to be judged `again`. Where they cannot be kept,
/// all is judged.
pub fn verdicts(isolation: &Isolation, again: bool) -> Option<Verdicts> {
    Verdicts::open(&cache::folder().join("verdicts"), isolation, again).ok()
}

fn style() -> Style {
    Style { colour: true, width: show::width() }
}

fn print(text: &str) -> Result<Exit, Failure> {
    let mut out = anstream::stdout();
    write!(out, "{text}{}", if text.ends_with('\n') { "" } else { "\n" })?;
    Ok(Exit::Fine)
}

/// What was handed in, and what was beside it.
struct HandedIn {
    entries: Vec<Submission>,
    /// What nobody entered, and why not.
    ignored: Vec<(PathBuf, String)>,
}

impl HandedIn {
    /// What `specs` mean. A folder without a `bot.toml` stands for everything in it, if it has several entries.
    fn of(specs: &[String], makings: Makings) -> Result<HandedIn, Failure> {
        let languages = makings.terms.languages;
        let are_paths = bots::all(specs.iter().map(|spec| bots::must_exist(spec, makings)))?;
        let mut handed_in = HandedIn { entries: Vec::new(), ignored: Vec::new() };
        for (spec, is_path) in specs.iter().zip(are_paths) {
            let path = Path::new(spec);
            if path.is_dir() && !path.join("bot.toml").exists() && handed_in.open(path, languages)? {
                continue;
            }
            let refused = is_path.then(|| intake::refused(path)).flatten();
            handed_in.entries.push(Submission { refused, ..Submission::of(spec) });
        }
        Ok(handed_in)
    }

    /// Takes everything in `folder`, if it has several entries: one source and no `bot.toml` is a bot that lacks it
    /// rather than a folder of bots, and whoever loads it has the words for that.
    fn open(&mut self, folder: &Path, languages: &Languages) -> Result<bool, Failure> {
        let found = intake::list(folder, languages)
            .map_err(|why| Failure::usage(format!("{}: {why}", folder.display())))?;
        let are_entries = found.iter().filter(|found| !matches!(found.taken, Taken::Ignored(_))).count();
        if are_entries < 2 {
            return Ok(false);
        }
        for Found { path, taken } in found {
            let refused = match taken {
                Taken::Entry => None,
                Taken::Refused(why) => Some(why),
                Taken::Ignored(why) => {
                    self.ignored.push((path, why));
                    continue;
                }
            };
            self.entries.push(Submission { spec: path.to_string_lossy().into_owned(), refused });
        }
        Ok(true)
    }

    /// Says what is not looked at.
    fn tell_of_ignored(&self, format: CheckFormat) -> Result<(), Failure> {
        for (path, why) in &self.ignored {
            let path = path.display();
            match format {
                CheckFormat::Human => print(&show::plain(format!("      {path}: ignored, {why}")))?,
                CheckFormat::Json => {
                    let object = json!({ "schema": report::SCHEMA, "spec": path.to_string(), "ignored": why });
                    print(&plain_json(object.to_string()))?
                }
                CheckFormat::Junit => Exit::Fine,
            };
        }
        Ok(())
    }
}

/// What came of the check.
struct Seen {
    reports: Vec<BotReport>,
    /// Those that could be built.
    bots: Vec<Bot>,
}

/// Judges all. Where a bot has a report of its own it is printed as soon as it is known; meanwhile, on a terminal, a bar
/// of progress.
fn watched(handed_in: &HandedIn, load: Load, options: &Options, format: CheckFormat) -> Result<Seen, Failure> {
    handed_in.tell_of_ignored(format)?;
    let mut bar = Bar::new(handed_in.entries.len());
    let judged = intake::judge(&handed_in.entries, load, Some(options), &mut |event| {
        bar.hear(&event);
        let Event::Known(judged) = event else { return Ok(()) };
        let Some(report) = &judged.report else {
            return judged.bot.as_ref().map_or(Ok(()), |bot| speaks_as_its_game(bot).map_err(Failure::usage));
        };
        let text = match format {
            CheckFormat::Human => report::human(report, &style()),
            CheckFormat::Json => report::json(report, options.strict),
            CheckFormat::Junit => return Ok(()),
        };
        let printed = bar.aside(|| print(&text));
        end_if_nobody_reads(&printed);
        printed.map(drop)
    })?;
    drop(bar);
    let (mut reports, mut bots) = (Vec::new(), Vec::new());
    for judged in judged {
        reports.extend(judged.report);
        bots.extend(judged.bot);
    }
    Ok(Seen { reports, bots })
}

/// Ends the program when what it prints has no reader any more (`check … | head`): nobody is to wait for the
/// bots after that. The sandboxes end with us.
fn end_if_nobody_reads(printed: &Result<Exit, Failure>) {
    if matches!(printed, Err(Failure::NobodyReads)) {
        std::process::exit(0);
    }
}
