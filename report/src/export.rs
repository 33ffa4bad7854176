//! A recorded game as one JSON object with everything that the record has of it (`docs/export.md`).

use crate::{SCHEMA, raw_name_of};
use cornerman::game::End;
use cornerman_harness::record::{
    EntrantRecord, FaultRecord, GameRecord, Header, MoveRecord, SeatRecord, TimeUsed,
};
use serde_json::{Value, json};

/// The game as JSON; `header` and `entrants` are those of its record.
pub fn json(header: &Header, entrants: &[EntrantRecord], game: &GameRecord) -> Value {
    let id = game.pairing.id;
    json!({
        "schema": SCHEMA,
        "id": id.to_string(),
        "pairing": { "stage": id.stage, "round": id.round, "table": id.table, "game": id.game },
        "contest": header.contest,
        "game": header.game,
        "ruleset": header.ruleset,
        "board": { "number": game.pairing.board, "text": String::from_utf8_lossy(&game.setup.board) },
        "seed": game.setup.seed,
        "end": match game.outcome.end {
            End::Played => "played",
            End::Forfeited => "forfeited",
        },
        "started_ms": game.started_ms,
        "wall_us": micros(game.wall),
        "host": game.host,
        "seats": (0..game.pairing.seats.len()).map(|seat| seat_json(entrants, game, seat)).collect::<Vec<_>>(),
        "moves": game.moves.iter().map(move_json).collect::<Vec<_>>(),
        "faults": game.faults.iter().map(fault_json).collect::<Vec<_>>(),
    })
}

fn seat_json(entrants: &[EntrantRecord], game: &GameRecord, seat: usize) -> Value {
    let id = game.pairing.seats[seat];
    let outcome = &game.outcome;
    json!({
        "entrant": id.0,
        "name": raw_name_of(entrants, id),
        "mark": game.setup.marks.get(seat).map(|&mark| char::from(mark).to_string()),
        "place": outcome.places.get(seat),
        "points": outcome.points.get(seat),
        "territory": outcome.territory.get(seat),
        "conduct": game.seats.get(seat).map(conduct_json),
    })
}

fn conduct_json(seat: &SeatRecord) -> Value {
    json!({
        "isolation": seat.level.map(|level| level.name()),
        "refused": seat.refused.lines().collect::<Vec<_>>(),
        "asked": seat.asked,
        "slowest_us": micros(seat.slowest),
        "cpu_us": micros(seat.cpu),
        "peak_memory_bytes": seat.peak_memory,
        "leftovers": seat.leftovers,
        "called": seat.called,
        "ignored": seat.ignored,
        "tasks": seat.tasks,
        "stderr_tail": seat.stderr,
    })
}

fn move_json(made: &MoveRecord) -> Value {
    let mut value = used_json(made.used);
    value["number"] = json!(made.number);
    value["seat"] = json!(made.seat.0);
    value["move"] = json!(made.notation);
    if !made.remarks.is_empty() {
        value["remarks"] = json!(made.remarks);
    }
    value
}

fn fault_json(fault: &FaultRecord) -> Value {
    let mut value = used_json(fault.used);
    value["number"] = json!(fault.number);
    value["seat"] = json!(fault.seat.0);
    value["kind"] = json!(fault.kind);
    value["detail"] = json!(fault.detail);
    value["view"] = json!(fault.view.escape_ascii().to_string());
    value["answer"] = json!(fault.answer.escape_ascii().to_string());
    value["stderr_tail"] = json!(fault.stderr);
    value
}

fn used_json(used: TimeUsed) -> Value {
    json!({ "wall_us": micros(used.wall), "cpu_us": micros(used.cpu), "lag_us": micros(used.lag) })
}

fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::format::{EntrantId, GameId, Pairing};
    use cornerman::game::{Outcome, Seat, Setup};
    use std::time::Duration;

    #[test]
    fn every_member_of_a_game_is_exported() {
        let used = |ms| TimeUsed {
            wall: Duration::from_millis(ms),
            cpu: Duration::from_micros(900),
            lag: Duration::from_micros(7),
        };
        let seat = SeatRecord { asked: 2, called: Some("rock".into()), ..SeatRecord::default() };
        let refused = SeatRecord { refused: "a\nb".into(), stderr: "oh\n".into(), ..seat.clone() };
        let made = |number, remarks: &str| MoveRecord {
            number,
            seat: Seat((number as u8 + 1) % 2),
            notation: format!("n{number}"),
            used: used(u64::from(number)),
            remarks: remarks.into(),
        };
        let fault = FaultRecord {
            number: 3,
            seat: Seat(0),
            kind: "line-ending".into(),
            detail: "no line feed".into(),
            view: b"--o\n".to_vec(),
            answer: b"A\"\\\xff\0".to_vec(),
            used: used(9),
            stderr: "at last".into(),
        };
        let game = GameRecord {
            pairing: Pairing {
                id: GameId { stage: 0, round: 1, table: 2, game: 3 },
                seats: vec![EntrantId(1), EntrantId(0)],
                board: 4,
            },
            setup: Setup { seats: 2, board: b"--o\n".to_vec(), marks: b"A%".to_vec(), seed: u64::MAX },
            outcome: Outcome {
                places: vec![2, 1],
                points: vec![0, 6],
                territory: vec![3, 6],
                end: End::Forfeited,
            },
            started_ms: 760_000_000_000,
            wall: Duration::from_secs(1),
            host: "ringside".into(),
            moves: vec![made(1, ""), made(2, "slow")],
            faults: vec![fault],
            seats: vec![seat, refused],
        };
        let header =
            Header { contest: "Club".into(), game: "boxing".into(), ruleset: "b".into(), ..Header::default() };
        let entrants =
            ["gull", "te\"rn\n"].map(|name| EntrantRecord { name: name.into(), ..EntrantRecord::default() });
        let value = json(&header, &entrants, &game);
        insta::assert_json_snapshot!(value);
        assert!(!value.to_string().contains('\n'), "a game is a single line");
    }
}
