//! Who beat whom.

use super::*;
use crate::testing::{Played, all, play};
use cornerman::contest::{Field, FormatKind};

fn everyone(entrants: u16, most: usize) -> Played {
    let field = Field { entrants, organizers: 0 };
    play(field, vec![("Everyone", all(FormatKind::AllPlayAll(Default::default())))], most)
}

fn table_of(played: &Played) -> Crosstable {
    Crosstable::of(&played.tournament(), 0, &played.games)
}

#[test]
fn rows_are_in_the_order_of_the_standings() {
    let mut played = everyone(5, usize::MAX);
    played.entrants[0].name = "海鸥".to_string();
    insta::assert_snapshot!(table_of(&played).text(&played.tournament(), Style::plain()));
}

#[test]
fn games_are_shown_where_not_all_have_played_as_many() {
    let played = everyone(5, 17);
    insta::assert_snapshot!(table_of(&played).text(&played.tournament(), Style::plain()));
}

#[test]
fn colours_are_all_that_a_coloured_table_adds() {
    let mut played = everyone(5, usize::MAX);
    played.entrants[0].name = "海鸥".to_string();
    let (plain, coloured) = [Style::plain(), Style::coloured()]
        .map(|style| table_of(&played).text(&played.tournament(), style))
        .into();
    let codes = |text: &str| {
        text.split('\x1b').map(|part| part.split_once('m').map_or(part, |it| it.1)).collect::<String>()
    };
    // The part before the first code has none to take off.
    assert!(coloured.starts_with("\x1b["));
    assert_eq!(codes(&coloured), plain);
    let first = coloured.lines().nth(2).unwrap();
    let cells: Vec<Meetings> = table_of(&played).cells[0].clone();
    let more = (1..5).filter(|&at| cells[at].wins > table_of(&played).cells[at][0].wins).count();
    assert_eq!(first.matches("\x1b[32m").count(), more, "{first:?}");
    assert!(more > 0);
}

#[test]
fn wins_of_both_sides_and_ties_make_up_the_games() {
    let played = everyone(6, usize::MAX);
    let table = table_of(&played);
    for (a, b) in [(0, 1), (2, 5), (4, 3)] {
        let (a, b) = (EntrantId(a), EntrantId(b));
        let (there, back) = (table.between(a, b), table.between(b, a));
        assert_eq!((there.games, back.games), (6, 6));
        let both = played.games.iter().filter(|game| {
            game.pairing.seats.contains(&a)
                && game.pairing.seats.contains(&b)
                && game.outcome.winners().count() == 2
        });
        assert_eq!((there.wins + back.wins) as usize + both.count(), 6);
    }
    assert_eq!(table.between(EntrantId(0), EntrantId(99)), Meetings::default());
}

#[test]
fn too_many_for_a_terminal_are_in_json_only() {
    let played = everyone(41, 1);
    let table = table_of(&played);
    let text = table.text(&played.tournament(), Style::plain());
    assert_eq!(text, "A cross-table of 41 entrants is too wide for a terminal: take JSON.\n");
    let json = table.json(&played.tournament());
    assert_eq!(json["wins"].as_array().map(Vec::len), Some(41));
    assert_eq!(json["games"][40].as_array().map(Vec::len), Some(41));
}
