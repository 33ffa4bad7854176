//! A fault: what a run or a dialogue shows of a bot, under the id of the check that it fails in plain conditions, and
//! the words for what any of them can show.

use crate::catalog::{Id, Severity};
use crate::finding::{Evidence, Finding};
use crate::text::{duration, escaped};
use cornerman::game::Spot;
use cornerman_harness::sandbox::{Ended, Limits, RunReport};
use cornerman_harness::signal;

/// A fault that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The id of the check it fails in plain conditions.
    pub id: Id,
    /// What was seen, in words for the bot's author.
    pub what: String,
    /// Where on the board, if it is anywhere.
    pub spots: Vec<Spot>,
    /// What was due instead, if there is more to say of it than the catalogue does.
    pub expected: Option<String>,
    /// How much it weighs, at most.
    pub severity: Severity,
    /// What makes it uncertain.
    pub suspicion: Option<Suspicion>,
    /// It was seen beside the dialogue, whatever that was for.
    pub incidental: bool,
}

/// What makes a fault uncertain until more is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// The machine's load may explain it: it is confirmed when it is seen again, alone.
    Load,
    /// The bot is gone: if it died by a signal, that is what counts.
    End,
    /// The bot is gone, and may be: it is a fault only if it died by a signal.
    Signal,
}

impl Fault {
    /// A fault that is certain, and as grave as its check.
    pub fn of(id: Id, what: impl Into<String>) -> Fault {
        let (what, spots, severity) = (what.into(), Vec::new(), Severity::Must);
        Fault { id, what, spots, expected: None, severity, suspicion: None, incidental: false }
    }

    /// What was due instead.
    #[must_use]
    pub fn expected(self, expected: impl Into<String>) -> Fault {
        Fault { expected: Some(expected.into()), ..self }
    }

    /// Nothing came in time: confirmed only when seen again.
    #[must_use]
    pub fn may_be_load(self) -> Fault {
        Fault { suspicion: Some(Suspicion::Load), ..self }
    }

    /// The bot is gone: its death by a signal would be the better word.
    #[must_use]
    pub fn at_its_end(self) -> Fault {
        Fault { suspicion: Some(Suspicion::End), ..self }
    }

    /// The bot is gone, which is a fault only if it died by a signal.
    #[must_use]
    pub fn if_by_signal(self) -> Fault {
        Fault { suspicion: Some(Suspicion::Signal), ..self }
    }

    /// Observations beside the dialogue, whatever that was for.
    #[must_use]
    pub fn incidental(self) -> Fault {
        Fault { incidental: true, ..self }
    }

    /// No more than a warning.
    #[must_use]
    pub fn warning(self) -> Fault {
        Fault { severity: Severity::Should, ..self }
    }

    /// The finding that it is, seen in `evidence` of the case called `case`, which is described by `about`.
    pub fn finding(self, case: &str, about: &str, evidence: Evidence) -> Finding {
        let Fault { id, what, spots, expected, severity, .. } = self;
        let (case, about) = (case.to_string(), about.to_string());
        Finding { symptom: id, case, about, severity, what, spots, expected, evidence }
    }
}

/// The ids that a game has for what any run or dialogue can show.
#[derive(Clone, Copy, Debug)]
pub struct CommonCheckIds {
    /// It cannot be started, or does not begin.
    pub start: Id,
    /// It died by a signal.
    pub signal: Id,
    /// It left processes behind.
    pub orphan: Id,
    /// It flooded standard error; `None`: that is ignored.
    pub stderr: Option<Id>,
    /// No answer came in time.
    pub time: Id,
    /// An answer took longer than the soft limit.
    pub slow: Id,
    /// It touched files.
    pub fresh: Id,
    /// It ended with a status other than 0, of a process a move; `None`: that is ignored.
    pub exit: Option<Id>,
    /// It wrote without end, of a process a move.
    pub endless: Id,
}

impl CommonCheckIds {
    /// Whether it is a check of how a process runs, and not of what it answers.
    pub fn is_of_running(&self, id: Id) -> bool {
        let CommonCheckIds { exit, slow, orphan, stderr, .. } = *self;
        exit == Some(id) || slow == id || orphan == id || stderr == Some(id)
    }
}

/// The faults that a run shows beside its answers. `slow` says which answer took longer than the soft limit and how long,
/// if one did; `unit` is what was played: a move or a game.
pub fn incidental_faults(
    ids: &CommonCheckIds,
    limits: &Limits,
    report: &RunReport,
    slow: Option<String>,
    unit: &str,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    if let Some(slow) = slow {
        let what = format!("{slow}; the soft limit is {}", duration(limits.soft));
        faults.push(Fault::of(ids.slow, what).warning().may_be_load().incidental());
    }
    // A bot that was made to end cannot have tidied up.
    if report.leftovers > 0 && report.ended != Ended::Stopped {
        let (processes, were) = if report.leftovers == 1 { ("process", "was") } else { ("processes", "were") };
        let what = format!("{} {processes} {were} still running when the program had ended", report.leftovers);
        faults.push(Fault::of(ids.orphan, what).may_be_load().incidental());
    }
    if let Some(id) = ids.stderr.filter(|_| report.errors_total > limits.errors as u64) {
        let what = format!("{} bytes on standard error in one {unit}", report.errors_total);
        faults.push(Fault::of(id, what).incidental());
    }
    faults
}

/// Why a bot cannot be started, in words, if it cannot.
pub fn not_started(report: &RunReport) -> Option<String> {
    match &report.ended {
        Ended::CannotStart { why, .. } => Some(format!("it cannot be started: {}", escaped(why.as_bytes()))),
        _ => None,
    }
}

/// How a bot was killed by the system, in words, if it was.
pub fn killed(report: &RunReport, limits: &Limits) -> Option<String> {
    match report.ended {
        Ended::Signalled(signal) => Some(format!("it died by signal {signal}{}", signal::name(signal))),
        Ended::OutOfMemory => {
            Some(format!("it was killed for using more than {} MiB of memory", limits.memory >> 20))
        }
        _ => None,
    }
}
