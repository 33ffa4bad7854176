//! Games that have no checks of their own, as those that an organizer adds: all checks of the protocol, and legal moves
//! by the rules of the game.
//!
//! A game's kit says all that is to be known of it. Its suite is a [`LineSuite`] or a [`PipeSuite`], whose checks are
//! those of `catalog/lines.toml` or `catalog/pipes.toml`, with ids that begin as the game says.

mod dialogues;
mod line_check_ids;
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

/// A game, and how its checks are called.
#[derive(Clone, Copy)]
struct GenericGame {
    kit: &'static dyn AnyKit,
    /// What the ids of its checks begin with, such as `NM`.
    prefix: &'static str,
    /// The number of the rule that says how a bot is spoken to, such as `N3`.
    rule: &'static str,
}

impl GenericGame {
    /// The catalogue that `template` is for this game. It is kept for as long as the program runs: a suite asks once.
    fn catalogue(self, template: &str) -> &'static Catalogue {
        let text = template.replace("{prefix}", self.prefix).replace("{rule}", self.rule);
        Box::leak(Box::new(Catalogue::read(self.kit.id(), &text)))
    }

    /// The ids of the checks that every protocol has, in that catalogue: by which name a bot that touches files fails,
    /// one that answers without end, and one that ends badly.
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
            exit: exit.map(id),
            endless: id(endless),
        }
    }

    /// The id of the check `name` of that catalogue.
    fn check(self, catalogue: &'static Catalogue, name: &str) -> Id {
        let check = catalogue.get(&format!("{}-{name}", self.prefix));
        check.unwrap_or_else(|| panic!("the catalogue of {} has no check {name}", self.kit.id())).id.as_str()
    }
}

/// The seats that are played: as few as the ruleset has.
fn seats(ruleset: &Ruleset) -> impl Iterator<Item = Seat> + use<> {
    (0..ruleset.seats.0).map(Seat)
}

/// The marks of those seats.
fn marks(ruleset: &Ruleset) -> &[u8] {
    &ruleset.marks[..usize::from(ruleset.seats.0)]
}

/// A game before its first move.
fn begin(ruleset: &Ruleset, seed: u64) -> Result<Box<dyn LiveGame>, SetupError> {
    let (seats, board) = (ruleset.seats.0, ruleset.board(seed));
    ruleset.open(&Setup { seats, board, seed, marks: marks(ruleset).to_vec() })
}

/// What a bot in this seat is started with, in a game in lines.
fn args(ruleset: &Ruleset, seat: Seat) -> Vec<OsString> {
    match ruleset.protocol(seat, None) {
        Some(Protocol::Lines(lines)) => lines.args,
        _ => Vec::new(),
    }
}

/// A legal move of `seat`, if the game lists them.
fn drawn(live: &dyn LiveGame, seat: Seat, rng: &mut Rng) -> Option<Reply> {
    rng.pick(&live.legal(seat)).map(|notation| Reply::Notation(notation.clone()))
}

/// What `seat` is sent: what it may see, as whole lines.
fn view(live: &dyn LiveGame, seat: Seat) -> Vec<u8> {
    let mut view = live.view(seat);
    if view.last().is_some_and(|last| *last != b'\n') {
        view.push(b'\n');
    }
    view
}
