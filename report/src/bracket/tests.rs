//! What rounds look like.

use super::*;
use crate::testing::{Played, all, play};
use cornerman::contest::{Field, FormatKind};
use cornerman::format::EntrantId;
use cornerman::formats::{brackets, knockout, pair_swiss, swiss};

fn shown(played: &Played) -> String {
    let tournament = played.tournament();
    Rounds::of(&tournament, 0, &played.games).unwrap().text(&tournament, Style::plain())
}

fn two_brackets(most: usize) -> Played {
    let format = FormatKind::Brackets(brackets::Settings::new(2, EntrantId(9)));
    play(Field { entrants: 9, organizers: 1 }, vec![("Brackets", all(format))], most)
}

#[test]
fn two_brackets_go_down_to_the_finalists() {
    insta::assert_snapshot!(shown(&two_brackets(usize::MAX)));
}

#[test]
fn a_match_that_is_not_over_is_under_way() {
    insta::assert_snapshot!(shown(&two_brackets(11)));
}

#[test]
fn a_knockout_has_byes_and_a_match_for_third_place() {
    let format = FormatKind::Knockout(knockout::Settings { third_place: true, ..Default::default() });
    let played = play(Field { entrants: 7, organizers: 0 }, vec![("Cup", all(format))], usize::MAX);
    insta::assert_snapshot!(shown(&played));
}

#[test]
fn groups_of_four_are_in_the_order_of_their_points() {
    let format = FormatKind::Swiss {
        fillers: vec![EntrantId(6), EntrantId(7)],
        rounds: Some(2),
        boards: swiss::Boards::Same(0),
    };
    let played = play(Field { entrants: 6, organizers: 2 }, vec![("Groups", all(format))], 3);
    insta::assert_snapshot!(shown(&played));
}

#[test]
fn a_swiss_of_two_has_matches_and_byes() {
    let format =
        FormatKind::PairSwiss { rounds: Some(3), games: pair_swiss::Games::Two, boards: swiss::Boards::Same(0) };
    let played = play(Field { entrants: 5, organizers: 0 }, vec![("Swiss", all(format))], 10);
    insta::assert_snapshot!(shown(&played));
}

#[test]
fn json_has_every_match() {
    let played = two_brackets(usize::MAX);
    let tournament = played.tournament();
    let json = Rounds::of(&tournament, 0, &played.games).unwrap().json(&tournament);
    insta::assert_json_snapshot!(json["rounds"][0]);
}

#[test]
fn an_all_play_all_has_no_rounds_to_show() {
    let format = FormatKind::AllPlayAll(Default::default());
    let played = play(Field { entrants: 5, organizers: 0 }, vec![("Everyone", all(format))], 0);
    assert_eq!(Rounds::of(&played.tournament(), 0, &played.games), None);
    assert_eq!(Rounds::of(&played.tournament(), 1, &played.games), None);
}
