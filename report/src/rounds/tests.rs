//! Tests of rounds as text and JSON.

use super::*;
use crate::testing::{self, Played, all, fours, play, with_fillers};
use cornerman::contest::Field;
use cornerman::formats::{BoardNumber, Format, RoundCount, knockout, pair_swiss};

fn shown(played: &Played) -> String {
    let block = block(0, rounds(&played.tournament(), 0).unwrap());
    testing::text_of([Section::new("", "").with(block)], &played.entrants)
}

fn rounds(tournament: &Tournament, stage: usize) -> Option<Rounds> {
    tournament.progress.get(stage)?.rounds(tournament.results)
}

fn two_brackets(most: usize) -> Played {
    play(with_fillers(9, 1), vec![("Brackets", all(testing::two_brackets()))], most)
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
    let format = Format::Knockout(knockout::KnockoutSettings { third_place: true, ..Default::default() });
    let played = play(Field::new(7, 0), vec![("Cup", all(format))], usize::MAX);
    insta::assert_snapshot!(shown(&played));
}

#[test]
fn groups_of_four_are_in_the_order_of_their_points() {
    let played = play(with_fillers(6, 2), vec![("Groups", all(fours(2)))], 3);
    insta::assert_snapshot!(shown(&played));
}

#[test]
fn a_swiss_of_two_has_matches_and_byes() {
    let rounds = Some(RoundCount::new(3));
    let board = Some(BoardNumber(0));
    let pairs = pair_swiss::PairSwissSettings { rounds, board, all_play_all_up_to: 0, ..Default::default() };
    let format = Format::PairSwiss(pairs);
    let played = play(Field::new(5, 0), vec![("Swiss", all(format))], 10);
    insta::assert_snapshot!(shown(&played));
}

#[test]
fn json_has_every_match() {
    let played = two_brackets(usize::MAX);
    let tournament = played.tournament();
    let json = json(&rounds(&tournament, 0).unwrap(), &tournament);
    insta::assert_json_snapshot!(json[0]);
}

#[test]
fn an_all_play_all_has_no_rounds_to_show() {
    let format = Format::AllPlayAll(Default::default());
    let played = play(Field::new(5, 0), vec![("Everyone", all(format))], 0);
    assert_eq!(rounds(&played.tournament(), 0), None);
    assert_eq!(rounds(&played.tournament(), 1), None);
}
