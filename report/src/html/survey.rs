//! What a page says of games and entrants, gathered in one reading of the record.
//!
//! Moves come row by row, and of each only its time stays (four bytes); of forfeits the first few of each entrant.

use super::source::Source;
use cornerman::format::{Column, EntrantId, PairingId, Rounds, Standing};
use cornerman_harness::record::{
    ConductRecord, EntrantRecord, FaultRecord, GameHead, Incident, RecordError, Timed, Unplayed,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Of an entrant's slowest moves, losses on time and violations, as many are shown.
pub const MOST_SHOWN: usize = 5;

/// What was found.
#[derive(Debug, Default)]
pub struct Survey {
    /// All games, in the order of the contest.
    pub games: Vec<GameHead>,
    /// What went wrong, in the order of the contest.
    pub incidents: Vec<Incident>,
    /// The games that could not be played.
    pub unplayed: Vec<Unplayed>,
    /// The final order so far. It is asked of the contest once: that takes long in large tournaments.
    pub standings: Vec<Standing>,
    /// What its figures are.
    pub columns: Vec<Column>,
    /// Who takes part: in the final order, then those who are not in it.
    pub order: Vec<EntrantId>,
    /// The rounds of those stages that have some.
    pub rounds: Vec<(u8, Rounds)>,
    /// When the first game began and the last one ended: milliseconds since 1970.
    pub span: Option<(u64, u64)>,
    /// The machines that games were played on.
    pub hosts: BTreeSet<String>,
    facts: Vec<Facts>,
}

/// What was found of an entrant.
#[derive(Debug, Default)]
pub struct Facts {
    /// Its games with each other entrant.
    pub met: BTreeMap<EntrantId, Met>,
    /// How many games it played.
    pub games: u32,
    /// In how many it alone had the best place, shared it, or had a worse one.
    pub record: Record,
    /// What its legal moves took, in whole microseconds, in order of size.
    pub times: Vec<u32>,
    /// Its slowest legal moves, the slowest first.
    pub slowest: Vec<Timed>,
    /// How it was shut in and what it used.
    pub conduct: Vec<ConductRecord>,
    /// How many games it forfeited.
    pub forfeits: usize,
    /// Its losses on time, the worst first.
    pub late: Vec<(PairingId, FaultRecord)>,
    /// Its other forfeits, the first of each kind before others.
    pub violations: Vec<(PairingId, FaultRecord)>,
    /// What it last wrote to standard error, and in which game.
    pub stderr: Option<(PairingId, String)>,
}

/// Games won, tied and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Games won.
    pub won: u32,
    /// Games in which the best place was shared; with one opponent, in which the places were equal.
    pub tied: u32,
    /// All others.
    pub lost: u32,
}

/// The games of an entrant with another.
#[derive(Debug, Default)]
pub struct Met {
    /// Who had the better place how often.
    pub record: Record,
    /// The entrant's points in these games.
    pub points: i64,
    /// The other's.
    pub against: i64,
    /// Which ones, as indices into [`Survey::games`].
    pub games: Vec<u32>,
}

impl Survey {
    /// Reads the record.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(source: &Source) -> Result<Survey, RecordError> {
        let record = source.record;
        let (games, incidents, unplayed) = (record.games()?, record.incidents()?, record.unplayed()?);
        let mut survey = Survey { games, incidents, unplayed, ..Survey::default() };
        survey.take_order(source);
        for at in 0..survey.games.len() {
            survey.meet(at);
        }
        for (stage, progress) in source.tournament.stages() {
            survey.rounds.extend(progress.rounds(source.tournament.results).map(|rounds| (stage, rounds)));
        }
        survey.take_times(source)?;
        survey.take_faults(source)?;
        for row in record.conduct()? {
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

    /// The entries that are out and in no standings.
    pub fn absent<'a>(&'a self, entrants: &'a [EntrantRecord]) -> impl Iterator<Item = EntrantId> + 'a {
        let unranked = self.order.get(self.standings.len()..).unwrap_or_default();
        unranked.iter().copied().filter(|id| entrants[id.index()].out.is_some())
    }

    /// What was found of an entrant.
    pub fn facts(&self, id: EntrantId) -> &Facts {
        &self.facts[id.index()]
    }

    /// The machine's own delays: void attempts by entrant.
    pub fn voids(&self, id: EntrantId) -> usize {
        let void = |incident: &&Incident| matches!(incident.what, cornerman_harness::record::What::Void { .. });
        self.incidents.iter().filter(void).filter(|incident| incident.entrant == id).count()
    }

    fn of_entrant(&mut self, id: EntrantId, note: impl FnOnce(&mut Facts)) {
        if let Some(facts) = self.facts.get_mut(id.index()) {
            note(facts);
        }
    }

    /// Notes who met whom in a game.
    fn meet(&mut self, at: usize) {
        let game = &self.games[at];
        let end = game.started_ms.saturating_add(game.wall.as_millis() as u64);
        let span = self.span.unwrap_or((game.started_ms, end));
        self.span = Some((span.0.min(game.started_ms), span.1.max(end)));
        if !self.hosts.contains(&game.host) && !game.host.is_empty() {
            self.hosts.insert(game.host.clone());
        }
        let (seats, outcome) = (&game.pairing.seats, &game.outcome);
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
        source.record.each_timed(&mut |timed| {
            self.of_entrant(timed.entrant, |facts| {
                facts.times.push(micros(timed.used.wall));
                keep(&mut facts.slowest, timed, |timed| timed.used.wall);
            });
        })?;
        self.facts.iter_mut().for_each(|facts| facts.times.sort_unstable());
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

/// The last of these that is not the only one of its kind.
fn second_of_a_kind(faults: &[(PairingId, FaultRecord)]) -> Option<usize> {
    let known = |at: &usize| faults[..*at].iter().any(|(_, other)| other.kind == faults[*at].1.kind);
    (0..faults.len()).rev().find(known)
}

/// Whether a fault is a loss on time.
pub fn is_late(kind: &str) -> bool {
    kind == "timeout"
}

/// Takes `one` into `list`, which holds the few largest, the largest first.
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
    /// The time that this many of a thousand moves took at most; `None` without moves.
    pub fn quantile(&self, per_mille: usize) -> Option<Duration> {
        let last = self.times.len().checked_sub(1)?;
        // The smallest time that at least so many took no longer than: always one that was measured.
        let at = (self.times.len() * per_mille).div_ceil(1000).saturating_sub(1).min(last);
        Some(Duration::from_micros(self.times[at].into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_measured() {
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
    fn the_few_largest_are_kept_in_their_order() {
        let mut list = Vec::new();
        for ms in [3, 9, 1, 7, 5, 8, 2] {
            keep(&mut list, ms, |ms| Duration::from_millis(*ms));
        }
        assert_eq!(list, [9, 8, 7, 5, 3]);
    }
}
