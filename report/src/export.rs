//! A recorded game as one JSON object with what the record has of it (`docs/export.md`), logs only if they are wanted.

use crate::json::{EntrantJson, end, micros};
use crate::played::version_name;
use cornerman::contest::Versions;
use cornerman::format::EntrantId;
use cornerman_harness::record::{
    EntrantRecord, FaultRecord, GameRecord, Header, MoveRecord, SaidRecord, SeatRecord, TimeUsed,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A recorded game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExportedJson {
    /// The game.
    pub id: String,
    /// The contest's name.
    pub contest: String,
    /// The game played, such as `boxing`.
    pub game: String,
    /// The ruleset's id.
    pub ruleset: String,
    /// The board that it began from.
    pub board: BoardJson,
    /// The seed of everything random in it.
    pub seed: u64,
    /// `played` or `forfeited`.
    pub end: &'static str,
    /// Why it does not count: it was `annulled` or `awarded`, or is `void` because a bot is gone; left out if it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<&'static str>,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// How long it took.
    pub wall_us: u64,
    /// The machine.
    pub host: String,
    /// Who played, in order of play.
    pub seats: Vec<SeatJson>,
    /// The legal moves.
    pub moves: Vec<MoveJson>,
    /// The forfeits.
    pub faults: Vec<FaultJson>,
}

/// A board.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardJson {
    /// Its number.
    pub number: u64,
    /// Its text; empty if the game has no boards.
    pub text: String,
}

/// A seat, and its result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SeatJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// The name of the version that played for it, if it was replaced by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its mark, in games with marks.
    pub mark: Option<char>,
    /// Its place; equal ones are shared.
    pub place: Option<u8>,
    /// Its points.
    pub points: Option<i64>,
    /// What it holds at the end.
    pub territory: Option<u32>,
    /// What it did besides playing.
    pub conduct: Option<SeatConductJson>,
    /// With `--logs all`, what it wrote to standard error, by move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Vec<SaidRecord>>,
}

/// What a bot did besides playing.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SeatConductJson {
    /// The level of isolation; null for a human.
    pub isolation: Option<&'static str>,
    /// The steps to a better level that the machine refused.
    pub refused: Vec<String>,
    /// The number of moves it was asked for.
    pub asked: u32,
    /// Its slowest move.
    pub slowest_us: u64,
    /// Its processor time.
    pub cpu_us: u64,
    /// The most memory that it had at once.
    pub peak_memory_bytes: u64,
    /// The processes that it left running.
    pub leftovers: u32,
    /// The name that it gave itself.
    pub called: Option<String>,
    /// The lines that were not answers.
    pub ignored: u32,
    /// The most threads and processes that it had at once.
    pub tasks: u32,
    /// With `--logs all`, the end of its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
}

/// How long something took.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UsedJson {
    /// Wall time.
    pub wall_us: u64,
    /// Processor time.
    pub cpu_us: u64,
    /// How long the bot waited for a processor.
    pub lag_us: u64,
}

/// A legal move.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MoveJson {
    /// Its number.
    pub number: u32,
    /// The seat.
    pub seat: u8,
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub notation: String,
    /// The time it took.
    #[serde(flatten)]
    pub used: UsedJson,
    /// Remarks, if there are any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remarks: String,
}

/// A forfeit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FaultJson {
    /// The number of the move that it would have been.
    pub number: u32,
    /// The seat.
    pub seat: u8,
    /// What kind of fault: an identifier such as `timeout`.
    pub kind: String,
    /// What was wrong.
    pub detail: String,
    /// What the bot was sent, with bytes escaped as in C.
    pub view: String,
    /// What it answered, with bytes escaped as in C.
    pub answer: String,
    /// The time it took.
    #[serde(flatten)]
    pub used: UsedJson,
    /// With `--logs all`, the end of its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
}

/// The game as JSON; `header`, `entrants` and `versions` are those of its record. With `logs` it has what bots wrote to
/// standard error. `uncounted` says why it does not count, if it does not.
pub fn json(
    header: &Header,
    entrants: &[EntrantRecord],
    versions: &Versions,
    game: &GameRecord,
    logs: bool,
    uncounted: Option<&'static str>,
) -> ExportedJson {
    let text = String::from_utf8_lossy(&game.setup.board).into_owned();
    let outcome = &game.outcome;
    let seat = |(seat, &entrant): (usize, &EntrantId)| {
        let record = game.seats.get(seat);
        SeatJson {
            who: EntrantJson::new(entrant, entrants),
            version: version_name(entrant, versions.playing(entrant, game.pairing.id), entrants),
            mark: game.setup.marks.get(seat).map(|&mark| char::from(mark)),
            place: outcome.places.get(seat).copied(),
            points: outcome.points.get(seat).copied(),
            territory: outcome.territory.get(seat).copied(),
            conduct: record.map(|seat| conduct_json(seat, logs)),
            said: record.filter(|_| logs).map(|seat| seat.said.clone()),
        }
    };
    ExportedJson {
        id: game.pairing.id.to_string(),
        contest: header.contest.clone(),
        game: header.game.clone(),
        ruleset: header.ruleset.clone(),
        board: BoardJson { number: u64::from(game.pairing.board) + 1, text },
        seed: game.setup.seed,
        end: end(outcome.end),
        uncounted,
        started_ms: game.started_ms,
        wall_us: micros(game.wall),
        host: game.host.clone(),
        seats: game.pairing.seats.iter().enumerate().map(seat).collect(),
        moves: game.moves.iter().map(move_json).collect(),
        faults: game.faults.iter().map(|fault| fault_json(fault, logs)).collect(),
    }
}

fn conduct_json(seat: &SeatRecord, logs: bool) -> SeatConductJson {
    SeatConductJson {
        isolation: seat.level.map(|level| level.name()),
        refused: seat.refused.lines().map(str::to_string).collect(),
        asked: seat.asked,
        slowest_us: micros(seat.slowest),
        cpu_us: micros(seat.cpu),
        peak_memory_bytes: seat.peak_memory,
        leftovers: seat.leftovers,
        called: seat.called.clone(),
        ignored: seat.ignored,
        tasks: seat.tasks,
        stderr_tail: logs.then(|| seat.stderr.clone()),
    }
}

fn move_json(made: &MoveRecord) -> MoveJson {
    MoveJson {
        number: made.number,
        seat: made.seat.0 + 1,
        notation: made.notation.clone(),
        used: used_json(made.used),
        remarks: made.remarks_in_words(),
    }
}

fn fault_json(fault: &FaultRecord, logs: bool) -> FaultJson {
    FaultJson {
        number: fault.number,
        seat: fault.seat.0 + 1,
        kind: fault.kind.clone(),
        detail: fault.detail.clone(),
        view: fault.view.escape_ascii().to_string(),
        answer: fault.answer.escape_ascii().to_string(),
        used: used_json(fault.used),
        stderr_tail: logs.then(|| fault.stderr.clone()),
    }
}

fn used_json(used: TimeUsed) -> UsedJson {
    UsedJson { wall_us: micros(used.wall), cpu_us: micros(used.cpu), lag_us: micros(used.lag) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{forfeited, moved, recorded};
    use cornerman::format::{GameId, Pairing};
    use cornerman::game::{End, Outcome, Setup};
    use std::time::Duration;

    #[test]
    fn every_member_of_a_game_is_exported() {
        let used = |ms| TimeUsed {
            wall: Duration::from_millis(ms),
            cpu: Duration::from_micros(900),
            lag: Duration::from_micros(7),
        };
        let seat = SeatRecord { asked: 2, called: Some("rock".into()), ..SeatRecord::default() };
        let said = vec![SaidRecord { number: 2, text: "oh\n".into(), left_out: 5 }];
        let refused = SeatRecord { refused: "a\nb".into(), stderr: "oh\n".into(), said, ..seat.clone() };
        let made = |number: u32, remarks| MoveRecord {
            used: used(u64::from(number)),
            remarks,
            ..moved(number, (number as u8 + 1) % 2, &format!("n{number}"))
        };
        let fault = FaultRecord {
            view: b"--o\n".to_vec(),
            answer: b"A\"\\\xff\0".to_vec(),
            used: used(9),
            stderr: "at last".into(),
            ..forfeited(3, 0, "line-ending", "no line feed")
        };
        let id = GameId { stage: 0, round: 1, table: 2, game: 3, attempt: 0 };
        let pairing = Pairing { id, seats: vec![EntrantId(1), EntrantId(0)], board: 4 };
        let setup = Setup { seats: 2, board: b"--o\n".to_vec(), marks: b"A%".to_vec(), seed: u64::MAX };
        let game = GameRecord {
            outcome: Outcome {
                places: vec![2, 1],
                points: vec![0, 6],
                territory: vec![3, 6],
                end: End::Forfeited,
            },
            started_ms: 760_000_000_000,
            wall: Duration::from_secs(1),
            host: "ringside".into(),
            moves: vec![made(1, vec![]), made(2, vec![cornerman_harness::player::Remark::Slow("B10".into())])],
            faults: vec![fault],
            seats: vec![seat, refused],
            ..recorded(pairing, setup)
        };
        let header =
            Header { contest: "Club".into(), game: "boxing".into(), ruleset: "b".into(), ..Header::default() };
        let entrants =
            ["gull", "te\"rn\n"].map(|name| EntrantRecord { name: name.into(), ..EntrantRecord::default() });
        let value = json(&header, &entrants, &Versions::default(), &game, true, None);
        insta::assert_json_snapshot!(value);
        assert!(!serde_json::to_string(&value).unwrap().contains('\n'), "a game is a single line");
        let without = json(&header, &entrants, &Versions::default(), &game, false, None);
        let text = serde_json::to_string(&without).unwrap();
        let wrote = ["said", "stderr_tail", "oh\\n", "at last"].map(|words| text.contains(words));
        assert_eq!(wrote, [false; 4], "logs are their authors' own: {text}");
    }
}
