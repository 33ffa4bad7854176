//! The field of a contest: loads, checks and names the bots of the contest file.

mod eligible;

use super::{Terms, of_record};
use crate::bots::{self, BotLoader};
use crate::{CliError, Registry};
use cornerman::contest::Decision;
use cornerman::format::EntrantId;
use cornerman_harness::bot::{Bot, contents};
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrySource};
use cornerman_harness::kit::Engine;
use cornerman_harness::player::seating;
use cornerman_harness::record::{EntrantRecord, Record, RecordErrorKind, in_force};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::MAX_OFFERS;
use cornerman_harness::sandbox::{Conditions, SandboxPool};
use cornerman_harness::toolchain::BuildOptions;
use cornerman_harness::{machine, names, pool};
use eligible::Selection;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The entrants and then the organizer's bots, in the order of their numbers.
pub(crate) struct Entries {
    /// Their bots, and those that decisions added.
    pub bots: BTreeMap<EntrantId, Bot>,
    /// Where the bots are that decisions added, in the order of their numbers.
    pub late: Vec<Entrant>,
    /// The display names of all, by number, all different (R3).
    pub names: Vec<String>,
    /// Their rows of the record, followed by those of entries that do not play.
    pub records: Vec<EntrantRecord>,
    /// How many of them compete: these are the first.
    pub competing: usize,
    /// How long their builds and checks took; `None` if there were no checks.
    pub checks: Option<Duration>,
}

impl Entries {
    /// Loads and checks all bots of `file`, and removes from it the entrants that do not play. If a record has begun, its
    /// entrants, `begun`, say which ones; else they are those that fail a must of the suite (F1) and those that a later
    /// entry of the same author replaces (B13).
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
            file.exclude(|_, entry| why_out(records, entry));
        }
        let Selection { mut bots, findings, replaced, checks } = match &begun {
            None => {
                let again = terms.checked.is_some_and(|checked| checked.again);
                let anew = BotLoader { options: BuildOptions { again, ..loader.options }, ..loader };
                eligible::choose(file, anew, terms)?
            }
            Some(_) => {
                Selection { bots: bots::all_or_errors(eligible::entrants(file, loader))?, ..Selection::default() }
            }
        };
        bots::report_duplicates(&bots);
        let competing = bots.len();
        let organizers = bots::all_or_errors(eligible::load(file, &file.organizers, loader))?;
        bots.extend(organizers.into_iter().map(|bot| Bot { limits: file.limits(), ..bot }));
        no_seed_program_competes(file, &bots)?;
        let own_names = own_names(file, &bots, begun.as_deref(), terms, sandboxes)?;
        let mut records = file.entrant_records();
        let everyone = file.entrants.iter().chain(&file.organizers).zip(&bots);
        for ((record, own), (entry, bot)) in records.iter_mut().zip(own_names).zip(everyone) {
            record.name = entry.name.clone().or(own).unwrap_or_else(|| bot.name.clone());
            record.author = entry.author.clone().or_else(|| bot.author.clone());
            record.source_sha256.clone_from(&bot.source_sha256);
            record.program_sha256.clone_from(&bot.program_sha256);
            record.toolchain.clone_from(&bot.toolchain);
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
        let named: Vec<_> = records.iter().map(|record| (record.name.clone(), record.spec.clone())).collect();
        let names = names::told_apart(&named);
        let named: BTreeMap<_, _> = records.iter().map(|record| record.entered).zip(&names).collect();
        for (record, name) in records.iter_mut().zip(&names) {
            record.name.clone_from(name);
            if let Some(by) = record.entered.and_then(|place| replaced.get(&place)) {
                record.out = named
                    .get(&Some(*by))
                    .map(|by| format!("replaced by {by}, a later entry of the same author (B13)"));
            }
        }
        let bots = (0..).map(EntrantId).zip(bots).collect();
        Ok(Entries { bots, late: Vec::new(), names, records, competing, checks })
    }

    /// Loads the bots and versions that the decisions of `file` add, whose record this is, and that are not loaded yet.
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
        let entrants = record.entrants().map_err(of_record)?;
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
            let entry = late_entry(&then.spec, loader.options.engines);
            let bot = eligible::load_limited(file, &entry, loader)?;
            if bot.program_sha256 != then.program_sha256 {
                let changed = RecordErrorKind::ProgramsChanged(vec![then.name.clone()]);
                return Err(of_record(changed.at(record.path())));
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
            format!("{}{author}{out}", record.name)
        })
    }

    /// A line for each entry that does not play, with the reason.
    pub(crate) fn absent(&self) -> impl Iterator<Item = String> {
        let out = self.records.iter().filter_map(|record| Some((record, record.out.as_ref()?)));
        out.map(|(record, why)| format!("{} does not play: {why}", record.name))
    }
}

/// The entry of a bot that is handed in late, as `spec` names it.
pub(crate) fn late_entry(spec: &str, engines: &[Engine]) -> Entrant {
    Entrant {
        source: EntrySource::of_spec(spec, engines, Path::new("")),
        spec: spec.to_string(),
        name: None,
        with: Vec::new(),
        author: None,
        listed: None,
        line: 1,
        group: None,
        place: 0,
    }
}

/// For each bot the name that it announces (R3), if neither the contest file nor its author has named it. A bot is
/// asked only once: a run that is resumed takes the name from the record `begun`.
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
            Some(records) => found(records, entry).map(|record| record.name.clone()),
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
        let words = format!("could not ask {} for its name: {why}", bot.name);
        eprintln!("{}", crate::show::plain(&words));
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

/// Why an entry does not play, according to the record; `None` if it plays.
fn why_out(records: &[EntrantRecord], entry: &Entrant) -> Option<String> {
    found(records, entry)?.out.clone()
}

/// The record's row of an entry of the contest file.
fn found<'a>(records: &'a [EntrantRecord], entry: &Entrant) -> Option<&'a EntrantRecord> {
    records.iter().find(|record| record.entered == Some(entry.place) && record.spec == entry.spec)
}
