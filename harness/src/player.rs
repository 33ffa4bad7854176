//! A bot in its seat, speaking its protocol: what the referee deals with.

pub mod arena_pipe;
pub mod clock;
mod conversation;
pub mod dialect;
pub mod gtp;
pub mod human;
pub mod human_lines;
pub mod lines;
pub mod seating;
mod tongue;

pub use crate::sandbox::Idle;
use crate::sandbox::{Cpu, Isolation, SandboxError};
use cornerman::game::{Seat, Setup, Violation};
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

    /// It is this seat's turn, and `view` is what it sees.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn ask(&mut self, view: &[u8]) -> Result<Answer, SandboxError> {
        self.ask_while(view, &mut || Ok(false))
    }

    /// The same. When the player thinks for some milliseconds, `idle` is called, and again as long as it wants that.
    ///
    /// # Errors
    /// When the kit fails, not the bot.
    fn ask_while(&mut self, view: &[u8], idle: Idle) -> Result<Answer, SandboxError>;

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

/// What came of asking a bot for its move.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The bytes it gave, to be judged by the rules, or why there are none.
    pub given: Result<Vec<u8>, Fault>,
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
            Fault::Died { signal, rule } => write!(f, "ended by signal {signal}{} ({rule})", signal_name(*signal)),
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

/// ` (SIGSEGV)` for the signals a bot's author may meet, else nothing.
pub fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => " (SIGSEGV: memory that is not the program's)",
        libc::SIGABRT => " (SIGABRT: the program gave up itself)",
        libc::SIGFPE => " (SIGFPE: such as division by zero)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGPIPE => " (SIGPIPE: it wrote where nobody reads)",
        libc::SIGTERM => " (SIGTERM)",
        libc::SIGXFSZ => " (SIGXFSZ: a file grew too large)",
        libc::SIGSYS => " (SIGSYS: a forbidden system call)",
        libc::SIGILL => " (SIGILL)",
        libc::SIGBUS => " (SIGBUS)",
        _ => "",
    }
}

/// Something to know of a move that is no fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Slower than the soft limit (B10).
    Slow,
    /// The exit status was not 0 (B5).
    ExitStatus(i32),
    /// Processes were left running, and killed (B9).
    Leftovers(u32),
    /// It started processes whose processor time nobody could count: it was charged the wall time (G3).
    Estimated,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Remark::Slow => f.write_str("slower than the soft limit (B10)"),
            Remark::ExitStatus(status) => write!(f, "exit status {status} (B5)"),
            Remark::Estimated => f.write_str("charged wall time, as it started processes that nobody counts (G3)"),
            Remark::Leftovers(1) => f.write_str("left a process running (B9)"),
            Remark::Leftovers(n) => write!(f, "left {n} processes running (B9)"),
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
