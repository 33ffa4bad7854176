//! Tournaments with known results, and properties of all tournaments.

use super::*;
use crate::format::{EntrantId, Plan, Results, StandingsColumn};
use crate::formats::testing::{
    PlayOrder, games_as_text, invented, meetings, outcome, play, standings_as_text, start,
};
use crate::game::End;
use alloc::vec;
use proptest::prelude::*;

fn entrants(n: u16) -> Vec<EntrantId> {
    (0..n).map(EntrantId).collect()
}

fn boxing(n: u16) -> AllPlayAll {
    AllPlayAll::new(&start(0, &entrants(n)), &AllPlayAllSettings::default()).unwrap()
}

#[test]
fn the_circle_turns_by_one_place_each_round() {
    let rounds = |n| circle(n).map(|(round, table, pair)| (round, table, pair[0], pair[1])).collect::<Vec<_>>();
    assert_eq!(rounds(4), [(0, 0, 0, 3), (0, 1, 1, 2), (1, 0, 1, 3), (1, 1, 2, 0), (2, 0, 2, 3), (2, 1, 0, 1)]);
    assert_eq!(rounds(3), [(0, 0, 1, 2), (1, 0, 2, 0), (2, 0, 0, 1)]);
    assert_eq!(rounds(2), [(0, 0, 0, 1)]);
    assert_eq!([rounds(1), rounds(0)], [vec![], vec![]]);
}

#[test]
fn no_entrant_plays_twice_in_a_round_and_every_pair_meets() {
    for n in 2..=300 {
        let mut met = vec![0u8; n * n];
        let mut last_round = vec![None; n];
        for (round, _, [a, b]) in circle(n) {
            met[a.min(b) * n + a.max(b)] += 1;
            for entrant in [a, b] {
                let earlier = last_round[entrant].replace(round);
                assert_ne!(earlier, Some(round), "{entrant} of {n} plays twice in round {round}");
            }
        }
        let once = (0..n * n).all(|at| met[at] == u8::from(at / n < at % n));
        assert!(once, "{n} entrants");
    }
}

#[test]
fn every_group_meets_with_each_entrant_in_every_seat() {
    for seats in [1, 3, 4, 8] {
        for n in [0, 1, 8, 9, 11] {
            if (2..seats).contains(&n) {
                continue;
            }
            let settings = AllPlayAllSettings {
                seats: Some(Bounded::new(seats as u32)),
                boards: Some(vec![BoardNumber(3), BoardNumber(5)]),
                ..AllPlayAllSettings::default()
            };
            let format = AllPlayAll::new(&start(0, &entrants(n)), &settings).unwrap();
            let games: Vec<_> = format.games().collect();
            assert_eq!(games.len(), combinations(n.into(), seats.into()) * usize::from(seats) * 2, "{n}, {seats}");
            let ids: alloc::collections::BTreeSet<GameId> = games.iter().map(|game| game.id).collect();
            assert_eq!(ids.len(), games.len(), "{n}, {seats}");
            let mut often = vec![vec![0; seats.into()]; n.into()];
            for game in &games {
                for (seat, id) in game.seats.as_ref().iter().enumerate() {
                    often[id.index()][seat] += 1;
                }
            }
            let all_equal = often.iter().flatten().all(|count| *count == often[0][0]);
            assert!(all_equal && games.is_empty() == (n < seats), "{n}, {seats}: {often:?}");
        }
    }
    let settings = AllPlayAllSettings { seats: Some(Bounded::new(3)), ..AllPlayAllSettings::default() };
    let wrong = AllPlayAll::new(&start(0, &entrants(2)), &settings).map(|_| ()).unwrap_err();
    assert_eq!(wrong.0, "2 entrants do not fill a game of 3 seats");
}

#[test]
fn four_entrants_play_six_games_a_pair() {
    let format = boxing(4);
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 10 * u64::from(id.0)));
    insta::assert_snapshot!(games_as_text(&played), @"
        s1/r1/m1  0-3 board 0: 3-16, 3-0 board 0: 10-3, 0-3 board 1: 7-13, 3-0 board 1: 16-4, 0-3 board 2: 5-12, 3-0 board 2: 9-9
        s1/r1/m2  1-2 board 0: 5-12, 2-1 board 0: 12-3, 1-2 board 1: 6-13, 2-1 board 1: 5-3, 1-2 board 2: 6-14, 2-1 board 2: 5-6
        s1/r2/m1  1-3 board 0: 8-17, 3-1 board 0: 10-6, 1-3 board 1: 9-13, 3-1 board 1: 9-11, 1-3 board 2: 7-10, 3-1 board 2: 11-11
        s1/r2/m2  2-0 board 0: 7-9, 0-2 board 0: 1-10, 2-0 board 1: 10-6, 0-2 board 1: 2-6, 2-0 board 2: 6-7, 0-2 board 2: 9-12
        s1/r3/m1  2-3 board 0: 9-14, 3-2 board 0: 15-9, 2-3 board 1: 10-10, 3-2 board 1: 8-6, 2-3 board 2: 9-10, 3-2 board 2: 14-6
        s1/r3/m2  0-1 board 0: 0-6, 1-0 board 0: 7-7, 0-1 board 1: 7-11, 1-0 board 1: 4-3, 0-1 board 2: 6-4, 1-0 board 2: 6-8
        ");
    insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
        place entrant wins, score
        1 3 [14, 217]
        2 2 [9, 161]
        3 1 [5, 119]
        4 0 [4, 96]
        ");
}

#[test]
fn a_playoff_has_one_board_with_bonuses_and_head_to_head() {
    let settings = AllPlayAllSettings {
        boards: Some(vec![BoardNumber(9)]),
        scoring: Some(ScoringKind::Bonus),
        ..AllPlayAllSettings::default()
    };
    let format = AllPlayAll::new(&start(2, &[5, 3, 8].map(EntrantId)), &settings).unwrap();
    // The first seat wins, and 8 wins by more points than the others.
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| match game.seats[0].0 {
        8 => outcome(&[20, 0], End::Played),
        _ => outcome(&[10, 0], End::Played),
    });
    insta::assert_snapshot!(games_as_text(&played), @"
        s3/r1/m1  3-8 board 9: 10-0, 8-3 board 9: 20-0
        s3/r2/m1  8-5 board 9: 20-0, 5-8 board 9: 10-0
        s3/r3/m1  5-3 board 9: 10-0, 3-5 board 9: 10-0
        ");
    insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
        place entrant points, wins, head-to-head
        1 8 [2040, 2, 0]
        2 3 [2020, 2, 1010]
        2 5 [2020, 2, 1010]
        ");
}

#[test]
fn a_repeated_entrant_and_too_many_games_are_refused() {
    let refused =
        AllPlayAll::new(&start(0, &[0, 1, 0].map(EntrantId)), &AllPlayAllSettings::default()).unwrap_err();
    assert!(refused.0.contains("entrant 1 is named twice"));
    let many = AllPlayAllSettings { games_per_order: GamesPerOrder::new(1000), ..AllPlayAllSettings::default() };
    let refused = AllPlayAll::new(&start(0, &entrants(60)), &many).unwrap_err();
    assert!(refused.0.contains("are more than 4000000 games"), "{refused}");
}

#[test]
fn a_single_entrant_has_no_games() {
    let format = boxing(1);
    assert_eq!(format.plan(&Results::new()), Plan::Finished);
    assert_eq!(format.standings(&Results::new()).len(), 1);
}

#[test]
fn three_hundred_entrants_play_to_the_end() {
    let format = boxing(300);
    let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| u64::from(id.0)));
    assert_eq!(played.games.len(), 269_100);
    let standings = format.standings(&played.results);
    assert_eq!(standings.len(), 300);
    let counted: i64 = standings.iter().map(|standing| standing.figures[0]).sum();
    let decided = played.games_with_a_winner();
    assert_eq!(counted, decided);
}

proptest! {
    #[test]
    fn every_pair_meets_six_times_and_each_side_is_first_three_times(n in 2u16..20, seed: u64, batch in 1usize..50) {
        let format = boxing(n);
        let played = play(&format, PlayOrder { seed, batch }, |game| invented(game, |id| u64::from(id.0 % 7)));
        let meetings = meetings(&played);
        prop_assert_eq!(meetings.len(), usize::from(n) * usize::from(n - 1) / 2);
        prop_assert!(meetings.values().all(|&count| count == (6, 3)));
    }

    #[test]
    fn any_play_order_gives_the_same_tournament(n in 2u16..12, seed: u64, batch in 1usize..50) {
        let format = boxing(n);
        let judge = |game: &_| invented(game, |id| u64::from(id.0 % 7));
        let played = play(&format, PlayOrder { seed, batch }, judge);
        prop_assert_eq!(&played, &play(&format, PlayOrder::ALL_AT_ONCE, judge));
    }
}

#[test]
fn further_rankings_count_the_same_games_and_decide_nothing() {
    let format = |scoring, tables: &[ScoringKind]| {
        let boards = Some(vec![BoardNumber(0)]);
        let threshold = Some(3);
        let scoring = Some(scoring);
        let tables = Some(tables.to_vec());
        let settings = AllPlayAllSettings { boards, scoring, threshold, tables, ..AllPlayAllSettings::default() };
        AllPlayAll::new(&start(0, &entrants(4)), &settings).unwrap()
    };
    let both = format(ScoringKind::WonMinusLost, &[ScoringKind::Margins]);
    let other = format(ScoringKind::Margins, &[]);
    let played = play(&both, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 3 * u64::from(id.0)));
    let tables = both.further_rankings(&played.results);
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].columns, other.columns());
    assert_eq!(tables[0].standings, other.standings(&played.results));
    assert_eq!(both.columns(), [StandingsColumn::count("won - lost")]);
    assert_ne!(both.standings(&played.results)[0].figures, tables[0].standings[0].figures);
    assert_eq!(other.further_rankings(&played.results), []);
}

/// Checks the boards, scorings and threshold that `own` gets from a game with these.
#[track_caller]
fn check_of_game(own: AllPlayAllSettings, boards: &[u32], scorings: &[ScoringKind], threshold: Option<u32>) {
    let scoring = ScoringKind::WonMinusLost;
    let tables = vec![ScoringKind::Margins];
    let game = GameDefaults { boards: 2, scoring, tables, threshold: 31, ..GameDefaults::default() };
    let mut filled = own.clone();
    filled.fill_in_game_defaults(&game, 4);
    assert_eq!(filled.fill_in_defaults(&(2..=2), 4), Ok(boards[boards.len() - 1].max(3) + 1));
    let names = filled.boards.iter().flatten().map(|board| board.0).collect::<Vec<_>>();
    assert_eq!((&names[..], &filled.scorings()[..], filled.threshold), (boards, scorings, threshold), "{own:?}");
}

#[test]
fn what_is_left_out_is_the_games() {
    use ScoringKind::{Bonus, Margins, Wins, WonMinusLost};
    let by = |scoring| AllPlayAllSettings { scoring: Some(scoring), ..AllPlayAllSettings::default() };
    check_of_game(AllPlayAllSettings::default(), &[4, 5], &[WonMinusLost, Margins], Some(31));
    check_of_game(AllPlayAllSettings { boards: Some(vec![]), ..by(Wins) }, &[4, 5], &[Wins, Margins], Some(31));
    check_of_game(by(Margins), &[4, 5], &[Margins], Some(31));
    check_of_game(AllPlayAllSettings { threshold: Some(9), ..by(Margins) }, &[4, 5], &[Margins], Some(9));
    check_of_game(AllPlayAllSettings { tables: Some(vec![]), ..by(Bonus) }, &[4], &[Bonus], None);
    check_of_game(
        AllPlayAllSettings { boards: Some(vec![BoardNumber(0)]), ..by(Wins) },
        &[0],
        &[Wins, Margins],
        Some(31),
    );
}

#[test]
fn a_threshold_is_for_the_cross_table_of_a_stage_that_counts_margins() {
    let check = |scoring, tables: &[ScoringKind], wanted| {
        let settings = AllPlayAllSettings {
            scoring: Some(scoring),
            tables: Some(tables.to_vec()),
            threshold: Some(31),
            ..AllPlayAllSettings::default()
        };
        let format = AllPlayAll::new(&start(0, &entrants(4)), &settings).unwrap();
        assert_eq!(Schedule::facts(&format).tie_margin, wanted, "{scoring:?} {tables:?}");
    };
    check(ScoringKind::Margins, &[], Some(31));
    check(ScoringKind::WonMinusLost, &[ScoringKind::Margins], Some(31));
    check(ScoringKind::WonMinusLost, &[], None);
}
