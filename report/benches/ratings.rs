//! The time that the ratings of a large tournament take: 100 entrants and 30,000 games of two seats, then of four.

use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{End, Outcome};
use cornerman::rng::Rng;
use cornerman_harness::record::GameSummary;
use cornerman_report::rating::ratings;
use std::time::{Duration, Instant};

const ENTRANTS: u64 = 100;

fn main() {
    // `cargo test` only checks that it works, with few games.
    let short = !std::env::args().any(|arg| arg == "--bench");
    for seats in [2, 4] {
        let games = games(if short { 50 } else { 30_000 }, seats);
        let began = Instant::now();
        let found = ratings(&games, 7);
        let took = began.elapsed();
        let method = found.method.name();
        let resamples = found.method.resamples();
        println!("{method}, {} games of {seats}, {resamples} resamples: {took:.2?}", games.len());
    }
}

/// Games in matches of six; entrants with smaller numbers are stronger.
fn games(number: u32, seats: u8) -> Vec<GameSummary> {
    let mut rng = Rng::new(1);
    let mut game = |at: u32| {
        let mut who: Vec<u16> = (0..ENTRANTS as u16).collect();
        Rng::new(u64::from(at / 6)).shuffle(&mut who);
        who.truncate(usize::from(seats));
        let strength: Vec<u64> = who.iter().map(|&id| rng.below(200 + ENTRANTS - u64::from(id))).collect();
        let places = strength.iter().map(|own| 1 + strength.iter().filter(|other| *other > own).count() as u8);
        let zeros = usize::from(seats);
        GameSummary {
            outcome: Outcome {
                places: places.collect(),
                points: vec![0; zeros],
                territory: vec![0; zeros],
                end: End::Played,
            },
            pairing: Pairing {
                id: GameId { stage: 0, round: 0, table: at / 6, game: (at % 6) as u16, attempt: 0 },
                seats: who.into_iter().map(EntrantId).collect(),
                board: 0,
            },
            moves: 10,
            started_ms: 0,
            wall: Duration::ZERO,
            host: String::new(),
        }
    };
    (0..number).map(&mut game).collect()
}
