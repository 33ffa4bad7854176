//! What a bot that is started for every move is asked, and what its runs show: faults, each under the id of the check
//! that it fails.
//!
//! The most specific diagnosis wins, and what merely follows from it is not reported again: of a run that was killed or
//! crashed the output is not judged.

use super::Purpose;
use crate::attribution::{Failure, WITH_AND_WITHOUT_STATE};
use crate::catalog::{Id, Severity};
use crate::fault::{CommonCheckIds, Fault, incidental_faults, killed, not_started};
use crate::finding::Evidence;
use crate::runner::BotRunner;
use crate::text::duration;
use cornerman_harness::sandbox::{Ended, Limits, RunReport, RunRequest, SandboxError};
use std::sync::Arc;

/// What came of some runs.
pub type Failures = Result<Vec<Failure>, SandboxError>;

/// The fault of an output, if it has one.
pub type Judge = Arc<dyn Fn(&[u8]) -> Option<Fault> + Send + Sync>;

/// A question: a position in which the bot is to move.
#[derive(Clone)]
pub struct Question {
    /// The case's name.
    pub case: String,
    /// What it is.
    pub about: String,
    /// The bytes that the bot is given.
    pub input: Vec<u8>,
    /// The bot's mark.
    pub mark: u8,
    /// How much a failure weighs.
    pub severity: Severity,
    /// What else the game knows of the position: flags of the game's own.
    pub circumstances: u8,
    /// Judges answers.
    pub judge: Judge,
}

impl Question {
    /// The order in plain conditions.
    pub fn request(&self) -> RunRequest {
        RunRequest::of_move(self.mark, &self.input)
    }

    /// The trouble that `fault` is, seen in `evidence`.
    pub fn failure(&self, seen_by: Option<Id>, fault: Fault, evidence: Evidence) -> Failure {
        let severity = self.severity.min(fault.severity);
        let finding = Fault { severity, ..fault }.finding(&self.case, &self.about, evidence);
        Failure { circumstances: self.circumstances, ..Failure::new(seen_by, finding) }
    }

    /// All faults of a run in plain conditions.
    pub fn faults(&self, runner: &BotRunner, report: &RunReport) -> Vec<Fault> {
        faults(&runner.shared.ids, &runner.shared.bot.limits, report, |output| (self.judge)(output))
    }

    /// The fault that tells whether a bot plays at all, as it is looked for in games and under special conditions: the
    /// end and the answer.
    fn fault_of_play(&self, runner: &BotRunner, report: &RunReport) -> Option<Fault> {
        let ids = &runner.shared.ids;
        self.faults(runner, report).into_iter().find(|fault| !ids.is_of_running(fault.id))
    }

    /// Judges a run under the special conditions of `check`; `plain` is the same question in plain conditions. What a
    /// plain run shows as well is a trouble of plain conditions, and so is what the special conditions do not show a
    /// second time: it is intermittent, and not the conditions' doing. `own_state`: a state file that is there is the
    /// bot's own, of the same game. The claim on the mark is the caller's.
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
        let again = runner.ask_claimed(&self.case, Purpose::Move, plain, plain_state)?;
        if let Some(same) = self.fault_of_play(runner, &again.report).filter(|same| same.id == fault.id) {
            let despite_state = own_state && (evidence.state.is_some() || again.state.is_some());
            let mut failure = self.failure(None, same, again);
            failure.circumstances |= if despite_state { WITH_AND_WITHOUT_STATE } else { 0 };
            return Ok(vec![Failure { interrupted: Some(check), ..failure }]);
        }
        let (request, state) = (&evidence.request, evidence.state.as_deref());
        let repeated = runner.ask_claimed(&self.case, Purpose::Special, request, state)?;
        let mut failure = self.failure(Some(check), fault, evidence);
        if self.fault_of_play(runner, &repeated.report).is_none() {
            failure.mark_intermittent();
            failure.circumstances |= WITH_AND_WITHOUT_STATE;
            failure.interrupted = Some(check);
        }
        Ok(vec![failure])
    }
}

/// How a run ended, if it ended badly: not started, killed at the limit, dead by a signal.
pub fn fault_of_end(ids: &CommonCheckIds, limits: &Limits, report: &RunReport) -> Option<Fault> {
    if report.ended == Ended::TimedOut {
        let what = match report.output.len() {
            0 => "nothing was written".to_string(),
            n => format!("{n} bytes were written, but the program went on"),
        };
        return Some(Fault::of(ids.time, format!("killed after {}: {what}", duration(limits.hard))));
    }
    let cannot_start = not_started(report).map(|why| Fault::of(ids.start, why));
    cannot_start.or_else(|| killed(report, limits).map(|how| Fault::of(ids.signal, how)))
}

/// All faults of a run in plain conditions whose output `judge` judges.
pub fn faults(
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
        faults.push(Fault::of(ids.endless, "the output did not come to an end"));
    }
    if let (Ended::Exited(status @ (1.. | ..=-1)), Some(exit)) = (&report.ended, ids.exit) {
        match faults.first_mut() {
            // The usual end of a program in Python that stops on an error: the status says where to look.
            Some(first) => first.what.push_str(&format!("; it ended with status {status}")),
            None => faults.push(Fault::of(exit, format!("the exit status was {status}"))),
        }
    }
    let slow = report.own_wall() > limits.soft;
    let slow = slow.then(|| format!("the answer took {}", duration(report.wall)));
    faults.extend(incidental_faults(ids, limits, report, slow, "move"));
    faults
}
