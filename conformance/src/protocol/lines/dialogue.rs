//! Dialogues, and how a runner runs them.

use super::session::{AnswerTime, DialogueSession, Script};
use super::transcript::{LineEvent, TimedEvent, Transcript};
use crate::attribution::Failure;
use crate::budget::Round;
use crate::catalog::Id;
use crate::fault::{Fault, Suspicion, conduct_faults, killed, left_running, not_started, slow_fault};
use crate::file_violations::{file_faults, is_of_a_runtime, place, touched_always};
use crate::finding::Evidence;
use crate::job::{Job, JobResult};
use crate::runner::{BotRunner, LateAnswer, RETRIES};
use crate::shared::SharedState;
use cornerman_harness::sandbox::{Ended, RunReport, RunRequest, Sandbox, SandboxError, Session, StartOutcome};
use cornerman_harness::signal;
use cornerman_harness::text::duration;
use std::time::{Duration, Instant};

/// A file counts as touched by the bot if this many watched dialogues show it.
const WATCHED_DIALOGUES: usize = 3;

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
    /// How the bot is started. If the file system is watched, and other programs write to it, nothing else runs
    /// meanwhile.
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
        let round = self.round;
        let watched = self.request.watch;
        let moves = self.moves;
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
    /// What is known about the line whose lateness is the fault, or the answer that was slow.
    pub late: Option<LateAnswer>,
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
    /// Runs `dialogue`. It is repeated while the machine may have delayed the bot, or while a process that the bot left
    /// behind may have been about to end.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn run_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let mut is_cold = self.shared.is_first_run();
        let mut result = self.play(dialogue)?;
        for _ in 0..RETRIES {
            if !self.is_doubtful_dialogue(&result, is_cold) {
                break;
            }
            is_cold = false;
            result = self.play(dialogue)?;
        }
        let orphan = self.shared.ids.orphan;
        if result.faults.iter().any(|fault| fault.id == orphan) {
            self.shared.confirm(orphan);
        }
        if dialogue.request.watch && !self.watches_every_run() {
            let touched = self.touched_files(dialogue, &result)?;
            result.faults.extend(touched);
        }
        Ok(result)
    }

    /// Whether a dialogue must be repeated.
    fn is_doubtful_dialogue(&self, result: &DialogueResult, is_cold: bool) -> bool {
        let orphan = self.shared.ids.orphan;
        let is_cold = is_cold || result.evidence.report.major_faults > 0;
        result.late.is_some_and(|late| late.may_be_delayed(is_cold))
            || result.faults.iter().any(|fault| fault.id == orphan) && !self.shared.is_confirmed(orphan)
    }

    /// The faults of the files that the bot touches in `dialogue`, whose first result is `first`, where other programs
    /// write to the same folders: only files that are touched each time count.
    fn touched_files(&mut self, dialogue: &Dialogue, first: &DialogueResult) -> Result<Vec<Fault>, SandboxError> {
        if first.evidence.report.file_violations.iter().all(|violation| is_of_a_runtime(&violation.path)) {
            return Ok(Vec::new());
        }
        let mut runs = vec![first.evidence.clone()];
        for _ in 1..WATCHED_DIALOGUES {
            runs.push(self.play(dialogue)?.evidence);
        }
        let always = touched_always(&runs);
        let touched = runs[0].report.file_violations.iter();
        let of_bot = touched.filter(|violation| always.contains(&place(&violation.path)));
        Ok(file_faults(&self.shared.ids, None, of_bot))
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
        match self.play_in_sandbox(dialogue) {
            Err(_) if !self.is_broken_off => self.play_in_sandbox(dialogue),
            played => played,
        }
    }

    fn play_in_sandbox(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let shared = self.shared;
        let limits = &shared.bot.limits;
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
                    faults: vec![Fault::new(shared.ids.start, why)],
                    evidence,
                    late: None,
                });
            }
        };
        let played = (dialogue.script)(&mut session);
        if session.is_broken_off {
            let (_, sandbox) = session.session.finish(Duration::ZERO)?;
            self.put_sandbox(sandbox);
            self.is_broken_off = true;
            return Err(SandboxError::Failed("the dialogue was broken off".to_string()));
        }
        // A script returns failures of the sandbox as errors of input and output.
        let fault = played.map_err(|error| error.downcast().unwrap_or_else(SandboxError::Lost))?;
        let DialogueSession { session, transcript, slowest, beyond_minimum, answers, thought, late, .. } = session;
        if let Some((_, slowest)) = &slowest {
            // The slowest answer is usually the first one, and not typical of the others.
            shared.budget.note(answers - 1, thought - slowest.own_wall);
        }
        let (report, transcript, mut sandbox) = end(session, dialogue, transcript, began)?;
        if self.wrote_to_its_folder(&report) {
            sandbox.renew()?;
        }
        self.put_sandbox(sandbox);
        let placed = slowest.clone().map(|(place, took)| (format!("{} {place}", dialogue.case), took.own_wall));
        shared.note(&dialogue.case, true, placed, &report);
        let fault = fault.and_then(|fault| at_the_end(fault, &report, killed(&report, limits), shared.ids.signal));
        let slow = slowest.filter(|(_, took)| took.own_wall > limits.soft).or(beyond_minimum);
        let slow = slow.filter(|_| fault.is_none());
        let late_answer = |took: AnswerTime| LateAnswer {
            limit: limits.soft,
            waited: took.waited,
            used: Duration::ZERO,
            rested: false,
        };
        let late = if fault.is_some() { late } else { slow.as_ref().map(|(_, took)| late_answer(*took)) };
        let faults = self.faults(fault, slow, &report);
        let report = RunReport { output: transcript.received(), ..report };
        Ok(DialogueResult { faults, evidence: dialogue.evidence(report, transcript), late })
    }

    fn faults(&self, fault: Option<Fault>, slow: Option<(String, AnswerTime)>, report: &RunReport) -> Vec<Fault> {
        let SharedState { ids, bot, .. } = self.shared;
        let slow = slow.map(|(place, took)| {
            let slow = format!("{place}: the answer took {}", duration(took.own_wall));
            match self.shared.clock.filter(|_| took.own_wall <= bot.limits.soft) {
                None => slow_fault(ids, &bot.limits, slow),
                Some(clock) => {
                    let minimum = duration(clock.minimum);
                    let what = format!(
                        "{slow} after `time`, and is in time only as it used less than {minimum} of processor time"
                    );
                    Fault::new(ids.slow, what).warning().incidental()
                }
            }
        });
        let mut faults: Vec<Fault> = fault.into_iter().chain(slow).collect();
        let touched = if self.watches_every_run() { report.file_violations.as_slice() } else { &[] };
        faults.extend(conduct_faults(ids, &bot.limits, report, (None, touched), "game"));
        let known = |fault: &Fault| faults.iter().any(|other| other.id == fault.id);
        // A process that was left behind fails the check of that.
        let is_left = left_running(report) > 0;
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
        Some(Fault::new(ids.helpers?, what).warning().incidental())
    }
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
