//! Judges games that were made up for these tests.

use super::Judgement;
use super::judgement::{GameJudge, as_judged};
use crate::games::{boxing, go, rps};
use crate::kit::{AnyKit, Games};
use crate::record::{GameRecord, MoveRecord, SeatRecord, TimeUsed};
use crate::replay::follow;
use crate::ruleset::Ruleset;
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{Reply, Seat, Setup};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn games() -> Games {
    Games::new([&boxing::KIT as &dyn AnyKit, &rps::KIT, &go::KIT])
}

/// The ruleset with other values of these keys.
fn with(ruleset: &Ruleset, settings: &[(&str, &str)]) -> Ruleset {
    let set = |ruleset, (key, value): &(&str, &str)| games().with_setting(&ruleset, key, value).unwrap();
    settings.iter().fold(ruleset.clone(), set)
}

/// A game of these moves: the seat, the notation, and the milliseconds of wall time.
fn played(ruleset: &Ruleset, seats: u8, moves: &[(u8, &str, u32)]) -> GameRecord {
    let board = ruleset.board(1);
    let setup = Setup { seats, board, marks: ruleset.marks[..usize::from(seats)].to_vec(), seed: 1 };
    let mut live = ruleset.open(&setup).unwrap();
    let mut made = Vec::new();
    for (number, (seat, notation, ms)) in (1..).zip(moves) {
        let notation = live.play(Seat(*seat), &Reply::Notation((*notation).to_string())).unwrap();
        let used = TimeUsed { wall: MS * *ms, ..TimeUsed::default() };
        made.push(MoveRecord { number, seat: Seat(*seat), notation, used, remarks: Vec::new() });
    }
    GameRecord {
        pairing: Pairing {
            id: GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 },
            seats: (0..u16::from(seats)).map(EntrantId).collect(),
            board: 0,
        },
        outcome: live.outcome().expect("the moves end the game"),
        setup,
        started_ms: 0,
        wall: Duration::ZERO,
        host: String::new(),
        moves: made,
        faults: Vec::new(),
        seats: vec![SeatRecord::default(); usize::from(seats)],
    }
}

/// A game of rock-paper-scissors over two rounds, with the times of its four moves.
fn hands(times: [u32; 4]) -> (Ruleset, GameRecord) {
    let ruleset = with(&rps::KIT.default_ruleset(), &[("rounds", "2")]);
    let moves = [(0, "0", times[0]), (1, "1", times[1]), (0, "2", times[2]), (1, "1", times[3])];
    let game = played(&ruleset, 2, &moves);
    (ruleset, game)
}

#[test]
fn whoever_is_late_forfeits_and_the_record_of_it_follows_from_its_moves() {
    // The times of the moves, the places by seat, and the number of moves that are left.
    for (times, places, moves) in [
        ([1, 1, 1, 1], [1, 1], 4),
        ([900, 1, 1, 1], [2, 1], 1),
        ([1, 900, 1, 1], [1, 2], 1),
        ([1, 1, 900, 1], [2, 1], 3),
        ([1, 1, 1, 900], [1, 2], 3),
        ([1, 1, 900, 900], [1, 1], 2),
    ] {
        let (then, game) = hands(times);
        let now = with(&then, &[("soft_ms", "100"), ("hard_ms", "500")]);
        let judgement = GameJudge::new(&then, &now).judge(&game, &game.setup);
        let outcome = judgement.outcome(&game.outcome).expect("both were asked at once");
        assert_eq!(outcome.places, places, "{times:?}: {judgement:?}");
        let judged = as_judged(game.clone(), &judgement, game.setup.clone(), &now);
        assert_eq!(judged.moves.len(), moves, "{times:?}: {judged:?}");
        assert_eq!(judged.faults.len(), times.iter().filter(|time| **time == 900).count());
        assert_eq!(follow(&judged, &now), Ok(judged.outcome.clone()), "{times:?}");
        assert_eq!(GameJudge::new(&now, &now).judge(&judged, &judged.setup), Judgement::Same);
    }
}

#[test]
fn waiting_for_a_processor_is_not_the_bots_time() {
    let (then, mut game) = hands([1, 1, 900, 1]);
    let now = with(&then, &[("soft_ms", "100"), ("hard_ms", "500")]);
    game.moves[2].used.lag = 600 * MS;
    assert_eq!(GameJudge::new(&then, &now).judge(&game, &game.setup), Judgement::Same);
}

#[test]
fn others_who_play_on_after_a_forfeit_would_have_been_sent_another_board() {
    let then = boxing::KIT.default_ruleset();
    let mut live = then.open(&Setup { seats: 3, board: then.board(1), ..Setup::default() }).unwrap();
    let mut moves = Vec::new();
    while let Some(seat) = live.to_act().iter().next() {
        let at = live.board().iter().position(|spot| *spot == b'-').expect("a vacant spot");
        let first = format!("1x1 at row {}, column {}", at / 33 + 1, at % 33 + 1);
        live.play(seat, &Reply::Notation(first.clone())).unwrap();
        moves.push((seat.0, first));
    }
    let times = |late: usize| -> Vec<(u8, &str, u32)> {
        let moves = moves.iter().enumerate();
        moves.map(|(at, (seat, notation))| (*seat, notation.as_str(), if at == late { 900 } else { 1 })).collect()
    };
    let now = with(&then, &[("soft_ms", "100"), ("hard_ms", "500")]);
    let judged = |late: usize| {
        let game = played(&then, 3, &times(late));
        GameJudge::new(&then, &now).judge(&game, &game.setup)
    };
    assert!(matches!(judged(4), Judgement::Diverges { at: 5, .. }), "{:?}", judged(4));
    assert_eq!(judged(usize::MAX), Judgement::Same);
}

#[test]
fn more_memory_than_is_allowed_now_makes_a_game_unknown() {
    let (then, mut game) = hands([1; 4]);
    game.seats[1].peak_memory = 20 << 20;
    for (memory, is_known) in [("21", true), ("20", true), ("19", false)] {
        let now = with(&then, &[("memory_mib", memory)]);
        let judgement = GameJudge::new(&then, &now).judge(&game, &game.setup);
        assert_eq!(judgement.outcome(&game.outcome).is_some(), is_known, "{memory}: {judgement:?}");
    }
}

#[test]
fn a_clock_that_runs_out_earlier_is_a_forfeit_or_another_message() {
    let then = with(&go::KIT.built_in("go-9x9").unwrap(), &[("clock_s", "60"), ("minimum_s", "5")]);
    let game = played(&then, 2, &[(0, "C3", 4000), (1, "D4", 1000), (0, "pass", 3000), (1, "pass", 1)]);
    let judged = |clock: &str, minimum: &str, guard: &str| {
        let now = with(&then, &[("clock_s", clock), ("minimum_s", minimum), ("guard", guard)]);
        GameJudge::new(&then, &now).judge(&game, &game.setup)
    };
    // 7 s of wall time count as 1.75 s by this guard, and as 7 s by that one.
    assert_eq!(judged("59", "5", "4"), Judgement::Same);
    assert!(matches!(judged("1", "5", "1"), Judgement::Diverges { at: 1 | 3, .. }), "{:?}", judged("1", "5", "1"));
}
