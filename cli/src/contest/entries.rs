//! The field of a contest: loads, checks and names the bots of the contest file, and chooses those that play: one per
//! author of those that can be built and pass the check (B13, F1).

use super::Terms;
use crate::bots::{self, BotLoader};
use crate::cmd::check::verdicts;
use crate::contest::Checked;
use crate::intake::{self, IntakeBar, IntakeVerdict, Submission};
use crate::show::{plain, plain_lines};
use crate::{CliError, Registry};
use cornerman::contest::Decision;
use cornerman::format::EntrantId;
use cornerman_conformance::{BotReport, Check, Options, Severity};
use cornerman_harness::bot::{Bot, contents, spec_of_path};
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrySource};
use cornerman_harness::kit::Engine;
use cornerman_harness::player::seating;
use cornerman_harness::record::{EntrantRecord, Record, RecordErrorKind, in_force};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::MAX_OFFERS;
use cornerman_harness::sandbox::{Conditions, Limits, SandboxPool};
use cornerman_harness::toolchain::BuildOptions;
use cornerman_harness::{machine, names, pool};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The entrants and then the organizer's bots, in the order of their numbers.
pub(crate) struct Entries {
    /// Their bots, and those that decisions added.
    pub bots: BTreeMap<EntrantId, Bot>,
    /// The entries of the bots that decisions added, in the order of their numbers.
    pub late: Vec<Entrant>,
    /// The display names of all, by number, all different (R3).
    pub names: Vec<String>,
    /// Their rows in the record, followed by those of entries that do not play.
    pub records: Vec<EntrantRecord>,
    /// How many of them compete. The first ones do.
    pub competing: usize,
    /// How long their builds and checks took; `None` if there were no checks.
    pub checks: Option<Duration>,
}

impl Entries {
    /// Loads all bots of `file`, and removes from it the entrants that do not play. If a record has begun, its
    /// entrants, `begun`, say which do. Otherwise entrants are checked if `terms` say so, and those are removed that
    /// cannot be loaded, fail a must of the suite (F1) or are replaced by a later entry of the same author (B13).
    ///
    /// # Errors
    /// When a bot does not exist, or a seed program competes.
    pub(crate) fn gather(
        file: &mut ContestFile,
        games: &Registry,
        terms: Terms,
        begun: Option<Vec<EntrantRecord>>,
        sandboxes: &SandboxPool,
    ) -> Result<Entries, CliError> {
        let languages = terms.languages.read()?;
        let loader = terms.isolation.loader(&languages, games);
        if let Some(records) = &begun {
            file.exclude(|_, entry| row_of(entry, records)?.out.clone());
        }
        let Selection { mut bots, findings, replaced, checks } = match &begun {
            None => {
                let again = terms.checked.is_some_and(|checked| checked.again);
                let anew = BotLoader { options: BuildOptions { again, ..loader.options }, ..loader };
                choose(file, anew, terms)?
            }
            Some(_) => {
                let entrants = file.entrants.iter().map(|entry| load_limited(file, entry, loader));
                Selection { bots: bots::all_or_errors(entrants)?, ..Selection::default() }
            }
        };
        bots::report_duplicates(&bots);
        let competing = bots.len();
        let organizers = file.organizers.iter().map(|entry| load_one(file, entry, loader));
        let organizers = bots::all_or_errors(organizers)?;
        bots.extend(organizers.into_iter().map(|bot| Bot { limits: file.limits(), ..bot }));
        no_seed_program_competes(file, &bots)?;
        let own_names = own_names(file, &bots, begun.as_deref(), terms, sandboxes)?;
        let mut records = file.entrant_records();
        let everyone = file.entrants.iter().chain(&file.organizers).zip(&bots);
        for ((record, own), (entry, bot)) in records.iter_mut().zip(own_names).zip(everyone) {
            record.name = entry.name.clone().or(own).unwrap_or_else(|| bot.name.clone());
            identify(record, bot);
            record.verdict = record.entered.and_then(|place| findings.get(&place)?.verdict.clone());
        }
        for (record, out) in records[bots.len()..].iter_mut().zip(&file.excluded) {
            if let Some(findings) = findings.get(&out.entry.place) {
                record.name = out.entry.name.clone().unwrap_or_else(|| findings.name.clone());
                record.verdict.clone_from(&findings.verdict);
            }
        }
        if let Some(begun) = begun {
            // Entries that do not play are not built again: the findings of the first run stand.
            records.truncate(bots.len());
            records.extend(begun.into_iter().filter(|record| record.out.is_some()));
        }
        tell_apart(&mut records, &replaced);
        let names = records.iter().map(|record| record.name.clone()).collect();
        let bots = (0..).map(EntrantId).zip(bots).collect();
        Ok(Entries { bots, late: Vec::new(), names, records, competing, checks })
    }

    /// Loads the bots and versions that the decisions of `file` add, unless they are loaded already. `record` is its
    /// record.
    ///
    /// # Errors
    /// When one of them does not exist, or is not the program that was added.
    pub(crate) fn add_late(
        &mut self,
        file: &ContestFile,
        record: &Record,
        games: &Registry,
        terms: Terms,
    ) -> Result<(), CliError> {
        let entrants = record.entrants()?;
        self.names.extend(entrants[self.names.len().min(entrants.len())..].iter().map(|it| it.name.clone()));
        let languages = terms.languages.read()?;
        let loader = terms.isolation.loader(&languages, games);
        for (_, decision) in in_force(&file.decisions) {
            let entrant = match decision {
                Decision::Admit(admit) => admit.entrant,
                Decision::Replace(replace) => replace.version,
                _ => continue,
            };
            if self.bots.contains_key(&entrant) {
                continue;
            }
            let then = &entrants[entrant.index()];
            let entry = entrant_of_spec(&then.spec, loader.options.engines);
            let bot = load_limited(file, &entry, loader)?;
            if bot.program_sha256 != then.program_sha256 {
                return Err(RecordErrorKind::ProgramsChanged(vec![then.name.clone()]).at(record.path()).into());
            }
            self.bots.insert(entrant, bot);
            self.late.push(entry);
        }
        Ok(())
    }

    /// A line for each entry, in the order of the contest file: its name, its author if known, and the reason if it
    /// does not play.
    pub(crate) fn list(&self) -> impl Iterator<Item = String> {
        let mut entries: Vec<_> = self.records.iter().filter(|record| record.entered.is_some()).collect();
        entries.sort_by_key(|record| record.entered);
        entries.into_iter().map(|record| {
            let author = record.author.as_ref().map_or(String::new(), |author| format!(" by {author}"));
            let out = record.out.as_ref().map_or(String::new(), |why| format!(" does not play: {why}"));
            plain(format!("{}{author}{out}", record.name))
        })
    }

    /// A line for each entry that does not play, with the reason.
    pub(crate) fn absent(&self) -> impl Iterator<Item = String> {
        let out = self.records.iter().filter_map(|record| Some((record, record.out.as_ref()?)));
        out.map(|(record, why)| plain(format!("{} does not play: {why}", record.name)))
    }
}

/// Gives all entrants different names (R3), and says of those that are `replaced` by which later entry, by its name
/// (B13). The map has the [places](Entrant::place) of both.
fn tell_apart(records: &mut [EntrantRecord], replaced: &BTreeMap<u32, u32>) {
    let named: Vec<_> = records.iter().map(|record| (record.name.clone(), record.spec.clone())).collect();
    let names = names::told_apart(&named);
    let name_of: BTreeMap<_, _> = records.iter().map(|record| record.entered).zip(&names).collect();
    for (record, name) in records.iter_mut().zip(&names) {
        record.name.clone_from(name);
        if let Some(by) = record.entered.and_then(|place| replaced.get(&place)) {
            let by = name_of.get(&Some(*by));
            record.out = by.map(|by| format!("replaced by {by}, a later entry of the same author (B13)"));
        }
    }
}

/// The entry of the bot that a BOT argument names.
pub(crate) fn entrant_of_spec(spec: &str, engines: &[Engine]) -> Entrant {
    Entrant::new(EntrySource::of_spec(spec, engines, Path::new("")), spec.to_string())
}

/// The BOT argument that names the bot of an entry.
pub(crate) fn spec_of(source: &EntrySource) -> String {
    match source {
        EntrySource::Path(path) => spec_of_path(path),
        EntrySource::Reference(name) => format!("@{name}"),
        EntrySource::Engine(engine, command) => engine.spec(command),
    }
}

/// Sets what a record says of the program of `bot`, and its author if the contest file names none.
pub(crate) fn identify(record: &mut EntrantRecord, bot: &Bot) {
    record.author = record.author.take().or_else(|| bot.author.clone());
    record.source_sha256.clone_from(&bot.source_sha256);
    record.program_sha256.clone_from(&bot.program_sha256);
    record.toolchain.clone_from(&bot.toolchain);
}

/// For each bot of `bots` the name that it announces (R3), if it is an entry at a path that neither the contest file
/// nor its author has named. A resumed run does not ask again: it takes the name from the entrants of its record,
/// `begun`.
fn own_names(
    file: &ContestFile,
    bots: &[Bot],
    begun: Option<&[EntrantRecord]>,
    terms: Terms,
    sandboxes: &SandboxPool,
) -> Result<Vec<Option<String>>, CliError> {
    let conditions = terms.isolation.conditions()?;
    let own_name = |(bot, entry): (&Bot, &Entrant)| {
        let is_asked = entry.name.is_none() && matches!(entry.source, EntrySource::Path(_)) && !bot.has_given_name;
        match begun {
            _ if !is_asked => None,
            Some(records) => row_of(entry, records).map(|record| record.name.clone()),
            None => introduction(bot, &file.ruleset, sandboxes, conditions),
        }
    };
    // The organizer's bots, which come last, are not asked. Opening a sandbox is mostly waiting for the kernel.
    let mut names = pool::map(bots.iter().zip(&file.entrants), 4 * machine::cores(), own_name);
    names.resize(bots.len(), None);
    Ok(names)
}

/// The name that a bot announces. If the sandbox fails as many times as a game may be tried, the bot keeps its file's
/// name.
fn introduction(bot: &Bot, ruleset: &Ruleset, sandboxes: &SandboxPool, conditions: Conditions) -> Option<String> {
    let once = || seating::announced_name(bot, ruleset, sandboxes, conditions);
    let introduced = (1..MAX_OFFERS).fold(once(), |done, _| done.or_else(|_| once()));
    introduced.unwrap_or_else(|why| {
        note!("{}", plain(format!("could not ask {} for its name: {why}", bot.name)));
        None
    })
}

/// Checks that no entry is one of the programs that entries are seeded against (F1).
///
/// # Errors
/// When an entry has the same program or source, under whatever name.
fn no_seed_program_competes(file: &ContestFile, bots: &[Bot]) -> Result<(), CliError> {
    let (entered, organizers) = bots.split_at(file.entrants.len());
    let programs = organizers.iter().zip(&file.organizers).enumerate();
    let programs = programs.filter(|(place, _)| !file.spec.fillers.contains(place)).map(|(_, program)| program);
    for (program, named) in programs {
        let own = contents(program);
        let is_it = |bot: &Bot| {
            let same = bot.program_sha256.is_some() && bot.program_sha256 == program.program_sha256;
            same || !contents(bot).is_disjoint(&own)
        };
        if let Some((_, entry)) = entered.iter().zip(&file.entrants).find(|(bot, _)| is_it(bot)) {
            let path = file.path.display();
            let line = entry.line;
            return Err(usage!(
                "{path}:{line}: `{}` is the same program as `{}`, which seeds the entries and may not compete (F1)",
                entry.spec,
                named.spec
            ));
        }
    }
    Ok(())
}

/// The record's row of an entry of the contest file.
fn row_of<'a>(entry: &Entrant, records: &'a [EntrantRecord]) -> Option<&'a EntrantRecord> {
    records.iter().find(|record| record.entered == Some(entry.place) && record.spec == entry.spec)
}

/// The entries that play, and the findings about all entries. Keys are the [places](Entrant::place) of entries.
#[derive(Default)]
struct Selection {
    /// The bots of the entrants that remain in the contest file.
    pub bots: Vec<Bot>,
    pub findings: BTreeMap<u32, EntryFindings>,
    /// For each entry that is replaced, the later entry of the same author.
    pub replaced: BTreeMap<u32, u32>,
    /// How long the builds and checks took; `None` if there were no checks.
    pub checks: Option<Duration>,
}

/// What was found about an entry when it was loaded and checked.
struct EntryFindings {
    pub name: String,
    /// The result of its check, in the words of the record; `None` if it was not checked.
    pub verdict: Option<String>,
    /// If it fails checks, the same with their titles, because people do not know their ids.
    explained: Option<String>,
    /// Whether it fails a must, or cannot be loaded, so that it does not play.
    fails: bool,
}

/// Loads and checks the entrants of `file`, and removes from it those that do not play.
///
/// # Errors
/// When the file names a bot that does not exist, which is found before any entry at a path is built, or the sandbox
/// fails.
fn choose(file: &mut ContestFile, loader: BotLoader, terms: Terms) -> Result<Selection, CliError> {
    let began = Instant::now();
    let judged = judge_entrants(file, loader, terms)?;
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

/// Loads and checks the entrants of `file`, in their order. An entrant that cannot be loaded has findings but no bot.
fn judge_entrants(
    file: &ContestFile,
    loader: BotLoader,
    terms: Terms,
) -> Result<Vec<(Option<Bot>, EntryFindings)>, CliError> {
    let specs: Vec<String> = file.entrants.iter().map(|entry| spec_of(&entry.source)).collect();
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
    let options = check_options(file, loader.games, terms)?;
    if options.is_some() {
        note!("checking {} entries …", submissions.len());
    }
    let load = |number: usize| load_limited(file, &file.entrants[number], loader);
    let mut bar = IntakeBar::new(submissions.len());
    let judged = intake::judge(&submissions, &load, options.as_ref(), &mut |event| {
        bar.on_event(&event);
        Ok(())
    })?;
    drop(bar);
    let findings = judged.into_iter().zip(&submissions).map(|(IntakeVerdict { bot, report }, submission)| {
        let name = bot.as_ref().map_or_else(|| submission.name(), |bot| bot.name.clone());
        (bot, EntryFindings::new(name, report))
    });
    Ok(findings.collect())
}

/// Loads the bot of an entrant, with the limits of the contest.
fn load_limited(file: &ContestFile, entry: &Entrant, loader: BotLoader) -> Result<Bot, CliError> {
    let bot = load_one(file, entry, loader)?;
    Ok(Bot { limits: limits_of(file, &bot), ..bot })
}

/// Loads the bot of an entry, and checks that it plays the contest's game.
fn load_one(file: &ContestFile, entry: &Entrant, loader: BotLoader) -> Result<Bot, CliError> {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let bot = match &entry.source {
        EntrySource::Engine(engine, command) => Bot::engine(*engine, command, folder)?,
        source => bots::load_with(&spec_of(source), &entry.with, loader)?,
    };
    bot.check_plays(file.game())?;
    Ok(bot)
}

/// The options of the entrants' check; `None` if the user wants no check, or the game has none.
fn check_options(file: &ContestFile, games: &Registry, terms: Terms) -> Result<Option<Options>, CliError> {
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
            note!("{}", plain(format!("{} {verdict}; it plays", findings.name)));
            return EntryFindings { verdict: Some(verdict), ..findings };
        }
        if let Some(why) = report.unfit {
            // The record gets the first line only; a compiler's whole output, or an example, is printed.
            note!("{}: {}", plain(&findings.name), plain_lines(&why));
            let first = why.lines().next().unwrap_or_default();
            let verdict = format!("cannot play: {}", first.trim_end_matches(", such as"));
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

/// The limits of a bot. They are the same for all bots, with two exceptions: a bot gets the start time that its
/// language needs, and also the number of processes, unless the contest file sets that number.
fn limits_of(file: &ContestFile, bot: &Bot) -> Limits {
    let limits = file.limits();
    let Limits { start, .. } = bot.limits.clone().within(&limits);
    let processes = match limits.processes {
        usual if usual == file.ruleset.limits.processes => usual.max(bot.limits.processes),
        set => set,
    };
    Limits { start, processes, ..limits }
}
