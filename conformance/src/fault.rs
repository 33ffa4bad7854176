//! A fault: something that a bot does wrong in a run or dialogue, with the id of the check that it fails in plain
//! conditions. The faults that runs of all games can show are described here.

use crate::catalog::{Id, Severity};
use crate::file_violations::file_faults;
use crate::finding::{Evidence, Finding};
use cornerman::game::Spot;
use cornerman_harness::sandbox::{Ended, FileViolation, Limits, RunReport};
use cornerman_harness::signal;
use cornerman_harness::text::{count, duration, escaped};

/// Something that a bot did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The id of the check that it fails in plain conditions.
    pub id: Id,
    /// What the bot did, in words for its author.
    pub what: String,
    /// The spots of the board concerned, if any.
    pub spots: Vec<Spot>,
    /// What was expected instead, if that is more specific than the catalogue's `expected`.
    pub expected: Option<String>,
    /// How to fix it, if its cause is known: then this takes the place of the catalogue's `hint`.
    pub hint: Option<String>,
    /// The greatest severity that it can have: its check may be less severe.
    pub severity: Severity,
    /// Why it may not be this fault; `None` if it is certain.
    pub suspicion: Option<Suspicion>,
    /// Whether it has nothing to do with what the run or dialogue was for, such as a process left behind.
    pub incidental: bool,
}

/// What makes a fault uncertain until more is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// The bot has ended. If a signal killed it, that signal is the fault instead.
    End,
    /// The bot has ended, as it may: it is a fault only if a signal killed it.
    Signal,
}

impl Fault {
    /// A fault of the check `id` that is certain, and as severe as that check.
    pub fn new(id: Id, what: impl Into<String>) -> Fault {
        let what = what.into();
        let spots = Vec::new();
        let severity = Severity::Must;
        Fault { id, what, spots, expected: None, hint: None, severity, suspicion: None, incidental: false }
    }

    /// The same fault, with what was expected instead.
    #[must_use]
    pub fn expected(self, expected: impl Into<String>) -> Fault {
        Fault { expected: Some(expected.into()), ..self }
    }

    /// The same fault, whose cause is known, with how to fix it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Fault {
        Fault { hint: Some(hint.into()), ..self }
    }

    /// The same fault of a bot that has ended: if a signal killed the bot, the signal is the fault instead.
    #[must_use]
    pub fn at_its_end(self) -> Fault {
        Fault { suspicion: Some(Suspicion::End), ..self }
    }

    /// The same fault of a bot that has ended, as it may: a fault only if a signal killed it.
    #[must_use]
    pub fn if_by_signal(self) -> Fault {
        Fault { suspicion: Some(Suspicion::Signal), ..self }
    }

    /// The same fault, unrelated to what the run or dialogue was for.
    #[must_use]
    pub fn incidental(self) -> Fault {
        Fault { incidental: true, ..self }
    }

    /// The same fault as a warning at most.
    #[must_use]
    pub fn warning(self) -> Fault {
        Fault { severity: Severity::Should, ..self }
    }

    /// The finding of this fault in `evidence`, a run of the case named `case`, which `about` describes.
    pub fn finding(self, case: &str, about: &str, evidence: Evidence) -> Finding {
        let Fault { id, what, spots, expected, hint, severity, .. } = self;
        let case = case.to_string();
        let about = about.to_string();
        Finding { symptom: id, case, about, severity, what, spots, expected, hint, evidence }
    }
}

/// The ids of the checks that every game has, because any run or dialogue can fail them.
#[derive(Clone, Copy, Debug)]
pub struct CommonCheckIds {
    /// The bot cannot be started, or does not begin to play.
    pub start: Id,
    /// A signal killed the bot.
    pub signal: Id,
    /// The bot left processes behind.
    pub orphan: Id,
    /// The bot flooded standard error; `None` if the game ignores that.
    pub stderr: Option<Id>,
    /// No answer came within the hard limit.
    pub time: Id,
    /// An answer took longer than the soft limit.
    pub slow: Id,
    /// The bot touched files.
    pub fresh: Id,
    /// The bot touched the state file of another mark; `None` if the game has no state files.
    pub foreign_state: Option<Id>,
    /// The bot has other processes; `None` if the game allows them.
    pub helpers: Option<Id>,
    /// Whether threads count as processes.
    pub counts_threads: bool,
    /// In a game with one process per move: the exit status was not 0; `None` if the game ignores that.
    pub exit: Option<Id>,
    /// In a game with one process per move: the bot did not stop writing.
    pub endless: Id,
}

impl CommonCheckIds {
    /// Whether `id` is a check of how a process runs, and not of what it answers.
    pub fn is_of_running(&self, id: Id) -> bool {
        let CommonCheckIds { exit, slow, orphan, stderr, .. } = *self;
        exit == Some(id) || slow == id || orphan == id || stderr == Some(id)
    }
}

/// The fault of a run with an answer that exceeded the soft limit: `slow` says which and by how much.
pub(crate) fn slow_fault(ids: &CommonCheckIds, limits: &Limits, slow: String) -> Fault {
    let what = format!("{slow}; the soft limit is {}", duration(limits.soft));
    Fault::new(ids.slow, what).warning().incidental()
}

/// The faults of a run besides its answers and their time: processes left behind, other processes and threads in a
/// session, too much standard error, and the files that were `touched` by the bot, whose mark is `mark`, and by nothing
/// else. `unit` is what was played: a move or a game.
pub(crate) fn conduct_faults(
    ids: &CommonCheckIds,
    limits: &Limits,
    report: &RunReport,
    (mark, touched): (Option<u8>, &[FileViolation]),
    unit: &str,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let running = left_running(report);
    if running > 0 {
        let were = if running == 1 { "was" } else { "were" };
        let what = format!("{} {were} still running when the program had ended", count(running, "process"));
        faults.push(Fault::new(ids.orphan, what).incidental());
    }
    if let Some(id) = ids.stderr.filter(|_| report.stderr_total > limits.stderr as u64) {
        let what = format!("{} bytes on standard error in one {unit}", report.stderr_total);
        faults.push(Fault::new(id, what).incidental());
    }
    faults.extend(file_faults(ids, mark, touched.iter()).into_iter().map(Fault::incidental));
    faults
}

/// How many processes still ran when the bot of `report` had ended. One that was stopped or killed had no chance to end
/// them.
pub(crate) fn left_running(report: &RunReport) -> u32 {
    match report.ended {
        Ended::Exited(_) | Ended::Signalled(_) => report.leftovers.saturating_sub(report.zombies),
        _ => 0,
    }
}

/// Why the bot of `report` could not be started, for reports; `None` if it was started.
pub(crate) fn not_started(report: &RunReport) -> Option<String> {
    match &report.ended {
        Ended::CannotStart { why, .. } => Some(format!("it cannot be started: {}", escaped(why.as_bytes()))),
        _ => None,
    }
}

/// How the system killed the bot of `report`, for reports; `None` if it did not. `limits` are those of the run.
pub(crate) fn killed(report: &RunReport, limits: &Limits) -> Option<String> {
    match report.ended {
        Ended::Signalled(signal) => Some(format!("it died by signal {signal}{}", signal::name(signal))),
        Ended::OutOfMemory => {
            Some(format!("it was killed for using more than {} MiB of memory", limits.memory >> 20))
        }
        _ => None,
    }
}
