//! The seam between a tournament and the workers that play its games: jobs go out, reports come back.

use crate::record::GameRecord;
use cornerman::format::{Pairing, PairingId};
use cornerman::game::Setup;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game to be played: all that a worker needs besides the [context](super::GameContext) that all games share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Which game of the contest, and who sits where.
    pub pairing: Pairing,
    /// What it starts from.
    pub setup: Setup,
}

/// What a worker reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arrival {
    /// It begins a game.
    Begun(PairingId),
    /// A game is over.
    Over(Box<GameRecord>),
    /// It cannot go on with a game: it panicked, its sandbox failed, or it went away.
    Lost {
        /// Which game.
        id: PairingId,
        /// What went wrong.
        why: String,
    },
}

/// Those who play games for a tournament. Each job that is offered and not taken back comes to an end: it is
/// [over](Arrival::Over), or it is [lost](Arrival::Lost), which is reported once each time it is offered. A worker that
/// was taken for lost may still report a game that is over, also when another one has played it meanwhile.
pub trait Workers {
    /// Offers jobs, to be begun in this order behind those that wait already.
    fn offer(&mut self, jobs: Vec<Job>);

    /// Takes back every job that no worker has begun.
    fn take_back(&mut self) -> Vec<Job>;

    /// The next report; `None` when none comes within `wait`.
    fn next(&mut self, wait: Duration) -> Option<Arrival>;
}
