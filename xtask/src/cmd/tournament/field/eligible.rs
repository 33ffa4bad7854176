//! Which entries play: those that can be built and pass the check, one of each author (B13, F1).

use crate::bots::{self, Makings};
use crate::cli;
use crate::cmd::check::verdicts;
use crate::exit::CliError;
use crate::intake::{self, Bar, Judged, Submission};
use crate::registry::Registry;
use crate::show::plain_lines;
use cornerman_conformance::{BotReport, DEFAULT_BUDGET, Options, Severity};
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrantSource};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Limits;
use std::collections::BTreeMap;
use std::path::Path;

/// The entries that play, and what was found out about all of them. Entries are named by their
/// [places](Entrant::place).
#[derive(Default)]
pub struct Chosen {
    /// The bots of the entrants that are left in the contest file.
    pub bots: Vec<Bot>,
    /// What was found out about every entry.
    pub tried: BTreeMap<u32, Tried>,
    /// For each entry that a later one of the same author replaces, that one.
    pub replaced: BTreeMap<u32, u32>,
}

/// What was found out about an entry.
pub struct Tried {
    /// The bot's name.
    pub name: String,
    /// The record's words for what came of its check, if it was checked at all.
    pub verdict: Option<String>,
    /// Whether it fails a must, so that it does not play.
    fails: bool,
}

/// Builds the entrants of `file`, checks them, and leaves out those that do not play.
///
/// # Errors
/// When the file names what does not exist, before anything is built.
pub fn choose(file: &mut ContestFile, makings: Makings, args: &cli::Tournament) -> Result<Chosen, CliError> {
    let judged = judge(file, makings, args)?;
    let replaced = file.replaced(|at| Ok::<_, CliError>(!judged[at].1.fails))?;
    let mut chosen = Chosen::default();
    let mut why = Vec::new();
    for (at, (entry, (bot, tried))) in file.entrants.iter().zip(judged).enumerate() {
        why.push(match (replaced[at].map(|by| &file.entrants[by]), bot) {
            (Some(by), _) => {
                chosen.replaced.insert(entry.place, by.place);
                Some("replaced by a later entry of the same author (B13)".to_string())
            }
            (None, Some(bot)) if !tried.fails => {
                chosen.bots.push(bot);
                None
            }
            (None, _) => Some(format!("it {}", tried.verdict.as_deref().unwrap_or_default())),
        });
        chosen.tried.insert(entry.place, tried);
    }
    file.leave_out(|at, _| why[at].take());
    Ok(chosen)
}

/// What came of every entrant of `file`, in their order, and its bot if it could be built.
fn judge(
    file: &ContestFile,
    makings: Makings,
    args: &cli::Tournament,
) -> Result<Vec<(Option<Bot>, Tried)>, CliError> {
    let spec = |entry: &Entrant| match &entry.source {
        EntrantSource::Path(path) => path.display().to_string(),
        EntrantSource::Reference(name) => format!("@{name}"),
        EntrantSource::Engine(engine, command) => engine.spec(command),
    };
    let specs: Vec<String> = file.entrants.iter().map(spec).collect();
    // Whether a path exists, and which engine or reference bot is meant, the contest file says, not an entry.
    let are_paths = bots::all(file.entrants.iter().zip(&specs).map(|(entry, spec)| match &entry.source {
        EntrantSource::Path(path) => bots::must_exist(spec, makings).and_then(|is_path| {
            Bot::companion_files(path, &entry.with, makings.terms)?;
            Ok(is_path)
        }),
        EntrantSource::Reference(_) | EntrantSource::Engine(..) => load_one(file, entry, makings).map(|_| false),
    }))?;
    let submission = |(spec, is_path): (&String, bool)| {
        let refused = is_path.then(|| intake::refused(Path::new(spec))).flatten();
        Submission { refused, ..Submission::of(spec) }
    };
    let submissions: Vec<Submission> = specs.iter().zip(are_paths).map(submission).collect();
    let options = options(file, makings.games, args)?;
    if options.is_some() {
        eprintln!("checking {} entries …", submissions.len());
    }
    let load = |number: usize| {
        let bot = load_one(file, &file.entrants[number], makings)?;
        Ok(Bot { limits: limits(file, &bot), ..bot })
    };
    let mut bar = Bar::new(submissions.len());
    let judged = intake::judge(&submissions, &load, options.as_ref(), &mut |event| {
        bar.read_line(&event);
        Ok(())
    })?;
    drop(bar);
    let tried = judged.into_iter().zip(&submissions).map(|(Judged { bot, report }, submission)| {
        let name = bot.as_ref().map_or_else(|| submission.name(), |bot| bot.name.clone());
        (bot, Tried::of(name, report))
    });
    Ok(tried.collect())
}

/// The bots of the entrants, with the limits of the contest, or what is wrong with them.
pub fn entrants(file: &ContestFile, makings: Makings) -> Vec<Result<Bot, CliError>> {
    let limited = |bot: Bot| Bot { limits: limits(file, &bot), ..bot };
    load(file, &file.entrants, makings).into_iter().map(|bot| bot.map(limited)).collect()
}

/// The bots of `entries`, or what is wrong with them.
pub fn load(file: &ContestFile, entries: &[Entrant], makings: Makings) -> Vec<Result<Bot, CliError>> {
    entries.iter().map(|entry| load_one(file, entry, makings)).collect()
}

fn load_one(file: &ContestFile, entry: &Entrant, makings: Makings) -> Result<Bot, CliError> {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let bot = match &entry.source {
        EntrantSource::Path(path) => bots::load_with(&path.display().to_string(), &entry.with, makings),
        EntrantSource::Reference(name) => bots::load(&format!("@{name}"), makings),
        EntrantSource::Engine(engine, command) => Ok(Bot::engine(*engine, command, folder)?),
    }?;
    bot.check_plays(&file.game)?;
    Ok(bot)
}

/// By what the entrants of `file` are checked, the musts of its game; nothing where they are not, as in a game
/// without checks.
fn options(file: &ContestFile, games: &Registry, args: &cli::Tournament) -> Result<Option<Options>, CliError> {
    if args.no_check || games.of(&file.ruleset).suite.is_none() {
        return Ok(None);
    }
    let game = Some(file.game.clone());
    let ruleset = Some(Ruleset { limits: file.limits.clone(), ..file.ruleset.clone() });
    let conditions = args.isolation.conditions()?;
    let verdicts = verdicts(&conditions.isolation()?, args.again);
    let budget = Some(file.check_budget.unwrap_or(DEFAULT_BUDGET));
    let games = games.suites();
    Ok(Some(Options { games, game, files: None, conditions, ruleset, verdicts, budget, ..Options::default() }))
}

impl Tried {
    /// What the `report`, if it was checked, says of the bot called `name`.
    fn of(name: String, report: Option<BotReport>) -> Tried {
        let tried = Tried { name, verdict: None, fails: false };
        let Some(report) = report else { return tried };
        if let Some(why) = report.kit_failure {
            // That is not the entry's doing: it plays.
            let verdict = format!("could not be checked: {why}");
            eprintln!("{}", crate::show::plain(format!("{} {verdict}; it plays", tried.name)));
            return Tried { verdict: Some(verdict), ..tried };
        }
        if let Some(why) = report.unfit {
            // The rest of a compiler's words is for its author.
            eprintln!("{}: {}", crate::show::plain(&tried.name), plain_lines(&why));
            let verdict = format!("cannot play: {}", why.lines().next().unwrap_or_default());
            return Tried { verdict: Some(verdict), fails: true, ..tried };
        }
        let ids = report.results.iter().filter(|result| result.failure() == Some(Severity::Must));
        let ids: Vec<&str> = ids.map(|result| result.check.id.as_str()).collect();
        let verdict = if ids.is_empty() { "passed".to_string() } else { format!("fails {}", ids.join(", ")) };
        Tried { verdict: Some(verdict), fails: !ids.is_empty(), ..tried }
    }
}

/// What a bot may use: the same for all, but that a language has the time to start and the processes that it needs,
/// unless the contest file says how many there may be.
fn limits(file: &ContestFile, bot: &Bot) -> Limits {
    let Limits { start, .. } = bot.limits.clone().within(&file.limits);
    let processes = match file.limits.processes {
        usual if usual == file.ruleset.limits.processes => usual.max(bot.limits.processes),
        set => set,
    };
    Limits { start, processes, ..file.limits.clone() }
}
