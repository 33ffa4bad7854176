//! Tests of the cross-table.

use super::*;
use crate::Style;
use crate::doc::{self, Section};
use crate::testing::{Played, all, everyone, play};
use cornerman::contest::Field;
use cornerman::formats::{Bounded, Format, gauntlet};
use std::collections::BTreeSet;

fn table_of(played: &Played) -> Crosstable {
    Crosstable::from_games(&played.tournament(), 0, &played.games)
}

fn text_of(table: &Crosstable, played: &Played, style: Style) -> String {
    let section = table.tables().into_iter().fold(Section::new("", ""), Section::with);
    doc::text(&[section], &played.entrants, style)
}

impl Crosstable {
    /// The games between `a` and `b`, from the view of `a`.
    pub(crate) fn between(&self, a: EntrantId, b: EntrantId) -> Meetings {
        let row = |id| self.order.iter().position(|other| *other == id);
        row(a).zip(row(b)).map(|(row, column)| self.cells[row][column]).unwrap_or_default()
    }
}

/// A text without the codes of its colours.
fn without_codes(text: &str) -> String {
    let (first, rest) = text.split_once('\x1b').unwrap_or((text, ""));
    let rest = rest.split('\x1b').map(|part| part.split_once('m').map_or(part, |it| it.1));
    first.to_string() + &rest.collect::<String>()
}

#[test]
fn rows_are_in_the_order_of_the_standings() {
    let mut played = everyone(5, usize::MAX);
    played.entrants[0].name = "海鸥".to_string();
    insta::assert_snapshot!(text_of(&table_of(&played), &played, Style::plain()));
}

#[test]
fn a_narrow_terminal_gets_blocks_of_columns() {
    let played = everyone(12, usize::MAX);
    for colour in [false, true] {
        let check = |width, headers: &[&str]| {
            let text = text_of(&table_of(&played), &played, Style { colour, width });
            let text = without_codes(&text);
            let found: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("name")).collect();
            let numbers = |line: &&str| line.trim_start_matches([' ', 'n', 'a', 'm', 'e']).to_string();
            assert_eq!(found.iter().map(numbers).collect::<Vec<_>>(), headers, "{width} columns");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        };
        check(100, &["1 2 3 4 5 6 7 8 9 10 11 12"]);
        check(40, &["1 2 3 4 5 6 7 8 9 10 11 12"]);
        check(30, &["1 2 3 4 5 6 7 8", "9 10 11 12"]);
    }
}

#[test]
fn games_are_shown_if_pairs_have_met_unequally_often() {
    let played = everyone(5, 17);
    insta::assert_snapshot!(text_of(&table_of(&played), &played, Style::plain()));
}

#[test]
fn a_coloured_table_adds_only_colours() {
    let mut played = everyone(5, usize::MAX);
    played.entrants[0].name = "海鸥".to_string();
    let (plain, coloured) =
        [Style::plain(), Style::coloured()].map(|style| text_of(&table_of(&played), &played, style)).into();
    // The text must begin with a code, because `codes` leaves the part before the first one alone.
    assert!(coloured.starts_with("\x1b["));
    assert_eq!(without_codes(&coloured), plain);
    let first = coloured.lines().nth(2).unwrap();
    let cells: Vec<Meetings> = table_of(&played).cells[0].clone();
    let more = (1..5).filter(|&at| cells[at].wins > table_of(&played).cells[at][0].wins).count();
    assert_eq!(first.matches("\x1b[32m").count(), more, "{first:?}");
    assert!(more > 0);
}

#[test]
fn a_better_place_is_a_win_and_a_tie_is_none() {
    let played = everyone(4, 3);
    let check = |seats: &[u16], places: &[u8], a: u16, b: u16, wanted: (u32, u32, u32)| {
        let mut game = played.games[0].clone();
        game.pairing.seats = seats.iter().copied().map(EntrantId).collect();
        game.outcome.places = places.to_vec();
        game.outcome.points = vec![0; places.len()];
        let table = Crosstable::from_games(&played.tournament(), 0, std::slice::from_ref(&game));
        let there = table.between(EntrantId(a), EntrantId(b));
        let back = table.between(EntrantId(b), EntrantId(a));
        assert_eq!((there.wins, back.wins, there.games), wanted, "{seats:?} in places {places:?}");
        assert_eq!(there.games, back.games);
    };
    check(&[0, 1], &[1, 2], 0, 1, (1, 0, 1));
    check(&[0, 1], &[1, 1], 0, 1, (0, 0, 1));
    check(&[2, 0, 3], &[3, 1, 2], 3, 2, (1, 0, 1));
    check(&[2, 0, 3], &[3, 1, 3], 3, 2, (0, 0, 1));
    check(&[2, 0, 3], &[3, 1, 2], 3, 1, (0, 0, 0));
    check(&[0, 1], &[1, 2], 0, 99, (0, 0, 0));
}

#[test]
fn margins_of_a_pair_are_a_tie_up_to_the_threshold_of_all_its_games_together() {
    let check = |margins: &[i64], tie, wanted| {
        let meetings = Meetings { margin: margins.iter().sum(), ..Meetings::default() };
        assert_eq!(meetings.by_margin(tie), wanted, "{margins:?} with {tie}");
    };
    let [first, other] = [Favour::Step(Favour::STEPS - 1), Favour::Step(0)];
    // Each game alone is within the threshold, or beyond it.
    check(&[20, 12], 31, first);
    check(&[-20, -12], 31, other);
    check(&[40, -20], 31, Favour::EVEN);
    check(&[20, 11], 31, Favour::EVEN);
    check(&[1, 0], 0, first);
    check(&[1, -1], 0, Favour::EVEN);
}

#[test]
fn a_stage_that_counts_margins_has_a_table_of_them() {
    let settings = cornerman::formats::all_play_all::AllPlayAllSettings {
        tables: Some(vec![cornerman::formats::scoring::ScoringKind::Margins]),
        threshold: Some(100),
        ..Default::default()
    };
    let played = play(Field::new(4, 0), vec![("Everyone", all(Format::AllPlayAll(settings)))], usize::MAX);
    let table = table_of(&played);
    let tournament = played.tournament();
    insta::assert_snapshot!(text_of(&table, &played, Style::plain()));
    let json = table.json(&tournament);
    insta::assert_snapshot!(format!("{:?} {:?}", json.threshold, json.margins));
    let without = table_of(&everyone(4, 3)).json(&tournament);
    assert_eq!((without.threshold, without.margins), (None, None));
}

#[test]
fn only_those_who_met_the_others_have_columns() {
    let check = |entrants: u16, challengers, most, wanted: &[u16]| {
        let settings = gauntlet::GauntletSettings { challengers: Bounded::new(challengers), ..Default::default() };
        let stage = ("Gauntlet", all(Format::Gauntlet(settings)));
        let played = play(Field::new(entrants, 0), vec![stage], most);
        let table = table_of(&played);
        let shown: BTreeSet<u16> = table.columns().into_iter().map(|row| table.order[row].0).collect();
        assert_eq!(shown, wanted.iter().copied().collect(), "{challengers} of {entrants}");
        text_of(&table, &played, Style::plain())
    };
    insta::assert_snapshot!(check(12, 2, usize::MAX, &[0, 1]));
    check(4, 1, usize::MAX, &[0, 1, 2, 3]);
    check(20, 3, usize::MAX, &[0, 1, 2]);
    check(2, 1, usize::MAX, &[0, 1]);
    check(12, 6, usize::MAX, &(0..12).collect::<Vec<u16>>());
    // While it is under way, possibly no entrant has met half of the others yet.
    let all: Vec<u16> = (0..12).collect();
    check(12, 1, 2, &all);
    check(12, 1, 0, &all);
    let everyone = table_of(&everyone(12, usize::MAX));
    assert_eq!(everyone.columns().len(), 12);
}

#[test]
fn games_of_other_stages_do_not_count() {
    let played = everyone(4, 3);
    let mut game = played.games[0].clone();
    game.pairing.id.stage = 1;
    let table = Crosstable::from_games(&played.tournament(), 0, std::slice::from_ref(&game));
    assert!(table.cells.iter().flatten().all(|meetings| meetings.games == 0));
}

#[test]
fn too_many_for_a_terminal_are_in_json_only() {
    let played = everyone(41, 1);
    let table = table_of(&played);
    let text = text_of(&table, &played, Style::plain());
    assert_eq!(
        text,
        "wins of the row against the column, in 1 game\nA cross-table of 41 entrants is too wide for a terminal: use JSON.\n"
    );
    let json = table.json(&played.tournament());
    assert_eq!(json.wins.len(), 41);
    assert_eq!(json.games[40].len(), 41);
}

#[test]
fn the_colour_depends_on_the_share_of_wins() {
    let check = |wins, losses, games, wanted| {
        let own = Meetings { games, wins, margin: 0 };
        let other = Meetings { games, wins: losses, margin: 0 };
        assert_eq!(own.favour(other), Favour::Step(wanted), "{wins} won, {losses} lost of {games}");
    };
    check(0, 6, 6, 0);
    check(6, 0, 6, 8);
    check(3, 3, 6, 4);
    check(0, 0, 2, 4);
    check(2, 1, 4, 5);
    check(1, 3, 4, 2);
    check(1, 0, 1, 8);
    check(50, 49, 99, 5);
    check(49, 50, 99, 3);
}
