//! Questions to a bot that is started for every move, and the faults that its runs show, each with the id of the check
//! that it fails.
//!
//! Only the most specific fault is reported, not its consequences: the output of a run that was killed or crashed is
//! not judged.

use super::Purpose;
use crate::attribution::{Failure, WITH_AND_WITHOUT_STATE};
use crate::catalog::{Id, Severity};
use crate::fault::{CommonCheckIds, Fault, killed, not_started, slow_fault};
use crate::finding::Evidence;
use crate::runner::BotRunner;
use cornerman_harness::player::marks::move_request;
use cornerman_harness::sandbox::{Ended, Limits, RunReport, RunRequest, SandboxError};
use cornerman_harness::text::duration;
use std::sync::Arc;

/// The failures that some runs show.
pub(crate) type Failures = Result<Vec<Failure>, SandboxError>;

/// Judges an output: returns its fault, if it has one.
pub(crate) type Judge = Arc<dyn Fn(&[u8]) -> Option<Fault> + Send + Sync>;

/// A question: a position in which the bot is to move.
#[derive(Clone)]
pub struct Question {
    /// The name of the case.
    pub case: String,
    /// A description of the case, for reports.
    pub about: String,
    /// The bytes on the bot's standard input.
    pub input: Vec<u8>,
    /// The bot's mark.
    pub mark: u8,
    /// The greatest severity of a failure.
    pub severity: Severity,
    /// The game's own flags about the position.
    pub circumstances: u8,
    /// Judges the answer.
    pub judge: Judge,
}

impl Question {
    /// The request of a run in plain conditions.
    pub fn request(&self) -> RunRequest {
        move_request(self.mark, &self.input)
    }

    /// The failure of `fault`, seen in `evidence` under the special conditions of the check `seen_by`, if any.
    pub fn failure(&self, seen_by: Option<Id>, fault: Fault, evidence: Evidence) -> Failure {
        let severity = self.severity.min(fault.severity);
        let incidental = fault.incidental;
        let finding = Fault { severity, ..fault }.finding(&self.case, &self.about, evidence);
        Failure { circumstances: self.circumstances, incidental, ..Failure::new(seen_by, finding) }
    }

    /// All faults of a run in plain conditions, except those of conduct.
    pub fn faults(&self, runner: &BotRunner, report: &RunReport) -> Vec<Fault> {
        faults(&runner.shared.ids, &runner.shared.bot.limits, report, |output| (self.judge)(output))
    }

    /// The fault of how the run ended or of the answer. In games and under special conditions only these count, not
    /// faults of how the process runs, such as slowness.
    pub fn fault_of_play(&self, runner: &BotRunner, report: &RunReport) -> Option<Fault> {
        let ids = &runner.shared.ids;
        self.faults(runner, report).into_iter().find(|fault| !ids.is_of_running(fault.id))
    }

    /// Judges a run under the special conditions of `check` by comparing it with `plain`, the same question in plain
    /// conditions. A fault that the plain run shows too is a failure in plain conditions. So is one that a repetition
    /// under the special conditions does not show: it is intermittent, and the conditions did not cause it. `own_state`
    /// says whether a state file is the bot's own, of the same game. The caller has claimed the mark.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn compared(
        &self,
        runner: &mut BotRunner,
        check: Id,
        evidence: Evidence,
        (plain, plain_state): (&RunRequest, Option<&[u8]>),
        own_state: bool,
    ) -> Failures {
        let Some(fault) = self.fault_of_play(runner, &evidence.report) else { return Ok(Vec::new()) };
        let again = runner.ask_claimed(self, Purpose::Move, plain, plain_state)?;
        if let Some(same) = self.fault_of_play(runner, &again.report).filter(|same| same.id == fault.id) {
            let despite_state = own_state && (evidence.state.is_some() || again.state.is_some());
            let mut failure = self.failure(None, same, again);
            failure.circumstances |= if despite_state { WITH_AND_WITHOUT_STATE } else { 0 };
            return Ok(vec![Failure { interrupted: Some(check), ..failure }]);
        }
        let request = &evidence.request;
        let state = evidence.state.as_deref();
        let repeated = runner.ask_claimed(self, Purpose::Special, request, state)?;
        let mut failure = self.failure(Some(check), fault, evidence);
        if self.fault_of_play(runner, &repeated.report).is_none() {
            failure.mark_intermittent();
            failure.circumstances |= WITH_AND_WITHOUT_STATE;
        }
        Ok(vec![failure])
    }
}

/// Whether a run with `failure`, a fault of how it ended or of its answer, decides the check `id` too. Without any
/// output it decides nothing else. `is_earlier` says whether an answer that fails one check has passed another.
pub(crate) fn decides(
    ids: &CommonCheckIds,
    failure: &Failure,
    id: Id,
    is_earlier: impl Fn(Id, Id) -> bool,
) -> bool {
    let failed = failure.finding.symptom;
    let report = &failure.finding.evidence.report;
    match () {
        () if report.output.is_empty() => false,
        () if [ids.time, ids.start, ids.signal].contains(&failed) => id == ids.start,
        () if ids.exit == Some(id) => report.ended == Ended::Exited(0),
        () => ids.is_of_running(id) || [ids.time, ids.start, ids.signal].contains(&id) || is_earlier(failed, id),
    }
}

/// The fault of how a run ended: not started, killed at the hard limit, or killed by a signal.
pub(crate) fn fault_of_end(ids: &CommonCheckIds, limits: &Limits, report: &RunReport) -> Option<Fault> {
    if report.ended == Ended::TimedOut {
        let what = match report.output.len() {
            0 => "nothing was written".to_string(),
            n => format!("{n} bytes were written, but the program did not end"),
        };
        let why = if report.waits_for_input {
            "it waited for more input".to_string()
        } else {
            format!("killed after {}", duration(limits.hard))
        };
        return Some(Fault::new(ids.time, format!("{why}: {what}")));
    }
    let cannot_start = not_started(report).map(|why| Fault::new(ids.start, why));
    cannot_start.or_else(|| killed(report, limits).map(|how| Fault::new(ids.signal, how)))
}

/// All faults of a run in plain conditions except those of conduct, which the runner notes for every run. `judge`
/// judges its output.
pub(crate) fn faults(
    ids: &CommonCheckIds,
    limits: &Limits,
    report: &RunReport,
    judge: impl Fn(&[u8]) -> Option<Fault>,
) -> Vec<Fault> {
    if let Some(fault) = fault_of_end(ids, limits, report) {
        return vec![fault];
    }
    let mut faults: Vec<Fault> = judge(&report.output).into_iter().collect();
    if report.ended == Ended::TooMuchOutput && faults.is_empty() {
        faults.push(Fault::new(ids.endless, "the program did not stop writing"));
    }
    if let (Ended::Exited(status @ (1.. | ..=-1)), Some(exit)) = (&report.ended, ids.exit) {
        match faults.first_mut() {
            // Programs in Python usually end like this after an error, so the status is a clue.
            Some(first) => first.what.push_str(&format!("; it ended with status {status}")),
            None => faults.push(Fault::new(exit, format!("the exit status was {status}"))),
        }
    }
    let slow = report.own_wall() > limits.soft;
    let slow = slow.then(|| format!("the answer took {}", duration(report.wall)));
    faults.extend(slow.map(|slow| slow_fault(ids, limits, slow)));
    faults
}
