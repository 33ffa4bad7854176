//! Tests of audits: made-up answers, and made-up records of games.

mod records;

use super::*;
use crate::Style;
use cornerman_harness::record::EntrantRecord;

/// A made-up game between two entrants: its match, who sits where, and the answers of the first seat to named views.
type Game = (u32, [u16; 2], &'static [(&'static str, &'static str)]);

fn pairing(table: u32, seats: [u16; 2]) -> Pairing {
    crate::testing::pairing(0, table - 1, &seats)
}

/// The audit of these games.
fn audit(games: &[Game], entrants: &[EntrantRecord]) -> AuditReport {
    let mut audit = Audit::new(entrants);
    let turns = |seats: [u16; 2], answers: &[(&str, &str)]| {
        let mut before = ViewHash::from_parts(&[b"start"]);
        let turn = |(number, (view, notation)): (u32, &(&str, &str))| {
            let who = seats[0].to_le_bytes();
            let turn = AnsweredTurn {
                number: number * 2 + 1,
                view: ViewHash::from_parts(&[&who, view.as_bytes()]),
                before,
                notation: notation.to_string(),
            };
            before = ViewHash::from_parts(&[&who, format!("{before:?}{view}").as_bytes()]);
            turn
        };
        vec![(0..).zip(answers).map(turn).collect(), Vec::new()]
    };
    for (_, seats, answers) in games {
        audit.note(&turns(*seats, answers));
    }
    for (table, seats, answers) in games {
        audit.compare(&pairing(*table, *seats), &turns(*seats, answers));
    }
    audit.finish("Club night")
}

/// An answer as `MATCH.MOVE ANSWER`.
fn words(answer: &AuditedAnswer) -> String {
    let table = answer.game.split('/').find_map(|part| part.strip_prefix('m')).expect("a game has a match");
    format!("{table}.{} {}", answer.number, answer.answer)
}

/// The audit of `games` says this of entrant 0. Differences are written `MATCH.MOVE ANSWER / MATCH.MOVE ANSWER`, with
/// `~` in place of the slash if what was sent before differed.
#[track_caller]
fn check(games: &[Game], verdict: AuditVerdict, differences: &[&str]) {
    let report = audit(games, &[]);
    let found = &report.entrants[0];
    let words = |difference: &DifferentAnswers| {
        let sign = if difference.same_before { " / " } else { " ~ " };
        difference.answers.iter().map(words).collect::<Vec<_>>().join(sign)
    };
    let listed: Vec<String> = found.differences.iter().map(words).collect();
    assert_eq!((found.verdict, listed), (verdict, differences.iter().map(ToString::to_string).collect()));
}

#[test]
fn answers_that_depend_on_the_opponent_are_found() {
    let same = AuditVerdict::Same;
    check(&[(1, [0, 1], &[("v", "a"), ("w", "b")]), (2, [0, 2], &[("v", "a"), ("w", "b")])], same, &[]);
    // Other views may have other answers.
    check(&[(1, [0, 1], &[("v", "a")]), (2, [0, 2], &[("w", "b")])], same, &[]);
    // So may other entrants.
    check(&[(1, [0, 1], &[("v", "a")]), (2, [2, 1], &[("v", "b")])], same, &[]);
    let differs = AuditVerdict::ByOpponent;
    check(&[(1, [0, 1], &[("v", "a")]), (2, [0, 2], &[("v", "b")])], differs, &["1.1 a / 2.1 b"]);
    // What was sent before differs, so the bot may have notes of it.
    check(
        &[(1, [0, 1], &[("u", "a"), ("v", "a")]), (2, [0, 2], &[("w", "a"), ("v", "b")])],
        differs,
        &["1.3 a ~ 2.3 b"],
    );
    // Every other opponent is listed, each once.
    check(
        &[
            (1, [0, 1], &[("v", "a")]),
            (2, [0, 2], &[("v", "b")]),
            (3, [0, 2], &[("v", "b")]),
            (4, [0, 3], &[("v", "c")]),
            (5, [0, 4], &[("v", "a")]),
        ],
        differs,
        &["1.1 a / 2.1 b", "1.1 a / 4.1 c", "2.1 b / 5.1 a"],
    );
}

#[test]
fn the_first_difference_of_a_game_counts() {
    check(
        &[
            (1, [0, 1], &[("u", "a"), ("v", "a"), ("w", "a")]),
            (2, [0, 2], &[("u", "a"), ("v", "b"), ("w", "b")]),
            // Against the same opponent `w` is answered in another way than in game 2, where it no longer counts.
            (3, [0, 2], &[("w", "a")]),
        ],
        AuditVerdict::ByOpponent,
        &["1.3 a / 2.3 b"],
    );
}

#[test]
fn nothing_is_said_of_a_bot_that_differs_from_itself() {
    let chance = AuditVerdict::NotDeterministic;
    check(&[(1, [0, 1], &[("v", "a")]), (2, [0, 1], &[("v", "b")])], chance, &["1.1 a / 2.1 b"]);
    // Whether or not its answers also differ by opponent.
    check(
        &[(1, [0, 1], &[("v", "a")]), (2, [0, 2], &[("v", "b")]), (3, [0, 1], &[("v", "c")])],
        chance,
        &["1.1 a / 3.1 c"],
    );
    check(
        &[(1, [0, 1], &[("v", "a")]), (2, [0, 2], &[("v", "b")]), (3, [0, 2], &[("v", "a")])],
        chance,
        &["2.1 b / 3.1 a"],
    );
}

#[test]
fn opponents_are_the_same_in_the_same_seats_only() {
    let mut audit = Audit::new(&[]);
    let turn = |notation: &str| {
        let view = ViewHash::from_parts(&[b"v"]);
        let before = ViewHash::from_parts(&[b""]);
        vec![
            vec![AnsweredTurn { number: 1, view, before, notation: notation.to_string() }],
            Vec::new(),
            Vec::new(),
        ]
    };
    let games = [([0, 1, 2], "a"), ([0, 2, 1], "b"), ([0, 1, 2], "a")];
    for (_, notation) in &games {
        audit.note(&turn(notation));
    }
    for (table, (seats, notation)) in (0..).zip(games) {
        audit.compare(&crate::testing::pairing(0, table, &seats), &turn(notation));
    }
    let found = &audit.finish("Club night").entrants[0];
    assert_eq!((found.verdict, found.compared, found.repeated), (AuditVerdict::ByOpponent, 2, 1));
    let opponents =
        |at: usize| found.differences[0].answers[at].opponents.iter().map(|it| it.id().0).collect::<Vec<_>>();
    assert_eq!([opponents(0), opponents(1)], [[1, 2], [2, 1]]);
}

#[test]
fn text_and_json_name_games_moves_opponents_and_answers() {
    let names = ["gull", "tern", "heron", "wren\x1b[31m", "owl"];
    let entrants = names.map(|name| EntrantRecord { name: name.to_string(), ..EntrantRecord::default() });
    let games: &[Game] = &[
        (1, [0, 1], &[("v", "a"), ("w", "b")]),
        (2, [0, 2], &[("v", "a"), ("w", "c")]),
        (3, [0, 3], &[("u", "a"), ("w", "d")]),
        (4, [0, 1], &[("v", "a")]),
        (5, [3, 1], &[("v", "a")]),
        (6, [3, 1], &[("v", "\x1b[2J")]),
        (7, [1, 2], &[("v", "a")]),
        (8, [1, 3], &[("v", "b")]),
        (9, [2, 1], &[("v", "a")]),
        (10, [2, 3], &[("v", "a")]),
    ];
    let report = audit(games, &entrants);
    insta::assert_snapshot!(report.document().text(&entrants, Style::plain()));
    insta::assert_json_snapshot!(report);
    let fair = audit(&[(1, [0, 1], &[("v", "a")]), (2, [0, 2], &[("v", "a")])], &entrants);
    insta::assert_snapshot!(fair.document().text(&entrants, Style::plain()));
}

#[test]
fn only_the_first_ten_differences_are_printed() {
    const OPPONENTS: u16 = 13;
    let answers: [&[(&str, &str)]; 2] = [&[("v", "a")], &[("v", "b")]];
    let game = |number: u16| (u32::from(number), [0, number], answers[usize::from(number > 1)]);
    let report = audit(&(1..=OPPONENTS).map(game).collect::<Vec<_>>(), &[]);
    let text = report.document().text(&[], Style::plain());
    assert_eq!(text.matches("entrant 2 ").count(), 10);
    assert!(text.ends_with(" … and 2 more, which `--format json` lists\n"), "{text}");
}
