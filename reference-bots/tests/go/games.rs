//! Whole games between the strategies: they follow all rules, and each beats those before it.

use cornerman::game::{End, Seat};
use cornerman::games::go::{Colour, Go, Move};
use reference_bots::games::go::{ChooseMove, GoTurn, STRATEGIES, bout, capture, monte, random};

/// A board on which games are short.
const SMALL: Go = Go { size: 9, komi_halves: 13, superko: true, move_cap: 1000 };

/// Checks that `stronger` wins from either seat.
#[track_caller]
fn check_beats(stronger: ChooseMove, weaker: ChooseMove, go: &Go) {
    for (seats, seat) in [([stronger, weaker], Seat(0)), ([weaker, stronger], Seat(1))] {
        let (outcome, moves) = bout(go, seats).unwrap_or_else(|violation| panic!("{violation}"));
        assert_eq!(outcome.end, End::Played);
        assert!(outcome.winners().eq([seat]), "{:?} as {seat} after {}", outcome.points, moves.join(" "));
    }
}

/// A board for bots that take their time for every move.
const SMALLER: Go = Go { size: 6, ..SMALL };

#[test]
fn capture_beats_random() {
    check_beats(capture, random, &SMALL);
}

#[test]
fn monte_beats_random() {
    check_beats(monte::choose, random, &SMALLER);
}

#[test]
fn monte_beats_capture() {
    check_beats(monte::choose, capture, &SMALLER);
}

#[test]
fn capture_beats_random_on_the_full_board() {
    check_beats(capture, random, &Go::default());
}

#[test]
fn games_end_with_two_passes_and_follow_the_rules_on_every_board() {
    for size in 5..=25 {
        // No game comes near the cap.
        let go = Go { size, superko: true, move_cap: 10_000, ..Go::default() };
        for seats in [[random as ChooseMove, capture], [capture, random]] {
            let (outcome, moves) = bout(&go, seats).unwrap_or_else(|violation| panic!("{size}: {violation}"));
            assert_eq!((outcome.end, moves.ends_with(&["pass".into(), "pass".into()])), (End::Played, true));
        }
    }
}

#[test]
fn games_can_be_repeated() {
    let go = Go { size: 5, ..SMALL };
    for (id, choose) in STRATEGIES {
        let played = || bout(&go, [*choose, capture]).unwrap().1;
        assert_eq!(played(), played(), "{id}");
    }
}

#[test]
fn monte_passes_when_the_other_has_passed_and_it_is_ahead() {
    let mut turn = GoTurn::first(5, Colour::White);
    turn.make(Move::Pass, Colour::Black);
    assert_eq!(monte::choose(&turn), Move::Pass, "komi alone wins");
    let mut turn = GoTurn::first(5, Colour::Black);
    turn.make(Move::Pass, Colour::White);
    assert_ne!(monte::choose(&turn), Move::Pass, "komi alone loses");
}
