//! What is known about a run once it is over.

use super::{bytes, paths};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal, which did not come from the sandbox.
    Signalled(i32),
    /// Killed at the hard limit.
    TimedOut,
    /// Ended by the sandbox because its game was over (R7).
    Stopped,
    /// Killed because it had waited for a processor, which others had, for nine times its limit: the machine's doing.
    Starved,
    /// Killed because it wrote more than is wanted.
    TooMuchOutput,
    /// Killed by the kernel because it used more memory than all its processes together may.
    OutOfMemory,
    /// It never started: the system's error number and words.
    CannotStart {
        /// `errno`.
        errno: i32,
        /// What the system says about it.
        why: String,
    },
}

/// Processor time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// In the program.
    pub user: Duration,
    /// In the system on its behalf.
    pub system: Duration,
    /// Whether there may be more that could not be counted.
    pub lower_bound: bool,
}

/// What a bot that is still running has used and started so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time of all its processes, to the kernel's tick, as far as it can be seen.
    pub cpu: Cpu,
    /// Processor time, user and system time together, of everything that it started, whoever waited for it: where a
    /// control group keeps an account of that.
    pub account: Option<Duration>,
    /// The processes there are.
    pub tasks: Tasks,
    /// How long it waited for a processor that others had, since that began to be measured.
    pub waited: Duration,
    /// The server's own part of the control group's account.
    pub(crate) servers_own: Duration,
}

impl Usage {
    /// Processor time, user and system time together: from the account if there is one.
    pub fn processor_time(&self) -> Duration {
        self.account.unwrap_or(self.cpu.total())
    }
}

impl Cpu {
    /// User and system time together.
    pub fn total(self) -> Duration {
        self.user + self.system
    }
}

/// What runs of a bot at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    /// Processes, the bot's own and those below it.
    pub processes: u32,
    /// Threads of all of them together, at least one each.
    pub threads: u32,
    /// How many of them had children that have ended.
    pub had_children: u32,
}

/// What a bot did to a file that is not its own state file (B9).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileViolation {
    /// The file.
    #[serde(with = "paths")]
    pub path: PathBuf,
    /// What was done to it.
    pub kind: FileViolationKind,
}

/// See [`FileViolation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileViolationKind {
    /// Made.
    Created,
    /// Changed.
    Changed,
    /// Removed.
    Removed,
    /// Opened: another mark's state file.
    Opened,
    /// Made at the place of the state file, but a link, folder or pipe.
    NotAFile,
}

/// One run of a bot, as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// How it ended.
    pub ended: Ended,
    /// Standard output: at most one byte more than was wanted.
    #[serde(with = "bytes")]
    pub output: Vec<u8>,
    /// The beginning of standard error.
    #[serde(with = "bytes")]
    pub errors: Vec<u8>,
    /// How many bytes were written to standard error, as far as they were drained.
    pub errors_total: u64,
    /// From just before the start of the process to its end.
    pub wall: Duration,
    /// Part of that in which the bot waited for a processor that others had. Not measured of a run that took less than
    /// some milliseconds.
    pub waited: Duration,
    /// Of the bot and what it waited for.
    pub cpu: Cpu,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// Processes it left running, which were killed.
    pub leftovers: u32,
    /// How often it tried to use the network (R8), if it ran for a whole game and the level lets that be seen.
    pub network: Option<u64>,
    /// Files it touched, if the order was to watch.
    pub file_violations: Vec<FileViolation>,
}

impl RunReport {
    /// A report of a run of which nothing is known but its end.
    pub(super) fn of(ended: Ended) -> RunReport {
        RunReport {
            ended,
            output: Vec::new(),
            errors: Vec::new(),
            errors_total: 0,
            wall: Duration::ZERO,
            waited: Duration::ZERO,
            cpu: Cpu::default(),
            peak_memory: 0,
            leftovers: 0,
            network: None,
            file_violations: Vec::new(),
        }
    }

    /// The wall time in which the bot did not wait for a processor that others had.
    pub fn own_wall(&self) -> Duration {
        self.wall.saturating_sub(self.waited)
    }

    /// The last lines of standard error, at most `lines`, for people.
    pub fn errors_tail(&self, lines: usize) -> String {
        let text = String::from_utf8_lossy(&self.errors);
        let all: Vec<&str> = text.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}
