//! Facts about games and entrants for a page, collected in one pass over the record.
//!
//! Moves are read row by row, and each leaves only its time (four bytes); each entrant's first few forfeits are kept.

use super::source::Source;
use crate::isolation;
use cornerman::format::{Column, EntrantId, GameId, Rounds, Standing};
use cornerman_harness::record::{
    ConductTotals, EntrantRecord, FaultRecord, Forfeit, GameSummary, MoveTime, RecordError, ResourceUse, Seal,
    Unplayed,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The most shown of an entrant's slowest moves, of its losses on time, and of its violations.
pub(super) const MOST_SHOWN: usize = 5;

/// Facts about the tournament.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// All games, in the order of the contest.
    pub games: Vec<GameSummary>,
    /// Forfeits, in the order of the contest.
    pub forfeits: Vec<Forfeit>,
    /// The games that could not be played.
    pub unplayed: Vec<Unplayed>,
    /// The conduct of every entrant that has played.
    pub conduct: Vec<ConductTotals>,
    /// The isolations weaker than the best level, in words.
    pub weaker_isolations: Vec<String>,
    /// The final order so far. It is computed once, because that takes long in large tournaments.
    pub standings: Vec<Standing>,
    /// The columns of the final order.
    pub columns: Vec<Column>,
    /// All entrants: those in the final order first, then the others.
    pub order: Vec<EntrantId>,
    /// The rounds of the stages that have them, by stage number.
    pub rounds: Vec<(u8, Rounds)>,
    /// When the first game began and the last one ended, in milliseconds since 1970.
    pub span: Option<(u64, u64)>,
    /// The machines that games were played on.
    pub hosts: BTreeSet<String>,
    /// The record's seal, if it has one.
    pub seal: Option<Seal>,
    facts: Vec<Facts>,
}

/// Facts about an entrant.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Its games against each other entrant.
    pub met: BTreeMap<EntrantId, Met>,
    /// The number of games it played.
    pub games: u32,
    /// The games that it won alone, tied for the best place, or lost.
    pub record: Tally,
    /// The wall times of its legal moves, in microseconds, sorted.
    pub times: Vec<u32>,
    /// Its slowest legal moves, the slowest first.
    pub slowest: Vec<MoveTime>,
    /// The isolation levels it ran at, and the resources it used at each.
    pub conduct: Vec<ResourceUse>,
    /// The number of games it forfeited.
    pub forfeits: usize,
    /// Its losses on time, the longest first.
    pub late: Vec<(GameId, FaultRecord)>,
    /// A few of its other forfeits, of as many kinds as possible.
    pub violations: Vec<(GameId, FaultRecord)>,
    /// The game in which it last wrote to standard error, and the end of what it wrote.
    pub stderr: Option<(GameId, String)>,
}

/// Games won, tied and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub won: u32,
    /// Games in which it shared the best place; against one opponent, games with equal places.
    pub tied: u32,
    pub lost: u32,
}

/// The games of an entrant against another.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// How often it had the better place, an equal or a worse one.
    pub record: Tally,
    /// The entrant's points in these games.
    pub points: i64,
    /// The opponent's points in these games.
    pub against: i64,
    /// These games, as indices into [`Survey::games`].
    pub games: Vec<u32>,
}

impl Survey {
    /// Collects the facts from the record.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn from_source(source: &Source) -> Result<Survey, RecordError> {
        let record = source.record;
        let games = source.tournament.counted(record.games()?);
        let forfeits = record.forfeits()?;
        let unplayed = record.unplayed()?;
        let seal = record.seal()?;
        let mut survey = Survey { games, forfeits, unplayed, seal, ..Survey::default() };
        survey.take_order(source);
        for at in 0..survey.games.len() {
            survey.meet(at);
        }
        for (stage, progress) in source.tournament.stages() {
            survey.rounds.extend(progress.rounds(source.tournament.results).map(|rounds| (stage, rounds)));
        }
        survey.take_times(source)?;
        survey.take_faults(source)?;
        survey.conduct = record.conduct_totals()?;
        let resources = record.resource_use()?;
        survey.weaker_isolations = isolation::weaker(&resources);
        for row in resources {
            survey.of_entrant(row.entrant, |facts| facts.conduct.push(row));
        }
        record.each_stderr(&mut |id, entrant, text| {
            survey.of_entrant(entrant, |facts| facts.stderr = Some((id, text)));
        })?;
        Ok(survey)
    }

    fn take_order(&mut self, source: &Source) {
        let tournament = source.tournament;
        let entrants = tournament.entrants.len();
        self.facts.resize_with(entrants, Facts::default);
        self.standings = tournament.standings();
        self.columns = tournament.columns();
        let ranked = self.standings.iter().map(|standing| standing.entrant).filter(|id| id.index() < entrants);
        self.order = ranked.collect();
        let known: BTreeSet<EntrantId> = self.order.iter().copied().collect();
        self.order.extend((0..entrants as u16).map(EntrantId).filter(|id| !known.contains(id)));
    }

    /// The entries that do not play and are not in the standings.
    pub(super) fn absent<'a>(&'a self, entrants: &'a [EntrantRecord]) -> impl Iterator<Item = EntrantId> + 'a {
        let unranked = self.order.get(self.standings.len()..).unwrap_or_default();
        unranked.iter().copied().filter(|id| entrants[id.index()].out.is_some())
    }

    /// All games, the most decisive first: those of the latest stage, in it those of the latest round if rounds follow
    /// from each other, then those between the best entrants.
    pub(super) fn most_decisive_first(&self) -> Vec<GameId> {
        let places: BTreeMap<EntrantId, usize> = self.order.iter().copied().zip(0..).collect();
        let weight = |game: &GameSummary| {
            let id = game.pairing.id;
            let round = self.rounds.iter().any(|(stage, _)| *stage == id.stage).then_some(id.round);
            let worst = game.pairing.seats.iter().map(|seat| places.get(seat)).max();
            (Reverse(id.stage), Reverse(round), worst, id)
        };
        let mut weights: Vec<_> = self.games.iter().map(weight).collect();
        weights.sort_unstable();
        weights.into_iter().map(|(.., id)| id).collect()
    }

    pub(super) fn facts(&self, id: EntrantId) -> &Facts {
        &self.facts[id.index()]
    }

    fn of_entrant(&mut self, id: EntrantId, note: impl FnOnce(&mut Facts)) {
        if let Some(facts) = self.facts.get_mut(id.index()) {
            note(facts);
        }
    }

    /// Adds a game to the facts about its entrants.
    fn meet(&mut self, at: usize) {
        let game = &self.games[at];
        let end = game.started_ms.saturating_add(game.wall.as_millis() as u64);
        let span = self.span.unwrap_or((game.started_ms, end));
        self.span = Some((span.0.min(game.started_ms), span.1.max(end)));
        if !self.hosts.contains(&game.host) && !game.host.is_empty() {
            self.hosts.insert(game.host.clone());
        }
        let seats = &game.pairing.seats;
        let outcome = &game.outcome;
        let alone = outcome.places.iter().filter(|&&place| place == 1).count() == 1;
        for (seat, id) in seats.iter().enumerate() {
            let Some(facts) = self.facts.get_mut(id.index()) else { continue };
            facts.games += 1;
            match (outcome.places[seat], alone) {
                (1, true) => facts.record.won += 1,
                (1, false) => facts.record.tied += 1,
                _ => facts.record.lost += 1,
            }
            for (other, opponent) in seats.iter().enumerate().filter(|&(other, _)| other != seat) {
                let met = facts.met.entry(*opponent).or_default();
                match outcome.places[seat].cmp(&outcome.places[other]) {
                    std::cmp::Ordering::Less => met.record.won += 1,
                    std::cmp::Ordering::Equal => met.record.tied += 1,
                    std::cmp::Ordering::Greater => met.record.lost += 1,
                }
                met.points = met.points.saturating_add(outcome.points[seat]);
                met.against = met.against.saturating_add(outcome.points[other]);
                met.games.push(at as u32);
            }
        }
    }

    fn take_times(&mut self, source: &Source) -> Result<(), RecordError> {
        source.record.each_move_time(&mut |timed| {
            self.of_entrant(timed.entrant, |facts| {
                facts.times.push(micros(timed.used.wall));
                keep(&mut facts.slowest, timed, |timed| timed.used.wall);
            });
        })?;
        for facts in &mut self.facts {
            facts.times.sort_unstable();
        }
        Ok(())
    }

    fn take_faults(&mut self, source: &Source) -> Result<(), RecordError> {
        source.record.each_fault(&mut |id, entrant, fault| {
            self.of_entrant(entrant, |facts| {
                facts.forfeits += 1;
                if is_late(&fault.kind) {
                    keep(&mut facts.late, (id, fault), |(_, fault)| fault.used.wall);
                } else if facts.violations.len() < MOST_SHOWN {
                    facts.violations.push((id, fault));
                } else if !facts.violations.iter().any(|(_, known)| known.kind == fault.kind)
                    && let Some(twice) = second_of_a_kind(&facts.violations)
                {
                    facts.violations[twice] = (id, fault);
                }
            });
        })
    }
}

/// The index of the last fault whose kind an earlier one has too.
fn second_of_a_kind(faults: &[(GameId, FaultRecord)]) -> Option<usize> {
    let known = |at: &usize| faults[..*at].iter().any(|(_, other)| other.kind == faults[*at].1.kind);
    (0..faults.len()).rev().find(known)
}

/// Whether a fault is a loss on time.
pub(super) fn is_late(kind: &str) -> bool {
    kind == "timeout"
}

/// Inserts `one` into `list`, which keeps only the few largest, the largest first.
fn keep<T>(list: &mut Vec<T>, one: T, size: impl Fn(&T) -> Duration) {
    let at = list.partition_point(|other| size(other) >= size(&one));
    if at < MOST_SHOWN {
        list.insert(at, one);
        list.truncate(MOST_SHOWN);
    }
}

fn micros(duration: Duration) -> u32 {
    u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)
}

impl Facts {
    /// The time that `per_mille` of a thousand moves took at most; `None` without moves.
    pub(super) fn quantile(&self, per_mille: usize) -> Option<Duration> {
        let last = self.times.len().checked_sub(1)?;
        // The smallest measured time that covers this share of the moves; no interpolation.
        let at = (self.times.len() * per_mille).div_ceil(1000).saturating_sub(1).min(last);
        Some(Duration::from_micros(self.times[at].into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_measured_times() {
        let facts = |times: &[u32]| Facts { times: times.to_vec(), ..Facts::default() };
        let check = |times: &[u32], per_mille, wanted: u64| {
            assert_eq!(facts(times).quantile(per_mille), Some(Duration::from_micros(wanted)), "{times:?}");
        };
        check(&[7], 500, 7);
        check(&[1, 2], 500, 1);
        check(&[1, 2, 3], 500, 2);
        check(&(1..=100).collect::<Vec<u32>>(), 950, 95);
        check(&(1..=100).collect::<Vec<u32>>(), 1000, 100);
        check(&[3, 4], 0, 3);
        assert_eq!(facts(&[]).quantile(500), None);
    }

    #[test]
    fn the_largest_are_kept_in_order() {
        let mut list = Vec::new();
        for ms in [3, 9, 1, 7, 5, 8, 2] {
            keep(&mut list, ms, |ms| Duration::from_millis(*ms));
        }
        assert_eq!(list, [9, 8, 7, 5, 3]);
    }
}
