//! Whole Modified Swiss tournaments: one worked out by hand, a snapshot of another, and properties of all.

use super::*;
use crate::format::{Field, Pairing};
use crate::formats::testing::{PlayOrder, play, play_rounds, start, tournament_as_text};
use crate::formats::{BoardNumber, RoundCount};
use crate::game::{End, Outcome};
use crate::rng::Rng;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn swiss(entrants: u16, rounds: u16, seed: u64) -> Swiss {
    let field = Field { fillers: (900..903).map(EntrantId).collect(), ..Field::new(0, 0) };
    let entrants: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
    let rounds = Some(RoundCount::new(rounds.into()));
    let first_board = Some(BoardNumber(10));
    let settings = SwissSettings { rounds, first_board, ..SwissSettings::default() };
    Swiss::new(&StageInput { field: &field, seed, ..start(2, &entrants) }, &settings).unwrap()
}

/// The outcome with this territory, by seat.
fn ended(territory: Vec<u32>) -> Outcome {
    Outcome { places: vec![1; 4], points: vec![0; 4], territory, end: End::Played }
}

/// An outcome that depends only on the game and its players.
fn chance(game: &Pairing) -> Outcome {
    let seats = game.seats.iter().map(|seat| u64::from(seat.0)).fold(0, |all, seat| all * 1000 + seat);
    let mut rng = Rng::new(seats ^ u64::from(game.id.round) << 50);
    ended((0..4).map(|_| rng.below(6) as u32).collect())
}

#[track_caller]
fn check_standings(standings: &[Standing], expected: &[(u16, [i64; 4])]) {
    let found: Vec<(u16, &[i64])> = standings.iter().map(|s| (s.entrant.0, &s.figures[..4])).collect();
    let expected: Vec<(u16, &[i64])> = expected.iter().map(|(who, figures)| (*who, &figures[..])).collect();
    assert_eq!(found, expected);
    assert!(standings.iter().zip(1..).all(|(standing, place)| standing.place == place));
}

#[test]
fn a_tournament_of_eight_worked_out_by_hand() {
    // Territory by round and entrant. Round one by lot: 1, 2, 4, 5 share 7 spots; 0, 3, 6, 7 share 11.
    const TERRITORY: [[u32; 8]; 2] = [[4, 3, 1, 3, 1, 2, 3, 1], [2, 0, 0, 1, 1, 2, 2, 126]];
    let swiss = swiss(8, 2, 3);
    let end = |game: &Pairing| {
        ended(game.seats.iter().map(|seat| TERRITORY[usize::from(game.id.round)][seat.index()]).collect())
    };
    let (done, rounds) = play_rounds(&swiss, end);

    let mut first = Results::new();
    for game in &rounds[0] {
        first.insert(game.id, end(game));
    }
    let after_one = [
        (1, [6, 428_571, 3, 0]),
        (0, [6, 363_636, 4, 0]),
        (5, [4, 285_714, 2, 0]),
        (6, [3, 272_727, 3, 2]),
        (3, [3, 272_727, 3, 1]),
        (4, [1, 142_857, 1, 2]),
        (2, [1, 142_857, 1, 1]),
        (7, [0, 90_909, 1, 0]),
    ];
    check_standings(&swiss.standings(&first), &after_one);

    // 1, 0, 5, 6 share 6 spots; 3, 4, 2, 7 share 128, so that 1/128 lies halfway and is rounded up.
    let after_two = [
        (0, [10, 696_969, 6, 0]),
        (5, [8, 619_047, 4, 0]),
        (6, [7, 606_060, 5, 0]),
        (7, [6, 1_075_284, 127, 0]),
        (1, [6, 428_571, 3, 0]),
        (3, [6, 280_540, 4, 0]),
        (4, [4, 150_670, 2, 0]),
        (2, [1, 142_857, 1, 0]),
    ];
    check_standings(&swiss.standings(&done), &after_two);
    let lots: Vec<StageRemark> = swiss.remarks(&done).split_off(1);
    let order = |order: [u16; 2]| order.map(EntrantId).to_vec();
    let lot = |about: &str, pair| StageRemark::Lot { about: about.into(), order: order(pair) };
    assert_eq!(lots, [lot("places 4 to 5 after round 1", [6, 3]), lot("places 6 to 7 after round 1", [4, 2])]);
}

#[test]
fn neighbours_in_the_standings_meet_after_the_first_round() {
    let swiss = swiss(22, 3, 5);
    let mut done = Results::new();
    for game in &swiss.plan(&done).into_games() {
        done.insert(game.id, chance(game));
    }
    let ranked: Vec<EntrantId> = swiss.standings(&done).iter().map(|standing| standing.entrant).collect();
    for (game, four) in swiss.plan(&done).into_games().iter().zip(ranked.chunks(4)) {
        let seats: BTreeSet<EntrantId> = game.seats.iter().copied().collect();
        assert_eq!(seats, four.iter().copied().collect());
    }
}

#[test]
fn standings_do_not_include_an_incomplete_round() {
    let swiss = swiss(8, 2, 3);
    let before = swiss.standings(&Results::new());
    assert!(before.iter().all(|standing| standing.place == 1));
    let mut done = Results::new();
    let games = swiss.plan(&done).into_games();
    done.insert(games[0].id, chance(&games[0]));
    assert_eq!(swiss.standings(&done), before);
    assert_eq!(swiss.plan(&done).into_games(), games[1..]);
}

#[test]
fn fillers_are_ranked_and_marked() {
    let swiss = swiss(5, 2, 1);
    let fillers = [900, 901, 902].map(EntrantId);
    assert_eq!(&swiss.players[swiss.entrants..], fillers);
    // The fillers have more territory than any entrant.
    let (done, _) = play_rounds(&swiss, |game| ended(game.seats.iter().map(|seat| u32::from(seat.0)).collect()));
    let standings = swiss.standings(&done);
    let mut marked: Vec<u16> = standings.iter().filter(|s| s.figures[4] == 1).map(|s| s.entrant.0).collect();
    marked.sort_unstable();
    assert_eq!(marked, [900, 901, 902]);
    assert_eq!(standings[0].entrant, EntrantId(902));
    let remarked = swiss.remarks(&done).into_iter().filter(|remark| matches!(remark, StageRemark::Filler { .. }));
    assert_eq!(remarked.count(), 6);
}

#[test]
fn thirteen_teams_and_three_fillers_play_three_rounds() {
    let swiss = swiss(13, 3, 2013);
    let (done, rounds) = play_rounds(&swiss, chance);
    insta::assert_snapshot!(tournament_as_text(&swiss, &done, &rounds, |outcome| std::format!(
        "{:?}",
        outcome.territory
    )));
}

#[test]
fn a_game_is_won_by_territory_whoever_fills_the_last_spot() {
    let swiss = swiss(4, 3, 1);
    let check = |territory: [u32; 4], places: [u8; 4], points: [i64; 4]| {
        // The game's own winner is the last seat.
        let own = Outcome {
            places: vec![2, 2, 2, 1],
            points: vec![0, 0, 0, 7],
            territory: territory.to_vec(),
            end: End::Played,
        };
        let counted = swiss.facts().measure.expect("territory").counted(&own);
        assert_eq!((&counted.places[..], &counted.points[..]), (&places[..], &points[..]), "{territory:?}");

        let game = swiss.plan(&Results::new()).into_games().remove(0);
        let mut done = Results::new();
        done.insert(game.id, own);
        let group = swiss.rounds(&done).expect("rounds").list.remove(0).parts.remove(0).matches.remove(0);
        let wins: Vec<u32> = game.seats.iter().map(|id| side_of(&group, *id).wins).collect();
        let alone = places.iter().filter(|place| **place == 1).count() == 1;
        assert_eq!(wins, places.map(|place| u32::from(place == 1 && alone)), "{territory:?}");
    };
    check([30, 20, 20, 10], [1, 2, 2, 4], [6, 3, 3, 0]);
    check([30, 30, 20, 10], [1, 1, 3, 4], [5, 5, 2, 0]);
    check([10, 20, 30, 40], [4, 3, 2, 1], [0, 2, 4, 6]);
}

fn side_of(group: &crate::format::Match, id: EntrantId) -> crate::format::Side {
    *group.sides.iter().find(|side| side.entrant == id).expect("a side")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_order_of_games_and_any_interruption_give_the_same_tournament(
        entrants in 1u16..40, more in 0u16..3, seed: u64, disorder: u64, batch in 1usize..12,
    ) {
        let swiss = swiss(entrants, 3 + more, seed);
        let (done, _) = play_rounds(&swiss, chance);
        let again = play(&swiss, PlayOrder { seed: disorder, batch }, chance).results;
        prop_assert_eq!(&again, &done);
        prop_assert_eq!(swiss.standings(&again), swiss.standings(&done));
        prop_assert_eq!(swiss.remarks(&again), swiss.remarks(&done));
    }

    #[test]
    fn every_player_plays_once_a_round_and_a_game_has_twelve_points(entrants in 1u16..=300, seed: u64) {
        let swiss = swiss(entrants, 5, seed);
        let (done, rounds) = play_rounds(&swiss, chance);
        prop_assert_eq!(rounds.len(), 5);
        for (round, games) in rounds.iter().enumerate() {
            let mut seated: Vec<EntrantId> = games.iter().flat_map(|game| game.seats.clone()).collect();
            seated.sort_unstable();
            prop_assert_eq!(&seated, &swiss.players);
            prop_assert!(games.iter().all(|game| game.seats.len() == 4 && game.board == 10 + round as u32));
        }
        let points: i64 = swiss.standings(&done).iter().map(|standing| standing.figures[0]).sum();
        prop_assert_eq!(points, 12 * done.len() as i64);
        let places: Vec<u32> = swiss.standings(&done).iter().map(|standing| standing.place).collect();
        prop_assert_eq!(places, (1..=swiss.players.len() as u32).collect::<Vec<_>>());
    }
}
