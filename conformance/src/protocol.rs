//! The protocols: what every game that is played [in lines](lines), or with [one process for each move](filter), checks
//! of its bots. A game adds the checks of its rules. One that has none has the suite of its protocol alone.
//!
//! The suite of such a game is a [`ProtocolSuite`]. Its checks are those of `catalog/lines.toml` or `catalog/pipes.toml`, with
//! ids that begin with the game's prefix; everything else comes from the game's kit.

pub(crate) mod filter;
pub mod lines;
mod suite;

pub use suite::{ProtocolSuite, judged_suite};

use cornerman::game::{LiveGame, Reply, Seat, Setup, SetupError};
use cornerman::rng::Rng;
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::ruleset::Ruleset;
use std::ffi::OsString;

/// The seats of a game with as few players as the ruleset allows.
pub(crate) fn seats(ruleset: &Ruleset) -> impl Iterator<Item = Seat> + use<> {
    (0..ruleset.seats.0).map(Seat)
}

/// The marks of those seats.
pub(crate) fn marks(ruleset: &Ruleset) -> &[u8] {
    &ruleset.marks[..usize::from(ruleset.seats.0)]
}

/// A new game.
pub(crate) fn begin(ruleset: &Ruleset, seed: u64) -> Result<Box<dyn LiveGame>, SetupError> {
    let seats = ruleset.seats.0;
    let board = ruleset.board(seed);
    ruleset.open(&Setup { seats, board, seed, marks: marks(ruleset).to_vec() })
}

/// The arguments of a bot in this seat, in a game in lines.
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

/// What `seat` is sent: the view of its seat, ended by a line feed.
pub(crate) fn view(live: &dyn LiveGame, seat: Seat) -> Vec<u8> {
    let mut view = live.view(seat);
    if view.last().is_some_and(|last| *last != b'\n') {
        view.push(b'\n');
    }
    view
}
