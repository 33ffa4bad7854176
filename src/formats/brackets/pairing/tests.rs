//! Pairings by hand, and all small ones against trying out everything.

use super::super::tests::by_trying_all;
use super::*;
use alloc::vec;
use proptest::prelude::*;

/// `met` of `n` members, of whom these have met.
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
    assert_eq!(pair(&field, &acquaintances(n, met)), expected, "{n} members who met: {met:?}");
}

#[test]
fn best_plays_worst_among_strangers() {
    check(0, &[], &[]);
    check(2, &[], &[(0, 1)]);
    check(6, &[(0, 1), (4, 5)], &[(0, 5), (1, 4), (2, 3)]);
}

#[test]
fn a_repeat_moves_the_best_seed_up_as_little_as_possible() {
    check(4, &[(0, 3)], &[(0, 2), (1, 3)]);
    check(4, &[(0, 3), (0, 2)], &[(0, 1), (2, 3)]);
    check(6, &[(1, 4)], &[(0, 5), (1, 3), (2, 4)]);
}

#[test]
fn the_best_seed_yields_where_others_would_have_to_repeat() {
    // Were 0 to play 5, then 1 would be left with those whom it has met.
    check(6, &[(1, 2), (1, 3), (1, 4)], &[(0, 4), (1, 5), (2, 3)]);
}

#[test]
fn what_cannot_be_avoided_is_as_little_as_possible() {
    check(2, &[(0, 1)], &[(0, 1)]);
    // All have met but 2 and 3.
    check(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)], &[(0, 1), (2, 3)]);
    // All have met: the fold.
    check(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], &[(0, 3), (1, 2)]);
}

#[test]
fn members_go_by_their_names() {
    let met = acquaintances(10, &[(2, 9), (3, 7)]);
    assert_eq!(pair(&[2, 3, 7, 9], &met), [(0, 2), (1, 3)]);
}

proptest! {
    // Paths that only a few graphs need are among so many.
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn small_brackets_are_paired_as_trying_all_finds(
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
    fn large_brackets_are_paired_once_each(seed in any::<u64>(), half in 30usize..=64, known in 1u64..=1000) {
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
