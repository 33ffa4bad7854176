//! Tests of replays of the Boxing Match.

mod lines;

use super::*;
use crate::Style;
use crate::games::boxing::VIEW;
use crate::testing::{forfeited, moved, pairing, recorded};
use cornerman::game::{Outcome, Setup};
use cornerman::games::boxing::Arena;
use cornerman_harness::games::boxing::KIT;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::player::Remark;
use cornerman_harness::record::{FaultRecord, MoveRecord};
use std::sync::LazyLock;

/// Three seats on a generated board: seat 0 moves, seat 1 forfeits, seat 2 moves, and so on.
fn game() -> GameRecord {
    let setup = Setup { seats: 3, board: Arena::generate(3).to_bytes().to_vec(), marks: b"A#C".to_vec(), seed: 3 };
    let remarks = vec![Remark::ExitStatus(1, "B5".into())];
    let fault = |number, seat, view: &[u8]| FaultRecord {
        view: view.to_vec(),
        ..forfeited(number, seat, "timeout", "no answer within 2.0 s (B10)")
    };
    GameRecord {
        outcome: Outcome {
            places: vec![1, 2, 2],
            points: vec![20, 0, 0],
            territory: vec![20, 0, 1],
            end: cornerman::game::End::Forfeited,
        },
        moves: vec![
            moved(1, 0, "4x4 at row 3, column 5"),
            moved(2, 2, "1x1 at row 16, column 32"),
            MoveRecord { remarks, ..moved(3, 0, "2x2 at row 1, column 1") },
        ],
        faults: vec![fault(2, 1, b"seen by the second"), fault(4, 2, b"seen by the third")],
        ..recorded(pairing(1, 2, &[1, 0, 7]), setup)
    }
}

fn entrants() -> Vec<EntrantRecord> {
    ["tern\x1b[2J", "gull"].map(|name| EntrantRecord { name: name.to_string(), ..Default::default() }).into()
}

static RULESET: LazyLock<Ruleset> = LazyLock::new(|| KIT.default_ruleset());

fn replay(game: &GameRecord) -> Replay<'_> {
    Replay::new(game, &entrants(), &RULESET, &VIEW).unwrap()
}

#[test]
fn steps_show_what_changed() {
    let game = game();
    let replay = replay(&game);
    let text = replay.text(None, Style::plain()).unwrap();
    insta::assert_snapshot!(text);
    assert!(text.ends_with(&replay.text(Some(4), Style::plain()).unwrap()));
}

#[test]
fn colour_reverses_new_spots_and_needs_no_sign_for_them() {
    let text = replay(&game()).text(Some(1), Style::coloured()).unwrap();
    assert_eq!(text.matches("\x1b[7m").count(), 16, "{text:?}");
    assert!(!text.contains("is a new"));
}

#[test]
fn boards_follow_from_the_moves() {
    let game = game();
    let replay = replay(&game);
    assert_eq!(replay.board(0), Arena::generate(3).to_bytes());
    let held = |steps| b"A#C".map(|mark| Arena::parse(replay.board(steps)).unwrap().count(mark));
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(held),
        [[0, 0, 0], [16, 0, 0], [16, 0, 0], [16, 0, 1], [20, 0, 1], [20, 0, 1]]
    );
    assert_eq!([1, 2, 3, 4].map(|number| replay.action_of(number).unwrap()), [0, 2, 3, 4]);
    let wrong = replay.action_of(5).unwrap_err();
    assert_eq!(wrong.to_string(), "game s1/r2/m3/g1 has no move 5: choose 1 to 4");
}

#[test]
fn a_turn_has_the_view_that_its_seat_was_sent() {
    let game = game();
    let replay = replay(&game);
    let check = |number, seat, wanted: &[u8]| {
        let turns = replay.turns(number, Seat(seat)).unwrap();
        assert_eq!(turns.last().unwrap().view, wanted);
    };
    check(1, 0, replay.board(0));
    check(2, 2, replay.board(2));
    check(2, 1, b"seen by the second");
    check(3, 0, replay.board(3));
    check(4, 2, b"seen by the third");
    let wrong = |number, seat| replay.turns(number, Seat(seat)).unwrap_err().to_string();
    assert_eq!(wrong(2, 0), "move 2 of game s1/r2/m3/g1 belongs to seat 3, not to the requested seat");
    assert_eq!(wrong(0, 0), "game s1/r2/m3/g1 has no move 0: choose 1 to 4");
}

#[test]
fn a_game_that_contradicts_the_rules_is_refused() {
    let check = |change: fn(&mut GameRecord), wanted: &str| {
        let mut game = game();
        change(&mut game);
        let refused = Replay::new(&game, &entrants(), &RULESET, &VIEW).err().unwrap().to_string();
        assert_eq!(refused, format!("game s1/r2/m3/g1 cannot be replayed by boxing-1994: {wanted}"));
    };
    check(
        |game| game.moves[2].notation = "D4\x1b".into(),
        "move 3: `D4\\u{1b}` is not a square of the arena, such as `4x4 at row 3, column 5` (B2)",
    );
    check(
        |game| game.moves[2].notation = "1x1 at row 3, column 5".into(),
        "move 3: row 3, column 5 is not vacant (B2)",
    );
    check(|game| game.moves[2].seat = Seat(3), "move 3: seat 4 is not to move");
    check(|game| game.pairing.seats.truncate(2), "2 entrants for 3 seats");
    check(|game| game.setup.marks = b"AAC".to_vec(), "seats 1 and 2 have the same mark `A`");
}

#[test]
fn json_has_every_board() {
    let game = game();
    let replay = replay(&game);
    let json = serde_json::to_value(replay.json(None).unwrap()).unwrap();
    let seats: Vec<&serde_json::Value> =
        json["steps"].as_array().unwrap().iter().map(|step| &step["seat"]).collect();
    assert_eq!(seats, [1, 2, 3, 1, 3], "seats count from 1, as in all that people read");
    assert_eq!(json["seats"][1], serde_json::json!({ "entrant": 1, "name": "tern\x1b[2J", "mark": "#" }));
    assert_eq!(json["steps"].as_array().map(Vec::len), Some(5));
    let rows = json["steps"][0]["board"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    assert_eq!(&rows[2].as_str().unwrap()[4..8], "AAAA");
    assert_eq!((&json["steps"][1]["forfeit"]["kind"], &json["steps"][1]["move"]), (&"timeout".into(), &2.into()));
    let at = |number| replay.json(Some(number)).map(|json| serde_json::to_value(json.steps).unwrap());
    assert_eq!(
        at(2),
        Ok(serde_json::json!([json["steps"][1], json["steps"][2]])),
        "a forfeit, and the move of the next seat"
    );
    assert_eq!(at(0), Ok(serde_json::json!([])));
    assert_eq!(at(5).unwrap_err().to_string(), "game s1/r2/m3/g1 has no move 5: choose 1 to 4");
}
