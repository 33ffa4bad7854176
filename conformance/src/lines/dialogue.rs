//! Dialogues, and how a runner runs them.

use super::session::{DialogueSession, Script};
use super::transcript::{LineEvent, TimedEvent, Transcript};
use crate::attribution::Failure;
use crate::budget::Round;
use crate::catalog::Id;
use crate::fault::{Fault, Suspicion, conduct_faults, killed, not_started, slow_fault};
use crate::file_violations::{file_faults, in_words, place, touched_always};
use crate::finding::Evidence;
use crate::job::{Job, JobResult};
use crate::runner::{BotRunner, RepeatPolicy, Repeated};
use crate::text::duration;
use cornerman_harness::sandbox::{
    Ended, FileViolation, RunReport, RunRequest, Sandbox, SandboxError, Session, StartOutcome,
};
use cornerman_harness::signal;
use std::time::{Duration, Instant};

/// A doubtful fault is confirmed if two more dialogues show it.
const REPEATS: RepeatPolicy = RepeatPolicy { most: 2, skip_if_confirmed: true, alone: true };

/// The default of [`Dialogue::grace`].
pub const GRACE: Duration = Duration::from_millis(200);

/// A dialogue with a bot, as it is planned.
pub struct Dialogue {
    /// The check with special conditions that it is for; `None` if the conditions are plain.
    pub check: Option<&'static str>,
    /// The name of the case in reports.
    pub case: String,
    /// A description of the case, for reports.
    pub about: String,
    /// How the bot is started. If the file system is watched, and other programs write to it, nothing else runs meanwhile.
    pub request: RunRequest,
    /// Whether the bot gets its input byte by byte.
    pub dribbled: bool,
    /// How long the bot has to end by itself after the end of its input, before it is stopped.
    pub grace: Duration,
    /// When it is run, depending on the budget.
    pub round: Round,
    /// About how many moves the bot makes in it.
    pub moves: u32,
    /// Talks to the bot and judges its answers.
    pub script: Script,
}

impl Dialogue {
    fn evidence(&self, report: RunReport, transcript: Transcript) -> Evidence {
        Evidence { request: self.request.clone(), state: None, report, transcript: Some(transcript) }
    }

    /// The job that runs this dialogue by `run`, for its check.
    pub fn job(
        self,
        run: impl FnOnce(&mut BotRunner, &Dialogue) -> Result<JobResult, SandboxError> + Send + 'static,
    ) -> Job {
        let (round, watched, moves) = (self.round, self.request.watch, self.moves);
        let checks: Vec<Id> = self.check.into_iter().collect();
        Job { round, watched, moves, ..Job::new(&checks, 1, move |runner| run(runner, &self)) }
    }
}

/// The result of a dialogue.
#[derive(Clone, Debug)]
pub struct DialogueResult {
    /// What the bot did wrong. The fault that the script found comes first, if there is one.
    pub faults: Vec<Fault>,
    /// The run and its transcript.
    pub evidence: Evidence,
    /// Whether the bot wrote no line in time although it did not want a processor.
    pub rested: bool,
}

impl DialogueResult {
    /// The failures in this result of `dialogue`, one per fault, as seen under the special conditions of the check
    /// `seen_by`, if any.
    pub fn failures(&self, dialogue: &Dialogue, seen_by: Option<Id>) -> Vec<Failure> {
        let failure = |fault: &Fault| {
            let finding = fault.clone().finding(&dialogue.case, &dialogue.about, self.evidence.clone());
            let seen_by = seen_by.filter(|_| !fault.incidental);
            Failure { incidental: fault.incidental, ..Failure::new(seen_by, finding) }
        };
        self.faults.iter().map(failure).collect()
    }
}

impl BotRunner<'_> {
    /// Runs `dialogue`. If it shows a doubtful fault, the dialogue is repeated, with nothing else running if load may
    /// be the cause; if every repetition shows the fault, the first result counts, otherwise the one without it.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn run_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let result = match dialogue.request.watch && !self.watches_every_run() {
            true => self.alone(|runner| runner.play(dialogue))?,
            false => self.in_parallel(|runner| runner.play(dialogue))?,
        };
        let by_load = |fault: &&Fault| fault.suspicion == Some(Suspicion::Load);
        let Some(doubtful) = result.faults.iter().find(by_load).cloned() else { return Ok(result) };
        let again = |runner: &mut Self| runner.play(dialogue);
        let shows = |_: &Self, result: &DialogueResult| result.faults.iter().any(|fault| fault.id == doubtful.id);
        let repeats = RepeatPolicy { alone: dialogue.request.watch || !result.rested, ..REPEATS };
        let mut seen = match self.repeat(result, doubtful.id, repeats, again, shows)? {
            Repeated::NotConfirmed(result) => return Ok(result),
            Repeated::Confirmed(seen) => seen,
        };
        if self.shared.ids.fresh != doubtful.id || always_touched(&mut seen, &doubtful) {
            self.shared.confirm(doubtful.id);
        }
        Ok(seen.swap_remove(0))
    }

    /// Runs `dialogue` and returns its failures. A failure under special conditions that a second run does not show is
    /// marked as intermittent, because the conditions did not cause it.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn failures(&mut self, dialogue: &Dialogue) -> Result<(Vec<Failure>, DialogueResult), SandboxError> {
        let result = self.run_dialogue(dialogue)?;
        let mut failures = result.failures(dialogue, dialogue.check);
        if failures.iter().any(|failure| failure.special_check().is_some()) {
            let again = self.run_dialogue(dialogue)?;
            for failure in failures.iter_mut().filter(|failure| failure.special_check().is_some()) {
                if !again.faults.iter().any(|fault| fault.id == failure.finding.symptom) {
                    failure.mark_intermittent();
                }
            }
        }
        Ok((failures, result))
    }

    /// Runs `dialogue` once. If the sandbox fails, a new one is tried; if that fails too, it is an error.
    fn play(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        self.play_in_sandbox(dialogue).or_else(|_| self.play_in_sandbox(dialogue))
    }

    fn play_in_sandbox(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let shared = self.shared;
        let sandbox = self.take_sandbox()?;
        let began = Instant::now();
        let mut session = match sandbox.start(&dialogue.request)? {
            StartOutcome::Running(session) => DialogueSession::new(session, shared, dialogue.dribbled, began),
            StartOutcome::CannotStart(report, sandbox) => {
                self.put_sandbox(sandbox);
                shared.note(&dialogue.case, true, None, &report);
                let why = not_started(&report).unwrap_or_else(|| report.ended.to_string());
                let evidence = dialogue.evidence(*report, Transcript::default());
                return Ok(DialogueResult {
                    faults: vec![Fault::of(shared.ids.start, why)],
                    evidence,
                    rested: false,
                });
            }
        };
        let fault = (dialogue.script)(&mut session).map_err(SandboxError::Lost)?;
        // What a bot that waits for input has not written, it does not write.
        let of_load = |fault: &Fault| fault.suspicion == Some(Suspicion::Load);
        let sure = session.waits_for_input();
        let fault =
            fault.map(|fault| if sure && of_load(&fault) { Fault { suspicion: None, ..fault } } else { fault });
        let DialogueSession { session, transcript, slowest, answers, thought, rested, .. } = session;
        if let Some((_, slowest)) = &slowest {
            // The slowest answer is usually the first one, and not typical of the others.
            shared.budget.note(answers - 1, thought - *slowest);
        }
        let (report, transcript, mut sandbox) = end(session, dialogue, transcript, began)?;
        if self.wrote_to_its_folder(&report) {
            sandbox.renew()?;
        }
        self.put_sandbox(sandbox);
        let placed = slowest.clone().map(|(place, took)| (format!("{} {place}", dialogue.case), took));
        shared.note(&dialogue.case, true, placed, &report);
        let faults = self.faults(dialogue, fault, slowest, &report);
        let report = RunReport { output: transcript.received(), ..report };
        Ok(DialogueResult { faults, evidence: dialogue.evidence(report, transcript), rested })
    }

    fn faults(
        &self,
        dialogue: &Dialogue,
        fault: Option<Fault>,
        slowest: Option<(String, Duration)>,
        report: &RunReport,
    ) -> Vec<Fault> {
        let (ids, limits) = (&self.shared.ids, &self.shared.bot.limits);
        let how = killed(report, limits);
        let fault = fault.and_then(|fault| at_the_end(fault, report, how, ids.signal));
        let slow = slowest.filter(|(_, took)| fault.is_none() && *took > limits.soft);
        let slow = slow.map(|(place, took)| format!("{place}: the answer took {}", duration(took)));
        let slow = slow.map(|slow| slow_fault(ids, limits, slow));
        let mut faults: Vec<Fault> = fault.into_iter().chain(slow).collect();
        let every = self.watches_every_run();
        let touched = if every { report.file_violations.as_slice() } else { &[] };
        faults.extend(conduct_faults(ids, limits, report, (None, touched), "game"));
        if dialogue.request.watch && !every {
            let touched = file_faults(ids, None, report.file_violations.iter());
            faults.extend(touched.into_iter().map(Fault::may_be_load));
        }
        let known = |fault: &Fault| faults.iter().any(|other| other.id == fault.id);
        // A process that was left behind fails the check of that.
        let is_left = report.leftovers > report.zombies && report.ended != Ended::Stopped;
        let helpers = self.helpers(report).filter(|fault| !is_left && !known(fault));
        faults.extend(helpers);
        faults
    }

    /// The fault of a bot that started processes, or threads where these count, however short they lived.
    fn helpers(&self, report: &RunReport) -> Option<Fault> {
        let ids = &self.shared.ids;
        let made =
            report.tasks.made.filter(|made| ids.counts_threads && *made > 1 && !self.shared.runtime_has_threads());
        let what = match made {
            Some(made) => format!("it had {made} processes and threads in one game, one after another or at once"),
            None if report.tasks.helpers => "it started another process".to_string(),
            None => return None,
        };
        Some(Fault::of(ids.helpers?, what).warning().incidental())
    }
}

/// Reduces the fault of touched files to those that were touched each time, because other programs write to the same
/// folders. Returns whether any are left.
fn always_touched(seen: &mut [DialogueResult], fault: &Fault) -> bool {
    let runs: Vec<Evidence> = seen.iter().map(|result| result.evidence.clone()).collect();
    let always = touched_always(&runs);
    let of_bot = |violation: &&FileViolation| always.contains(&place(&violation.path));
    let touched: Vec<&FileViolation> = runs[0].report.file_violations.iter().filter(of_bot).collect();
    seen[0].faults.retain(|other| other.id != fault.id);
    if !touched.is_empty() {
        let what = format!("it {}", in_words(&touched));
        seen[0].faults.push(Fault { what, ..fault.clone() });
    }
    !touched.is_empty()
}

fn end(
    session: Session,
    dialogue: &Dialogue,
    mut transcript: Transcript,
    began: Instant,
) -> Result<(RunReport, Transcript, Sandbox), SandboxError> {
    let (report, sandbox) = session.finish(dialogue.grace)?;
    let how = match &report.ended {
        Ended::Exited(status) => format!("it ended with status {status}"),
        Ended::Signalled(signal) => format!("it died by signal {signal}{}", signal::name(*signal)),
        Ended::OutOfMemory => "it was killed for using too much memory".to_string(),
        _ => "it was stopped".to_string(),
    };
    transcript.0.push(TimedEvent { at: began.elapsed(), event: LineEvent::Note(how) });
    Ok((report, transcript, sandbox))
}

/// The fault of a bot that may have ended, completed by how it ended: `killed` by the system, or by itself with a
/// status. `None` if it ended as it may.
fn at_the_end(fault: Fault, report: &RunReport, killed: Option<String>, signal: Id) -> Option<Fault> {
    let was_killed = killed.is_some();
    let how = killed.unwrap_or_else(|| match report.ended {
        Ended::Exited(status) => format!("it ended with status {status}"),
        _ => "it closed its output".to_string(),
    });
    let what = format!("{}: {how}", fault.what);
    match fault.suspicion {
        Some(Suspicion::End) if was_killed => Some(Fault { id: signal, what, suspicion: None, ..fault }),
        Some(Suspicion::End) => Some(Fault { what, suspicion: None, ..fault }),
        Some(Suspicion::Signal) => was_killed.then_some(Fault { what, suspicion: None, ..fault }),
        _ => Some(fault),
    }
}
