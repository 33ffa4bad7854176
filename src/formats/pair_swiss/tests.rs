//! The Swiss of pairs as a whole: a golden tournament, and what holds of all.

use super::*;
use crate::format::{Pairing, PairingId};
use crate::formats::swiss::Boards;
use crate::game::{End, Outcome};
use crate::lots::Lots;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::string::String;

fn swiss(entrants: u16, rounds: Option<u16>, games: Games, seed: u64) -> PairSwiss {
    let entrants = (0..entrants).map(EntrantId).collect();
    PairSwiss::new(Settings { stage: 1, entrants, rounds, games, boards: Boards::EachRound(3), seed }).unwrap()
}

/// A game whose end only depends on which it is and who plays: a draw in seven, else more often the lower number.
fn chance(game: &Pairing) -> Outcome {
    let (one, other) = (u64::from(game.seats[0].0), u64::from(game.seats[1].0));
    let mut lots = Lots::new(one << 40 ^ other << 20 ^ u64::from(game.id.round) << 4 ^ u64::from(game.id.game));
    let places = match lots.below(7) {
        0 => vec![1, 1],
        1 | 2 => vec![1 + u8::from(one < other), 1 + u8::from(other < one)],
        _ => vec![1 + u8::from(other < one), 1 + u8::from(one < other)],
    };
    Outcome { places, points: vec![0; 2], territory: vec![0; 2], end: End::Played }
}

fn due(swiss: &PairSwiss, done: &Results) -> Vec<Pairing> {
    match swiss.plan(done) {
        Plan::Play(games) => games,
        Plan::Finished => Vec::new(),
    }
}

/// Plays all of it, whole rounds at a time.
fn play(swiss: &PairSwiss) -> (Results, Vec<Vec<Pairing>>) {
    let mut done = Results::new();
    let mut rounds = Vec::new();
    loop {
        let games = due(swiss, &done);
        if games.is_empty() {
            return (done, rounds);
        }
        games.iter().for_each(|game| done.insert(game.id, chance(game)));
        rounds.push(games);
    }
}

#[test]
fn time() {
    for n in [100, 300] {
        let swiss = swiss(n, None, Games::One, 1);
        let (done, _) = play(&swiss);
        let start = std::time::Instant::now();
        swiss.plan(&done);
        std::println!("{n} {:?}", start.elapsed());
    }
}
