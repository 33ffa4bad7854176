//! Questions to a bot that is started for every move, and what is wrong with its runs. Consequences are not reported:
//! the output of a run that was killed or crashed is not judged.

use super::Purpose;
use crate::catalog::{Catalogue, Id, Severity};
use crate::conduct::{is_process_check, killed, not_started, slow_cause};
use crate::finding::{Cause, Evidence, Finding, WITH_AND_WITHOUT_STATE};
use crate::jobs::JobResult;
use crate::runner::BotRunner;
use cornerman_harness::player::marks::move_request;
use cornerman_harness::sandbox::{Ended, Limits, RunReport, RunRequest, SandboxError};
use cornerman_harness::text::duration;
use std::sync::Arc;

/// What some runs show.
pub(crate) type Findings = Result<Vec<Finding>, SandboxError>;

/// Judges an output: returns what is wrong with it, if anything is.
pub(crate) type Judge = Arc<dyn Fn(&[u8]) -> Option<Cause> + Send + Sync>;

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
    /// The greatest severity of a finding.
    pub severity: Severity,
    /// Flags about the position that the game defines.
    pub flags: u8,
    /// Judges the answer.
    pub judge: Judge,
}

impl Question {
    /// The request of a run in plain conditions.
    pub(crate) fn request(&self) -> RunRequest {
        move_request(self.mark, &self.input)
    }

    /// The finding of `cause` in `evidence`, seen under the special conditions of the check `seen_by`, if any.
    pub(crate) fn finding(&self, seen_by: Option<Id>, cause: Cause, evidence: Evidence) -> Finding {
        let severity = self.severity.min(cause.severity);
        let mut finding = Finding::new(seen_by, Cause { severity, ..cause }, evidence);
        finding.conditions.flags = self.flags;
        finding
    }

    /// All that is wrong with a run in plain conditions, except its conduct.
    pub(crate) fn causes(&self, runner: &BotRunner, report: &RunReport) -> Vec<Cause> {
        causes(runner.shared.checks, &runner.shared.bot.limits, report, |output| (self.judge)(output))
    }

    /// The result of a run in plain conditions, which judges `checks`. `seen_by` returns the check under whose
    /// conditions a cause counts as seen, if any. `is_earlier(failed, id)` says whether an answer that fails `failed`
    /// has passed `id`.
    pub(crate) fn judged(
        &self,
        runner: &BotRunner,
        evidence: &Evidence,
        seen_by: impl Fn(&Cause) -> Option<Id>,
        checks: Vec<Id>,
        is_earlier: impl Fn(Id, Id) -> bool,
    ) -> JobResult {
        let catalogue = runner.shared.checks;
        let causes = self.causes(runner, &evidence.report).into_iter();
        let findings = causes.map(|cause| self.finding(seen_by(&cause), cause, evidence.clone()));
        let result = JobResult::from(findings.collect::<Vec<_>>());
        result.judging(catalogue, checks, |finding, id| decides(catalogue, finding, id, &is_earlier))
    }

    /// What is wrong with the answer, or with how the run ended. Only these causes count in games and under special
    /// conditions, not those of how a process runs, such as slowness. One check may be about slow answers and about
    /// those that come too late.
    pub(crate) fn cause_of_play(&self, runner: &BotRunner, report: &RunReport) -> Option<Cause> {
        let checks = runner.shared.checks;
        let is_late = |cause: &Cause| checks.is_any(cause.check, &["TIME"]) && !cause.incidental;
        let is_of_play = |cause: &Cause| is_late(cause) || !is_process_check(checks, cause.check);
        self.causes(runner, report).into_iter().find(is_of_play)
    }

    /// Judges `evidence`, a run under the special conditions of `check`. If something is wrong with it, the same
    /// question is asked in plain conditions, with `plain_state`. A cause that this shows too counts as seen in them.
    /// So does one that a repetition under the special conditions does not show, because it is intermittent.
    /// `own_state` says whether a state file is the bot's own, of the same game. The caller must have claimed the
    /// mark.
    pub(crate) fn compared(
        &self,
        runner: &mut BotRunner,
        check: Id,
        evidence: Evidence,
        plain_state: Option<&[u8]>,
        own_state: bool,
    ) -> Findings {
        let Some(cause) = self.cause_of_play(runner, &evidence.report) else { return Ok(Vec::new()) };
        let again = runner.ask_claimed(self, Purpose::Move, &self.request(), plain_state)?;
        if let Some(same) = self.cause_of_play(runner, &again.report).filter(|same| same.check == cause.check) {
            let despite_state = own_state && (evidence.state.is_some() || again.state.is_some());
            let mut finding = self.finding(None, same, again);
            finding.conditions.flags |= if despite_state { WITH_AND_WITHOUT_STATE } else { 0 };
            return Ok(vec![finding.interrupting(check)]);
        }
        let request = &evidence.request;
        let state = evidence.state.as_deref();
        let repeated = runner.ask_claimed(self, Purpose::Special, request, state)?;
        let mut finding = self.finding(Some(check), cause, evidence);
        if self.cause_of_play(runner, &repeated.report).is_none() {
            finding.mark_intermittent();
            finding.conditions.flags |= WITH_AND_WITHOUT_STATE;
        }
        Ok(vec![finding])
    }
}

/// Whether a run with `finding`, about its end or its answer, judges the check `id` too. Without any output it judges
/// nothing else. `is_earlier` is as in [`Question::judged`].
fn decides(checks: &Catalogue, finding: &Finding, id: Id, is_earlier: &impl Fn(Id, Id) -> bool) -> bool {
    let is_of_end = |id| checks.is_any(id, &["TIME", "START", "SIGNAL"]);
    let failed = finding.cause.check;
    let report = &finding.evidence.report;
    match () {
        () if report.output.is_empty() => false,
        () if is_of_end(failed) => checks.is_any(id, &["START"]),
        () if checks.is_any(id, &["EXIT"]) => report.ended == Ended::Exited(0),
        () => is_process_check(checks, id) || is_of_end(id) || is_earlier(failed, id),
    }
}

/// What is wrong with how a run ended: it was not started, killed at the hard limit or for its use of memory, or killed
/// by a signal.
pub(crate) fn cause_of_end(checks: &'static Catalogue, limits: &Limits, report: &RunReport) -> Option<Cause> {
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
        return Some(Cause::new(checks.id("TIME"), format!("{why}: {what}")));
    }
    let cannot_start = not_started(report).map(|why| Cause::new(checks.id("START"), why));
    cannot_start.or_else(|| killed(report, limits).map(|how| Cause::new(checks.id("SIGNAL"), how)))
}

/// All that is wrong with a run in plain conditions, except its conduct, which the runner notes for every run.
/// `judge` judges its output.
pub(crate) fn causes(
    checks: &'static Catalogue,
    limits: &Limits,
    report: &RunReport,
    judge: impl Fn(&[u8]) -> Option<Cause>,
) -> Vec<Cause> {
    if let Some(cause) = cause_of_end(checks, limits, report) {
        return vec![cause];
    }
    let mut causes: Vec<Cause> = judge(&report.output).into_iter().collect();
    if report.ended == Ended::TooMuchOutput && causes.is_empty() {
        causes.push(Cause::new(checks.id("ENDLESS"), "the program did not stop writing"));
    }
    if let (Ended::Exited(status @ (1.. | ..=-1)), Some(exit)) = (&report.ended, checks.named("EXIT")) {
        match causes.first_mut() {
            // Programs in Python usually end like this after an error, so the status is a clue.
            Some(first) => first.what.push_str(&format!("; it ended with status {status}")),
            None => causes.push(Cause::new(exit, format!("the exit status was {status}"))),
        }
    }
    let slow = report.own_wall() > limits.soft;
    let slow = slow.then(|| format!("the answer took {}", duration(report.wall)));
    causes.extend(slow.map(|slow| slow_cause(checks, limits, slow)));
    causes
}
