//! Tests of replays of Go and rock-paper-scissors.

use super::super::*;
use crate::Style;
use crate::games;
use crate::testing::{forfeited, moved, pairing, recorded};
use cornerman::game::{End, Outcome, Reply, Setup};
use cornerman_harness::games::{go, rps};
use cornerman_harness::kit::{AnyKit, SourceFile};
use cornerman_harness::player::Remark;
use cornerman_harness::record::{FaultRecord, MoveRecord};
use std::path::Path;
use std::sync::LazyLock;

/// A game with these moves; seats take turns.
fn game(marks: &[u8], moves: &[&str], points: [i64; 2]) -> GameRecord {
    let one = |(number, notation): (u32, &&str)| MoveRecord {
        remarks: if number == 2 { vec![Remark::Slow("B10".into())] } else { Vec::new() },
        ..moved(number, ((number - 1) % 2) as u8, notation)
    };
    let places = if points[0] > points[1] { vec![1, 2] } else { vec![2, 1] };
    let setup = Setup { seats: 2, board: Vec::new(), marks: marks.to_vec(), seed: 3 };
    GameRecord {
        outcome: Outcome { places, points: points.to_vec(), territory: vec![0; 2], end: End::Played },
        moves: (1..).zip(moves).map(one).collect(),
        ..recorded(pairing(1, 2, &[1, 0]), setup)
    }
}

/// A game in which the fifth move captures White's stone in the corner.
fn go() -> GameRecord {
    game(b"XO", &["A2", "A1", "E5", "pass", "B1", "pass", "pass"], [25, 0])
}

/// A game in which the first seat wins a round, the next round is drawn, and then the second seat times out.
fn rps() -> GameRecord {
    let mut game = game(b"AB", &["0", "2", "1", "1", "0"], [50, -50]);
    game.outcome.end = End::Forfeited;
    let late = forfeited(6, 1, "timeout", "no answer within 1.0 s (R6)");
    game.faults.push(FaultRecord { view: b"1\n".to_vec(), ..late });
    game
}

/// A board of 5 lines is easier to read.
static GO: LazyLock<Ruleset> = LazyLock::new(|| {
    let text = go::KIT.built_in("go-9x9").unwrap().text.replace("size = 9 ", "size = 5 ");
    go::KIT.read(SourceFile { path: Path::new("r.toml"), text: &text }).unwrap()
});

static RPS: LazyLock<Ruleset> = LazyLock::new(|| rps::KIT.built_in("rps-published").unwrap());

fn entrants() -> Vec<EntrantRecord> {
    ["tern", "gull\x1b[2J"].map(|name| EntrantRecord { name: name.to_string(), ..Default::default() }).into()
}

fn replayed<'a>(game: &'a GameRecord, ruleset: &'static Ruleset) -> Result<Replay<'a>, ReplayError> {
    let view: &dyn GameView = if *ruleset == *GO { &games::go::VIEW } else { &games::rps::VIEW };
    Replay::new(game, &entrants(), ruleset, view)
}

#[track_caller]
fn replay<'a>(game: &'a GameRecord, ruleset: &'static Ruleset) -> Replay<'a> {
    replayed(game, ruleset).unwrap()
}

#[test]
fn boards_of_go_mark_the_last_stone_and_count_captures() {
    let go = go();
    let replay = replay(&go, &GO);
    insta::assert_snapshot!(replay.text(None, Style::plain()).unwrap());
    let coloured = replay.text(Some(5), Style::coloured()).unwrap();
    // The new stone, and the point where it captured one.
    assert_eq!(coloured.matches("\x1b[7m").count(), 2, "{coloured:?}");
}

#[test]
fn each_round_is_a_line_with_its_margin() {
    let rps = rps();
    let replay = replay(&rps, &RPS);
    insta::assert_snapshot!(replay.text(None, Style::plain()).unwrap());
    let check = |number, wanted: &str| {
        let text = replay.text(Some(number), Style::plain()).unwrap();
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>().join("\n"), wanted);
    };
    check(0, "the start");
    check(3, "    2. A gull\\u{1b}[2J paper   +1");
    check(4, "    2. A gull\\u{1b}[2J paper   B tern paper   +1");
    assert_eq!(
        replay.text(Some(7), Style::plain()).unwrap_err().to_string(),
        "game s1/r2/m3/g1 has no move 7: choose 1 to 6"
    );
}

#[test]
fn json_has_boards_captures_and_margins() {
    let go = go();
    let rps = rps();
    let go = replay(&go, &GO);
    let rps = replay(&rps, &RPS);
    insta::assert_json_snapshot!([go.json(Some(5)).unwrap(), rps.json(Some(6)).unwrap()]);
    let steps = |json: crate::replay::ReplayJson| json.steps.len();
    assert_eq!((steps(go.json(None).unwrap()), steps(rps.json(None).unwrap())), (7, 6));
    assert_eq!(steps(go.json(Some(0)).unwrap()), 0);
    assert!(go.json(Some(8)).is_err());
}

#[test]
fn turns_of_a_seat_have_the_views_that_it_was_sent() {
    let check = |game: &GameRecord, ruleset: &'static Ruleset, number, seat, wanted: &[&str]| {
        let replay = replay(game, ruleset);
        let turns = replay.turns(number, Seat(seat)).unwrap();
        let views = turns.iter().map(|turn| String::from_utf8_lossy(turn.view).to_string());
        assert_eq!(views.collect::<Vec<_>>(), wanted);
    };
    check(&go(), &GO, 5, 0, &["", "A1\n", "pass\n"]);
    check(&go(), &GO, 2, 1, &["A2\n"]);
    check(&rps(), &RPS, 6, 1, &["2\n50\n", "0\n", "1\n"]);
    let go = go();
    let replay = replay(&go, &GO);
    let wrong = |number, seat| replay.turns(number, Seat(seat)).unwrap_err().to_string();
    assert_eq!(wrong(2, 0), "move 2 of game s1/r2/m3/g1 belongs to seat 2, not to the requested seat");
    assert_eq!(wrong(8, 0), "game s1/r2/m3/g1 has no move 8: choose 1 to 7");
}

#[test]
fn an_answer_is_judged_in_the_position_of_its_turn() {
    let go = go();
    let replay = replay(&go, &GO);
    let check = |number, seat, answer: &str, wanted: Result<&str, &str>| {
        let turn = *replay.turns(number, Seat(seat)).unwrap().last().unwrap();
        let judged = replay.follow().before(turn).judge(turn.seat, &Reply::Answer(answer.into()));
        assert_eq!(judged.as_deref().map_err(|violation| violation.rule), wanted);
    };
    check(3, 0, "b1", Ok("B1"));
    check(3, 0, "A1", Err("G6"));
    // The stone at A1 has been captured.
    check(7, 0, "A1", Ok("A1"));
}

#[test]
fn a_game_that_contradicts_the_rules_is_refused() {
    let check = |game: GameRecord, ruleset: &'static Ruleset, wanted: &str| {
        let error = replayed(&game, ruleset).err().unwrap();
        assert_eq!(error.to_string(), wanted);
    };
    check(
        game(b"XO", &["A2", "A2"], [1, 0]),
        &GO,
        "game s1/r2/m3/g1 cannot be replayed by go-9x9: move 2: A2 is occupied by a black stone, the opponent's, since move 1 (G6)",
    );
    check(
        game(b"AB", &["0", "3"], [1, 0]),
        &RPS,
        "game s1/r2/m3/g1 cannot be replayed by rps-published: move 2: `3` is not a hand: expected 0 (rock), 1 (paper) or 2 (scissors) (R6)",
    );
    let mut three = go();
    three.setup.seats = 3;
    let why = "3 seats, but the ruleset go-9x9 allows 2 to 2";
    check(three, &GO, &format!("game s1/r2/m3/g1 cannot be replayed by go-9x9: {why}"));
}
