//! Games a second that the record takes, with and without the disk, and how fast results come back.

use cornerman::format::{EntrantId, Pairing, PairingId};
use cornerman::game::{End, Outcome, Seat, Setup};
use cornerman_harness::record::{
    EntrantRecord, GameRecord, Header, MoveRecord, SeatRecord, StageRecord, Used, Writer,
};
use cornerman_harness::sandbox::Level;
use std::time::{Duration, Instant};

/// Moves a game, as between fair bots.
const MOVES: u32 = 50;

fn main() {
    // As `cargo test` runs it: only that it works.
    let short = !std::env::args().any(|arg| arg == "--bench");
    // Not in /tmp, which may be no disk at all.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let path = folder.path().join("bench.db");
    let header = Header { stages: vec![StageRecord::default()], ..Header::default() };
    let mut writer = Writer::create(&path, &header).expect("a record");
    writer.add_entrants(&vec![EntrantRecord::default(); 300]).expect("entrants");
    let mut next = 0..;
    for (durable, count) in [(true, 2_000), (false, 30_000)] {
        let count = if short { 10 } else { count };
        writer.set_durable(durable).expect("a setting");
        let began = Instant::now();
        for n in next.by_ref().take(count) {
            writer.add_game(&game(n)).expect("a game");
        }
        let rate = count as f64 / began.elapsed().as_secs_f64();
        println!("writing, {} fsync: {rate:.0} games/s", if durable { "with" } else { "without" });
    }
    let began = Instant::now();
    let results = writer.results().expect("results");
    println!("results of {} games: {:.0} ms", results.len(), began.elapsed().as_secs_f64() * 1e3);
    drop(writer);
    let size = std::fs::metadata(&path).expect("a file").len();
    println!("{} bytes a game of {MOVES} moves", size / results.len() as u64);
}

fn game(n: u32) -> GameRecord {
    let used = Used { wall: Duration::from_micros(1234), cpu: Duration::from_micros(900), lag: Duration::ZERO };
    let one = |number: u32| MoveRecord {
        number,
        seat: Seat((number % 2) as u8),
        notation: format!("4x4@{},7", number % 28),
        used,
        remarks: String::new(),
    };
    let seat = SeatRecord { level: Some(Level::Namespaced), asked: MOVES / 2, ..SeatRecord::default() };
    GameRecord {
        pairing: Pairing {
            id: PairingId { stage: 0, round: (n / 1000) as u16, table: n % 1000, game: 0 },
            seats: vec![EntrantId((n % 299) as u16), EntrantId(299)],
            board: n % 3,
        },
        setup: Setup { seats: 2, board: vec![b'-'; 528], marks: b"AB".to_vec(), seed: u64::from(n) },
        outcome: Outcome { places: vec![1, 2], points: vec![200, 0], territory: vec![200, 190], end: End::Played },
        started_ms: 1_700_000_000_000,
        wall: Duration::from_millis(70),
        host: "ring1".to_string(),
        moves: (1..=MOVES).map(one).collect(),
        faults: Vec::new(),
        voids: Vec::new(),
        seats: vec![seat.clone(), seat],
    }
}
