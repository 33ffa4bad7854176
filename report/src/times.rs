//! How long entrants took for their moves: median, 95th percentile, worst, and distribution.
//!
//! Times are counted in buckets rather than kept: a large tournament has millions.

use crate::style::{Grid, duration};
use crate::{SCHEMA, Style, Tournament};
use cornerman::format::EntrantId;
use cornerman_harness::record::MoveTime;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Each doubling of the time is divided into this many buckets, so percentiles are right to 2 %.
const PARTS: usize = 32;

/// Bars of eight heights, the lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The wall times of everyone's legal moves.
#[derive(Clone, Debug, Default)]
pub struct Times(BTreeMap<EntrantId, Spread>);

/// The times of one entrant.
#[derive(Clone, Debug, Default)]
struct Spread {
    /// The number of moves in each [`bucket`].
    counts: Vec<u64>,
    moves: u64,
    worst: u64,
}

impl Times {
    /// Adds a move.
    pub fn add(&mut self, timed: &MoveTime) {
        let micros = u64::try_from(timed.used.wall.as_micros()).unwrap_or(u64::MAX);
        self.0.entry(timed.entrant).or_default().add(micros);
    }

    /// The table, the entrant with the slowest median first; empty without moves.
    pub fn text(&self, tournament: &Tournament, style: Style) -> String {
        let Some((from, to)) = self.range() else { return String::new() };
        let header = ["name", "moves", "median", "95 %", "worst", "spread"].map(String::from).to_vec();
        let row = |(id, spread): (EntrantId, &Spread)| {
            let [median, most, worst] = spread.figures().map(|micros| duration(Duration::from_micros(micros)));
            let bars = bars(&spread.doublings(from, to));
            vec![tournament.name(id), spread.moves.to_string(), median, most, worst, bars]
        };
        let grid = Grid { header, texts: vec![0, 5], rows: self.in_order().map(row).collect() };
        let caption = format!(
            "wall time of legal moves; the first bar starts at {}, each next one at twice the time",
            duration(Duration::from_micros(1 << from))
        );
        format!("{}\n{}\n{}", style.heading("Times"), style.caption(&caption), grid.text(style))
    }

    /// The figures in microseconds. `spread` counts the moves in each doubling; the first starts at 2 to the power of
    /// `spread_from`.
    pub fn json(&self, tournament: &Tournament) -> Value {
        let one = |(id, spread): (EntrantId, &Spread)| {
            let [median, most, worst] = spread.figures();
            let (from, to) = self.range().unwrap_or_default();
            let mut value = tournament.entrant_json(id);
            value["moves"] = json!(spread.moves);
            value["median_us"] = json!(median);
            value["p95_us"] = json!(most);
            value["worst_us"] = json!(worst);
            value["spread_from"] = json!(from);
            value["spread"] = json!(spread.doublings(from, to));
            value
        };
        json!({ "schema": SCHEMA, "entrants": self.in_order().map(one).collect::<Vec<_>>() })
    }

    fn in_order(&self) -> impl Iterator<Item = (EntrantId, &Spread)> {
        let mut all: Vec<(EntrantId, &Spread)> = self.0.iter().map(|(id, spread)| (*id, spread)).collect();
        all.sort_by_key(|(id, spread)| (std::cmp::Reverse(spread.figures()[0]), *id));
        all.into_iter()
    }

    /// The first and the last doubling in which any entrant has a move.
    fn range(&self) -> Option<(u32, u32)> {
        let used = self.0.values().flat_map(|spread| {
            (0..).zip(&spread.counts).filter(|(_, count)| **count > 0).map(|(bucket, _)| doubling(middle(bucket)))
        });
        used.fold(None, |range, at| match range {
            None => Some((at, at)),
            Some((from, to)) => Some((at.min(from), at.max(to))),
        })
    }
}

impl Spread {
    fn add(&mut self, micros: u64) {
        let bucket = bucket(micros);
        if self.counts.len() <= bucket {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.moves += 1;
        self.worst = self.worst.max(micros);
    }

    /// Median, 95th percentile and worst, in microseconds.
    fn figures(&self) -> [u64; 3] {
        [self.percentile(50), self.percentile(95), self.worst]
    }

    /// The time that `percent` of the moves do not exceed, in microseconds.
    fn percentile(&self, percent: u64) -> u64 {
        let due = (self.moves * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= due
        });
        found.map_or(0, middle).min(self.worst)
    }

    /// The number of moves in each doubling from 2 to the power of `from` microseconds up to 2 to the power of `to`.
    fn doublings(&self, from: u32, to: u32) -> Vec<u64> {
        let mut sums = vec![0; (to - from + 1) as usize];
        for (bucket, count) in (0..).zip(&self.counts).filter(|(_, count)| **count > 0) {
            sums[(doubling(middle(bucket)) - from) as usize] += count;
        }
        sums
    }
}

/// The bucket of a time. Each covers a 32nd of a doubling, but at least a microsecond.
fn bucket(micros: u64) -> usize {
    let shift = (doubling(micros) as usize).saturating_sub(PARTS.ilog2() as usize);
    shift * PARTS + (micros >> shift) as usize
}

/// The time in the middle of a bucket.
fn middle(bucket: usize) -> u64 {
    let shift = (bucket / PARTS).saturating_sub(1);
    let width = 1 << shift;
    (bucket - shift * PARTS) as u64 * width + width / 2
}

/// The largest power of two that a time in microseconds reaches; 0 for times below 1.
fn doubling(micros: u64) -> u32 {
    micros.max(1).ilog2()
}

/// A bar for each of `counts`: a blank for 0, the tallest bar for the largest count.
fn bars(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &u64| match count {
        0 => ' ',
        count => BARS[((count * 8).div_ceil(most) - 1) as usize],
    };
    counts.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all, play};
    use cornerman::contest::Field;
    use cornerman::format::GameId;
    use cornerman::formats::Format;
    use cornerman_harness::record::TimeUsed;

    fn timed(entrant: u16, micros: u64) -> MoveTime {
        let id = GameId { stage: 0, round: 0, table: 0, game: 0 };
        let used = TimeUsed { wall: Duration::from_micros(micros), ..TimeUsed::default() };
        MoveTime { id, entrant: EntrantId(entrant), number: 1, used }
    }

    #[test]
    fn a_table_has_the_slowest_first() {
        let field = Field::new(4, 0);
        let played = play(field, vec![("Everyone", all(Format::AllPlayAll(Default::default())))], 0);
        let mut times = Times::default();
        for n in 0..1000u64 {
            times.add(&timed(0, 300 + n));
            times.add(&timed(1, 40 + n % 7 * n));
            times.add(&timed(2, if n % 100 == 0 { 1_900_000 } else { 20_000 + n * n % 9_000 }));
        }
        times.add(&timed(3, 0));
        insta::assert_snapshot!(times.text(&played.tournament(), Style::plain()));
        insta::assert_json_snapshot!(times.json(&played.tournament())["entrants"][0]);
        assert_eq!(Times::default().text(&played.tournament(), Style::plain()), "");
    }

    #[test]
    fn a_bucket_contains_its_middle_and_is_narrow() {
        let mut last = 0;
        for micros in (0..5000).chain((13..50).map(|power| (1 << power) + 12345)) {
            let own = bucket(micros);
            assert!(own >= last, "{micros}");
            last = own;
            assert_eq!(bucket(middle(own)), own, "{micros}");
            assert!(middle(own).abs_diff(micros) * 50 <= micros, "{micros} {}", middle(own));
        }
    }

    #[test]
    fn percentiles_are_exact_for_few_moves() {
        let mut spread = Spread::default();
        for micros in 1..=20 {
            spread.add(micros);
        }
        assert_eq!(spread.figures(), [10, 19, 20]);
        spread.add(1_000_000);
        assert_eq!(spread.figures()[2], 1_000_000);
    }

    #[test]
    fn bars_are_in_proportion_to_their_counts() {
        assert_eq!(bars(&[0, 1, 50, 100, 800]), " ▁▁▁█");
        assert_eq!(bars(&[8, 4, 1]), "█▄▁");
        assert_eq!(bars(&[]), "");
    }
}
