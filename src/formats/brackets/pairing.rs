//! The pairing of one bracket in one round: the best seed plays the worst, unless they have met (F4, F7).
//!
//! Of three rules, an earlier one takes precedence:
//! 1. every member is paired, with as few repeats as possible;
//! 2. the best seed plays the lowest seed that rule 1 allows;
//! 3. the best remaining seed plays the lowest seed that the rules above allow, and so on down.
//!
//! If this causes no repeats, the pairing is the fold: first against last, second against last but one. Otherwise each
//! rule is a digit of a pair's cost, repeats being the highest digit, and a matching of minimum cost is found. A cost
//! has digits for a limited number of the best seeds only, so the matching decides their opponents, and the remaining
//! members are paired in the same way. As a shortcut, the pairs of the fold before its first repeat are kept if the
//! rest can then be paired without additional repeats.

use crate::formats::matching;
use alloc::vec::Vec;

/// The number of bits for the digits below the repeats: one less than the matching accepts.
const BITS: u32 = 119;

/// Pairs the members of `field`, an even number of seeds from the best to the worst. A pair consists of two positions
/// in `field`, from 0, that of the better seed first, and the pairs are in the order of their better seeds. `met` lists
/// the seeds that each seed has met.
pub(super) fn pair(field: &[usize], met: &[Vec<usize>]) -> Vec<(usize, usize)> {
    debug_assert!(field.len().is_multiple_of(2), "an odd number of members cannot be paired");
    let is_repeat = |&(a, b): &(usize, usize)| met[field[a]].contains(&field[b]);
    let mut pairs = Vec::with_capacity(field.len() / 2);
    let mut left: Vec<usize> = (0..field.len()).collect();
    // The number of repeats that the remaining members need.
    let mut repeats = 0;
    loop {
        let mut fold: Vec<_> = left.iter().copied().zip(left.iter().rev().copied()).take(left.len() / 2).collect();
        let Some(mut kept) = fold.iter().position(is_repeat) else {
            pairs.append(&mut fold);
            return pairs;
        };
        // Keep the pairs of the fold before its first repeat, or fewer if keeping them costs additional repeats.
        let (best, needed) = loop {
            let (best, needed) = best_pairs(&left[kept..left.len() - kept], is_repeat);
            if needed <= repeats || kept == 0 {
                break (best, needed);
            }
            kept /= 2;
        };
        let settled = fold[..kept].iter().chain(&best);
        repeats = needed - best.iter().filter(|pair| is_repeat(pair)).count();
        left.retain(|&member| settled.clone().all(|&(a, b)| a != member && b != member));
        pairs.extend(settled);
    }
}

/// The pairs of the best of `members`, as many as a cost has digits for, and the number of repeats that pairing all
/// members needs.
fn best_pairs(members: &[usize], is_repeat: impl Fn(&(usize, usize)) -> bool) -> (Vec<(usize, usize)>, usize) {
    let digit = usize::BITS - members.len().leading_zeros();
    let best = members.len().min((BITS / digit) as usize);
    let pair = |better: usize, worse: usize| (members[better], members[worse]);
    let mates = matching::min_cost(members.len(), |better, worse| {
        let above = (members.len() - 1 - worse) as i128;
        let place = |from_the_last: usize| digit * from_the_last as u32;
        let opponent = if better < best { above << place(best - 1 - better) } else { 0 };
        (i128::from(is_repeat(&pair(better, worse))) << place(best)) + opponent
    });
    let pairs =
        || mates.iter().enumerate().filter(|&(at, &mate)| at < mate).map(|(at, &mate)| (at, pair(at, mate)));
    let needed = pairs().filter(|(_, pair)| is_repeat(pair)).count();
    (pairs().take_while(|&(at, _)| at < best).map(|(_, pair)| pair).collect(), needed)
}

#[cfg(test)]
mod tests;
