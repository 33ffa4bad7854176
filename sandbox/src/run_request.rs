//! What a sandbox runs: the program, its input and its limits.

use super::encoding::{bytes, paths};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A bot's program, ready to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The executable, an absolute path, and the arguments that always come first.
    pub argv: Vec<OsString>,
    /// The bot's own folder, and its working directory unless the [`RunRequest`] names another.
    #[serde(with = "paths")]
    pub folder: PathBuf,
    /// The files and folders that the bot consists of. Where the level hides the machine's files, the bot sees only
    /// these and the ones listed in [`visible`](crate::visible).
    #[serde(with = "paths")]
    pub parts: Vec<PathBuf>,
}

/// What a run may use. Checks and tournaments apply the same limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time after which a move is reported as slow (B10).
    pub soft: Duration,
    /// Wall time after which the bot is killed (B10).
    pub hard: Duration,
    /// Wall time for the first line of a bot that speaks first (R3). Slow languages need more for it than for a
    /// move.
    pub start: Duration,
    /// Bytes of standard output that are allowed. One more is read, to detect that the bot wrote too much.
    pub output: usize,
    /// Bytes of standard error that are kept, of its end. The rest is read and counted.
    pub stderr: usize,
    /// Bytes of memory: for the data of each process, and, with control groups, for all processes together.
    pub memory: u64,
    /// Processes and threads at a time, where control groups or user namespaces can limit them.
    pub processes: u64,
    /// Bytes a file may grow to.
    pub file: u64,
    /// Files a process may have open.
    pub open_files: u64,
}

impl Default for Limits {
    /// A move should take at most one second and must take at most two (B10). The other limits leave room for Java, and
    /// for a bot that keeps tables in its state file.
    fn default() -> Limits {
        Limits {
            soft: Duration::from_secs(1),
            hard: Duration::from_secs(2),
            start: Duration::from_secs(5),
            output: 4096,
            stderr: 64 * 1024,
            memory: 4 << 30,
            processes: 64,
            file: 256 << 20,
            open_files: 128,
        }
    }
}

impl Limits {
    /// Applies a ruleset's limits: its times, its size of an answer, and at most its memory. A program whose language
    /// needs more than the usual time to start keeps that time.
    #[must_use]
    pub fn within(self, rules: &Limits) -> Limits {
        let memory = self.memory.min(rules.memory);
        let start = if self.start > Limits::default().start { rules.start.max(self.start) } else { rules.start };
        Limits { soft: rules.soft, hard: rules.hard, start, memory, output: rules.output, ..self }
    }
}

/// Limits from the command line or a file, which replace those of a ruleset and of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitOverrides {
    /// The hard limit of a move. The soft limit becomes half of it.
    pub move_time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processes and threads at a time.
    pub processes: Option<u64>,
}

impl LimitOverrides {
    /// Returns `limits` with these in place of its own.
    #[must_use]
    pub fn apply_to(self, limits: Limits) -> Limits {
        let hard = self.move_time.unwrap_or(limits.hard);
        let soft = self.move_time.map_or(limits.soft, |hard| hard / 2);
        let memory = self.memory.unwrap_or(limits.memory);
        Limits { soft, hard, memory, processes: self.processes.unwrap_or(limits.processes), ..limits }
    }
}

/// What happens to a bot that reaches its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeadlineDecision {
    /// It continues: its extension is now this long in total, because it waited for a processor.
    Extend(Duration),
    /// It has used all of its time.
    TimedOut,
    /// It waited for so long that no further extension is allowed: the machine is too busy.
    Starved,
}

/// Decides what happens to a bot that has reached its deadline, which is its hard `limit` plus the extension `granted`
/// so far. `elapsed` is the time since it was asked, and `waited` the part of it in which the bot waited for a
/// processor (B10, G3). Waiting extends the deadline repeatedly, by at most nine times the limit in total, but only
/// while the bot's own time (`elapsed` less `waited`) is below the limit. Without this condition, a bot that waits
/// again while its waiting is measured would receive one extension after another.
pub(crate) fn decide_at_deadline(
    limit: Duration,
    elapsed: Duration,
    granted: Duration,
    waited: Duration,
) -> DeadlineDecision {
    /// A shorter extension is not worth another check.
    const LEAST: Duration = Duration::from_millis(1);
    /// The longest extension, as a multiple of the limit.
    const MOST_TIMES: u32 = 9;
    let most = limit * MOST_TIMES;
    if granted >= most {
        DeadlineDecision::Starved
    } else if waited >= granted + LEAST && elapsed < limit + waited {
        DeadlineDecision::Extend(waited.min(most))
    } else {
        DeadlineDecision::TimedOut
    }
}

/// How the bot receives its standard input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// All at once, then end of file.
    Whole(#[serde(with = "bytes")] Vec<u8>),
    /// Byte by byte, each when the bot has read the one before or some milliseconds after it, then end of file.
    Dribbled(#[serde(with = "bytes")] Vec<u8>),
    /// All at once, without end of file while the bot runs.
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
    /// Into a pipe whose reading end is closed.
    Broken,
}

/// The bot's environment variables. It never gets any of the caller's. All environments contain `MALLOC_ARENA_MAX=2`,
/// so that threads do not use up the limited address space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Environment {
    /// `PATH`, `HOME` (a folder of the sandbox), `TMPDIR=/tmp` and `LANG=C.UTF-8`.
    #[default]
    Usual,
    /// Only `PATH`, besides what all environments contain.
    Minimal,
    /// The usual variables and `TZ`, in another order and with different values of the same meaning, another process
    /// number, and another number of processors: one if there are several, else all of the machine. A bot that plays
    /// differently in this environment depends on something that it may not use (R8).
    Varied,
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
    /// The state file: the only file in which the bot may keep anything from one run to the next (B9). It is in `/tmp`.
    /// The state files of other bots are those whose paths differ from this one only in the last byte.
    #[serde(with = "paths")]
    pub state_file: Option<PathBuf>,
    /// Whether to report files that the bot wrote or opened besides its state file. This is optional because folders
    /// must be compared before and after the run. At [`Level::Namespaced`](crate::Level::Namespaced), files that a run
    /// leaves in folders for temporary files are reported in any case, and with
    /// [`Conditions::watch_folder`](crate::Conditions::watch_folder) everything is.
    pub watch: bool,
}

impl RunRequest {
    /// Whether this differs from `other` only in its input, and both inputs are [`Input::Whole`].
    pub(super) fn repeats(&self, other: &RunRequest) -> bool {
        let RunRequest { args, input, output, cwd, environment, state_file, watch } = self;
        matches!((input, &other.input), (Input::Whole(_), Input::Whole(_)))
            && (args, output, cwd, environment, state_file, watch)
                == (&other.args, &other.output, &other.cwd, &other.environment, &other.state_file, &other.watch)
    }

    /// A run with these arguments after the program's own, which gets all of `input` at once.
    pub fn with_input(args: Vec<OsString>, input: &[u8]) -> RunRequest {
        RunRequest {
            args,
            input: Input::Whole(input.to_vec()),
            output: Output::Pipe,
            cwd: None,
            environment: Environment::Usual,
            state_file: None,
            watch: false,
        }
    }

    /// A process for a whole game, which exchanges lines with its caller.
    pub fn for_game(args: Vec<OsString>) -> RunRequest {
        RunRequest { input: Input::LeftOpen(Vec::new()), ..RunRequest::with_input(args, b"") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DeadlineDecision::{Extend, Starved, TimedOut};

    /// Checks the decision for a limit of a second; all times are in milliseconds.
    #[track_caller]
    fn check(elapsed: u64, granted: u64, waited: u64, decision: DeadlineDecision) {
        let [elapsed, granted, waited] = [elapsed, granted, waited].map(Duration::from_millis);
        assert_eq!(decide_at_deadline(Duration::from_secs(1), elapsed, granted, waited), decision);
    }

    #[test]
    fn waiting_extends_the_deadline() {
        check(1000, 0, 0, TimedOut);
        check(1000, 0, 400, Extend(Duration::from_millis(400)));
        check(1400, 400, 400, TimedOut);
        check(1400, 400, 500, Extend(Duration::from_millis(500)));
        check(8000, 7000, 9500, Extend(Duration::from_secs(9)));
        check(10_000, 9000, 9000, Starved);
    }

    #[test]
    fn a_bot_that_has_used_its_own_time_gets_no_more() {
        check(3700, 640, 670, TimedOut);
        check(1500, 400, 500, TimedOut);
    }
}
