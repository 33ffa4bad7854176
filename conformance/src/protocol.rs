//! The protocols: what every game that is played [in lines](lines), or with [one process for each move](filter), checks
//! of its bots. A game adds the checks of its rules. One that has none has the suite of its protocol alone.
//!
//! The suite of such a game is a [`LineSuite`] or a [`PipeSuite`]. Its checks are those of `catalog/lines.toml` or
//! `catalog/pipes.toml`, with ids that begin with the game's prefix; everything else comes from the game's kit.

pub(crate) mod filter;
pub mod lines;

pub use filter::suite::PipeSuite;
pub use lines::suite::LineSuite;

use crate::catalog::Catalogue;
use crate::games::Suite;
use cornerman::game::{LiveGame, Reply, Seat, Setup, SetupError};
use cornerman::rng::Rng;
use cornerman_harness::judge::Judge;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::ruleset::Ruleset;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

/// The suite of the game of a judge, made when it is first asked for. The ids of its checks begin with the game's id.
pub fn judged_suite(kit: &'static Judge) -> &'static dyn Suite {
    static MADE: Mutex<Vec<(&'static Judge, &'static dyn Suite)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, suite)) = made.iter().find(|(known, _)| std::ptr::eq(*known, kit)) {
        return *suite;
    }
    let prefix: &'static str = Box::leak(kit.id().to_uppercase().into_boxed_str());
    let suite: &'static dyn Suite = if kit.hello.filter {
        Box::leak(Box::new(PipeSuite::new(kit, prefix, "protocol")))
    } else {
        Box::leak(Box::new(LineSuite::new(kit, prefix, "protocol")))
    };
    made.push((kit, suite));
    suite
}

/// A game, and how its checks are named.
#[derive(Clone, Copy)]
pub(crate) struct GenericGame {
    pub kit: &'static dyn AnyKit,
    /// The beginning of the ids of its checks, such as `NM`.
    pub prefix: &'static str,
    /// The number of the rule that describes the protocol, such as `N3`.
    pub rule: &'static str,
}

impl GenericGame {
    /// The catalogue of this game: the checks of its `protocol`. It is leaked, which happens only once per suite.
    pub(crate) fn catalogue(self, protocol: &str) -> &'static Catalogue {
        Box::leak(Box::new(Catalogue::of_protocol(self.kit.id(), protocol, self.prefix, self.rule)))
    }
}

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
