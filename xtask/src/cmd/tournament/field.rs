//! Who takes part: the bots of the contest file, built, named and checked.

use crate::bots;
use crate::cli;
use crate::exit::Failure;
use cornerman_conformance::{BotReport, Options, Severity, check};
use cornerman_harness::bot::{Bot, Speech, Terms};
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrantSource};
use cornerman_harness::player::seating;
use cornerman_harness::record::{EntrantRecord, Record};
use cornerman_harness::sandbox::Limits;
use std::collections::BTreeSet;
use std::path::Path;

/// The entrants and the organizer's bots, by number.
pub struct Entries {
    /// Their bots.
    pub bots: Vec<Bot>,
    /// Their names for people, all different (R3).
    pub names: Vec<String>,
    /// What the record says of them, and of the entries that do not play.
    pub records: Vec<EntrantRecord>,
    /// How many compete.
    pub competing: usize,
}

impl Entries {
    /// Builds and checks all bots of `file`, and takes those entrants out of it that do not play: those that the
    /// record `db` says are out, if it has begun, else those that fail a must of the suite (F1).
    pub fn gather(file: &mut ContestFile, db: &Path, args: &cli::Tournament) -> Result<Entries, Failure> {
        let languages = args.languages.read()?;
        let terms = args.isolation.terms(&languages);
        // A record that is about to be set aside says nothing of who plays.
        let begun = if args.force_new { None } else { recorded(db)? };
        if let Some(records) = &begun {
            file.leave_out(|_, entry| why_out(records, entry));
        }
        let mut bots = load(file, &file.entrants, terms)?;
        bots::tell_of_twins(&bots);
        bots.iter_mut().for_each(|bot| bot.limits = limits(file, bot));
        let mut failed = Vec::new();
        // A game without checks lets everybody play.
        let has_suite = cornerman_conformance::games::suite(&file.game).is_some();
        let checked = begun.is_none() && !args.no_check && has_suite;
        if checked {
            let verdicts = verdicts(&bots, &file.game, args)?;
            let failing = (0..).zip(&bots).zip(&verdicts).filter_map(|((at, bot), ids)| {
                let place = |at: usize| file.entrants[at].place;
                ids.as_ref().map(|ids| (place(at), bot.name.clone(), ids.clone()))
            });
            failed.extend(failing);
            file.leave_out(|at, _| verdicts[at].as_ref().map(|ids| format!("it fails {ids}")));
            let mut verdicts = verdicts.iter();
            bots.retain(|_| verdicts.next().is_some_and(Option::is_none));
        }
        let competing = bots.len();
        let organizers = load(file, &file.organizers, terms)?;
        bots.extend(organizers.into_iter().map(|bot| Bot { limits: file.limits.clone(), ..bot }));
        no_seed_program_competes(file, &bots)?;
        let own_names = own_names(file, &bots, begun.as_deref(), args)?;
        let mut records = file.entrant_records();
        let everyone = file.entrants.iter().chain(&file.organizers).zip(&bots);
        for ((record, own), (entry, bot)) in records.iter_mut().zip(own_names).zip(everyone) {
            record.name = entry.name.clone().or(own).unwrap_or_else(|| bot.name.clone());
            record.author = entry.author.clone().or_else(|| bot.author.clone());
            record.source_sha256.clone_from(&bot.source_sha256);
            record.program_sha256.clone_from(&bot.program_sha256);
            record.toolchain.clone_from(&bot.toolchain);
            record.verdict = (checked && record.entered.is_some()).then(|| "passed".to_string());
        }
        name_the_failed(&mut records[bots.len()..], file, &failed);
        if let Some(begun) = begun {
            // Of those who are out nothing is built any more: what the first run found of them stands.
            records.truncate(bots.len());
            records.extend(begun.into_iter().filter(|record| record.out.is_some()));
        }
        let names = distinct(records.iter().map(|record| &record.name));
        records.iter_mut().zip(&names).for_each(|(record, name)| record.name.clone_from(name));
        Ok(Entries { bots, names, records, competing })
    }

    /// Who does not play and why, a line each.
    pub fn absent(&self) -> impl Iterator<Item = String> {
        let out = self.records.iter().filter_map(|record| Some((record, record.out.as_ref()?)));
        out.map(|(record, why)| format!("{} does not play: {why}", record.name))
    }
}

/// For everyone the name that the program gives itself (R3), where neither the contest file nor its author has named it
/// otherwise. It is asked once: a run that goes on takes what the record `begun` says.
fn own_names(
    file: &ContestFile,
    bots: &[Bot],
    begun: Option<&[EntrantRecord]>,
    args: &cli::Tournament,
) -> Result<Vec<Option<String>>, Failure> {
    let conditions = args.isolation.conditions()?;
    let own_name = |(bot, entry): (&Bot, Option<&Entrant>)| {
        let Some(entry) = entry.filter(|entry| entry.name.is_none()) else { return Ok(None) };
        if matches!(entry.source, EntrantSource::Path(_)) && !bot.has_given_name {
            return match begun {
                Some(records) => Ok(found(records, entry).map(|record| record.name.clone())),
                None => Ok(seating::introduction(bot, &file.ruleset, conditions)?),
            };
        }
        Ok(None)
    };
    let entries = file.entrants.iter().map(Some).chain(std::iter::repeat(None));
    bots.iter().zip(entries).map(own_name).collect()
}

/// # Errors
/// When an entry is the same program as one that entries are seeded against (F1), under whatever name.
fn no_seed_program_competes(file: &ContestFile, bots: &[Bot]) -> Result<(), Failure> {
    let (entered, organizers) = bots.split_at(file.entrants.len());
    let programs = organizers.iter().zip(&file.organizers).enumerate();
    let programs = programs.filter(|(place, _)| !file.fillers.contains(place)).map(|(_, program)| program);
    for (program, named) in programs {
        let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        let is_it = |bot: &Bot| {
            same(&bot.program_sha256, &program.program_sha256) || same(&bot.source_sha256, &program.source_sha256)
        };
        if let Some((_, entry)) = entered.iter().zip(&file.entrants).find(|(bot, _)| is_it(bot)) {
            let (path, line) = (file.path.display(), entry.line);
            return Err(Failure::usage(format!(
                "{path}:{line}: `{}` has the same bytes as `{}`, which seeds the entries and may not compete (F1)",
                entry.spec, named.spec
            )));
        }
    }
    Ok(())
}

/// What a bot may use: the same for all, but that a language has the time to start and the processes that it needs,
/// unless the contest file says how many there may be.
fn limits(file: &ContestFile, bot: &Bot) -> Limits {
    let start = file.limits.start.max(bot.limits.start);
    let processes = match file.limits.processes {
        usual if usual == file.ruleset.limits.processes => usual.max(bot.limits.processes),
        set => set,
    };
    Limits { start, processes, ..file.limits.clone() }
}

/// Gives those who fail the check (by place, name and ids) their bots' names and their verdicts.
fn name_the_failed(out: &mut [EntrantRecord], file: &ContestFile, failed: &[(u32, String, String)]) {
    for (record, out) in out.iter_mut().zip(&file.out) {
        if let Some((_, name, ids)) = failed.iter().find(|(place, ..)| *place == out.entry.place) {
            record.name = out.entry.name.clone().unwrap_or_else(|| name.clone());
            record.verdict = Some(format!("fails {ids}"));
        }
    }
}

/// Everyone in a record that has begun.
fn recorded(db: &Path) -> Result<Option<Vec<EntrantRecord>>, Failure> {
    let Some(record) = Record::open_if_begun(db).map_err(super::of_record)? else { return Ok(None) };
    let entrants = record.entrants().map_err(super::of_record)?;
    Ok((!entrants.is_empty()).then_some(entrants))
}

/// Why an entry of the contest file does not play by the record, if it does not.
fn why_out(records: &[EntrantRecord], entry: &Entrant) -> Option<String> {
    found(records, entry)?.out.clone()
}

/// What the record says of an entry of the contest file.
fn found<'a>(records: &'a [EntrantRecord], entry: &Entrant) -> Option<&'a EntrantRecord> {
    records.iter().find(|record| record.entered == Some(entry.place) && record.spec == entry.spec)
}

/// Every bot; what is wrong with any of them is told at once.
fn load(file: &ContestFile, entries: &[Entrant], terms: Terms) -> Result<Vec<Bot>, Failure> {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let load = |entry: &Entrant| {
        let bot = match &entry.source {
            EntrantSource::Path(path) => bots::load(&path.display().to_string(), terms),
            EntrantSource::Reference(name) => bots::load(&format!("@{name}"), terms),
            EntrantSource::Gtp(command) => Ok(Bot::gtp(command, folder)?),
        }?;
        bot.must_play(&file.game)?;
        Ok(bot)
    };
    bots::all(entries.iter().map(load))
}

/// For each bot the musts of `game` that it fails, if it fails any.
fn verdicts(bots: &[Bot], game: &str, args: &cli::Tournament) -> Result<Vec<Option<String>>, Failure> {
    eprintln!("checking {} entries …", bots.len());
    let game = Some(game.to_string());
    let options = Options { game, files: None, conditions: args.isolation.conditions()?, ..Options::default() };
    // Engines do not speak the lines that the suite is about: what they do is seen in their games.
    let speaks_lines = |bot: &&Bot| bot.speaks == Speech::Game;
    let checked: Vec<Bot> = bots.iter().filter(speaks_lines).cloned().collect();
    let reports = match checked.is_empty() {
        true => Vec::new(),
        false => check(&checked, &options, &mut |_| ()).map_err(|error| Failure::Kit(error.into()))?,
    };
    let failed = |report: &BotReport| {
        let ids = report.results.iter().filter(|result| result.failure() == Some(Severity::Must));
        let ids: Vec<&str> = ids.map(|result| result.check.id.as_str()).collect();
        (!ids.is_empty()).then(|| ids.join(", "))
    };
    let mut verdicts = reports.iter().map(failed);
    Ok(bots.iter().map(|bot| if speaks_lines(&bot) { verdicts.next().flatten() } else { None }).collect())
}

/// The names, the second of one name with `#2` behind it (R3).
fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut all = Vec::new();
    for name in names {
        let numbered = (2..).map(|n| format!("{name} #{n}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        let free = free.expect("numbers do not end");
        taken.insert(free.clone());
        all.push(free);
    }
    all
}
