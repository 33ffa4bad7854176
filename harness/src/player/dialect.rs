//! How a game is spoken in lines: what a bot is started with, what it says first, which lines are answers and how
//! long it may take for them.

use super::clock::GameClock;
use cornerman::game::Seat;
use cornerman::games::go::{self, Go};
use std::ffi::OsString;
use std::time::Duration;

/// The lines of one game, as one seat speaks them.
pub struct Dialect {
    /// What the program is started with (G4: its colour; R3: nothing).
    pub args: Vec<OsString>,
    /// Within which time it says its name, unprompted, before anything else (R3); `None`: it says none.
    pub greeting: Option<Duration>,
    /// Which lines are answers; all others are garbage, ignored and counted (G5). `None`: every line is one.
    pub is_answer: Option<IsAnswer>,
    /// The time it has.
    pub time: Time,
    /// The numbers of the rules that its faults break.
    pub rules: FaultRules,
}

/// Whether a line, without its line feed, is an answer.
pub type IsAnswer = Box<dyn Fn(&[u8]) -> bool + Send>;

/// How long a bot may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// So much wall time for each answer (R6).
    EachAnswer {
        /// What should be enough.
        soft: Duration,
        /// What must be.
        hard: Duration,
    },
    /// So much processor time for the whole game, and a minimum for each answer after that (G3).
    WholeGame(GameClock),
}

/// Numbers of rules, for the words of faults.
#[derive(Clone, Copy, Debug)]
pub struct FaultRules {
    /// No answer in time.
    pub late: &'static str,
    /// Ended before the game did.
    pub left: &'static str,
    /// Wrote without end.
    pub flood: &'static str,
}

impl Dialect {
    /// Rock-paper-scissors: no arguments, the name first, every line an answer (R3–R6).
    pub fn rps(start: Duration, soft: Duration, hard: Duration) -> Dialect {
        Dialect {
            args: Vec::new(),
            greeting: Some(start),
            is_answer: None,
            time: Time::EachAnswer { soft, hard },
            rules: FaultRules { late: "R6", left: "R6", flood: "R6" },
        }
    }

    /// Go as at USENIX: started with the colour, what is no move is garbage (G3–G5). A board of another size than
    /// 19 is named by a second argument.
    pub fn go(seat: Seat, size: u8, clock: GameClock) -> Dialect {
        let colour = if seat == Seat(0) { "black" } else { "white" };
        let size_named = (size != Go::default().size).then(|| size.to_string());
        Dialect {
            args: [Some(colour.to_string()), size_named].into_iter().flatten().map(OsString::from).collect(),
            greeting: None,
            is_answer: Some(Box::new(move |line| go::is_move(line, size))),
            time: Time::WholeGame(clock),
            rules: FaultRules { late: "G3", left: "G9", flood: "G5" },
        }
    }
}
