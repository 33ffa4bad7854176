//! The two protocols. In games [in lines](lines) a bot is one process for the whole game, which reads and writes
//! lines; in [the others](filter) it is a filter: a process for each move, which reads a position and writes an
//! answer.
//!
//! The checks of the protocols are in `catalog/lines.toml` and `catalog/pipes.toml`. A game can add checks of its
//! rules, and replace some of these. A game that has only these has a [`ProtocolSuite`], which needs no code besides
//! the game's kit.

pub(crate) mod filter;
pub mod lines;
mod suite;

pub use suite::{ProtocolSuite, judged_suite};

use cornerman::game::{LiveGame, Reply, Seat, Setup, SetupError};
use cornerman::rng::Rng;
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::ruleset::Ruleset;
use std::ffi::OsString;

/// The seats of a game with the fewest players that the ruleset allows.
pub(crate) fn seats(ruleset: &Ruleset) -> impl Iterator<Item = Seat> + use<> {
    (0..ruleset.seats.0).map(Seat)
}

/// The marks of those seats.
pub(crate) fn marks(ruleset: &Ruleset) -> &[u8] {
    &ruleset.marks[..usize::from(ruleset.seats.0)]
}

/// How a game with the fewest players begins.
pub(crate) fn setup(ruleset: &Ruleset, seed: u64) -> Setup {
    Setup { seats: ruleset.seats.0, board: ruleset.board(seed), seed, marks: marks(ruleset).to_vec() }
}

/// A new game.
pub(crate) fn begin(ruleset: &Ruleset, seed: u64) -> Result<Box<dyn LiveGame>, SetupError> {
    ruleset.open(&setup(ruleset, seed))
}

/// The arguments with which a bot in this seat is started, in a game in lines.
pub(crate) fn args(ruleset: &Ruleset, seat: Seat) -> Vec<OsString> {
    match ruleset.protocol(seat, None) {
        Some(Protocol::Lines(lines)) => lines.args,
        _ => Vec::new(),
    }
}

/// A random legal move of `seat`, if the game lists legal moves.
pub(crate) fn drawn(live: &dyn LiveGame, seat: Seat, rng: &mut Rng) -> Option<Reply> {
    rng.pick(&live.legal(seat)).map(|notation| Reply::Notation(notation.clone()))
}

/// What `seat` is sent in a game in lines: its view, to which a missing line feed is added.
pub(crate) fn view(live: &dyn LiveGame, seat: Seat) -> Vec<u8> {
    let mut view = live.view(seat);
    if view.last().is_some_and(|last| *last != b'\n') {
        view.push(b'\n');
    }
    view
}
