//! Small tournaments by hand.

use super::*;

/// The whole of a tournament of `n` in which `game` says how each game ends.
#[track_caller]
fn check(n: u16, game: impl Fn(&Pairing) -> Outcome, expected: &[&str]) {
    let brackets = brackets(n);
    let done = play(&brackets, game);
    assert_eq!(tree(&brackets, &done).lines().collect::<Vec<_>>(), expected, "{n} entrants");
}

#[test]
fn up_to_four_entrants_are_all_finalists() {
    check(0, better_seed, &["final "]);
    check(1, better_seed, &["final 1"]);
    check(2, better_seed, &["final 1 2"]);
    check(3, better_seed, &["final 1 2 3"]);
    check(4, better_seed, &["final 1 2 3 4"]);
}

#[test]
fn few_entrants_end_after_a_round_or_three() {
    check(5, better_seed, &["1w 2>5 3>4 bye 1", "final 1 2 3 4 5"]);
    check(6, better_seed, &["1w 1>6 2>5 3>4", "2l 5>6 bye 4", "final 1 2 3 4 5"]);
    check(7, better_seed, &["1w 2>7 3>6 4>5 bye 1", "2l 6>7 bye 5", "final 1 2 3 4 5 6"]);
    check(8, better_seed, &["1w 1>8 2>7 3>6 4>5", "2l 5>8 6>7", "final 1 2 3 4 5 6"]);
    check(9, better_seed, &["1w 2>9 3>8 4>7 5>6 bye 1", "2w 3>5 4>7", ""]);
}

#[test]
fn losers_drop_into_the_losers_bracket_and_out_of_it() {
    check(16, better_seed, &[]);
    check(8, stronger(&[8, 5, 2]), &[]);
}
