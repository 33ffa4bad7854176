//! Tournaments with known results, and properties of all tournaments.

use super::*;
use crate::format::Pairing;
use crate::formats::testing::{
    PlayOrder, Played, games_as_text, invented, meetings, outcome, play, standings_as_text, start,
};
use crate::game::{End, Outcome};
use proptest::prelude::*;

fn knockout(n: u16, settings: KnockoutSettings) -> Knockout {
    Knockout::new(&start(0, &(0..n).map(EntrantId).collect::<Vec<_>>()), &settings).unwrap()
}

/// The better seed wins, by the difference of the two seeds.
fn better_seed_wins(game: &Pairing) -> Outcome {
    outcome(&[100 - i64::from(game.seats[0].0), 100 - i64::from(game.seats[1].0)], End::Played)
}

/// Checks the winner of a match of two games, given the points of each game by seat, and the remark on it.
#[track_caller]
fn check_match(first: [i64; 2], second: [i64; 2], winner: u16, remark: Option<&str>) {
    let format = knockout(2, KnockoutSettings::default());
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| {
        outcome(if game.id.game == 0 { &first } else { &second }, End::Played)
    });
    assert_eq!(format.standings(&played.results)[0].entrant, EntrantId(winner));
    let notes: Vec<StageRemark> = remark.map(|text| StageRemark::Note(text.into())).into_iter().collect();
    assert_eq!(format.remarks(&played.results), notes);
}

#[test]
fn a_match_is_decided_by_wins_then_points() {
    // In the second game the seats are swapped.
    check_match([0, 1], [1, 0], 1, None);
    check_match([0, 1], [5, 5], 1, None);
    check_match([3, 0], [4, 0], 1, Some("round 1, match 1: decided by points: wins were equal"));
    check_match([3, 0], [2, 0], 0, Some("round 1, match 1: decided by points: wins were equal"));
}

/// Checks the winner of a match, its number of games and the remark on it, if `games` have these points, by side.
#[track_caller]
fn check_tie_break(tie_break_games: u32, games: &[[i64; 2]], winner: u16, remark: &str) {
    let mut settings =
        KnockoutSettings { tie_break_games: Bounded::new(tie_break_games), ..KnockoutSettings::default() };
    assert_eq!(settings.fill_in_defaults(&(2..=2), 4), Ok(if tie_break_games == 0 { 5 } else { 6 }));
    let format = knockout(2, settings);
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| {
        let [one, other] = games[usize::from(game.id.game)];
        outcome(&if game.seats[0] == EntrantId(0) { [one, other] } else { [other, one] }, End::Played)
    });
    assert_eq!(played.games.len(), games.len());
    let boards: Vec<u32> = played.games.values().map(|game| game.board).collect();
    assert_eq!(boards, [&[4, 4], &vec![5; games.len() - 2][..]].concat());
    let firsts: Vec<u16> = played.games.values().map(|game| game.seats[0].0).collect();
    assert_eq!(firsts, [0, 1].repeat(games.len() / 2));
    assert_eq!(format.standings(&played.results)[0].entrant, EntrantId(winner));
    let said = match &format.remarks(&played.results)[..] {
        [StageRemark::Note(text)] => text.clone(),
        [StageRemark::Lot { about, order }] => {
            assert_eq!(order[..], [EntrantId(winner), EntrantId(1 - winner)]);
            about.clone()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(said, format!("round 1, match 1{remark}"));
    let rounds = format.rounds(&played.results).unwrap();
    let shown = &rounds.list[0].parts[0].matches[0];
    assert_eq!((shown.games, shown.over, shown.winner), (games.len() as u32, true, Some(EntrantId(winner))));
}

#[test]
fn tie_break_games_decide_a_match_with_equal_wins_and_points() {
    let by_games = ": decided by tie-break games: wins and points were equal";
    let tie = [5, 5];
    check_tie_break(2, &[tie, tie, [0, 9], tie], 1, by_games);
    check_tie_break(2, &[[9, 0], [0, 9], [7, 0], [0, 6]], 0, by_games);
    // The third and fourth are played only if the first two decide nothing.
    check_tie_break(4, &[tie, tie, tie, [6, 0]], 0, by_games);
    check_tie_break(4, &[tie, tie, tie, tie, tie, [0, 6]], 1, by_games);
}

#[test]
fn a_lot_decides_a_match_that_tie_break_games_do_not_decide() {
    let by_lot = ", where wins and points were equal";
    check_tie_break(0, &[[3, 3]; 2], 1, by_lot);
    check_tie_break(2, &[[3, 3]; 4], 1, by_lot);
    check_tie_break(6, &[[3, 3]; 8], 1, by_lot);
    // Not always the same side, and not the same one for every match of a contest.
    let winner = |seed, n: u16| {
        let settings = KnockoutSettings { tie_break_games: Bounded::new(0), ..KnockoutSettings::default() };
        let entrants: Vec<EntrantId> = (0..n).map(EntrantId).collect();
        let format = Knockout::new(&StageInput { seed, ..start(0, &entrants) }, &settings).unwrap();
        let played = play(&format, PlayOrder::ALL_AT_ONCE, |_| outcome(&[1, 1], End::Played));
        assert_eq!(format.remarks(&played.results).len(), usize::from(n) - 1, "one lot for each match");
        format.standings(&played.results)[0].entrant.0
    };
    let winners = |n| (0..40).map(|seed| winner(seed, n)).collect::<Vec<u16>>();
    assert!(winners(2).contains(&0) && winners(2).contains(&1));
    assert!((0..8).all(|entrant| winners(8).contains(&entrant)), "{:?}", winners(8));
    assert_eq!(winners(8), winners(8));
}

#[test]
fn tie_break_games_are_an_even_number_with_a_board_of_their_own() {
    let check = |games: Option<u32>, board: Option<u32>, wanted: Result<(u32, Option<u32>), &str>| {
        let tie_break_games = games.map_or(KnockoutSettings::default().tie_break_games, Bounded::new);
        let tie_break_board = board.map(BoardNumber);
        let mut settings = KnockoutSettings { tie_break_games, tie_break_board, ..KnockoutSettings::default() };
        let found = settings.fill_in_defaults(&(2..=2), 3).map_err(|wrong| wrong.why);
        let found = found.map(|after| (after, settings.tie_break_board.map(|board| board.0)));
        assert_eq!(found, wanted.map_err(Into::into));
    };
    check(None, None, Ok((5, Some(4))));
    check(Some(0), None, Ok((4, None)));
    check(Some(4), Some(9), Ok((10, Some(9))));
    check(Some(3), None, Err("3 is odd: set an even number, so that each side is first equally often"));
    check(Some(0), Some(9), Err("`tie_break_board` requires `tie_break_games` of 2 or more"));
}

#[test]
fn seeds_are_placed_in_the_standard_order() {
    assert_eq!(tree::positions(1), [0]);
    assert_eq!(tree::positions(8), [0, 7, 3, 4, 1, 6, 2, 5]);
}

#[test]
fn six_entrants_have_two_byes() {
    let format = knockout(
        6,
        KnockoutSettings { boards: Some(vec![BoardNumber(1), BoardNumber(2)]), ..KnockoutSettings::default() },
    );
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 4 * u64::from(id.0)));
    insta::assert_snapshot!(games_as_text(&played), @"
        s1/r1/m2  3-4 board 1: 3-11, 4-3 board 1: 4-11
        s1/r1/m4  2-5 board 1: 5-9, 5-2 board 1: 13-10
        s1/r2/m1  0-4 board 2: 2-8, 4-0 board 2: 10-1
        s1/r2/m2  1-5 board 2: 6-8, 5-1 board 2: 8-8
        s1/r3/m1  4-5 board 1: 10-13, 5-4 board 1: 11-6
        ");
    insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
        place entrant rounds
        1 5 [3]
        2 4 [2]
        3 0 [1]
        3 1 [1]
        5 2 [0]
        5 3 [0]
        ");
    insta::assert_debug_snapshot!(format.remarks(&played.results), @r#"
        [
            Bye {
                round: 0,
                entrant: EntrantId(
                    0,
                ),
            },
            Bye {
                round: 0,
                entrant: EntrantId(
                    1,
                ),
            },
            Note(
                "round 1, match 2: decided by points: wins were equal",
            ),
        ]
        "#);
}

#[test]
fn the_losers_of_the_semifinals_play_for_third_place() {
    let settings = KnockoutSettings { third_place: true, ..KnockoutSettings::default() };
    let format = knockout(4, settings.clone());
    let played = play(&format, PlayOrder::ALL_AT_ONCE, better_seed_wins);
    insta::assert_snapshot!(games_as_text(&played), @"
        s1/r1/m1  0-3 board 0: 100-97, 3-0 board 0: 97-100
        s1/r1/m2  1-2 board 0: 99-98, 2-1 board 0: 98-99
        s1/r2/m1  0-1 board 0: 100-99, 1-0 board 0: 99-100
        s1/r2/m2  2-3 board 0: 98-97, 3-2 board 0: 97-98
        ");
    insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
        place entrant rounds, third place
        1 0 [2, 0]
        2 1 [1, 0]
        3 2 [0, 1]
        4 3 [0, 0]
        ");

    // Of three, one has a bye into the final, so the loser of the only semi-final is third.
    let format = knockout(3, settings);
    let played = play(&format, PlayOrder::ALL_AT_ONCE, better_seed_wins);
    assert_eq!(played.games.len(), 4);
    assert_eq!(places(&format, &played), [1, 2, 3]);
}

#[test]
fn a_match_starts_before_others_of_its_round_are_over() {
    let format = knockout(5, KnockoutSettings::default());
    let mut done = Results::new();
    let places = |plan| match plan {
        Plan::Play(games) => games.iter().map(|game| (game.id.round, game.id.table)).collect::<Vec<_>>(),
        Plan::Finished => vec![],
    };
    // 3 and 4 play for the right to meet 0, and 1 and 2 do not wait for them.
    assert_eq!(places(format.plan(&done)), [(0, 1), (0, 1), (1, 1), (1, 1)]);
    for game in format.state(&done, 1, 1, [1, 2]).games {
        done.insert(game.id, better_seed_wins(&game.pairing()));
    }
    assert_eq!(places(format.plan(&done)), [(0, 1), (0, 1)]);
}

#[test]
fn an_entrant_that_is_listed_twice_is_refused() {
    let refused = Knockout::new(&start(0, &[0, 1, 1].map(EntrantId)), &KnockoutSettings::default()).unwrap_err();
    assert!(refused.0.contains("entrant 2 is named twice"));
}

#[test]
fn a_knockout_of_any_size_ends_and_the_better_seeds_get_furthest() {
    for n in 0..=300u16 {
        let format = knockout(n, KnockoutSettings::default());
        let played = play(&format, PlayOrder::ALL_AT_ONCE, better_seed_wins);
        assert_eq!(played.games.len(), 2 * usize::from(n.saturating_sub(1)), "{n} entrants");
        let order: Vec<u16> = format.standings(&played.results).iter().map(|s| s.entrant.0).collect();
        assert_eq!(order, (0..n).collect::<Vec<_>>(), "{n} entrants");
        let byes = format.remarks(&played.results).into_iter().map(|remark| match remark {
            StageRemark::Bye { round: 0, entrant } => entrant.0,
            other => panic!("{other:?}"),
        });
        let mut byes: Vec<u16> = byes.collect();
        byes.sort_unstable();
        assert_eq!(
            byes,
            (0..if n < 2 { 0 } else { n.next_power_of_two() - n }).collect::<Vec<_>>(),
            "{n} entrants"
        );
    }
}

fn places(format: &Knockout, played: &Played) -> Vec<u32> {
    format.standings(&played.results).iter().map(|standing| standing.place).collect()
}

proptest! {
    #[test]
    fn any_play_order_gives_the_same_knockout(
        n in 2u16..40, third_place: bool, seed: u64, batch in 1usize..20, ties in 0u64..3,
    ) {
        let tie_break_games = Bounded::new(4);
        let format = knockout(n, KnockoutSettings { third_place, tie_break_games, ..KnockoutSettings::default() });
        let judge = |game: &Pairing| if seed % 3 < ties && game.id.table.is_multiple_of(2) { outcome(&[1, 1], End::Played) } else { invented(game, |id| u64::from(id.0 % 5)) };
        let played = play(&format, PlayOrder { seed, batch }, judge);
        let pairs = meetings(&played);
        prop_assert!(pairs.values().all(|&(games, first)| [2, 4, 6].contains(&games) && 2 * first == games));
        prop_assert_eq!(pairs.len(), usize::from(n) - 1 + usize::from(third_place && n > 3));
        prop_assert_eq!(&places(&format, &played)[..2], &[1, 2]);
        prop_assert_eq!(&played, &play(&format, PlayOrder::ALL_AT_ONCE, judge));
    }
}
