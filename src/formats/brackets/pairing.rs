//! Who plays whom in one bracket in one round: best plays worst, as long as they have not met (F4, F7).
//!
//! Three rules, each bowing to the one before:
//! 1. everybody is paired, and the number of repeats is the smallest that any pairing of all has;
//! 2. the best seed plays the lowest seed with which rule 1 can still be kept;
//! 3. then the best seed that is left plays likewise, and so on down.
//!
//! Without repeats that is the fold: first plays last, second plays last but one. The smallest number of
//! repeats is exact: those who have not met are joined in a graph, and whoever a maximum matching leaves
//! over has to repeat. A pair is settled when the rest can still be matched as well as rule 1 asks for, which
//! takes a search or two from those whose partners were taken away.

use super::matching::Matching;
use alloc::vec::Vec;

/// The pairs of `field`, an even number of members from the best seed to the worst, as positions in it: the
/// better seed first, and ordered by it. `met` lists whom each member has met, by the names that `field` has.
pub(super) fn pair(field: &[usize], met: &[Vec<usize>]) -> Vec<(usize, usize)> {
    debug_assert!(field.len().is_multiple_of(2), "somebody has no opponent");
    let fold: Vec<_> = (0..field.len() / 2).map(|best| (best, field.len() - 1 - best)).collect();
    if !fold.iter().any(|&(a, b)| met[field[a]].contains(&field[b])) {
        return fold;
    }
    let mut matching = Matching::new(strangers(field, met), &fold);
    let mut settled = Vec::with_capacity(fold.len());
    for best in 0..field.len() {
        if matching.is_settled(best) {
            continue;
        }
        let other = (best + 1..field.len()).rev().find(|&worst| matching.settle(best, worst));
        settled.push((best, other.expect("a member left over has an opponent left over")));
    }
    settled
}

/// Who has not met whom, by position.
fn strangers(field: &[usize], met: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let strange_to = |&member: &usize| {
        let mut row = alloc::vec![true; field.len()];
        for known in &met[member] {
            if let Ok(at) = field.binary_search(known) {
                row[at] = false;
            }
        }
        row
    };
    field.iter().map(strange_to).collect()
}

#[cfg(test)]
mod tests;
