//! The pairing of a round: each rule is a digit of a pair's cost, or two, earlier rules are higher digits, and the
//! pairing is a matching of minimum cost.

use super::colours::Balance;
use super::record::EntrantRounds;
use crate::formats::matching;
use alloc::vec;
use alloc::vec::Vec;

/// The number of digits in a cost.
const DIGITS: usize = 7;

/// The cost of a pair by each rule: forbidden pairs, repeats, number of earlier meetings, bye, points, colours, order.
type Cost = [u64; DIGITS];

/// The pairs of a round and the bye, by the indices of the entrants.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// The pairs, each with the better entrant first, in the order of their better entrants.
    pub pairs: Vec<(usize, usize)>,
    /// The entrant with the bye, if the number is odd.
    pub bye: Option<usize>,
}

/// Pairs all entrants in `order`, which has the best first, by their records.
pub(super) fn pair(order: &[usize], records: &[EntrantRounds]) -> Pairs {
    let candidates = candidates(order, records);
    let n = candidates.len().next_multiple_of(2);
    let mut costs = vec![[0; DIGITS]; n * n];
    for worse in 0..n {
        for better in 0..worse {
            // An index beyond the entrants stands for the bye.
            costs[better * n + worse] = match candidates.get(worse) {
                Some(other) => cost(&candidates[better], other),
                None => bye_cost(&candidates[better], worse - 1),
            };
        }
    }
    let place_values = place_values(&costs, n / 2);
    let number =
        |cost: &Cost| cost.iter().zip(&place_values).map(|(&digit, place)| i128::from(digit) * place).sum();
    let mates = matching::min_cost(n, |better, worse| number(&costs[better * n + worse]));

    let ahead = |&(at, &mate): &(usize, &usize)| at < mate;
    let mut pairs = Pairs { pairs: Vec::with_capacity(n / 2), bye: None };
    for (better, &worse) in mates.iter().enumerate().filter(ahead) {
        match order.get(worse) {
            Some(&other) => pairs.pairs.push((order[better], other)),
            None => pairs.bye = Some(order[better]),
        }
    }
    pairs
}

/// The facts about one entrant on which the pairing of a round depends.
struct Candidate<'a> {
    index: usize,
    record: &'a EntrantRounds,
    /// The position in the order, from 0.
    at: usize,
    points: i64,
    /// The number of entrants with the same points.
    group: usize,
    balance: Balance,
}

fn candidates<'a>(order: &[usize], records: &'a [EntrantRounds]) -> Vec<Candidate<'a>> {
    let points: Vec<i64> = order.iter().map(|&index| records[index].points()).collect();
    let candidate = |(at, &index): (usize, &usize)| {
        let record = &records[index];
        let group = points.iter().filter(|&&other| other == points[at]).count();
        Candidate { index, record, at, points: points[at], group, balance: Balance::from_record(record) }
    };
    order.iter().enumerate().map(candidate).collect()
}

/// The cost of a match between these two.
fn cost(better: &Candidate, worse: &Candidate) -> Cost {
    let met = better.record.met(worse.index) as u64;
    let apart = worse.at - better.at;
    let difference = better.points.abs_diff(worse.points);
    let displaced = if difference == 0 { apart.abs_diff(better.group / 2) } else { apart };
    [
        u64::from(better.balance.forbids(worse.balance)),
        u64::from(met > 0),
        met,
        0,
        difference * difference,
        better.balance.clash(worse.balance),
        displaced as u64,
    ]
}

/// The cost of a bye for this entrant; `last` is the last position in the order.
fn bye_cost(candidate: &Candidate, last: usize) -> Cost {
    let second = u64::from(candidate.record.had_bye());
    [second, 0, 0, (last - candidate.at) as u64, 0, 0, 0]
}

/// The place value of each digit: more than all pairs together can cost by the later digits. In the largest tournament
/// the highest value is below 2^115.
fn place_values(costs: &[Cost], pairs: usize) -> [i128; DIGITS] {
    let mut values = [1; DIGITS];
    for digit in (1..DIGITS).rev() {
        let most = costs.iter().map(|cost| cost[digit]).max().unwrap_or_default();
        values[digit - 1] = values[digit] * (i128::from(most) * pairs as i128 + 1);
    }
    values
}
