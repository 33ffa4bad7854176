//! The interface between a tournament and the workers that play its games: jobs go out, reports come back.

use crate::record::GameRecord;
use cornerman::format::{GameId, Pairing};
use cornerman::game::Setup;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game to be played: what a worker needs in addition to the [context](super::GameContext) that all games share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Which game of the contest it is, and the entrants by seat.
    pub pairing: Pairing,
    /// Its start: the board, the marks and the seed.
    pub setup: Setup,
}

/// A message from a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerReport {
    /// It has begun this game.
    Begun(GameId),
    /// A game is over.
    Over(Box<GameRecord>),
    /// A game cannot be finished: the worker panicked, its sandbox failed, or it disconnected.
    Lost {
        /// The game.
        id: GameId,
        /// What went wrong.
        why: String,
    },
}

/// The workers that play the games of a tournament.
///
/// Each job that is offered and not taken back ends: it is reported [over](WorkerReport::Over), or, once for each
/// offer, [lost](WorkerReport::Lost). A worker that was considered lost may still report its game as over, even after
/// another worker has played it.
pub trait Workers {
    /// Appends jobs to those that wait for a worker; they are begun in this order.
    fn offer(&mut self, jobs: Vec<Job>);

    /// Takes back every job that no worker has begun.
    fn take_back(&mut self) -> Vec<Job>;

    /// The next report; `None` if none arrives within `wait`.
    fn next(&mut self, wait: Duration) -> Option<WorkerReport>;

    /// Confirms that every game reported over so far has been recorded, or is not needed. Until then, workers that
    /// can be asked again for their reports must keep them.
    fn recorded(&mut self) {}
}
