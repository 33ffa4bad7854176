//! A bot that is started as a new process for every move: it reads the view from one pipe and writes its answer to
//! another (B5, B6).

use super::marks::{move_request, state_file};
use super::protocol::{FaultRules, Pipe};
use super::{Answer, Conduct, Fault, IdleCallback, Player, Remark, Spent, Turn};
use crate::bot::Bot;
use crate::sandbox::{Ended, FileViolationKind, Isolation, RunReport, Sandbox, SandboxError};
use cornerman::game::{Reply, Seat, Setup};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// Folders in which language runtimes write by themselves, with the beginnings of the names that they use there: Java,
/// .NET, Node, PHP, Bash (for what follows `<<`) and Mono. Files with such names do not count as stored by a bot.
const OF_RUNTIMES: [(&str, &[&str]); 2] = [
    (
        "/tmp",
        &[
            "hsperfdata_",
            ".java_pid",
            "clr-debug-pipe-",
            "dotnet-diagnostic-",
            ".dotnet",
            "system-commandline-sentinel-files",
            "node-compile-cache",
            "v8-compile-cache",
            ".ZendSem.",
            "sh-thd.",
        ],
    ),
    ("/dev/shm", &["mono.", "mono-shared-"]),
];

/// Folders and files that language runtimes write in the bot's home or beside its program, recognised in any folder:
/// Python, .NET, Mono, Guile, Prolog, Lisp, Erlang, Deno and Julia.
const FOLDERS_OF_RUNTIMES: [&[&str]; 10] = [
    &["__pycache__"],
    &[".dotnet"],
    &[".mono"],
    &[".cache", "guile"],
    &[".config", "swi-prolog"],
    &[".local", "share", "swi-prolog"],
    &[".cache", "common-lisp"],
    &[".cache", "deno"],
    &[".erlang.cookie"],
    &[".julia"],
];

/// Whether `path` looks as if the runtime of a language wrote it, and not the bot.
pub fn is_of_a_runtime(path: &Path) -> bool {
    let parts: Vec<&[u8]> = path.iter().map(OsStr::as_bytes).collect();
    let in_folder = |folder: &&[&str]| {
        parts.windows(folder.len()).any(|at| at.iter().zip(*folder).all(|(part, name)| *part == name.as_bytes()))
    };
    let begins = |(folder, names): &(&str, &[&str])| {
        let name = path.strip_prefix(folder).ok().and_then(|rest| rest.iter().next()).map(OsStr::as_bytes);
        name.is_some_and(|name| names.iter().any(|begin| name.starts_with(begin.as_bytes())))
    };
    FOLDERS_OF_RUNTIMES.iter().any(in_folder) || OF_RUNTIMES.iter().any(begins)
}

/// The player for a bot with one process per move.
pub(super) struct PipePlayer {
    name: String,
    mark: u8,
    rules: FaultRules,
    sandbox: Sandbox,
    soft: Duration,
    hard: Duration,
    conduct: Conduct,
}

impl PipePlayer {
    pub(super) fn new(bot: &Bot, pipe: Pipe, sandbox: Sandbox) -> PipePlayer {
        let conduct = Conduct { isolation: Some(sandbox.isolation().clone()), ..Conduct::default() };
        let soft = bot.limits.soft;
        let hard = bot.limits.hard;
        let Pipe { mark, faults: rules } = pipe;
        PipePlayer { name: bot.name.clone(), mark, rules, sandbox, soft, hard, conduct }
    }

    /// Adds a move to the conduct.
    fn note(&mut self, report: &RunReport) {
        let conduct = &mut self.conduct;
        conduct.moves += 1;
        conduct.slowest = conduct.slowest.max(report.wall);
        conduct.waited += report.waited;
        conduct.cpu.user += report.cpu.user;
        conduct.cpu.system += report.cpu.system;
        conduct.cpu.lower_bound |= report.cpu.lower_bound;
        conduct.peak_memory = conduct.peak_memory.max(report.peak_memory);
        conduct.leftovers += report.leftovers;
        if !report.stderr.is_empty() {
            conduct.errors_tail = report.stderr_tail(20);
            let left_out = report.stderr_total - report.stderr.len() as u64;
            conduct.said.add(conduct.moves, &report.stderr, left_out);
        }
    }

    fn remarks(&self, report: &RunReport) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if report.ended != Ended::TimedOut && report.wall.saturating_sub(report.waited) > self.soft {
            remarks.push(Remark::Slow(self.rules.slow.into()));
        }
        if let Ended::Exited(status) = report.ended
            && status != 0
        {
            remarks.push(Remark::ExitStatus(status, self.rules.status.into()));
        }
        let rule = self.rules.leftovers;
        if report.leftovers > 0 {
            remarks.push(Remark::Leftovers(report.leftovers, rule.into()));
        }
        let files = report.file_violations.iter().filter(|file| !is_of_a_runtime(&file.path));
        let created = files.clone().filter(|file| file.kind == FileViolationKind::Created).count();
        if created > 0 {
            remarks.push(Remark::Files(created, rule.into()));
        }
        if files.into_iter().any(|file| file.kind == FileViolationKind::NotAFile) {
            remarks.push(Remark::NotAFile(rule.into()));
        }
        remarks
    }
}

impl Player for PipePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn isolation(&self) -> Option<&Isolation> {
        Some(self.sandbox.isolation())
    }

    fn shares_state_file(&self) -> bool {
        self.sandbox.isolation().level.shares_tmp()
    }

    fn start(&mut self, _setup: &Setup, _seat: Seat) -> Result<(), SandboxError> {
        self.sandbox.renew()?;
        self.sandbox.clear_state(&state_file(self.mark))
    }

    fn ask_while(&mut self, turn: &Turn, _: IdleCallback) -> Result<Answer, SandboxError> {
        let report = self.sandbox.run(&move_request(self.mark, turn.view))?;
        self.note(&report);
        let remarks = self.remarks(&report);
        let given = match report.ended {
            Ended::Exited(_) => Ok(Reply::Answer(report.output)),
            Ended::Signalled(signal) => Err(Fault::Died { signal, rule: self.rules.died }),
            Ended::OutOfMemory => Err(Fault::OutOfMemory),
            Ended::TimedOut => Err(Fault::TimedOut { limit: self.hard, rule: self.rules.late }),
            Ended::Starved => {
                return Err(SandboxError::Starved { wall: report.wall, waited: report.waited });
            }
            Ended::Stopped => unreachable!("no one stops a move"),
            Ended::TooMuchOutput => {
                Err(Fault::TooMuchOutput { read: report.output.len(), rule: self.rules.flood })
            }
            Ended::CannotStart { why, .. } => Err(Fault::CannotStart { why }),
        };
        let RunReport { wall, waited, cpu, peak_memory, .. } = report;
        let spent = Spent { wall, waited, cpu, peak_memory };
        Ok(Answer { reply: given, spent, remarks, errors: report.stderr })
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.sandbox.clear_state(&state_file(self.mark))?;
        Ok(self.conduct.clone())
    }

    fn into_sandbox(self: Box<Self>) -> Option<Sandbox> {
        Some(self.sandbox)
    }
}
