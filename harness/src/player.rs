//! A bot in its seat, speaking its protocol: what the referee deals with.

pub mod clock;
pub mod codec;
mod conversation;
pub mod human;
pub mod lines;
mod pipe;
pub mod protocol;
pub mod seating;

pub use crate::sandbox::Idle;
use crate::sandbox::{Cpu, Isolation, SandboxError};
use crate::signal;
use cornerman::game::{LiveGame, Reply, Seat, Setup, Violation};
use std::fmt;
use std::time::Duration;

/// Whoever sits in a seat for one game.
pub trait Player {
    /// Its name for people.
    fn name(&self) -> &str;

    /// How well it is shut in; `None` for a human.
    fn isolation(&self) -> Option<&Isolation>;

    /// The game begins.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn start(&mut self, setup: &Setup, seat: Seat) -> Result<(), SandboxError>;

    /// It is this player's turn.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn ask(&mut self, turn: &Turn) -> Result<Answer, SandboxError> {
        self.ask_while(turn, &mut || Ok(false))
    }

    /// The same. When the player thinks for some milliseconds, `idle` is called, and again as long as it wants that.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn ask_while(&mut self, turn: &Turn, idle: Idle) -> Result<Answer, SandboxError>;

    /// It will be asked about `view` next, and others at the same time: it may begin to think.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn begin(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        let _ = view;
        Ok(())
    }

    /// Another player thinks, and this one has nothing to do. Whether it wants to be looked at again.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn rest(&mut self) -> Result<bool, SandboxError> {
        Ok(false)
    }

    /// The game is over, and `view` is what this seat, which did not forfeit, has not been told of it (R5). A
    /// protocol that tells nothing more leaves it at that.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn tell(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        let _ = view;
        Ok(())
    }

    /// The game is over, and nothing may be kept of it (B9).
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn finish(&mut self) -> Result<Conduct, SandboxError>;
}

/// A seat's turn.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// What the seat sees, as the bytes that its bot is sent.
    pub view: &'a [u8],
    /// The game, which judges what a human types.
    pub game: &'a dyn LiveGame,
    /// Whose turn it is.
    pub seat: Seat,
}

/// What came of asking a bot for its move.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move it gave, to be judged by the rules, or why there is none.
    pub given: Result<Reply, Fault>,
    /// What it used up.
    pub spent: Spent,
    /// What it did that costs it nothing but should be known.
    pub remarks: Vec<Remark>,
    /// The beginning of what it wrote to standard error.
    pub errors: Vec<u8>,
}

/// What a move used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Cpu,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// Part of the wall time, in which the bot waited for a processor that others had: it is not the bot's (B10, G3).
    pub waited: Duration,
}

impl Spent {
    /// The wall time that counts.
    pub fn own_wall(&self) -> Duration {
        self.wall.saturating_sub(self.waited)
    }
}

/// How a bot failed to give a legal move: it forfeits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No answer within the limit (B10, R6, G3).
    TimedOut {
        /// The limit.
        limit: Duration,
        /// The rule that sets it.
        rule: &'static str,
    },
    /// Ended by a signal (B5, R6, G9).
    Died {
        /// Its number.
        signal: i32,
        /// The rule that forbids it.
        rule: &'static str,
    },
    /// A bot that plays a whole game in one process ended, or closed its output, while an answer was due (R6, G9).
    Left {
        /// Its exit status; `None` if it was still running.
        status: Option<i32>,
        /// The beginning of a last line without a line feed.
        unfinished: Vec<u8>,
        /// The rule that forbids it.
        rule: &'static str,
    },
    /// The answer was no legal move.
    Broke(Violation),
    /// It ran while it was stopped, because it was not its turn.
    Pondered {
        /// Processor time that it used.
        used: Duration,
    },
    /// It used more memory than it may.
    OutOfMemory,
    /// The program did not start.
    CannotStart {
        /// The system's words.
        why: String,
    },
    /// It wrote without end (B6, R6, G5).
    TooMuch {
        /// Bytes that were read.
        read: usize,
        /// The rule that forbids it.
        rule: &'static str,
    },
    /// A human or an engine gave up.
    Resigned,
    /// An engine refused a command that it has to know (G9).
    Refused {
        /// The command.
        command: String,
        /// The engine's words.
        words: String,
        /// The rule that makes it a forfeit.
        rule: &'static str,
    },
}

impl Fault {
    /// A stable slug: one a way of failing, the violation's own if it is one.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TimedOut { .. } => "timeout",
            Fault::Died { .. } => "died",
            Fault::Left { .. } => "left",
            Fault::Broke(violation) => violation.kind,
            Fault::Pondered { .. } => "pondered",
            Fault::OutOfMemory => "out-of-memory",
            Fault::CannotStart { .. } => "cannot-start",
            Fault::TooMuch { .. } => "too-much",
            Fault::Resigned => "resigned",
            Fault::Refused { .. } => "refused",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::TimedOut { limit, rule } => {
                write!(f, "no answer within {:.1} s ({rule})", limit.as_secs_f64())
            }
            Fault::Died { signal, rule } => {
                write!(f, "ended by signal {signal}{} ({rule})", signal::name(*signal))
            }
            Fault::Left { status, unfinished, rule } => {
                match status {
                    Some(status) => write!(f, "ended with exit status {status} while its answer was due")?,
                    None => f.write_str("closed its output while its answer was due")?,
                }
                if !unfinished.is_empty() {
                    write!(f, "; its last words, `{}`, lack a line feed", unfinished.escape_ascii())?;
                }
                write!(f, " ({rule})")
            }
            Fault::Broke(violation) => violation.fmt(f),
            Fault::Pondered { used } => {
                write!(f, "used {:.1} s of processor time while it was not its turn", used.as_secs_f64())
            }
            Fault::OutOfMemory => f.write_str("used more memory than it may, and was killed"),
            Fault::CannotStart { why } => write!(f, "could not be started: {why}"),
            Fault::TooMuch { read, rule } => write!(f, "wrote on and on, {read} bytes were read ({rule})"),
            Fault::Resigned => f.write_str("gave up"),
            Fault::Refused { command, words, rule } if words.is_empty() => {
                write!(f, "refused `{command}` ({rule})")
            }
            Fault::Refused { command, words, rule } => write!(f, "refused `{command}`: {words} ({rule})"),
        }
    }
}

/// Something to know of a move that is no fault; each with the rule that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Slower than the soft limit (B10).
    Slow(&'static str),
    /// The exit status was not 0 (B5).
    ExitStatus(i32, &'static str),
    /// Processes were left running, and killed (B9).
    Leftovers(u32, &'static str),
    /// It started processes whose processor time cannot be counted: it was charged the wall time (G3).
    Estimated(&'static str),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Remark::Slow(rule) => write!(f, "slower than the soft limit ({rule})"),
            Remark::ExitStatus(status, rule) => write!(f, "exit status {status} ({rule})"),
            Remark::Estimated(rule) => {
                write!(f, "charged wall time, as it started processes that nobody counts ({rule})")
            }
            Remark::Leftovers(1, rule) => write!(f, "left a process running ({rule})"),
            Remark::Leftovers(n, rule) => write!(f, "left {n} processes running ({rule})"),
        }
    }
}

/// How a seat behaved over a whole game.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// How well it was shut in; `None` for a human.
    pub isolation: Option<Isolation>,
    /// What it called itself, where the protocol has it say so (R3).
    pub called: Option<String>,
    /// Lines that were no answers and were ignored (G5).
    pub garbage: u32,
    /// The most processes and threads that it was seen to have, where one is due for a whole game (R8).
    pub tasks: u32,
    /// How often it tried to use the network, where that can be seen (R8).
    pub network: Option<u64>,
    /// How many moves it was asked for.
    pub moves: u32,
    /// Its slowest move.
    pub slowest: Duration,
    /// In all, how long it waited for processors that others had, where that was measured.
    pub waited: Duration,
    /// Processor time in all.
    pub cpu: Cpu,
    /// The largest resident memory of a move, in bytes.
    pub peak_memory: u64,
    /// Processes it left running.
    pub leftovers: u32,
    /// The last it wrote to standard error.
    pub errors_tail: String,
}
