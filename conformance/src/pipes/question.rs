//! What a bot that is started for every move is asked, and what its runs show: faults, each under the id of the check that
//! it fails.
//!
//! The most specific diagnosis wins, and what merely follows from it is not reported again: of a run that was killed or
//! crashed the output is not judged.

use super::Purpose;
use crate::bench::Bench;
use crate::catalog::{Id, Severity};
use crate::fault::{Fault, Ids, beside, killed, not_started};
use crate::finding::Evidence;
use crate::settle::{DESPITE_STATE, Trouble};
use crate::words::duration;
use cornerman_harness::sandbox::{Ended, Limits, Order, RunReport, SandboxError};
use std::sync::Arc;

/// What came of some runs.
pub type Troubles = Result<Vec<Trouble>, SandboxError>;

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
    pub fn order(&self) -> Order {
        Order::of_move(self.mark, &self.input)
    }

    /// The trouble that `fault` is, seen in `evidence`.
    pub fn trouble(&self, seen_by: Option<Id>, fault: Fault, evidence: Evidence) -> Trouble {
        let severity = self.severity.min(fault.severity);
        let finding = Fault { severity, ..fault }.finding(&self.case, &self.about, evidence);
        Trouble { circumstances: self.circumstances, ..Trouble::new(seen_by, finding) }
    }

    /// All faults of a run in plain conditions.
    pub fn faults(&self, bench: &Bench, report: &RunReport) -> Vec<Fault> {
        faults(&bench.shared.ids, &bench.shared.bot.limits, report, |output| (self.judge)(output))
    }

    /// The fault that tells whether a bot plays at all, as it is looked for in games and under special conditions: the end
    /// and the answer.
    fn fault_of_play(&self, bench: &Bench, report: &RunReport) -> Option<Fault> {
        let ids = &bench.shared.ids;
        self.faults(bench, report).into_iter().find(|fault| !ids.is_of_running(fault.id))
    }

    /// Judges a run under the special conditions of `check`; `plain` is the same question in plain conditions. What a
    /// plain run shows as well is a trouble of plain conditions, and so is what the special conditions do not show a
    /// second time: it is intermittent, and not the conditions' doing. `own_state`: a state file that is there is the bot's
    /// own, of the same game. The claim on the mark is the caller's.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn compared(
        &self,
        bench: &mut Bench,
        check: Id,
        evidence: Evidence,
        (plain, plain_state): (&Order, Option<&[u8]>),
        own_state: bool,
    ) -> Troubles {
        let Some(fault) = self.fault_of_play(bench, &evidence.report) else { return Ok(Vec::new()) };
        let again = bench.ask_claimed(&self.case, Purpose::Move, plain, plain_state)?;
        if let Some(same) = self.fault_of_play(bench, &again.report).filter(|same| same.id == fault.id) {
            let despite_state = own_state && (evidence.state.is_some() || again.state.is_some());
            let mut trouble = self.trouble(None, same, again);
            trouble.circumstances |= if despite_state { DESPITE_STATE } else { 0 };
            return Ok(vec![Trouble { ended: Some(check), ..trouble }]);
        }
        let (order, state) = (&evidence.order, evidence.state.as_deref());
        let repeated = bench.ask_claimed(&self.case, Purpose::Special, order, state)?;
        let mut trouble = self.trouble(Some(check), fault, evidence);
        if self.fault_of_play(bench, &repeated.report).is_none() {
            trouble.is_intermittent();
            trouble.circumstances |= DESPITE_STATE;
            trouble.ended = Some(check);
        }
        Ok(vec![trouble])
    }
}

/// How a run ended, if it ended badly: not started, killed at the limit, dead by a signal.
pub fn fault_of_end(ids: &Ids, limits: &Limits, report: &RunReport) -> Option<Fault> {
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
    ids: &Ids,
    limits: &Limits,
    report: &RunReport,
    judge: impl Fn(&[u8]) -> Option<Fault>,
) -> Vec<Fault> {
    if let Some(fault) = fault_of_end(ids, limits, report) {
        return vec![fault];
    }
    let mut faults: Vec<Fault> = judge(&report.output).into_iter().collect();
    if report.ended == Ended::TooMuch && faults.is_empty() {
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
    faults.extend(beside(ids, limits, report, slow, "move"));
    faults
}
