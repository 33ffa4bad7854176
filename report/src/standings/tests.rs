//! What standings say.

use super::*;
use crate::testing::{all, play};
use cornerman::contest::{Field, FormatKind, Quota, Stage, Who};
use cornerman::format::EntrantId;
use cornerman::formats::scoring::Scoring;
use cornerman::formats::{knockout, swiss};

const SIX: Field = Field { entrants: 6, organizers: 0 };

fn swiss_of_six(most: usize) -> crate::testing::Played {
    let fillers = vec![EntrantId(6), EntrantId(7)];
    let format = FormatKind::Swiss { fillers, rounds: Some(2), boards: swiss::Boards::Same(0) };
    play(Field { entrants: 6, organizers: 2 }, vec![("Groups", all(format))], most)
}

#[test]
fn every_figure_is_shown_under_its_name() {
    let mut played = play(SIX, vec![("Everyone", all(FormatKind::AllPlayAll(Default::default())))], usize::MAX);
    played.entrants[1].out = Some("its last game\nwas its worst".to_string());
    played.entrants[2].name = "he\x1b[31mron".to_string();
    insta::assert_snapshot!(text(&played.tournament(), Style::plain()));
}

#[test]
fn ratios_are_shown_as_decimals_and_fillers_are_noted() {
    insta::assert_snapshot!(text(&swiss_of_six(usize::MAX).tournament(), Style::plain()));
}

#[test]
fn the_final_order_comes_before_its_stages() {
    let last = Stage {
        format: FormatKind::Knockout(knockout::Settings::default()),
        who: Who::Best(vec![Quota { stage: 0, best: 4 }]),
    };
    let first = all(FormatKind::AllPlayAll(Default::default()));
    let stages = || vec![("Everyone", first.clone()), ("Finals", last.clone())];
    insta::assert_snapshot!("in_the_finals", text(&play(SIX, stages(), 92).tournament(), Style::plain()));
    insta::assert_snapshot!("before_the_finals", text(&play(SIX, stages(), 10).tournament(), Style::plain()));
}

#[test]
fn who_was_refused_is_named_with_the_reason() {
    let mut played = play(SIX, vec![("Everyone", all(FormatKind::AllPlayAll(Default::default())))], 0);
    let out = Some("B6: no line feed after the last row".to_string());
    let refused = cornerman_harness::record::EntrantRecord { name: "dodo".into(), out, ..Default::default() };
    played.entrants.push(refused);
    let text = text(&played.tournament(), Style::plain());
    assert!(text.ends_with("Did not play\n dodo: B6: no line feed after the last row\n"), "{text}");
    let json = json(&played.tournament());
    assert_eq!(json["did_not_play"][0]["entrant"], 6);
}

#[test]
fn further_tables_come_below_the_one_that_decides() {
    let settings = cornerman::formats::all_play_all::Settings {
        scoring: Scoring::WinsMinusLosses,
        shown: vec![Scoring::Margins { threshold: 5 }],
        ..Default::default()
    };
    let mut played = play(SIX, vec![("Everyone", all(FormatKind::AllPlayAll(settings)))], usize::MAX);
    played.entrants[1].name = "a|b_*c*".to_string();
    insta::assert_snapshot!(text(&played.tournament(), Style::plain()));
    insta::assert_snapshot!("as_markdown", markdown(&played.tournament()));
    let json = json(&played.tournament());
    assert_eq!(json["stages"][0]["tables"][0]["columns"][0]["name"], "margin");
}

#[test]
fn json_has_figures_as_they_are_and_their_scale() {
    let json = json(&swiss_of_six(usize::MAX).tournament());
    insta::assert_json_snapshot!(json["stages"][0]["standings"][0]);
    assert_eq!(json["schema"], 1);
    assert_eq!(json["stages"][0]["columns"][1], serde_json::json!({ "name": "ratio", "scale": 1_000_000 }));
}

#[test]
fn figures_are_read_by_people() {
    let check = |column, figure, wanted: &str| assert_eq!(figure_text(column, figure), wanted);
    check("ratio", 1_250_000, "1.250000");
    check("ratio", 42, "0.000042");
    check("ratio", -1_000_001, "-1.000001");
    check("score", 1_250_000, "1250000");
    check("bracket", 2, "winners'");
    check("finalist", 0, "-");
    check("won - lost", -3, "-3");
}
