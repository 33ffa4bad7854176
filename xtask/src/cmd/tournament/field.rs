//! Who takes part: the bots of the contest file, built, named and checked.

use crate::bots;
use crate::cli;
use crate::exit::Failure;
use cornerman_conformance::{Options, check};
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrantSource};
use cornerman_harness::record::{EntrantRecord, Record, Role};
use std::collections::BTreeSet;
use std::path::Path;

/// The entrants and the organizer's bots, by number.
pub struct Entries {
    /// Their bots.
    pub bots: Vec<Bot>,
    /// Their names for people, all different (R3).
    pub names: Vec<String>,
    /// What the record says of them.
    pub records: Vec<EntrantRecord>,
    /// How many compete.
    pub competing: usize,
    /// Who does not play, and why.
    pub out: Vec<String>,
}

impl Entries {
    /// Builds and checks all bots of `file`, and takes those entrants out of it that do not play: those that are
    /// not in the record `db`, if it has begun, else those that fail a must of the suite (F1).
    pub fn gather(file: &mut ContestFile, db: &Path, args: &cli::Tournament) -> Result<Entries, Failure> {
        let mut out: Vec<String> = file.replaced.iter().map(ToString::to_string).collect();
        let mut bots = load(&file.entrants)?;
        bots.iter_mut().for_each(|bot| bot.limits = file.limits.clone());
        // A record that is about to be set aside says nothing of who plays.
        let begun = if args.force_new { None } else { recorded(db)? };
        match begun {
            Some(specs) => retain(file, &mut bots, |_, entry| {
                let plays = specs.contains(&entry.spec);
                if !plays {
                    out.push(format!("{} does not play: it did not pass the check when this began", shown(entry)));
                }
                plays
            }),
            None if args.no_check => {}
            None => {
                let failed = failures(&bots, &file.game, args)?;
                retain(file, &mut bots, |at, entry| {
                    if let Some(ids) = &failed[at] {
                        let ids = ids.join(", ");
                        out.push(format!("{} does not play: it fails {ids}", shown(entry)));
                    }
                    failed[at].is_none()
                });
            }
        }
        let competing = bots.len();
        let organizers = load(&file.organizers)?;
        bots.extend(organizers.into_iter().map(|bot| Bot { limits: file.limits.clone(), ..bot }));
        let everyone: Vec<&Entrant> = file.entrants.iter().chain(&file.organizers).collect();
        let names =
            distinct(everyone.iter().zip(&bots).map(|(entry, bot)| entry.name.as_ref().unwrap_or(&bot.name)));
        let role = |at: usize| match at.checked_sub(competing) {
            None => Role::Entry,
            Some(place) if file.fillers.contains(&place) => Role::Filler,
            Some(_) => Role::SeedProgram,
        };
        let record = |(at, (entry, bot)): (usize, (&&Entrant, &Bot))| EntrantRecord {
            name: names[at].clone(),
            author: entry.author.clone().or_else(|| bot.author.clone()),
            spec: entry.spec.clone(),
            role: role(at),
            ..EntrantRecord::default()
        };
        let records = everyone.iter().zip(&bots).enumerate().map(record).collect();
        Ok(Entries { bots, names, records, competing, out })
    }
}

/// The name that the file gives an entry, else how it names it.
fn shown(entry: &Entrant) -> String {
    entry.name.clone().unwrap_or_else(|| entry.spec.clone())
}

/// The specs of the entrants in a record that has begun.
fn recorded(db: &Path) -> Result<Option<BTreeSet<String>>, Failure> {
    if !db.exists() {
        return Ok(None);
    }
    // What is wrong with it is told by whoever writes to it.
    let entrants = Record::open(db).and_then(|record| record.entrants()).unwrap_or_default();
    let specs: BTreeSet<String> = entrants.into_iter().map(|entrant| entrant.spec).collect();
    Ok((!specs.is_empty()).then_some(specs))
}

/// Every bot; what is wrong with any of them is told at once.
fn load(entries: &[Entrant]) -> Result<Vec<Bot>, Failure> {
    let spec = |entry: &Entrant| match &entry.source {
        EntrantSource::Path(path) => path.display().to_string(),
        EntrantSource::Reference(name) => format!("@{name}"),
    };
    bots::load_all(&entries.iter().map(spec).collect::<Vec<_>>())
}

fn retain(file: &mut ContestFile, bots: &mut Vec<Bot>, mut plays: impl FnMut(usize, &Entrant) -> bool) {
    let stay: Vec<bool> = file.entrants.iter().enumerate().map(|(at, entry)| plays(at, entry)).collect();
    let mut flags = stay.iter();
    file.entrants.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = stay.iter();
    bots.retain(|_| *flags.next().unwrap_or(&true));
}

/// For each bot the musts of `game` that it fails, if it fails any.
fn failures(bots: &[Bot], game: &str, args: &cli::Tournament) -> Result<Vec<Option<Vec<String>>>, Failure> {
    // A game without checks lets everybody play.
    if cornerman_conformance::games::suite(game).is_none() {
        return Ok(vec![None; bots.len()]);
    }
    eprintln!("checking {} entries …", bots.len());
    let game = Some(game.to_string());
    let options = Options { game, files: None, conditions: args.isolation.conditions()?, ..Options::default() };
    let reports = check(bots, &options, &mut |_| ()).map_err(|error| Failure::Kit(error.into()))?;
    let must = cornerman_conformance::Severity::Must;
    let failed = |report: &cornerman_conformance::BotReport| {
        let ids = report.results.iter().filter(|result| result.failure() == Some(must));
        let ids: Vec<String> = ids.map(|result| result.check.id.clone()).collect();
        (!ids.is_empty()).then_some(ids)
    };
    Ok(reports.iter().map(failed).collect())
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
