//! The two protocols. In games [in lines](lines) a bot is one process for the whole game, which reads and writes
//! lines; in [the others](filter) it is a filter: a process for each move, which reads a position and writes an
//! answer.
//!
//! The checks of the protocols are in `catalog/lines.toml` and `catalog/pipes.toml`. A game can add checks of its
//! rules, and replace some of these. A game that has only these has a [`ProtocolSuite`], which needs no code besides
//! the game's kit.

pub(crate) mod filter;
pub mod lines;

use crate::attribution::Observations;
use crate::catalog::{Catalogue, FILTER, LINES};
use crate::games::Suite;
use crate::jobs::Job;
use crate::runner::SharedState;
use cornerman::game::{LiveGame, Reply, Seat, Setup, SetupError};
use cornerman::rng::Rng;
use cornerman_harness::judge::Judge;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::SandboxError;
use std::ffi::OsString;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The suite of a game that has no checks but those of its protocol.
pub struct ProtocolSuite {
    kit: &'static dyn AnyKit,
    /// The beginning of the ids of its checks, such as `NM`.
    prefix: &'static str,
    /// The number of the rule that describes the protocol, such as `N3`; `protocol` for the game of a judge.
    rule: &'static str,
    is_in_lines: bool,
    /// The catalogue, which is leaked once.
    catalogue: OnceLock<&'static Catalogue>,
    /// Whether a bot plays all seats, because the game does not list legal moves from which an opponent could draw.
    /// Found out only once, because a judge may be slow.
    meets_itself: OnceLock<bool>,
}

impl ProtocolSuite {
    /// The suite of the game of `kit`, whose bots are started once per game and answer lines with lines. The ids of its
    /// checks begin with `prefix`, such as `NM`; `rule` is the number of the rule that describes the protocol, such as
    /// `N3`.
    pub const fn in_lines(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> ProtocolSuite {
        let catalogue = OnceLock::new();
        ProtocolSuite { kit, prefix, rule, is_in_lines: true, catalogue, meets_itself: OnceLock::new() }
    }

    /// The same for a game whose bots are started for every move with their mark as the argument.
    pub const fn with_pipes(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> ProtocolSuite {
        let mut suite = ProtocolSuite::in_lines(kit, prefix, rule);
        suite.is_in_lines = false;
        suite
    }
}

/// Whether the game does not list the legal moves of the seat that begins.
fn lists_no_moves(ruleset: &Ruleset) -> bool {
    begin(ruleset, 1).is_ok_and(|live| live.to_act().iter().next().is_some_and(|seat| live.legal(seat).is_empty()))
}

impl Suite for ProtocolSuite {
    fn catalogue(&self) -> &'static Catalogue {
        self.catalogue.get_or_init(|| {
            let protocol = if self.is_in_lines { LINES } else { FILTER };
            Box::leak(Box::new(Catalogue::of_protocol(self.kit.id(), protocol, self.prefix, self.rule)))
        })
    }

    fn kit(&self) -> &'static dyn AnyKit {
        self.kit
    }

    fn phase_jobs(&self, shared: &SharedState, _: &Observations, phase: usize) -> Option<Vec<Job>> {
        if !self.is_in_lines {
            return filter::suite::jobs(shared, phase);
        }
        let meets_itself = *self.meets_itself.get_or_init(|| lists_no_moves(&shared.ruleset));
        lines::suite::jobs(shared, meets_itself, phase)
    }

    fn attribute(&self, seen: &mut Observations) {
        if !self.is_in_lines {
            filter::state::attribute(seen, self.catalogue().id("STATE-COLD"));
        }
    }
}

/// The suite of a judge's game, made at the first call. The ids of its checks begin with the id of the game in upper
/// case.
pub fn judged_suite(kit: &'static Judge) -> &'static dyn Suite {
    static MADE: Mutex<Vec<(&'static Judge, &'static ProtocolSuite)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, suite)) = made.iter().find(|(known, _)| std::ptr::eq(*known, kit)) {
        return *suite;
    }
    let prefix: &'static str = Box::leak(kit.id().to_uppercase().into_boxed_str());
    let of_protocol = if kit.hello.filter { ProtocolSuite::with_pipes } else { ProtocolSuite::in_lines };
    let suite: &'static ProtocolSuite = Box::leak(Box::new(of_protocol(kit, prefix, "protocol")));
    made.push((kit, suite));
    suite
}

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
pub(crate) fn begin(ruleset: &Ruleset, seed: u64) -> Result<Box<dyn LiveGame>, SandboxError> {
    ruleset.open(&setup(ruleset, seed)).map_err(cannot_set_up)
}

/// The failure that a game cannot be set up.
pub(crate) fn cannot_set_up(error: SetupError) -> SandboxError {
    SandboxError::Failed(format!("a game cannot be set up: {error}"))
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
