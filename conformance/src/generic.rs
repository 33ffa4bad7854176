//! Generic suites for games that have no checks of their own, such as games that an organizer adds. They check the
//! protocol, and that every move is legal by the rules of the game.
//!
//! The suite of such a game is a [`LineSuite`] or a [`PipeSuite`]. Its checks are those of `catalog/lines.toml` or
//! `catalog/pipes.toml`, with ids that begin with the game's prefix; everything else comes from the game's kit.

mod dialogues;
mod line_suite;
mod pipe_suite;

pub use line_suite::LineSuite;
pub use pipe_suite::PipeSuite;

use crate::catalog::{Catalogue, Id};
use crate::fault::CommonCheckIds;
use cornerman::game::{LiveGame, Reply, Seat, Setup, SetupError};
use cornerman::rng::Rng;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::ruleset::Ruleset;
use std::ffi::OsString;

/// A game, and how its checks are named.
#[derive(Clone, Copy)]
struct GenericGame {
    kit: &'static dyn AnyKit,
    /// The beginning of the ids of its checks, such as `NM`.
    prefix: &'static str,
    /// The number of the rule that describes the protocol, such as `N3`.
    rule: &'static str,
}

impl GenericGame {
    /// The catalogue of this game, made from `template`. It is leaked, which happens only once per suite.
    fn catalogue(self, template: &str) -> &'static Catalogue {
        let text = template.replace("{prefix}", self.prefix).replace("{rule}", self.rule);
        Box::leak(Box::new(Catalogue::read(self.kit.id(), &text)))
    }

    /// The ids of the checks that every game has, found in `catalogue`. `fresh`, `endless` and `exit` are the names of
    /// the checks for touched files, endless output and the exit status, which differ between the protocols.
    fn ids(self, catalogue: &'static Catalogue, fresh: &str, endless: &str, exit: Option<&str>) -> CommonCheckIds {
        let id = |name: &str| self.check(catalogue, name);
        CommonCheckIds {
            start: id("START"),
            signal: id("SIGNAL"),
            orphan: id("ORPHAN"),
            stderr: Some(id("STDERR")),
            time: id("TIME"),
            slow: id("TIME"),
            fresh: id(fresh),
            foreign_state: None,
            helpers: None,
            counts_threads: false,
            exit: exit.map(id),
            endless: id(endless),
        }
    }

    /// The id of the check `name` in `catalogue`.
    fn check(self, catalogue: &'static Catalogue, name: &str) -> Id {
        let check = catalogue.get(&format!("{}-{name}", self.prefix));
        check.unwrap_or_else(|| panic!("the catalogue of {} has no check {name}", self.kit.id())).id.as_str()
    }
}

/// The seats of a game with as few players as the ruleset allows.
fn seats(ruleset: &Ruleset) -> impl Iterator<Item = Seat> + use<> {
    (0..ruleset.seats.0).map(Seat)
}

/// The marks of those seats.
fn marks(ruleset: &Ruleset) -> &[u8] {
    &ruleset.marks[..usize::from(ruleset.seats.0)]
}

/// A new game.
fn begin(ruleset: &Ruleset, seed: u64) -> Result<Box<dyn LiveGame>, SetupError> {
    let seats = ruleset.seats.0;
    let board = ruleset.board(seed);
    ruleset.open(&Setup { seats, board, seed, marks: marks(ruleset).to_vec() })
}

/// The arguments of a bot in this seat, in a game in lines.
fn args(ruleset: &Ruleset, seat: Seat) -> Vec<OsString> {
    match ruleset.protocol(seat, None) {
        Some(Protocol::Lines(lines)) => lines.args,
        _ => Vec::new(),
    }
}

/// A random legal move of `seat`, if the game lists legal moves.
fn drawn(live: &dyn LiveGame, seat: Seat, rng: &mut Rng) -> Option<Reply> {
    rng.pick(&live.legal(seat)).map(|notation| Reply::Notation(notation.clone()))
}

/// What `seat` is sent: the view of its seat, ended by a line feed.
fn view(live: &dyn LiveGame, seat: Seat) -> Vec<u8> {
    let mut view = live.view(seat);
    if view.last().is_some_and(|last| *last != b'\n') {
        view.push(b'\n');
    }
    view
}
