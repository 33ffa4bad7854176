//! Who meets whom in a round: the rules as costs, an earlier rule a higher digit, and the cheapest matching.

use super::colours::Balance;
use super::record::Record;
use crate::formats::matching;
use alloc::vec;
use alloc::vec::Vec;

/// How many digits a cost has.
const DIGITS: usize = 7;

/// What a pair costs by each rule: what is never done, a repeat, how often they met, the bye, the points, the
/// colours, the order.
type Cost = [u64; DIGITS];

/// A round's pairs, by index, and who has a bye.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// The better of the two first; the best table first.
    pub pairs: Vec<(usize, usize)>,
    /// The one left over of an odd number.
    pub bye: Option<usize>,
}

/// Pairs everybody in `order`, best first, by their records.
pub(super) fn pair(order: &[usize], records: &[Record]) -> Pairs {
    let people = people(order, records);
    let n = people.len().next_multiple_of(2);
    let mut costs = vec![[0; DIGITS]; n * n];
    for worse in 0..n {
        for better in 0..worse {
            // One more than there are is the bye.
            costs[better * n + worse] = match people.get(worse) {
                Some(other) => cost(&people[better], other),
                None => bye_cost(&people[better], worse - 1),
            };
        }
    }
    let places = places(&costs, n / 2);
    let number = |cost: &Cost| cost.iter().zip(&places).map(|(&digit, place)| i128::from(digit) * place).sum();
    let mates = matching::cheapest(n, |better, worse| number(&costs[better * n + worse]));

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

/// What a round needs to know of an entrant.
struct Person<'a> {
    index: usize,
    record: &'a Record,
    /// The place in the order, from 0.
    at: usize,
    points: i64,
    /// How many have these points.
    group: usize,
    balance: Balance,
}

fn people<'a>(order: &[usize], records: &'a [Record]) -> Vec<Person<'a>> {
    let points: Vec<i64> = order.iter().map(|&index| records[index].points()).collect();
    let person = |(at, &index): (usize, &usize)| {
        let record = &records[index];
        let group = points.iter().filter(|&&other| other == points[at]).count();
        Person { index, record, at, points: points[at], group, balance: Balance::of(record) }
    };
    order.iter().enumerate().map(person).collect()
}

/// What it costs if these two meet.
fn cost(better: &Person, worse: &Person) -> Cost {
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

/// What it costs if this one has the bye, where `last` is the worst place.
fn bye_cost(person: &Person, last: usize) -> Cost {
    let second = u64::from(person.record.had_bye());
    [second, 0, 0, (last - person.at) as u64, 0, 0, 0]
}

/// What one of each digit is worth: more than all pairs together can cost by the later ones. With the largest
/// tournament the highest stays below 2^115.
fn places(costs: &[Cost], pairs: usize) -> [i128; DIGITS] {
    let mut places = [1; DIGITS];
    for digit in (1..DIGITS).rev() {
        let most = costs.iter().map(|cost| cost[digit]).max().unwrap_or_default();
        places[digit - 1] = places[digit] * (i128::from(most) * pairs as i128 + 1);
    }
    places
}
