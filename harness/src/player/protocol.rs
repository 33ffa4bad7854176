//! How a bot in a seat is spoken to: a value that its game gives.

use super::codec::CodecFactory;
use std::ffi::OsString;

/// How a bot is spoken to.
pub enum Protocol {
    /// A process a move.
    Pipe(Pipe),
    /// A process a game, in lines.
    Lines(Lines),
}

/// A process a move: it is started with its mark as the only argument, reads the view to its end, and writes its
/// answer. What it keeps from move to move is in the file `/tmp/arena.MARK` (B5, B9).
pub struct Pipe {
    /// The bot's mark.
    pub mark: u8,
    /// The rules that its faults break.
    pub faults: FaultRules,
}

/// A process a game that reads and writes lines.
pub struct Lines {
    /// What the program is started with (G4: its colour; R3: nothing).
    pub args: Vec<OsString>,
    /// Whether its first line, unprompted, is its name (R3).
    pub greets: bool,
    /// The rules that its faults break.
    pub faults: FaultRules,
    /// What it is sent and how its lines are read.
    pub codec: CodecFactory,
}

/// The numbers of rules, for the words of faults and remarks.
#[derive(Clone, Copy, Debug)]
pub struct FaultRules {
    /// No answer in time.
    pub late: &'static str,
    /// An answer in time, but slower than the soft limit.
    pub slow: &'static str,
    /// Ended by a signal.
    pub died: &'static str,
    /// Ended before the game did.
    pub left: &'static str,
    /// Wrote without end.
    pub flood: &'static str,
    /// An exit status other than 0.
    pub status: &'static str,
    /// Left processes running.
    pub leftovers: &'static str,
}

impl FaultRules {
    /// One rule for all of them.
    pub const fn all(rule: &'static str) -> FaultRules {
        FaultRules { late: rule, slow: rule, died: rule, left: rule, flood: rule, status: rule, leftovers: rule }
    }
}

impl Protocol {
    /// Whether the bot says its name before anything else (R3).
    pub fn greets(&self) -> bool {
        matches!(self, Protocol::Lines(lines) if lines.greets)
    }
}
