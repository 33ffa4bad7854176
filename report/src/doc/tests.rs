//! Tests of the renderers: one document with everything that there is, in each of them.

use super::links::{Links, Target};
use super::*;
use crate::Style;
use crate::testing::everyone;
use cornerman_harness::record::EntrantRecord;

const GAME: GameId = GameId { stage: 0, round: 1, table: 2, game: 3, attempt: 0 };

fn entrants() -> Vec<EntrantRecord> {
    let mut entrants = everyone(3, 0).entrants;
    entrants[1].name = "<b>te|rn</b>\x1b[31m".to_string();
    entrants
}

fn everything() -> Section {
    let gull = EntrantId(0);
    let tern = EntrantId(1);
    let interval = |at, ends| Drawing::Interval { at, ends, scale: [-100.0, 100.0] };
    let spread = Drawing::Spread { counts: vec![1, 0, 8, 4], from: 9, median: Duration::from_millis(2) };
    let columns = [
        Column::name("name"),
        Column::number("rating"),
        Column::text("game"),
        Column::wide("why"),
        Column::text(""),
    ];
    let rows = [
        row![
            gull,
            Cell::Figure("-35".into()),
            Cell::Game(GAME, Some(GameStep::Forfeit(7))),
            "a*b\n",
            interval(50.0, Some([-50.0, 100.0]))
        ],
        row![Cell::from(tern).strong(), 12usize, GAME, Duration::from_micros(1500), spread],
    ];
    let against = |figure: &str, favour| Cell::Against(Box::new(figure.into()), favour);
    let column = |at: u16| Column { entrant: Some(EntrantId(at)), ..Column::number(at + 1) };
    let matrix = Table {
        layout: TableLayout::Matrix,
        ..Table::new("wins", [Column::number(""), Column::name("name"), column(0), column(1)])
    };
    let matrix = matrix.rows([
        row!["1", gull, against("·", Favour::Same), against("2", Favour::Step(8))],
        row!["2", tern, against("0", Favour::Step(0)), against("·", Favour::Same)],
    ]);
    let facts = vec![("seed".to_string(), Line::default().then(7usize).then(" or ").then(Cell::Code("x".into())))];
    Section::new("all", "Every <kind>")
        .with(Block::Note("note".into()))
        .with(Table::new("", columns).rows(rows))
        .with(Block::List(vec![Line::first_of([gull, tern, gull].into_iter(), 2), "one\ntwo".into()]))
        .with(Block::Facts(facts))
        .with(matrix)
        .with(Block::Written("Traceback\n\x1b[2J<i>\n".into()))
        .with(Block::Answer { shown: b"--\n--\n".to_vec(), answered: b"--\n-A\n".to_vec() })
        .with(Block::Podium(vec![(1, vec![gull.into()]), (2, vec![tern.into()])]))
        .with(Section::new("part", "A part").with(Block::Note("below".into())))
}

#[test]
fn what_one_renderer_shows_all_show() {
    let document =
        Document { title: "Club *night*".into(), lead: vec!["lead".into()], sections: vec![everything()] };
    let entrants = entrants();
    insta::assert_snapshot!("text", document.text(&entrants, Style::plain()));
    insta::assert_snapshot!("markdown", document.markdown(&entrants));
    let links = Links { entrants: &entrants, to: Target::OnePage { entrants: true } };
    let page = html::section(&document.sections[0], links).into_string().replace("><", ">\n<");
    insta::assert_snapshot!("page", page);
}

#[test]
fn a_narrow_terminal_has_columns_close_together() {
    let table = Table::new("", [Column::name("name"), Column::number("games"), Column::text("why")]).rows([row![
        "gull",
        3usize,
        "because it is so"
    ]]);
    let check = |width, wanted: &str| {
        let text = text(&[Section::new("", "").with(table.clone())], &[], Style { colour: false, width });
        assert_eq!(text.lines().last(), Some(wanted));
    };
    check(100, " gull      3  because it is so");
    check(40, " gull      3  because it is so");
    check(24, " gull     3 because it is so");
}

#[test]
fn a_column_without_content_can_be_left_out() {
    let table = Table::new("", [Column::name("name"), Column::text("a"), Column::text("b")]);
    let table = table.rows([row!["gull", "", "x"], row!["tern", ""]]);
    let without = table.clone().without_empty(1);
    assert_eq!(without.columns, [Column::name("name"), Column::text("b")]);
    assert_eq!(without.rows, [row!["gull", "x"], row!["tern"]]);
    assert_eq!(table.clone().without_empty(2), table);
}
