//! Measures how many games per second can be recorded, with and without syncing to the disk, and how fast results are
//! read.

#[path = "../tests/record/games.rs"]
mod games;

use std::time::Instant;

/// Moves per game, as between average bots.
const MOVES: u32 = 50;

const ENTRANTS: u16 = 300;

fn main() {
    // `cargo test --benches` runs this without `--bench`, only to see that it works.
    let short = !std::env::args().any(|arg| arg == "--bench");
    // Not in /tmp, which may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let path = folder.path().join("bench.db");
    let mut writer = games::writer(&path, ENTRANTS);
    let mut next = 0..;
    for (durable, count) in [(true, 2_000), (false, 30_000)] {
        let count = if short { 10 } else { count };
        writer.set_durable(durable).expect("a setting");
        let began = Instant::now();
        for n in next.by_ref().take(count) {
            writer.add_game(&games::game(n, ENTRANTS, MOVES)).expect("a game");
        }
        let rate = count as f64 / began.elapsed().as_secs_f64();
        println!("writing, {} fsync: {rate:.0} games/s", if durable { "with" } else { "without" });
    }
    let began = Instant::now();
    let results = writer.results().expect("results");
    println!("results of {} games: {:.0} ms", results.len(), began.elapsed().as_secs_f64() * 1e3);
    drop(writer);
    let size = std::fs::metadata(&path).expect("a file").len();
    println!("{} bytes per game of {MOVES} moves", size / results.len() as u64);
}
