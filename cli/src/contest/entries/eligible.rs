//! Chooses the entries that play: those that can be built and pass the check, one per author (B13, F1).

use crate::bots::{self, BotLoader};
use crate::cmd::check::verdicts;
use crate::contest::{Checked, Terms};
use crate::intake::{self, IntakeBar, Judged, Submission};
use crate::show::plain_lines;
use crate::{CliError, Registry};
use cornerman_conformance::{BotReport, Check, Options, Severity};
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrySource};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Limits;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The entries that play, and the findings about all entries. Keys are the [places](Entrant::place) of entries.
#[derive(Default)]
pub(super) struct Selection {
    /// The bots of the entrants that remain in the contest file.
    pub bots: Vec<Bot>,
    /// The findings about every entry.
    pub findings: BTreeMap<u32, EntryFindings>,
    /// For each entry that is replaced, the later entry of the same author.
    pub replaced: BTreeMap<u32, u32>,
    /// How long the builds and checks took; `None` if there were no checks.
    pub checks: Option<Duration>,
}

/// The findings about an entry.
pub(super) struct EntryFindings {
    /// The bot's name.
    pub name: String,
    /// The result of its check, in the words of the record; `None` if it was not checked.
    pub verdict: Option<String>,
    /// The same for people, who do not know what the ids of checks stand for.
    explained: Option<String>,
    /// Whether it fails a must, or cannot be loaded, so that it does not play.
    fails: bool,
}

/// Loads and checks the entrants of `file`, and removes from it those that do not play.
///
/// # Errors
/// When the file names a bot that does not exist, which is found before anything is built, or the sandbox fails.
pub(super) fn choose(file: &mut ContestFile, loader: BotLoader, terms: Terms) -> Result<Selection, CliError> {
    let began = Instant::now();
    let judged = judge(file, loader, terms)?;
    let is_checked = judged.iter().any(|(_, findings)| findings.verdict.is_some());
    let replaced = file.replaced(|at| Ok::<_, CliError>(!judged[at].1.fails))?;
    let mut selection = Selection { checks: is_checked.then(|| began.elapsed()), ..Selection::default() };
    let mut why = Vec::new();
    for (at, (entry, (bot, findings))) in file.entrants.iter().zip(judged).enumerate() {
        why.push(match (replaced[at].map(|by| &file.entrants[by]), bot) {
            (Some(by), _) => {
                selection.replaced.insert(entry.place, by.place);
                Some("replaced by a later entry of the same author (B13)".to_string())
            }
            (None, Some(bot)) if !findings.fails => {
                selection.bots.push(bot);
                None
            }
            (None, _) => {
                let verdict = findings.explained.as_ref().or(findings.verdict.as_ref());
                Some(format!("it {}", verdict.map_or("", String::as_str)))
            }
        });
        selection.findings.insert(entry.place, findings);
    }
    file.exclude(|at, _| why[at].take());
    Ok(selection)
}

/// Loads and checks the entrants of `file`. Returns for each, in their order, the bot if it could be loaded, and the
/// findings.
fn judge(
    file: &ContestFile,
    loader: BotLoader,
    terms: Terms,
) -> Result<Vec<(Option<Bot>, EntryFindings)>, CliError> {
    let spec = |entry: &Entrant| match &entry.source {
        EntrySource::Path(path) => path.display().to_string(),
        EntrySource::Reference(name) => format!("@{name}"),
        EntrySource::Engine(engine, command) => engine.spec(command),
    };
    let specs: Vec<String> = file.entrants.iter().map(spec).collect();
    // A bot that does not exist is a mistake of the contest file, not of the entry, so it ends the run.
    let are_paths =
        bots::all_or_errors(file.entrants.iter().zip(&specs).map(|(entry, spec)| match &entry.source {
            EntrySource::Path(path) => bots::check_exists(spec, loader).and_then(|is_path| {
                Bot::companion_files(path, &entry.with, loader.options)?;
                Ok(is_path)
            }),
            EntrySource::Reference(_) | EntrySource::Engine(..) => load_one(file, entry, loader).map(|_| false),
        }))?;
    let submission = |(spec, is_path): (&String, bool)| {
        let refused = is_path.then(|| intake::refused(Path::new(spec))).flatten();
        Submission { refused, ..Submission::new(spec) }
    };
    let submissions: Vec<Submission> = specs.iter().zip(are_paths).map(submission).collect();
    let options = options(file, loader.games, terms)?;
    if options.is_some() {
        eprintln!("checking {} entries …", submissions.len());
    }
    let load = |number: usize| load_limited(file, &file.entrants[number], loader);
    let mut bar = IntakeBar::new(submissions.len());
    let judged = intake::judge(&submissions, &load, options.as_ref(), &mut |event| {
        bar.on_event(&event);
        Ok(())
    })?;
    drop(bar);
    let findings = judged.into_iter().zip(&submissions).map(|(Judged { bot, report }, submission)| {
        let name = bot.as_ref().map_or_else(|| submission.name(), |bot| bot.name.clone());
        (bot, EntryFindings::new(name, report))
    });
    Ok(findings.collect())
}

/// Loads the bots of the entrants, with the limits of the contest.
pub(super) fn entrants(file: &ContestFile, loader: BotLoader) -> Vec<Result<Bot, CliError>> {
    file.entrants.iter().map(|entry| load_limited(file, entry, loader)).collect()
}

/// Loads the bot of an entrant, with the limits of the contest.
pub(super) fn load_limited(file: &ContestFile, entry: &Entrant, loader: BotLoader) -> Result<Bot, CliError> {
    let bot = load_one(file, entry, loader)?;
    Ok(Bot { limits: limits(file, &bot), ..bot })
}

/// Loads the bots of `entries`.
pub(super) fn load(file: &ContestFile, entries: &[Entrant], loader: BotLoader) -> Vec<Result<Bot, CliError>> {
    entries.iter().map(|entry| load_one(file, entry, loader)).collect()
}

fn load_one(file: &ContestFile, entry: &Entrant, loader: BotLoader) -> Result<Bot, CliError> {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let bot = match &entry.source {
        EntrySource::Path(path) => bots::load_with(&path.display().to_string(), &entry.with, loader),
        EntrySource::Reference(name) => bots::load(&format!("@{name}"), loader),
        EntrySource::Engine(engine, command) => Ok(Bot::engine(*engine, command, folder)?),
    }?;
    bot.check_plays(file.game())?;
    Ok(bot)
}

/// The options of the entrants' check; `None` if they are not checked, because the user or the game has it so.
fn options(file: &ContestFile, games: &Registry, terms: Terms) -> Result<Option<Options>, CliError> {
    let Some(Checked { again }) = terms.checked.filter(|_| games.entry_for(&file.ruleset).suite.is_some()) else {
        return Ok(None);
    };
    let game = Some(file.game().to_string());
    let ruleset = Some(Ruleset { limits: file.limits(), ..file.ruleset.clone() });
    let conditions = terms.isolation.conditions()?;
    let verdicts = verdicts(&conditions.isolation()?, again);
    let budget = Some(file.spec.check_budget());
    let games = games.suites_for(&file.ruleset);
    Ok(Some(Options { games, game, files: None, conditions, ruleset, verdicts, budget, ..Options::default() }))
}

impl EntryFindings {
    /// The findings about the bot called `name`, from the report of its check, if it was checked.
    fn new(name: String, report: Option<BotReport>) -> EntryFindings {
        let findings = EntryFindings { name, verdict: None, explained: None, fails: false };
        let Some(report) = report else { return findings };
        if let Some(why) = report.kit_failure {
            // That is not the entry's fault, so it plays.
            let verdict = format!("could not be checked: {why}");
            eprintln!("{}", crate::show::plain(format!("{} {verdict}; it plays", findings.name)));
            return EntryFindings { verdict: Some(verdict), ..findings };
        }
        if let Some(why) = report.unfit {
            // The record gets the first line only; a compiler's whole output is printed.
            eprintln!("{}: {}", crate::show::plain(&findings.name), plain_lines(&why));
            let verdict = format!("cannot play: {}", why.lines().next().unwrap_or_default());
            return EntryFindings { verdict: Some(verdict), fails: true, ..findings };
        }
        let musts = report.results.iter().filter(|result| result.failure() == Some(Severity::Must));
        let failed: Vec<&Check> = musts.map(|result| result.check).collect();
        if failed.is_empty() {
            return EntryFindings { verdict: Some("passed".to_string()), ..findings };
        }
        let listed = |words: fn(&Check) -> String| {
            let each: Vec<String> = failed.iter().map(|check| words(check)).collect();
            Some(format!("fails {}", each.join(", ")))
        };
        let verdict = listed(|check| check.id.clone());
        let explained = listed(|check| format!("{} ({})", check.id, check.title));
        EntryFindings { verdict, explained, fails: true, ..findings }
    }
}

/// The limits of a bot. They are the same for all, except that a language gets the time to start that it needs, and the
/// processes, unless the contest file limits these.
fn limits(file: &ContestFile, bot: &Bot) -> Limits {
    let limits = file.limits();
    let Limits { start, .. } = bot.limits.clone().within(&limits);
    let processes = match limits.processes {
        usual if usual == file.ruleset.limits.processes => usual.max(bot.limits.processes),
        set => set,
    };
    Limits { start, processes, ..limits }
}
