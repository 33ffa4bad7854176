//! Tests of ratings.

use super::show::{percent, points};
use super::*;
use crate::testing::{Played, all, everyone, fours, head, pairing, play, text_of};
use cornerman::contest::Field;
use cornerman::game::{End, Outcome};
use cornerman_harness::record::{EntrantRecord, Role};

fn swiss_of(entrants: u16) -> Played {
    let format = fours(4);
    play(Field::new(entrants, 0), vec![("Groups", all(format))], usize::MAX)
}

/// A match of one game between these entrants, with these places.
fn game(table: u32, seats: &[u16], places: &[u8]) -> GameSummary {
    let zeros = vec![0; seats.len()];
    let territory = vec![0; seats.len()];
    let outcome = Outcome { places: places.to_vec(), points: zeros, territory, end: End::Played };
    head(pairing(0, table, seats), outcome)
}

#[test]
fn a_table_shows_intervals_as_bars() {
    let made = everyone(6, usize::MAX);
    let ratings = ratings(&made.games, 7);
    insta::assert_snapshot!(text_of(ratings.section(&made.tournament()), &made.entrants));
}

#[test]
fn entries_are_set_apart_from_the_kits_bots() {
    let check = |change: fn(&mut [EntrantRecord]), wanted: Option<&[&str]>| {
        let mut made = everyone(3, usize::MAX);
        change(&mut made.entrants);
        let mut ratings = ratings(&made.games, 7);
        ratings.list.sort_by_key(|rating| rating.entrant);
        assert_eq!(ratings.kinds(&made.tournament()).as_deref(), wanted);
    };
    check(|_| {}, None);
    check(|entrants| entrants[1].spec = "@greedy".into(), Some(&["", "reference", ""]));
    check(|entrants| entrants[0].role = Role::Filler, Some(&["filler", "", ""]));
    let all_are_reference_bots = |entrants: &mut [EntrantRecord]| {
        for entrant in entrants {
            entrant.spec = "@greedy".into();
        }
    };
    check(all_are_reference_bots, None);
}

#[test]
fn bots_that_are_not_entries_are_below_them_without_numbers() {
    let mut made = everyone(6, usize::MAX);
    made.entrants[1].spec = "@greedy".into();
    made.entrants[4].role = Role::Filler;
    let ratings = ratings(&made.games, 7);
    insta::assert_snapshot!(text_of(ratings.section(&made.tournament()), &made.entrants));
}

#[test]
fn games_of_four_are_rated_too() {
    let made = swiss_of(12);
    let ratings = ratings(&made.games, 7);
    assert_eq!(ratings.method, Method::WengLin);
    insta::assert_snapshot!(text_of(ratings.section(&made.tournament()), &made.entrants));
}

#[test]
fn json_names_the_method_and_the_interval() {
    let made = everyone(5, usize::MAX);
    insta::assert_json_snapshot!(ratings(&made.games, 7).json(&made.tournament()));
}

#[test]
fn few_matches_have_neither_an_interval_nor_a_share() {
    // Between two entrants, in matches of two games; each match ends in a win and a tie, or in two losses.
    let check = |matches: u16, known: bool| {
        let places = |table: u16, at: u16| if table.is_multiple_of(3) { [2, 1] } else { [1, 1 + at as u8] };
        let one = |table: u16, at: u16| {
            let mut one = game(table.into(), &[0, 1], &places(table, at));
            one.pairing.id.game = at;
            one
        };
        let games: Vec<GameSummary> = (0..matches).flat_map(|table| [one(table, 0), one(table, 1)]).collect();
        let list = ratings(&games, 7).list;
        assert!(list.iter().all(|it| it.interval.is_some() == known), "{matches}: {list:?}");
        assert_eq!(list[0].above(&list[1]).is_some(), known, "{matches}: {list:?}");
        assert_eq!((list[0].matches, list[0].games), (matches.into(), 2 * u32::from(matches)));
    };
    check(1, false);
    check(LEAST_MATCHES as u16 - 1, false);
    check(LEAST_MATCHES as u16, true);
}

#[test]
fn an_entrant_of_few_matches_has_no_interval_among_others_that_have_one() {
    let check = |own: u32, known: bool| {
        let others = (0..20).map(|at| game(at, &[0, 1], if at % 3 == 0 { &[2, 1] } else { &[1, 2] }));
        let few = (20..20 + own).map(|at| game(at, &[0, 2], if at % 2 == 0 { &[1, 2] } else { &[2, 1] }));
        let list = ratings(&others.chain(few).collect::<Vec<_>>(), 7).list;
        let of = |id: u16| list.iter().find(|it| it.entrant.0 == id).expect("a rating");
        assert_eq!((of(1).interval.is_some(), of(2).interval.is_some()), (true, known), "{own}: {list:?}");
    };
    check(LEAST_OWN_MATCHES - 1, false);
    check(LEAST_OWN_MATCHES, true);
}

#[test]
fn matches_that_all_end_alike_have_no_interval() {
    let games: Vec<GameSummary> = (0..50).map(|at| game(at, &[0, 1], &[1, 2])).collect();
    let list = ratings(&games, 7).list;
    assert!(list.iter().all(|it| it.interval.is_none() && it.above(&list[0]).is_none()), "{list:?}");
}

#[test]
fn text_and_json_say_that_there_are_too_few_matches() {
    let made = everyone(3, usize::MAX);
    let ratings = ratings(&made.games, 7);
    let tournament = made.tournament();
    let json = ratings.json(&tournament);
    let first = &json.ratings[0];
    assert_eq!((first.low, first.high, first.above_next, json.least_matches), (None, None, None, LEAST_MATCHES));
    let text = text_of(ratings.section(&tournament), &made.entrants);
    // The last has no next one.
    assert_eq!(text.matches("too few matches").count(), 2 * 3 - 1, "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("an interval needs 10 matches, 4 of them the entrant's own"), "{text}");
}

#[test]
fn without_games_there_are_no_ratings() {
    let made = everyone(3, usize::MAX);
    let none = ratings([], 7);
    assert_eq!(none.list, []);
    assert_eq!(none.section(&made.tournament()), None);
}

#[test]
fn neither_the_order_of_games_nor_of_seats_matters() {
    for made in [everyone(7, usize::MAX), swiss_of(12)] {
        let forth = ratings(&made.games, 7);
        assert_eq!(ratings(made.games.iter().rev(), 7), forth);
        assert_ne!(ratings(&made.games, 8), forth, "the seed decides what is drawn");
    }
    let there = [game(0, &[3, 5], &[1, 2]), game(1, &[5, 3], &[1, 1])];
    let back = [game(0, &[5, 3], &[2, 1]), game(1, &[3, 5], &[1, 1])];
    assert_eq!(ratings(&there, 7), ratings(&back, 7));
}

#[test]
fn a_tie_is_half_a_win() {
    let check = |places: [[u8; 2]; 4], wanted: std::cmp::Ordering| {
        let games: Vec<GameSummary> = (0..).zip(&places).map(|(at, places)| game(at, &[0, 1], places)).collect();
        let list = ratings(&games, 7).list;
        let of = |id: u16| list.iter().find(|rating| rating.entrant.0 == id).unwrap().rating;
        let order = if (of(0) - of(1)).abs() < 1e-6 { std::cmp::Ordering::Equal } else { of(0).total_cmp(&of(1)) };
        assert_eq!(order, wanted, "{places:?}: {list:?}");
        assert_eq!(list[0].games, 4);
    };
    check([[1, 2], [1, 2], [2, 1], [2, 1]], std::cmp::Ordering::Equal);
    check([[1, 1], [1, 1], [1, 1], [1, 1]], std::cmp::Ordering::Equal);
    check([[1, 1], [1, 1], [1, 2], [2, 1]], std::cmp::Ordering::Equal);
    check([[1, 1], [1, 1], [1, 1], [1, 2]], std::cmp::Ordering::Greater);
    check([[2, 1], [2, 1], [1, 1], [1, 2]], std::cmp::Ordering::Less);
}

#[test]
fn intervals_contain_the_rating_and_shrink_with_games() {
    let width = |times: u32| {
        let games: Vec<GameSummary> =
            (0..times * 10).map(|at| game(at, &[0, 1], if at % 10 < 7 { &[1, 2] } else { &[2, 1] })).collect();
        let list = ratings(&games, 7).list;
        let ends = |it: &Rating| it.interval.expect("an interval");
        assert!(list.iter().all(|it| ends(it)[0] <= it.rating && it.rating <= ends(it)[1]), "{list:?}");
        ends(&list[0])[1] - ends(&list[0])[0]
    };
    let few = width(2);
    let many = width(32);
    // Sixteen times the games give about a quarter of the width.
    assert!(many < few / 2.5 && many > few / 6.0, "{few} {many}");
}

#[test]
fn seven_wins_of_ten_are_147_points_for_many_games() {
    let games: Vec<GameSummary> =
        (0..5000).map(|at| game(at, &[0, 1], if at % 10 < 7 { &[1, 2] } else { &[2, 1] })).collect();
    let list = ratings(&games, 7).list;
    let between = list[0].rating - list[1].rating;
    assert!((between - 400.0 * (7.0f64 / 3.0).log10()).abs() < 0.2, "{between}");
    assert_eq!([list[0].above(&list[1]), list[1].above(&list[0])], [Some(1.0), Some(0.0)]);
}

#[test]
fn figures_are_rounded_for_people() {
    for (rating, wanted) in [(0.3, "0"), (-0.4, "0"), (12.6, "+13"), (-99.5, "-100")] {
        assert_eq!(points(rating), wanted);
    }
    for (share, wanted) in [(1.0, "100 %"), (0.997, "> 99 %"), (0.5, "50 %"), (0.004, "< 1 %"), (0.0, "0 %")] {
        assert_eq!(percent(share), wanted);
    }
}

#[test]
fn each_resample_draws_as_many_matches_as_were_played() {
    let all = resampled(300, 50, 7, &|times| times.iter().map(|&times| f64::from(times)).collect());
    assert_eq!(all.len(), 300);
    assert!(all.iter().all(|times| times.iter().sum::<f64>() == 50.0));
    assert!(all.windows(2).all(|two| two[0] != two[1]));
    let mean = all.iter().map(|times| times[0]).sum::<f64>() / 300.0;
    assert!((mean - 1.0).abs() < 0.2, "{mean}");
}
