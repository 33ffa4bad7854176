//! Who plays whom in one bracket in one round: best plays worst, as long as they have not met (F4, F7).
//!
//! Three rules, each bowing to the one before:
//! 1. everybody is paired, and the number of repeats is the smallest that any pairing of all has;
//! 2. the best seed plays the lowest seed with which rule 1 can still be kept;
//! 3. then the best seed that is left plays likewise, and so on down.
//!
//! Without repeats that is the fold: first plays last, second plays last but one. Otherwise the rules are digits
//! of a cost, the repeats the highest, and of as many of the best seeds as a number holds digits the cheapest
//! matching tells the opponents; then it is the turn of those who are left. Pairs of the fold before the first
//! repeat in it stand without that, if the rest needs no repeat more than all need.

use crate::formats::matching;
use alloc::vec::Vec;

/// How many bits of a cost the digits below the repeats have: as many as the matching takes, but one.
const BITS: u32 = 119;

/// The pairs of `field`, an even number of members from the best seed to the worst, as positions in it: the
/// better seed first, and ordered by it. `met` lists whom each member has met, by the names that `field` has.
pub(super) fn pair(field: &[usize], met: &[Vec<usize>]) -> Vec<(usize, usize)> {
    debug_assert!(field.len().is_multiple_of(2), "somebody has no opponent");
    let is_repeat = |&(a, b): &(usize, usize)| met[field[a]].contains(&field[b]);
    let mut pairs = Vec::with_capacity(field.len() / 2);
    let mut left: Vec<usize> = (0..field.len()).collect();
    // Those who are left need at least so many.
    let mut repeats = 0;
    loop {
        let mut fold: Vec<_> = left.iter().copied().zip(left.iter().rev().copied()).take(left.len() / 2).collect();
        let Some(mut first) = fold.iter().position(is_repeat) else {
            pairs.append(&mut fold);
            return pairs;
        };
        let (best, needed) = loop {
            let (best, needed) = best_pairs(&left[first..left.len() - first], is_repeat);
            if needed <= repeats || first == 0 {
                break (best, needed);
            }
            first /= 2;
        };
        let settled = fold[..first].iter().chain(&best);
        repeats = needed - best.iter().filter(|pair| is_repeat(pair)).count();
        left.retain(|&member| settled.clone().all(|&(a, b)| a != member && b != member));
        pairs.extend(settled);
    }
}

/// The pairs of as many of the best of `members` as the digits of a cost are enough for, and how many repeats
/// the pairs of all need.
fn best_pairs(members: &[usize], is_repeat: impl Fn(&(usize, usize)) -> bool) -> (Vec<(usize, usize)>, usize) {
    let digit = usize::BITS - members.len().leading_zeros();
    let best = members.len().min((BITS / digit) as usize);
    let names = |better: usize, worse: usize| (members[better], members[worse]);
    let mates = matching::cheapest(members.len(), |better, worse| {
        let above = (members.len() - 1 - worse) as i128;
        let place = |from_the_last: usize| digit * from_the_last as u32;
        let yields = if better < best { above << place(best - 1 - better) } else { 0 };
        (i128::from(is_repeat(&names(better, worse))) << place(best)) + yields
    });
    let pairs =
        || mates.iter().enumerate().filter(|&(at, &mate)| at < mate).map(|(at, &mate)| (at, names(at, mate)));
    let needed = pairs().filter(|(_, pair)| is_repeat(pair)).count();
    (pairs().take_while(|&(at, _)| at < best).map(|(_, pair)| pair).collect(), needed)
}

#[cfg(test)]
mod tests;
