//! What a sandbox is asked to do: which program, with which input, within which limits.

use super::{bytes, paths};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A bot's program, ready to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The executable, an absolute path, and the arguments that always come first.
    pub argv: Vec<OsString>,
    /// The bot's own folder, where it runs unless the order says otherwise.
    #[serde(with = "paths")]
    pub folder: PathBuf,
    /// The files and folders that it consists of, besides what every machine has: they alone are visible to
    /// it where the level allows that.
    #[serde(with = "paths")]
    pub parts: Vec<PathBuf>,
}

/// What a run may use. The same for a check and a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time that should be enough for a move (B10).
    pub soft: Duration,
    /// Wall time after which the bot is killed (B10).
    pub hard: Duration,
    /// Wall time within which a bot that speaks first has done so (R3): slow languages need more than for a move.
    pub start: Duration,
    /// Bytes of standard output that are wanted; one more is read, to know of it.
    pub output: usize,
    /// Bytes of standard error that are kept; the rest is drained and counted.
    pub errors: usize,
    /// Bytes of memory: of a process's own data, and of all together where the machine gives control groups.
    pub memory: u64,
    /// Processes and threads there may be at a time, where the machine gives control groups.
    pub processes: u64,
    /// Bytes a file may grow to.
    pub file: u64,
    /// Files a process may have open.
    pub open_files: u64,
}

impl Default for Limits {
    /// One second, flexibly (B10); room for Java and for a bot that keeps its tables in the state file.
    fn default() -> Limits {
        Limits {
            soft: Duration::from_secs(1),
            hard: Duration::from_secs(2),
            start: Duration::from_secs(5),
            output: 4096,
            errors: 64 * 1024,
            memory: 4 << 30,
            processes: 64,
            file: 256 << 20,
            open_files: 128,
        }
    }
}

impl Limits {
    /// These within those of a ruleset: its times, and no more memory than it gives. A program that needs more than
    /// the usual time to start, as its language does, keeps that.
    #[must_use]
    pub fn within(self, rules: &Limits) -> Limits {
        let memory = self.memory.min(rules.memory);
        let start = match self.start > Limits::default().start {
            true => rules.start.max(self.start),
            false => rules.start,
        };
        Limits { soft: rules.soft, hard: rules.hard, start, memory, ..self }
    }
}

/// Limits that somebody asked for, in place of a ruleset's and of a program's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitOverrides {
    /// The hard limit of a move; half of it is the soft one.
    pub move_time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processes and threads at a time.
    pub processes: Option<u64>,
}

impl LimitOverrides {
    /// What holds where otherwise `limits` would.
    #[must_use]
    pub fn over(self, limits: Limits) -> Limits {
        let hard = self.move_time.unwrap_or(limits.hard);
        let soft = self.move_time.map_or(limits.soft, |hard| hard / 2);
        let memory = self.memory.unwrap_or(limits.memory);
        Limits { soft, hard, memory, processes: self.processes.unwrap_or(limits.processes), ..limits }
    }
}

/// What a bot at its deadline gets for having waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtDeadline {
    /// In all this much time on top of its limit.
    Extend(Duration),
    /// Nothing more: it had the time that it was to have.
    TimedOut,
    /// Nothing more, because the machine cannot give it the time: it waits and waits.
    Starved,
}

impl Limits {
    /// What a bot gets at a deadline of its hard limit and `granted`, if it has `waited` so long for a processor since
    /// it was asked (B10, G3): all of that, again and again, up to nine times the limit.
    pub fn at_deadline(&self, granted: Duration, waited: Duration) -> AtDeadline {
        at_deadline(self.hard, granted, waited)
    }
}

/// As [`Limits::at_deadline`], for any limit.
pub fn at_deadline(limit: Duration, granted: Duration, waited: Duration) -> AtDeadline {
    /// Less than this is not worth another look.
    const LEAST: Duration = Duration::from_millis(1);
    const MOST_TIMES: u32 = 9;
    let most = limit * MOST_TIMES;
    match waited >= granted + LEAST {
        _ if granted >= most => AtDeadline::Starved,
        true => AtDeadline::Extend(waited.min(most)),
        false => AtDeadline::TimedOut,
    }
}

/// How the bot gets its standard input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// All of it, then the end.
    Whole(#[serde(with = "bytes")] Vec<u8>),
    /// One byte after another, each only when the one before has been read, then the end.
    Dribbled(#[serde(with = "bytes")] Vec<u8>),
    /// All of it, and no end while the bot runs.
    LeftOpen(#[serde(with = "bytes")] Vec<u8>),
}

/// Where the bot's standard output goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// Into a pipe.
    #[default]
    Pipe,
    /// Into a regular file.
    File,
    /// Into a pipe that nobody reads any more.
    Broken,
}

/// The environment the bot finds. Nothing of the caller's own ever reaches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Environment {
    /// `PATH`, `HOME` and `TMPDIR` (a folder of the sandbox's, and `/tmp`), `LANG=C.UTF-8`.
    #[default]
    Usual,
    /// Only `PATH`.
    Minimal,
}

/// One run of the bot: a process from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest {
    /// Arguments after the program's own.
    pub args: Vec<OsString>,
    /// Standard input.
    pub input: Input,
    /// Standard output.
    pub output: Output,
    /// The working directory; the bot's own folder if `None`.
    #[serde(with = "paths")]
    pub cwd: Option<PathBuf>,
    /// The environment.
    pub environment: Environment,
    /// The mark whose state file is the bot's own (B9).
    pub mark: Option<u8>,
    /// Whether to look for files written or opened that are not the bot's own state file. It costs a
    /// comparison of folders before and after.
    pub watch: bool,
}

impl RunRequest {
    /// Whether this is `other` but for the input, which both give whole.
    pub(super) fn repeats(&self, other: &RunRequest) -> bool {
        let RunRequest { args, input, output, cwd, environment, mark, watch } = self;
        matches!((input, &other.input), (Input::Whole(_), Input::Whole(_)))
            && (args, output, cwd, environment, mark, watch)
                == (&other.args, &other.output, &other.cwd, &other.environment, &other.mark, &other.watch)
    }

    /// A run with these arguments after the program's own and `input`, given whole.
    pub fn with_input(args: Vec<OsString>, input: &[u8]) -> RunRequest {
        RunRequest {
            args,
            input: Input::Whole(input.to_vec()),
            output: Output::Pipe,
            cwd: None,
            environment: Environment::Usual,
            mark: None,
            watch: false,
        }
    }

    /// A process for a whole game, spoken to in lines.
    pub fn of_game(args: Vec<OsString>) -> RunRequest {
        RunRequest { input: Input::LeftOpen(Vec::new()), ..RunRequest::with_input(args, b"") }
    }

    /// The run of a move: argument and state file are those of `mark` (B5), `input` is given whole.
    pub fn of_move(mark: u8, input: &[u8]) -> RunRequest {
        let args = vec![char::from(mark).to_string().into()];
        RunRequest { mark: Some(mark), ..RunRequest::with_input(args, input) }
    }
}
