//! Who takes part: the bots of the contest file, built, named and checked.

use crate::bots;
use crate::cli;
use crate::exit::Failure;
use cornerman_conformance::{Options, Severity, check};
use cornerman_harness::bot::{Bot, Speech, Terms};
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrantSource};
use cornerman_harness::player::seating;
use cornerman_harness::record::{EntrantRecord, Record};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, Limits};
use cornerman_harness::tournament::OFFERS;
use std::collections::{BTreeMap, BTreeSet};
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
        // A game without checks lets everybody play.
        let has_suite = cornerman_conformance::games::suite(&file.game).is_some();
        let mut checked = BTreeMap::new();
        if begun.is_none() && !args.no_check && has_suite {
            checked = check_all(file, &bots, args)?;
            let mut entries = file.entrants.iter();
            bots.retain(|_| entries.next().is_some_and(|entry| !checked[&entry.place].fails));
            let why_out = |entry: &Entrant| {
                let Checked { fails, verdict, .. } = &checked[&entry.place];
                fails.then(|| format!("it {}", verdict.as_deref().unwrap_or_default()))
            };
            file.leave_out(|_, entry| why_out(entry));
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
            record.verdict = record.entered.and_then(|place| checked.get(&place)?.verdict.clone());
        }
        for (record, out) in records[bots.len()..].iter_mut().zip(&file.out) {
            if let Some(checked) = checked.get(&out.entry.place) {
                record.name = out.entry.name.clone().unwrap_or_else(|| checked.name.clone());
                record.verdict.clone_from(&checked.verdict);
            }
        }
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
        let entry = entry.filter(|entry| entry.name.is_none())?;
        if matches!(entry.source, EntrantSource::Path(_)) && !bot.has_given_name {
            return match begun {
                Some(records) => found(records, entry).map(|record| record.name.clone()),
                None => introduction(bot, &file.ruleset, conditions),
            };
        }
        None
    };
    let entries = file.entrants.iter().map(Some).chain(std::iter::repeat(None));
    Ok(bots.iter().zip(entries).map(own_name).collect())
}

/// What a bot calls itself. Where the sandbox fails as often as a game is offered, it keeps its file's name.
fn introduction(bot: &Bot, ruleset: &Ruleset, conditions: Conditions) -> Option<String> {
    let once = || seating::introduction(bot, ruleset, conditions);
    let introduced = (1..OFFERS).fold(once(), |done, _| done.or_else(|_| once()));
    introduced.unwrap_or_else(|why| {
        let words = format!("{} could not be asked for its name: {why}", bot.name);
        eprintln!("{}", crate::show::plain(&words));
        None
    })
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
    let Limits { start, .. } = bot.limits.clone().by(&file.limits);
    let processes = match file.limits.processes {
        usual if usual == file.ruleset.limits.processes => usual.max(bot.limits.processes),
        set => set,
    };
    Limits { start, processes, ..file.limits.clone() }
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

/// What came of the check of an entry.
struct Checked {
    /// The bot's name.
    name: String,
    /// The record's words for it, if it was checked at all.
    verdict: Option<String>,
    /// Whether it fails a must, so that it does not play.
    fails: bool,
}

/// Checks the `bots` of the entrants of `file`, by the musts of its game; what comes of it by their places.
fn check_all(file: &ContestFile, bots: &[Bot], args: &cli::Tournament) -> Result<BTreeMap<u32, Checked>, Failure> {
    eprintln!("checking {} entries …", bots.len());
    let game = Some(file.game.clone());
    let ruleset = Some(Ruleset { limits: file.limits.clone(), ..file.ruleset.clone() });
    let conditions = args.isolation.conditions()?;
    let options = Options { game, files: None, conditions, ruleset, ..Options::default() };
    let checked = |(entry, bot): (&Entrant, &Bot)| Ok((entry.place, checked(bot, &options)?));
    file.entrants.iter().zip(bots).map(checked).collect()
}

fn checked(bot: &Bot, options: &Options) -> Result<Checked, Failure> {
    let mut checked = Checked { name: bot.name.clone(), verdict: None, fails: false };
    // Engines do not speak the lines that the suite is about: what they do is seen in their games.
    if bot.speaks != Speech::Game {
        return Ok(checked);
    }
    let once = || check(std::slice::from_ref(bot), options, &mut |_| ()).map(|mut reports| reports.remove(0));
    let mut report = once();
    for _ in 1..OFFERS {
        if report.as_ref().is_ok_and(|report| report.kit_failure.is_some()) {
            report = once();
        }
    }
    let report = report.map_err(|error| Failure::Kit(error.into()))?;
    if let Some(why) = report.kit_failure {
        // That is not the entry's doing: it plays.
        let verdict = format!("could not be checked: {why}");
        eprintln!("{}", crate::show::plain(format!("{} {verdict}; it plays", bot.name)));
        return Ok(Checked { verdict: Some(verdict), ..checked });
    }
    let ids = report.results.iter().filter(|result| result.failure() == Some(Severity::Must));
    let ids: Vec<&str> = ids.map(|result| result.check.id.as_str()).collect();
    checked.fails = !ids.is_empty();
    checked.verdict =
        Some(if ids.is_empty() { "passed".to_string() } else { format!("fails {}", ids.join(", ")) });
    Ok(checked)
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
