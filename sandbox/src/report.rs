//! What the sandbox reports about a bot: how a run ended, and what it used and did.

use super::encoding::{bytes, paths};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// What a bot did while it was watched for a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    /// It waited for a processor that other programs used, for all of this time.
    Waits(Duration),
    /// It neither used a processor, nor waited for one or for a disk.
    Rests,
    /// Anything else.
    Works,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// It exited with this status.
    Exited(i32),
    /// This signal, which did not come from the sandbox, killed it.
    Signalled(i32),
    /// The sandbox killed it at the hard limit, or earlier if it waited for input ([`RunReport::waits_for_input`]).
    TimedOut,
    /// The sandbox ended it because its game was over (R7).
    Stopped,
    /// The sandbox killed it because the machine was too busy: it waited for a processor for nine times its limit.
    Starved,
    /// The sandbox killed it because it wrote more than allowed.
    TooMuchOutput,
    /// The kernel killed it because its processes together used more memory than allowed.
    OutOfMemory,
    /// It could not be started.
    CannotStart {
        /// The system's error number; 0 if no sandbox could be set up for the program.
        errno: i32,
        /// The reason, for people.
        why: String,
    },
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Ended {
        status.code().map_or_else(|| Ended::Signalled(status.signal().unwrap_or_default()), Ended::Exited)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ended::Exited(status) => write!(f, "it exited with status {status}"),
            Ended::Signalled(signal) => write!(f, "it was killed by signal {signal}"),
            Ended::TimedOut => write!(f, "it was killed at its time limit"),
            Ended::Stopped => write!(f, "it was stopped at the end of its game"),
            Ended::Starved => write!(f, "it was killed because it waited too long for a processor"),
            Ended::TooMuchOutput => write!(f, "it was killed because it wrote too much"),
            Ended::OutOfMemory => write!(f, "it was killed because it used too much memory"),
            Ended::CannotStart { why, .. } => write!(f, "it could not be started: {why}"),
        }
    }
}

/// Processor time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// Time in user mode.
    pub user: Duration,
    /// Time in the kernel on the program's behalf.
    pub system: Duration,
    /// Whether part of it could not be counted, so that the true time may be longer.
    pub lower_bound: bool,
}

/// What a running bot has used and started so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time of all its visible processes, counted in the kernel's ticks (usually a hundredth of a second).
    pub cpu: Cpu,
    /// Processor time, user and system together, of everything it started, as its control group counts it; `None`
    /// without a control group.
    pub group_cpu: Option<Duration>,
    /// Its processes and threads now.
    pub tasks: Tasks,
    /// The server's own processor time, which is subtracted from the control group's.
    pub(crate) server_cpu: Duration,
}

impl Usage {
    /// Processor time, user and system together: the control group's count if there is one.
    pub fn processor_time(&self) -> Duration {
        self.group_cpu.unwrap_or(self.cpu.total())
    }

    /// Whether the bot may have used more: it has or had processes whose processor time may not be counted.
    pub fn is_lower_bound(&self) -> bool {
        let Tasks { processes, had_children, unreadable, .. } = self.tasks;
        self.group_cpu.is_none() && (processes > 1 || had_children > 0 || unreadable > 0)
    }
}

impl Cpu {
    /// User and system time together.
    pub fn total(self) -> Duration {
        self.user + self.system
    }
}

/// The processes and threads of a bot at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    /// Processes: the bot's own and its descendants.
    pub processes: u32,
    /// Threads of all of them together, at least one for each process.
    pub threads: u32,
    /// How many of these processes have waited for ended children, plus how many ended children still await that.
    pub had_children: u32,
    /// Processes whose figures cannot be read.
    pub unreadable: u32,
}

/// The processes and threads of a bot over a whole session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskCounts {
    /// The largest number that it had at once. It is exact if the control group keeps the maximum (`pids.peak`) and no
    /// earlier game in the sandbox had as many; a process then counts until its parent has waited for it. Otherwise
    /// the true number may be higher: this is the largest number at any reading of
    /// [`Session::usage`](crate::Session::usage), and at least two if more than one is known to have been made.
    pub at_once: u32,
    /// How many it made in total, including its first process. This counts the process numbers that the kernel gave out
    /// in the bot's namespace, also for processes and threads that exceeded the limit and were refused. `None` below
    /// [`Level::Namespaced`](crate::Level::Namespaced), and where the numbers cannot be reset.
    pub made: Option<u32>,
    /// Whether it is known to have had more than its first process.
    pub helpers: bool,
}

/// Something a bot did to a file against B9.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileViolation {
    /// The file.
    #[serde(with = "paths")]
    pub path: PathBuf,
    /// What was done to it.
    pub kind: FileViolationKind,
}

/// What a bot did to a file against B9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileViolationKind {
    /// It created the file.
    Created,
    /// It changed the file.
    Changed,
    /// It removed the file.
    Removed,
    /// It opened the file, which is another bot's state file.
    Opened,
    /// It put a link, folder or pipe where its state file belongs.
    NotAFile,
    /// It created the file and removed it again in the same run, so that nothing is kept in it.
    Transient,
}

/// A part of standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StderrPart {
    /// When it was read, by the clock of [`Moment`].
    pub read_at: Duration,
    /// Where it begins in [`RunReport::stderr`]. It ends where the next one begins.
    pub from: usize,
}

/// A moment of a session ([`Session::moment`](crate::Session::moment)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time of the monotonic clock, which all processes share.
    pub at: Duration,
    /// How many bytes of standard error the bot had written by then that had not been read yet.
    pub unread: u64,
}

impl Moment {
    /// How much of `stderr`, which was read in these `parts`, the bot had written by then.
    pub fn offset(&self, stderr: &[u8], parts: &[StderrPart]) -> usize {
        let read = parts.partition_point(|part| part.read_at <= self.at);
        let read = parts.get(read).map_or(stderr.len(), |next| next.from);
        read.saturating_add(self.unread as usize).min(stderr.len())
    }
}

/// The present time of `clock`; [`Moment`] uses [`ClockId::Monotonic`].
pub(crate) fn clock_time(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// The report on one run of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// How it ended.
    pub ended: Ended,
    /// Standard output of a single run: at most one byte more than allowed; of a traced run, the first mebibyte. Empty
    /// for a session.
    #[serde(with = "bytes")]
    pub output: Vec<u8>,
    /// The end of standard error, as much as [`Limits::stderr`](crate::Limits::stderr) allows; of a traced run, the
    /// first mebibyte.
    #[serde(with = "bytes")]
    pub stderr: Vec<u8>,
    /// The parts of `stderr` in which it was read, in order; of a session only.
    pub stderr_parts: Vec<StderrPart>,
    /// How many bytes of standard error were read.
    pub stderr_total: u64,
    /// Wall time from just before the start of the process to its end.
    pub wall: Duration,
    /// The part of `wall` in which the bot waited for a processor that other programs used. Not measured for sessions,
    /// traced runs, and runs of less than some milliseconds.
    pub waited: Duration,
    /// Processor time of the bot and of the processes it waited for, or left behind.
    pub cpu: Cpu,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// How often it, or a process that it waited for, had to wait for a page to be read from a disk.
    pub major_faults: u64,
    /// Processes it left behind, which were killed.
    pub leftovers: u32,
    /// How many of these had ended already, and the bot had merely not waited for them.
    pub zombies: u32,
    /// Its processes and threads in a session (R8); zero for a single run.
    pub tasks: TaskCounts,
    /// What it did to files against B9, as far as that can be seen (see
    /// [`RunRequest::watch`](crate::RunRequest::watch)).
    pub file_violations: Vec<FileViolation>,
    /// Whether a run was [`Ended::TimedOut`] before its time, because it was seen to wait for more of an input that was
    /// left open.
    pub waits_for_input: bool,
    /// Whether a run that was [`Ended::TimedOut`] was seen to rest at its deadline ([`Activity::Rests`]).
    pub rested: bool,
}

impl RunReport {
    /// A report that says only how the run ended.
    pub fn from_ended(ended: Ended) -> RunReport {
        RunReport {
            ended,
            output: Vec::new(),
            stderr: Vec::new(),
            stderr_parts: Vec::new(),
            stderr_total: 0,
            wall: Duration::ZERO,
            waited: Duration::ZERO,
            cpu: Cpu::default(),
            peak_memory: 0,
            major_faults: 0,
            leftovers: 0,
            zombies: 0,
            tasks: TaskCounts::default(),
            file_violations: Vec::new(),
            waits_for_input: false,
            rested: false,
        }
    }

    /// The wall time without the time in which the bot waited for a processor.
    pub fn own_wall(&self) -> Duration {
        self.wall.saturating_sub(self.waited)
    }

    /// The last lines of standard error, at most `lines` of them, with replacement characters for what is not
    /// UTF-8.
    pub fn stderr_tail(&self, lines: usize) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let all: Vec<&str> = text.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}
