//! Invented games, like those between average bots, for tests and benchmarks that need many.

use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{End, Outcome, Seat, Setup};
use cornerman_harness::record::{
    EntrantRecord, GameRecord, Header, MoveRecord, SeatRecord, StageRecord, TimeUsed, Writer,
};
use cornerman_harness::sandbox::Level;
use std::path::Path;
use std::time::Duration;

/// The record at `path`, created if there is none, of a contest with one stage and this many entrants.
pub fn writer(path: &Path, entrants: u16) -> Writer {
    let header = Header { stages: vec![StageRecord::default()], ..Header::default() };
    let mut writer = Writer::create_or_resume(path, &header).expect("a record");
    writer.add_entrants(&vec![EntrantRecord::default(); usize::from(entrants)]).expect("entrants");
    writer
}

/// Game `n`, with this many moves: one of the `entrants` against the last of them.
pub fn game(n: u32, entrants: u16, moves: u32) -> GameRecord {
    let used =
        TimeUsed { wall: Duration::from_micros(1234), cpu: Duration::from_micros(900), lag: Duration::ZERO };
    let one = |number: u32| MoveRecord {
        number,
        seat: Seat((number % 2) as u8),
        notation: format!("4x4@{},7", number % 28),
        used,
        remarks: Vec::new(),
    };
    let seat = SeatRecord { level: Some(Level::Namespaced), asked: moves / 2, ..SeatRecord::default() };
    let last = entrants - 1;
    GameRecord {
        pairing: Pairing {
            id: GameId { stage: 0, round: (n / 1000) as u16, table: n % 1000, game: 0, attempt: 0 },
            seats: vec![EntrantId((n % u32::from(last)) as u16), EntrantId(last)],
            board: n % 3,
        },
        setup: Setup { seats: 2, board: vec![b'-'; 528], marks: b"AB".to_vec(), seed: u64::from(n) },
        outcome: Outcome { places: vec![1, 2], points: vec![200, 0], territory: vec![200, 190], end: End::Played },
        started_ms: 1_700_000_000_000,
        wall: Duration::from_millis(70),
        host: "ring1".to_string(),
        moves: (1..=moves).map(one).collect(),
        faults: Vec::new(),
        seats: vec![seat.clone(), seat],
    }
}
