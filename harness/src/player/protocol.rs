//! Protocols: how the referee communicates with a bot. A protocol is a value that the game provides.

use super::codec::CodecFactory;
use std::ffi::OsString;

/// How the referee communicates with a bot.
pub enum Protocol {
    /// One process for each move.
    Pipe(Pipe),
    /// One process for the whole game, which reads and writes lines.
    Lines(Lines),
}

/// One process for each move. It is started with its mark as the only argument, reads the view until the end of the
/// input, and writes its answer. It may keep state between moves in the file `/tmp/arena.MARK` (B5, B9).
pub struct Pipe {
    /// The bot's mark.
    pub mark: u8,
    /// The numbers of the rules that its faults break.
    pub faults: FaultRules,
}

/// One process for the whole game, which reads and writes lines.
pub struct Lines {
    /// The arguments that the program is started with, such as its colour (G4).
    pub args: Vec<OsString>,
    /// Whether the bot prints its name as the first line, before it is sent anything (R3).
    pub greets: bool,
    /// The numbers of the rules that its faults break.
    pub faults: FaultRules,
    /// Makes the codec that translates its lines.
    pub codec: CodecFactory,
}

/// The number of the rule that each kind of fault or remark refers to, such as `B10`. They appear in messages.
#[derive(Clone, Copy, Debug)]
pub struct FaultRules {
    /// The bot did not answer in time.
    pub late: &'static str,
    /// It answered in time, but slower than the soft limit.
    pub slow: &'static str,
    /// A signal ended it.
    pub died: &'static str,
    /// It exited, or closed its output, while its answer was due.
    pub left: &'static str,
    /// It wrote too much.
    pub flood: &'static str,
    /// Its exit status was not 0.
    pub status: &'static str,
    /// It left processes running, or files behind.
    pub leftovers: &'static str,
}

impl FaultRules {
    /// The same rule for all of them.
    pub const fn all(rule: &'static str) -> FaultRules {
        FaultRules { late: rule, slow: rule, died: rule, left: rule, flood: rule, status: rule, leftovers: rule }
    }
}

impl Protocol {
    /// Whether the bot prints its name before it is sent anything (R3).
    pub fn greets(&self) -> bool {
        matches!(self, Protocol::Lines(lines) if lines.greets)
    }
}
