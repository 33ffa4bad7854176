//! How long entrants took for their moves: median, 95th percentile, worst, and distribution. All are exact to the
//! microsecond, because the time of each move is kept, in four bytes: longer times than 71 minutes are cut to that.

use crate::Tournament;
use crate::doc::{Block, Column, Drawing, Listing, Section};
use crate::json::{EntrantJson, micros};
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::record::{Digest, Record, RecordError, TimeUsed};
use cornerman_harness::text::duration;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

/// How many entrants a page shows before it is asked for the others. The slowest come first, because they may lose by
/// it.
const SHOWN: usize = 10;

/// How many of its slowest moves are kept of an entrant.
const SLOWEST: usize = 5;

/// The wall times of everyone's legal moves.
#[derive(Clone, Debug, Default)]
pub struct Times(BTreeMap<EntrantId, OwnTimes>);

/// The times of one entrant.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnTimes {
    /// The times of all its moves, in microseconds, sorted.
    micros: Vec<u32>,
    /// Its slowest moves, the slowest first.
    pub slowest: Vec<MoveTime>,
}

/// The time that one legal move took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveTime {
    /// The game.
    pub id: GameId,
    /// The entrant that made it.
    pub entrant: EntrantId,
    /// Which move of the game, from 1.
    pub number: u32,
    /// The time it took.
    pub used: TimeUsed,
}

/// The wall times of an entrant's legal moves, in microseconds.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimesJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// The number of its moves.
    pub moves: usize,
    /// The time that half of them did not exceed.
    pub median_us: u64,
    /// The time that 95 % of them did not exceed.
    pub p95_us: u64,
    /// The longest.
    pub worst_us: u64,
    /// The first doubling of `spread`: 2 to this power of microseconds.
    pub spread_from: u32,
    /// The number of moves in each doubling of the time.
    pub spread: Vec<u64>,
}

impl Times {
    /// The times of all moves of a record, and its digest, which needs the same games.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn with_digest(record: &Record) -> Result<(Times, Digest), RecordError> {
        let mut times = Times::default();
        let digest = record.digest(&mut |game| {
            for made in &game.moves {
                let entrant = game.pairing.seats[made.seat.index()];
                times.add(MoveTime { id: game.pairing.id, entrant, number: made.number, used: made.used });
            }
        })?;
        times.sort();
        Ok((times, digest))
    }

    /// Adds a move. [`sort`](Self::sort) follows the last one.
    fn add(&mut self, timed: MoveTime) {
        let own = self.0.entry(timed.entrant).or_default();
        own.micros.push(u32::try_from(timed.used.wall.as_micros()).unwrap_or(u32::MAX));
        let at = own.slowest.partition_point(|other| other.used.wall >= timed.used.wall);
        if at < SLOWEST {
            own.slowest.insert(at, timed);
            own.slowest.truncate(SLOWEST);
        }
    }

    fn sort(&mut self) {
        for own in self.0.values_mut() {
            own.micros.sort_unstable();
        }
    }

    /// The times of one entrant; `None` if it made no move.
    pub(crate) fn of_entrant(&self, id: EntrantId) -> Option<&OwnTimes> {
        self.0.get(&id)
    }

    /// The table, the entrant with the slowest median first; `None` without moves.
    pub fn section(&self) -> Option<Section> {
        let range = self.range()?;
        let first = duration(Duration::from_micros(1 << range.0));
        let note =
            format!("wall time of legal moves; the first bar starts at {first}, each next one at twice the time");
        let mut table = Listing(self.in_order()).columns(&[
            (Column::name("name"), &|(id, _)| (*id).into()),
            (Column::number("moves"), &|(_, own)| own.micros.len().into()),
            (Column::number("median"), &|(_, own)| own.percentile(50).into()),
            (Column::number("95 %"), &|(_, own)| own.percentile(95).into()),
            (Column::number("worst"), &|(_, own)| own.percentile(100).into()),
            (Column::text("spread"), &|(_, own)| own.drawing(range).into()),
        ]);
        table.first = Some(SHOWN);
        Some(Section::new("times", "Times").with(Block::Note(note.into())).with(table))
    }

    /// The distribution of an entrant's times, on the same scale as all others.
    pub(crate) fn drawing(&self, own: &OwnTimes) -> Drawing {
        own.drawing(self.range().unwrap_or_default())
    }

    /// The figures of each entrant, the one with the slowest median first.
    pub fn json(&self, tournament: &Tournament) -> Vec<TimesJson> {
        let range = self.range().unwrap_or_default();
        let one = |(id, own): (EntrantId, &OwnTimes)| {
            let [median, most, worst] = own.figures().map(micros);
            TimesJson {
                who: tournament.entrant_json(id),
                moves: own.micros.len(),
                median_us: median,
                p95_us: most,
                worst_us: worst,
                spread_from: range.0,
                spread: own.doublings(range),
            }
        };
        self.in_order().into_iter().map(one).collect()
    }

    /// The entrants with their times, the one with the slowest median first.
    fn in_order(&self) -> Vec<(EntrantId, &OwnTimes)> {
        let mut all: Vec<(EntrantId, &OwnTimes)> = self.0.iter().map(|(id, own)| (*id, own)).collect();
        all.sort_by_key(|(id, own)| (Reverse(own.percentile(50)), *id));
        all
    }

    /// The first and the last doubling in which any entrant has a move.
    fn range(&self) -> Option<(u32, u32)> {
        let ends = |own: &OwnTimes| Some((doubling(*own.micros.first()?), doubling(*own.micros.last()?)));
        self.0.values().filter_map(ends).reduce(|(from, to), (first, last)| (from.min(first), to.max(last)))
    }
}

impl OwnTimes {
    /// Median, 95th percentile and worst.
    pub(crate) fn figures(&self) -> [Duration; 3] {
        [50, 95, 100].map(|percent| self.percentile(percent))
    }

    /// The smallest measured time that this share of the moves did not exceed.
    fn percentile(&self, percent: usize) -> Duration {
        let at = (self.micros.len() * percent).div_ceil(100).saturating_sub(1);
        Duration::from_micros(self.micros.get(at).copied().unwrap_or(0).into())
    }

    /// The number of moves in each doubling from 2 to the power of `from` microseconds up to 2 to the power of `to`.
    fn doublings(&self, (from, to): (u32, u32)) -> Vec<u64> {
        let before = |power: u32| self.micros.partition_point(|&micros| doubling(micros) < power);
        (from..=to).map(|power| (before(power + 1) - before(power)) as u64).collect()
    }

    fn drawing(&self, range: (u32, u32)) -> Drawing {
        Drawing::Spread { counts: self.doublings(range), from: range.0, median: self.percentile(50) }
    }
}

/// The exponent of the largest power of two that a time in microseconds reaches; 0 for times below 1.
fn doubling(micros: u32) -> u32 {
    micros.max(1).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;
    use crate::testing::everyone;

    fn timed(entrant: u16, micros: u64) -> MoveTime {
        let id = GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 };
        let used = TimeUsed { wall: Duration::from_micros(micros), ..TimeUsed::default() };
        MoveTime { id, entrant: EntrantId(entrant), number: 1, used }
    }

    fn times(moves: impl IntoIterator<Item = (u16, u64)>) -> Times {
        let mut times = Times::default();
        for (entrant, micros) in moves {
            times.add(timed(entrant, micros));
        }
        times.sort();
        times
    }

    #[test]
    fn a_table_has_the_slowest_first() {
        let played = everyone(4, 0);
        let slow = |n: u64| if n.is_multiple_of(100) { 1_900_000 } else { 20_000 + n * n % 9_000 };
        let moves = (0..1000u64).flat_map(|n| [(0, 300 + n), (1, 40 + n % 7 * n), (2, slow(n))]);
        let times = times(moves.chain([(3, 0)]));
        let sections = [times.section().unwrap()];
        insta::assert_snapshot!(crate::doc::text(&sections, &played.entrants, Style::plain()));
        insta::assert_json_snapshot!(times.json(&played.tournament())[0]);
        assert_eq!(Times::default().section(), None);
    }

    #[test]
    fn percentiles_are_measured_times() {
        let check = |micros: &[u64], percent, wanted: u64| {
            let times = times(micros.iter().map(|&micros| (0, micros)));
            let found = times.of_entrant(EntrantId(0)).map_or(Duration::ZERO, |own| own.percentile(percent));
            assert_eq!(found, Duration::from_micros(wanted), "{micros:?}");
        };
        check(&[], 50, 0);
        check(&[7], 50, 7);
        check(&[2, 1], 50, 1);
        check(&[3, 1, 2], 50, 2);
        check(&(1..=100).collect::<Vec<u64>>(), 95, 95);
        check(&(1..=100).collect::<Vec<u64>>(), 100, 100);
        check(&[u64::MAX], 100, u64::from(u32::MAX));
    }

    #[test]
    fn every_move_is_in_one_doubling() {
        let times = times([0, 1, 2, 3, 4, 1023, 1024].map(|micros| (0, micros)));
        let own = times.of_entrant(EntrantId(0)).unwrap();
        assert_eq!(times.range(), Some((0, 10)));
        assert_eq!(own.doublings((0, 10)), [2, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn the_slowest_moves_are_kept_in_order() {
        let times = times([3, 9, 1, 7, 5, 8, 2].map(|micros| (0, micros)));
        let slowest = &times.of_entrant(EntrantId(0)).unwrap().slowest;
        let micros: Vec<u128> = slowest.iter().map(|timed| timed.used.wall.as_micros()).collect();
        assert_eq!(micros, [9, 8, 7, 5, 3]);
    }
}
