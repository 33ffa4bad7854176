//! Players: what the referee asks for moves. A player is a bot in its sandbox, speaking its protocol, or a human.

pub mod clock;
pub mod codec;
pub mod human;
pub(crate) mod lines;
pub mod marks;
mod pipe;
pub mod protocol;
mod said;
pub mod seating;

pub use crate::sandbox::IdleCallback;
use crate::sandbox::{Cpu, Isolation, Sandbox, SandboxError};
use crate::text::{count, escaped, signal_name};
use cornerman::game::{Cited, LiveGame, Reply, Seat, Setup, Violation};
pub use pipe::is_of_a_runtime;
pub use said::{Said, SaidPart};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// The player in one seat. A method returns an error only when the sandbox fails, or the machine is too busy to
/// give the bot its time; what a bot does wrong is part of its [`Answer`].
pub trait Player {
    /// Its display name.
    fn name(&self) -> &str;

    /// The isolation that its sandbox reached; `None` for a human.
    fn isolation(&self) -> Option<&Isolation>;

    /// Whether it keeps a state file in a `/tmp` that it shares with the bots of other games (B9).
    fn shares_state_file(&self) -> bool;

    /// Starts a game, in which the player has `seat`.
    fn start(&mut self, setup: &Setup, seat: Seat) -> Result<(), SandboxError>;

    /// Asks for the move that is due, and waits for the answer.
    fn ask(&mut self, turn: &Turn) -> Result<Answer, SandboxError> {
        self.ask_while(turn, &mut || Ok(false))
    }

    /// Like [`Player::ask`]. For a bot that plays a whole game in one process, also calls `idle` once the bot has
    /// thought for some milliseconds, and again after a while as long as `idle` returns true.
    ///
    /// # Errors
    /// Also those of `idle`.
    fn ask_while(&mut self, turn: &Turn, idle: IdleCallback) -> Result<Answer, SandboxError>;

    /// Announces that this player will be asked about this view next, while others are asked too. A bot may be sent the
    /// request already, so that all bots think at the same time.
    fn ask_ahead(&mut self, _view: &[u8]) -> Result<(), SandboxError> {
        Ok(())
    }

    /// Stops this player while another one thinks. Returns true if this player was [asked ahead](Player::ask_ahead) and
    /// still thinks: it goes on, and the caller has to try again later.
    fn pause(&mut self) -> Result<bool, SandboxError> {
        Ok(false)
    }

    /// Sends the last view of a game that is over to a seat that did not forfeit: the part of the game that it has
    /// not seen (R5). A protocol that sends nothing at the end ignores it.
    fn send_final_view(&mut self, _view: &[u8]) -> Result<(), SandboxError> {
        Ok(())
    }

    /// Ends the game, removes what the bot stored during it (B9), as far as its isolation allows, and returns how the
    /// bot behaved.
    fn finish(&mut self) -> Result<Conduct, SandboxError>;

    /// The player's sandbox, for its bot's next game; `None` if it has none, or it failed, or the bot still runs in it.
    fn into_sandbox(self: Box<Self>) -> Option<Sandbox> {
        None
    }
}

/// A seat's turn.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// What the seat sees, as the bytes that its bot is sent.
    pub view: &'a [u8],
    /// The game in progress, which judges what a human types.
    pub game: &'a dyn LiveGame,
    /// The seat whose turn it is.
    pub seat: Seat,
}

/// The result of asking a player for a move.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The reply, which the rules have yet to judge, or the fault that prevented one.
    pub reply: Result<Reply, Fault>,
    /// The resources that it used.
    pub spent: Spent,
    /// Observations that have no consequence.
    pub remarks: Vec<Remark>,
    /// The end of what it wrote to standard error. Of a bot that plays a whole game in one process this is known only
    /// once it has ended; before that it is empty.
    pub errors: Vec<u8>,
}

/// The resources that a move used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Cpu,
    /// The largest resident memory, in bytes; 0 for a bot that plays a whole game in one process, and for a human.
    pub peak_memory: u64,
    /// The part of the wall time in which the bot waited for a processor that others used. It does not count against
    /// the bot (B10, G3).
    pub waited: Duration,
}

impl Spent {
    /// The wall time that counts: without the time waited for a processor.
    pub fn own_wall(&self) -> Duration {
        self.wall.saturating_sub(self.waited)
    }
}

/// The lines that a bot wrote while its answer was awaited, and that were ignored because they are not answers (G5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredLines {
    /// How many there were.
    pub count: u32,
    /// The beginning of the last one.
    pub last: Vec<u8>,
}

/// The reason why a bot forfeits: it did not give a legal move, or broke a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No answer within the limit (B10, R6, G3).
    TimedOut {
        /// The limit.
        limit: Duration,
        /// The rule that sets it.
        rule: &'static str,
    },
    /// It waited for input although its answer was due, so that none could come any more (R6, G3).
    WaitsForInput {
        /// The beginning of a last line without a line feed.
        unfinished: Vec<u8>,
        /// What it had written in place of an answer.
        ignored: IgnoredLines,
        /// The rule that it broke.
        rule: &'static str,
    },
    /// A signal ended it (B5, R6, G9).
    Died {
        /// The signal's number.
        signal: i32,
        /// The rule that it broke.
        rule: &'static str,
    },
    /// A bot that plays a whole game in one process exited, or closed its output, while an answer was due (R6, G9).
    Quit {
        /// Its exit status; `None` if it was still running, or had ended before it was asked.
        status: Option<i32>,
        /// The beginning of a last line without a line feed.
        unfinished: Vec<u8>,
        /// The rule that it broke.
        rule: &'static str,
    },
    /// The answer was not a legal move.
    IllegalMove(Violation),
    /// It managed to run while it was stopped because it was not its turn.
    Pondered {
        /// The processor time that it used.
        used: Duration,
    },
    /// It exceeded its memory limit.
    OutOfMemory,
    /// The program did not start.
    CannotStart {
        /// The system's error message.
        why: String,
    },
    /// It wrote more than may be read (B6, R6, G5).
    TooMuchOutput {
        /// The number of bytes that were read.
        read: usize,
        /// The rule that it broke.
        rule: &'static str,
    },
    /// A human or an engine gave up.
    Resigned,
    /// An engine refused a command that it must support (G9).
    Refused {
        /// The command.
        command: String,
        /// The engine's error message.
        message: String,
        /// The rule that makes it a forfeit.
        rule: &'static str,
    },
}

impl Fault {
    /// The [kinds](Fault::kind) of all faults but illegal moves. Those of illegal moves follow from the answer and the
    /// rules.
    pub const PROCESS_KINDS: [&str; 10] = [
        "timeout",
        "waits",
        "died",
        "left",
        "pondered",
        "out-of-memory",
        "cannot-start",
        "too-much",
        "resigned",
        "refused",
    ];

    /// The [kinds](Fault::kind) of a bot that gave no answer, and whose opponents had to wait.
    pub const SILENT_KINDS: [&str; 2] = ["timeout", "waits"];

    /// A stable identifier for the kind of fault, such as `timeout`; for an illegal move, the violation's kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TimedOut { .. } => "timeout",
            Fault::WaitsForInput { .. } => "waits",
            Fault::Died { .. } => "died",
            Fault::Quit { .. } => "left",
            Fault::IllegalMove(violation) => violation.kind,
            Fault::Pondered { .. } => "pondered",
            Fault::OutOfMemory => "out-of-memory",
            Fault::CannotStart { .. } => "cannot-start",
            Fault::TooMuchOutput { .. } => "too-much",
            Fault::Resigned => "resigned",
            Fault::Refused { .. } => "refused",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::TimedOut { limit, rule } => {
                write!(f, "no answer within {:.1} s{}", limit.as_secs_f64(), Cited(rule))
            }
            Fault::WaitsForInput { unfinished, ignored, rule } => {
                f.write_str("waits for input")?;
                if !unfinished.is_empty() {
                    write!(f, ", and its last line, `{}`, has no line feed", unfinished.escape_ascii())?;
                } else if ignored.count > 0 {
                    let lines = count(ignored.count as usize, "line");
                    let last = escaped(&ignored.last);
                    write!(f, " and has written no valid move: {lines} ignored, the last `{last}`")?;
                } else {
                    f.write_str(" and has written nothing: does it flush its output?")?;
                }
                Cited(rule).fmt(f)
            }
            Fault::Died { signal, rule } => {
                write!(f, "ended by signal {signal}{}{}", signal_name(*signal), Cited(rule))
            }
            Fault::Quit { status, unfinished, rule } => {
                match status {
                    Some(status) => write!(f, "ended with exit status {status} while its answer was due")?,
                    None => f.write_str("closed its output while its answer was due")?,
                }
                if !unfinished.is_empty() {
                    write!(f, "; its last line, `{}`, has no line feed", unfinished.escape_ascii())?;
                }
                Cited(rule).fmt(f)
            }
            Fault::IllegalMove(violation) => violation.fmt(f),
            Fault::Pondered { used } => {
                write!(f, "used {:.1} s of processor time while it was not its turn", used.as_secs_f64())
            }
            Fault::OutOfMemory => f.write_str("exceeded its memory limit and was killed"),
            Fault::CannotStart { why } => write!(f, "could not be started: {why}"),
            Fault::TooMuchOutput { read, rule } => {
                write!(f, "wrote too much: {read} bytes were read{}", Cited(rule))
            }
            Fault::Resigned => f.write_str("gave up"),
            Fault::Refused { command, message, rule } if message.is_empty() => {
                write!(f, "refused `{command}`{}", Cited(rule))
            }
            Fault::Refused { command, message, rule } => {
                write!(f, "refused `{command}`: {message}{}", Cited(rule))
            }
        }
    }
}

/// An observation about a move that is not a fault, with the number of the rule that it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remark {
    /// Slower than the soft limit (B10).
    Slow(RuleNumber),
    /// The exit status was not 0 (B5).
    ExitStatus(i32, RuleNumber),
    /// It left this many processes running, which were killed (B9).
    Leftovers(u32, RuleNumber),
    /// It left this many files, folders or links besides its state file, which were removed (B9).
    Files(usize, RuleNumber),
    /// A bot with one process per game left this many files, folders or links behind.
    FilesOfGame(u32),
    /// In the place of its state file it put something other than a regular file, which was removed (B9).
    NotAFile(RuleNumber),
    /// It started processes whose processor time could not be measured, so it was charged the wall time (G3).
    Estimated(RuleNumber),
}

/// The number of a rule, such as `B10`: one that the program itself names, or one that was read from a record.
pub type RuleNumber = Cow<'static, str>;

impl Remark {
    /// The number of the rule; empty if there is none.
    pub fn rule(&self) -> &str {
        match self {
            Remark::Slow(rule)
            | Remark::ExitStatus(_, rule)
            | Remark::Leftovers(_, rule)
            | Remark::Files(_, rule)
            | Remark::NotAFile(rule)
            | Remark::Estimated(rule) => rule,
            Remark::FilesOfGame(_) => "",
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Remark::Slow(rule) => write!(f, "slower than the soft limit{}", Cited(rule)),
            Remark::ExitStatus(status, rule) => write!(f, "exit status {status}{}", Cited(rule)),
            Remark::Estimated(rule) => {
                write!(
                    f,
                    "charged wall time, as the processor time of its processes could not be measured{}",
                    Cited(rule)
                )
            }
            Remark::FilesOfGame(1) => f.write_str("left a file or folder behind"),
            Remark::FilesOfGame(n) => write!(f, "left {n} files or folders behind"),
            Remark::Files(1, rule) => write!(f, "left a file or folder besides its state file{}", Cited(rule)),
            Remark::Files(n, rule) => write!(f, "left {n} files or folders besides its state file{}", Cited(rule)),
            Remark::NotAFile(rule) => {
                write!(f, "put a link, folder or pipe in the place of its state file{}", Cited(rule))
            }
            Remark::Leftovers(1, rule) => write!(f, "left a process running{}", Cited(rule)),
            Remark::Leftovers(n, rule) => write!(f, "left {n} processes running{}", Cited(rule)),
        }
    }
}

/// How the bot in a seat behaved over a whole game.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// The isolation that its sandbox reached; `None` for a human.
    pub isolation: Option<Isolation>,
    /// The name that it gave itself, if the protocol asks for one (R3).
    pub called: Option<String>,
    /// The number of lines that were not answers and were ignored (G5).
    pub garbage: u32,
    /// The most processes and threads at once, for a bot that plays a whole game in one process (R8); see
    /// [`TaskCounts::at_once`](crate::sandbox::TaskCounts::at_once).
    pub tasks: u32,
    /// How many processes and threads such a bot made in all; `None` where they are not counted.
    pub tasks_made: Option<u32>,
    /// The number of moves that it was asked for.
    pub moves: u32,
    /// The wall time of its slowest move.
    pub slowest: Duration,
    /// The total time that it waited for processors that others used, where that was measured.
    pub waited: Duration,
    /// The total processor time.
    pub cpu: Cpu,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// The number of processes that it left running.
    pub leftovers: u32,
    /// The number of files, folders and links that a bot with one process per game left behind (R8), where that can be
    /// seen, without those of language runtimes. Those of other bots are [remarks](Remark::Files) on their moves.
    pub files: u32,
    /// The last lines that it wrote to standard error, at most 20. Of a bot with one process per move, those of the
    /// last move at which it wrote any.
    pub errors_tail: String,
    /// What it wrote to standard error, by move.
    pub said: Said,
}
