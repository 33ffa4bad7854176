//! What a sandbox is asked to do: which program, with which input, within which limits.

use super::wire::{bytes, paths};
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
    /// These within those of a ruleset: its times, and no more memory than it gives.
    #[must_use]
    pub fn by(self, rules: &Limits) -> Limits {
        let memory = self.memory.min(rules.memory);
        Limits { soft: rules.soft, hard: rules.hard, start: rules.start, memory, ..self }
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
pub struct Order {
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

impl Order {
    /// Whether this is `other` but for the input, which both give whole.
    pub(super) fn repeats(&self, other: &Order) -> bool {
        let Order { args, input, output, cwd, environment, mark, watch } = self;
        matches!((input, &other.input), (Input::Whole(_), Input::Whole(_)))
            && (args, output, cwd, environment, mark, watch)
                == (&other.args, &other.output, &other.cwd, &other.environment, &other.mark, &other.watch)
    }

    /// A run with these arguments after the program's own and `input`, given whole.
    pub fn with_input(args: Vec<OsString>, input: &[u8]) -> Order {
        Order {
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
    pub fn of_game(args: Vec<OsString>) -> Order {
        Order { input: Input::LeftOpen(Vec::new()), ..Order::with_input(args, b"") }
    }

    /// The run of a move: argument and state file are those of `mark` (B5), `input` is given whole.
    pub fn of_move(mark: u8, input: &[u8]) -> Order {
        let args = vec![char::from(mark).to_string().into()];
        Order { mark: Some(mark), ..Order::with_input(args, input) }
    }
}
