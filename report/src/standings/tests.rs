//! Tests of standings.

use super::*;
use crate::Style;
use crate::facts::{self, Facts, document};
use crate::rating::Ratings;
use crate::testing::{Played, all, everyone, fours, play, with_fillers};
use cornerman::contest::{Field, Participants, Quota, Stage};
use cornerman::formats::scoring::ScoringKind;
use cornerman::formats::{Format, knockout};

const SIX: Field = Field::new(6, 0);

/// The final order and the stages, as a document without other facts.
fn text(played: &Played) -> String {
    document(&played.tournament(), &Facts::default(), Ratings::NONE).text(&played.entrants, Style::plain())
}

fn json(played: &Played) -> serde_json::Value {
    serde_json::to_value(facts::json(&played.tournament(), &Facts::default(), Ratings::NONE)).unwrap()
}

fn swiss_of_six(most: usize) -> crate::testing::Played {
    play(with_fillers(6, 2), vec![("Groups", all(fours(2)))], most)
}

#[test]
fn every_figure_is_shown_under_its_name() {
    let mut played = everyone(6, usize::MAX);
    played.entrants[1].out = Some("its last game\nwas its worst".to_string());
    played.entrants[2].name = "he\x1b[31mron".to_string();
    insta::assert_snapshot!(text(&played));
}

#[test]
fn ratios_are_shown_as_decimals_and_fillers_are_noted() {
    insta::assert_snapshot!(text(&swiss_of_six(usize::MAX)));
}

#[test]
fn the_final_order_comes_before_its_stages() {
    let last = Stage {
        format: Format::Knockout(knockout::KnockoutSettings::default()),
        who: Participants::Best(vec![Quota { stage: 0, best: 4 }]),
    };
    let first = all(Format::AllPlayAll(Default::default()));
    let stages = || vec![("Everyone", first.clone()), ("Finals", last.clone())];
    insta::assert_snapshot!("in_the_finals", text(&play(SIX, stages(), 92)));
    insta::assert_snapshot!("before_the_finals", text(&play(SIX, stages(), 10)));
}

#[test]
fn a_refused_entry_is_named_with_the_reason() {
    let mut played = everyone(6, 0);
    let out = Some("B6: no line feed after the last row".to_string());
    let refused = cornerman_harness::record::EntrantRecord { name: "dodo".into(), out, ..Default::default() };
    played.entrants.push(refused);
    let text = text(&played);
    assert!(text.contains("Did not play\n dodo: B6: no line feed after the last row\n"), "{text}");
    let json = json(&played);
    assert_eq!(json["did_not_play"][0]["entrant"], 7);
}

#[test]
fn further_tables_come_below_the_one_that_decides() {
    let settings = cornerman::formats::all_play_all::AllPlayAllSettings {
        scoring: ScoringKind::WonMinusLost.into(),
        tables: vec![ScoringKind::Margins].into(),
        threshold: Some(5),
        ..Default::default()
    };
    let mut played = play(SIX, vec![("Everyone", all(Format::AllPlayAll(settings)))], usize::MAX);
    played.entrants[1].name = "a|b_*c*".to_string();
    insta::assert_snapshot!(text(&played));
    let document = document(&played.tournament(), &Facts::default(), Ratings::NONE);
    insta::assert_snapshot!("as_markdown", document.markdown(&played.entrants));
    let json = json(&played);
    assert_eq!(json["stages"][0]["tables"][0]["columns"][0]["name"], "margin");
}

#[test]
fn json_has_raw_figures_and_their_scale() {
    let json = json(&swiss_of_six(usize::MAX));
    insta::assert_json_snapshot!(json["stages"][0]["standings"][0]);
    assert_eq!(json["stages"][0]["columns"][1], serde_json::json!({ "name": "ratio", "scale": 1_000_000 }));
}

#[test]
fn figures_are_formatted_by_their_kind() {
    let check =
        |kind, value, wanted: &str| assert_eq!(figure_text(StandingsColumn { name: "x", kind }, value), wanted);
    check(FigureKind::Millionths, 1_250_000, "1.250000");
    check(FigureKind::Millionths, 42, "0.000042");
    check(FigureKind::Millionths, -1_000_001, "-1.000001");
    check(FigureKind::Count, 1_250_000, "1250000");
    check(FigureKind::Count, -3, "-3");
    check(FigureKind::Words(&[(1, "yes"), (0, "-")]), 1, "yes");
    check(FigureKind::Words(&[(0, "-")]), 0, "-");
    check(FigureKind::Words(&[(0, "-")]), 5, "5");
}
