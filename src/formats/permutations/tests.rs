//! Tournaments with known results, and properties of all tournaments.

use super::*;
use crate::format::{Plan, Results};
use crate::formats::testing::{PlayOrder, games_as_text, invented, outcome, play, standings_as_text, start};
use crate::game::End;
use alloc::collections::{BTreeMap, BTreeSet};
use proptest::prelude::*;

fn permutations(n: u16, max_entrants: u32) -> Result<Permutations, FormatError> {
    let entrants: Vec<EntrantId> = (0..n).map(|id| EntrantId(10 + id)).collect();
    let max_entrants = Some(Bounded::new(max_entrants));
    let board = Some(BoardNumber(4));
    Permutations::new(
        &start(1, &entrants),
        &PermutationsSettings { max_entrants, board, ..PermutationsSettings::default() },
    )
}

#[test]
fn three_entrants_play_six_games() {
    let format = permutations(3, 7).unwrap();
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 5 * u64::from(id.0)));
    insta::assert_snapshot!(games_as_text(&played).replace(", ", "\n"), @"
        s2/r1/m1  10-11-12 board 4: 20-21-16
        10-12-11 board 4: 16-16-17
        11-10-12 board 4: 16-17-19
        11-12-10 board 4: 17-16-14
        12-10-11 board 4: 23-21-22
        12-11-10 board 4: 22-15-18
        ");
    insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
        place entrant wins, score
        1 12 [3, 112]
        2 11 [3, 108]
        3 10 [0, 106]
        ");
}

#[test]
fn entrants_that_are_still_tied_share_the_place() {
    let format = permutations(4, 7).unwrap();
    // The first seat always wins, and every entrant has it equally often.
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |_| outcome(&[9, 3, 2, 1], End::Played));
    assert!(format.standings(&played.results).iter().all(|standing| standing.place == 1));
}

#[test]
fn more_than_seven_entrants_must_be_allowed_and_more_than_eight_have_no_seats() {
    let error = |n, limit| permutations(n, limit).err().map(|error| error.0);
    assert_eq!(error(7, 7), None);
    let refused = error(8, 7).unwrap();
    assert!(
        refused.contains("40320 games") && refused.contains("set `max_entrants = 8` in this stage"),
        "{refused}"
    );
    assert_eq!(error(8, 8), None);
    assert!(error(9, 8).unwrap().contains("8 seats"));
}

#[test]
fn every_order_is_played_once() {
    for n in 2..=7 {
        let played = play(&permutations(n, 7).unwrap(), PlayOrder::ALL_AT_ONCE, |game| invented(game, |_| 0));
        let orders: BTreeSet<&Vec<EntrantId>> = played.games.values().map(|game| &game.seats).collect();
        assert_eq!(orders.len(), factorial(n.into()));
        assert_eq!(played.games.len(), factorial(n.into()));
    }
}

#[test]
fn eight_entrants_play_to_the_end() {
    let played = play(&permutations(8, 8).unwrap(), PlayOrder::ALL_AT_ONCE, |game| invented(game, |_| 0));
    assert_eq!(played.games.len(), 40_320);
}

#[test]
fn a_single_entrant_has_no_games() {
    assert_eq!(permutations(1, 7).unwrap().plan(&Results::new()), Plan::Finished);
}

proptest! {
    #[test]
    fn every_entrant_has_every_seat_equally_often_in_any_play_order(n in 2u16..6, seed: u64, batch in 1usize..50) {
        let format = permutations(n, 7).unwrap();
        let judge = |game: &_| invented(game, |id| u64::from(id.0));
        let played = play(&format, PlayOrder { seed, batch }, judge);
        let mut seats = BTreeMap::new();
        for game in played.games.values() {
            for at in game.seats.iter().enumerate() {
                *seats.entry(at).or_insert(0) += 1;
            }
        }
        prop_assert!(seats.values().all(|&times| times == factorial(usize::from(n) - 1)));
        prop_assert_eq!(&played, &play(&format, PlayOrder::ALL_AT_ONCE, judge));
    }
}
