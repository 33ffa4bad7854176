//! Pairings worked out by hand, and small random ones compared with trying every pairing.

use super::super::tests::by_trying_all;
use super::*;
use alloc::vec;
use proptest::prelude::*;

/// The members that each of `n` members has met, from the pairs that have met.
fn acquaintances(n: usize, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut met = vec![Vec::new(); n];
    for &(a, b) in pairs {
        met[a].push(b);
        met[b].push(a);
    }
    met
}

fn all_pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

fn check(n: usize, met: &[(usize, usize)], expected: &[(usize, usize)]) {
    let field: Vec<usize> = (0..n).collect();
    assert_eq!(pair(&field, &acquaintances(n, met)), expected, "{n} members that met: {met:?}");
}

#[test]
fn best_plays_worst_if_they_have_not_met() {
    check(0, &[], &[]);
    check(2, &[], &[(0, 1)]);
    check(6, &[(0, 1), (4, 5)], &[(0, 5), (1, 4), (2, 3)]);
}

#[test]
fn to_avoid_a_repeat_the_best_seed_plays_the_next_lowest() {
    check(4, &[(0, 3)], &[(0, 2), (1, 3)]);
    check(4, &[(0, 3), (0, 2)], &[(0, 1), (2, 3)]);
    check(6, &[(1, 4)], &[(0, 5), (1, 3), (2, 4)]);
}

#[test]
fn the_best_seed_plays_a_higher_one_if_others_would_have_to_repeat() {
    // If 0 played 5, only members that 1 has met would be left for it.
    check(6, &[(1, 2), (1, 3), (1, 4)], &[(0, 4), (1, 5), (2, 3)]);
}

#[test]
fn there_are_no_more_repeats_than_necessary() {
    check(2, &[(0, 1)], &[(0, 1)]);
    // All pairs have met except 2 and 3.
    check(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)], &[(0, 1), (2, 3)]);
    // All pairs have met, so the fold has as few repeats as any pairing.
    check(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], &[(0, 3), (1, 2)]);
}

#[test]
fn earlier_meetings_are_looked_up_by_seed_and_not_by_position() {
    let met = acquaintances(10, &[(2, 9), (3, 7)]);
    assert_eq!(pair(&[2, 3, 7, 9], &met), [(0, 2), (1, 3)]);
}

proptest! {
    // Some paths are taken by few graphs only, so there are many cases.
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn small_brackets_get_the_best_of_all_pairings(
        (n, met) in (1usize..=5).prop_map(|half| 2 * half).prop_flat_map(|n| {
            let of_twenty = prop_oneof![Just(6u8), Just(12), Just(16), Just(19)];
            let met = move |most| prop::collection::vec((0..20u8).prop_map(move |drawn| drawn < most), n * n);
            (Just(n), of_twenty.prop_flat_map(met))
        })
    ) {
        let met = acquaintances(n, &all_pairs(n).filter(|&(a, b)| met[a * n + b]).collect::<Vec<_>>());
        let field: Vec<usize> = (0..n).collect();
        prop_assert_eq!(pair(&field, &met), by_trying_all(&field, &met).1);
    }
}

proptest! {
    #[test]
    fn every_member_of_a_large_bracket_has_one_pair(seed in any::<u64>(), half in 30usize..=64, known in 1u64..=1000) {
        let n = 2 * half;
        let mut rng = crate::rng::Rng::new(seed);
        let pairs: Vec<_> = all_pairs(n).filter(|_| rng.below(1000) < known).collect();
        let field: Vec<usize> = (0..n).collect();
        let paired = pair(&field, &acquaintances(n, &pairs));
        let mut members: Vec<usize> = paired.into_iter().flat_map(|(a, b)| [a, b]).collect();
        members.sort_unstable();
        prop_assert_eq!(members, field);
    }
}
