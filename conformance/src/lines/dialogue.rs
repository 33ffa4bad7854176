//! Dialogues to be held, and how a bench holds them.

use super::session::{DialogueSession, Script};
use super::transcript::{Entry, LineEvent, Transcript};
use crate::attribution::Failure;
use crate::budget::Round;
use crate::catalog::Id;
use crate::fault::{Fault, Suspicion, incidental_faults, killed, not_started};
use crate::file_violations::{in_words, is_of_a_runtime, place, touched_always};
use crate::finding::Evidence;
use crate::job::{Job, JobResult};
use crate::runner::{BotRunner, RepeatPolicy, Repeated};
use crate::text::duration;
use cornerman_harness::sandbox::{
    Ended, FileViolation, RunReport, RunRequest, Sandbox, SandboxError, Session, StartOutcome,
};
use cornerman_harness::signal;
use std::time::{Duration, Instant};

/// A doubtful fault is confirmed when two more dialogues show it, unless it was confirmed of the bot before.
const REPEATS: RepeatPolicy = RepeatPolicy { most: 2, skip_if_confirmed: true };

/// After a scene a bot has this long to end by itself before it is made to, unless the scene says otherwise.
pub const GRACE: Duration = Duration::from_millis(200);

/// A dialogue to be held.
pub struct Dialogue {
    /// The check with special conditions that it is for; `None`: it shows the bot in plain conditions.
    pub check: Option<&'static str>,
    /// Its name in reports.
    pub case: String,
    /// What it is.
    pub about: String,
    /// What the bot is started with. If it is watched, nothing else runs meanwhile.
    pub request: RunRequest,
    /// Whether the bot gets its input byte by byte.
    pub dribbled: bool,
    /// How long it has to end by itself once its input has ended.
    pub grace: Duration,
    /// When it is held.
    pub round: Round,
    /// How many moves the bot makes in it, about.
    pub moves: u32,
    /// What is said.
    pub script: Script,
}

impl Dialogue {
    fn evidence(&self, report: RunReport, transcript: Transcript) -> Evidence {
        Evidence { request: self.request.clone(), state: None, report, transcript: Some(transcript) }
    }

    /// The job of holding it with `run`, for its check.
    pub fn job(
        self,
        run: impl FnOnce(&mut BotRunner, &Dialogue) -> Result<JobResult, SandboxError> + Send + 'static,
    ) -> Job {
        let (round, alone, moves) = (self.round, self.request.watch, self.moves);
        let checks: Vec<Id> = self.check.into_iter().collect();
        Job { round, alone, moves, ..Job::new(&checks, 1, move |runner| run(runner, &self)) }
    }
}

/// A dialogue that was held.
#[derive(Clone, Debug)]
pub struct DialogueResult {
    /// What the bot did wrong; the first is what the script saw, if it saw something.
    pub faults: Vec<Fault>,
    /// All of it.
    pub evidence: Evidence,
}

impl DialogueResult {
    /// The troubles of the dialogue of `dialogue`, one a fault, as seen under the special conditions of the check
    /// `seen_by`.
    pub fn failures(&self, dialogue: &Dialogue, seen_by: Option<Id>) -> Vec<Failure> {
        let failure = |fault: &Fault| {
            let finding = fault.clone().finding(&dialogue.case, &dialogue.about, self.evidence.clone());
            Failure::new(seen_by.filter(|_| !fault.incidental), finding)
        };
        self.faults.iter().map(failure).collect()
    }
}

impl BotRunner<'_> {
    /// Holds `dialogue`, again and alone if what was seen is doubtful: the first one counts then.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn run_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let result = match dialogue.request.watch {
            true => self.alone(|runner| runner.play(dialogue))?,
            false => self.in_parallel(|runner| runner.play(dialogue))?,
        };
        let by_load = |fault: &&Fault| fault.suspicion == Some(Suspicion::Load);
        let Some(doubtful) = result.faults.iter().find(by_load).cloned() else { return Ok(result) };
        let again = |runner: &mut Self| runner.play(dialogue);
        let shows = |_: &Self, result: &DialogueResult| result.faults.iter().any(|fault| fault.id == doubtful.id);
        let mut seen = match self.repeat(result, doubtful.id, REPEATS, again, shows)? {
            Repeated::NotConfirmed(result) => return Ok(result),
            Repeated::Confirmed(seen) => seen,
        };
        if self.shared.ids.fresh != doubtful.id || always_touched(&mut seen, &doubtful) {
            self.shared.confirm(doubtful.id);
        }
        Ok(seen.swap_remove(0))
    }

    /// The troubles of `dialogue`. What special conditions do not show a second time is intermittent, and not their
    /// doing.
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

    /// Holds `dialogue` once. A sandbox that fails once is replaced; one that fails again is a failure of the kit.
    fn play(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        self.play_in_sandbox(dialogue).or_else(|_| self.play_in_sandbox(dialogue))
    }

    fn play_in_sandbox(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let shared = self.shared;
        let sandbox = self.take_sandbox()?;
        let began = Instant::now();
        let mut talk = match sandbox.start(&dialogue.request)? {
            StartOutcome::Running(session) => DialogueSession::new(session, shared, dialogue.dribbled, began),
            StartOutcome::CannotStart(report, sandbox) => {
                self.put_sandbox(sandbox);
                shared.note(&dialogue.case, true, None, &report);
                let why =
                    not_started(&report).unwrap_or_else(|| format!("it cannot be started: {:?}", report.ended));
                let evidence = dialogue.evidence(*report, Transcript::default());
                return Ok(DialogueResult { faults: vec![Fault::of(shared.ids.start, why)], evidence });
            }
        };
        let fault = (dialogue.script)(&mut talk).map_err(SandboxError::Lost)?;
        let DialogueSession { session, transcript, slowest, answers, thought, .. } = talk;
        if let Some((_, slowest)) = &slowest {
            // The slowest of a dialogue is the first one, as a rule, and longer than what the others take.
            shared.budget.note(answers - 1, thought - *slowest);
        }
        let (report, transcript, sandbox) = end(session, dialogue, transcript, began)?;
        self.put_sandbox(sandbox);
        let placed = slowest.clone().map(|(place, took)| (format!("{} {place}", dialogue.case), took));
        shared.note(&dialogue.case, true, placed, &report);
        let faults = self.faults(dialogue, fault, slowest, &report);
        let report = RunReport { output: transcript.heard(), ..report };
        Ok(DialogueResult { faults, evidence: dialogue.evidence(report, transcript) })
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
        let mut faults: Vec<Fault> =
            fault.into_iter().chain(incidental_faults(ids, limits, report, slow, "game")).collect();
        let touched: Vec<&FileViolation> =
            report.file_violations.iter().filter(|trespass| !is_of_a_runtime(&trespass.path)).collect();
        if dialogue.request.watch && !touched.is_empty() {
            faults.push(Fault::of(ids.fresh, format!("it {}", in_words(&touched))).may_be_load());
        }
        faults
    }
}

/// Files count only if they were touched each time: other programs write to the same folders, but hardly to the same
/// place each time. Whether the fault is still one.
fn always_touched(seen: &mut [DialogueResult], fault: &Fault) -> bool {
    let runs: Vec<Evidence> = seen.iter().map(|result| result.evidence.clone()).collect();
    let always = touched_always(&runs);
    let of_bot = |trespass: &&FileViolation| always.contains(&place(&trespass.path));
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
        _ => "it was made to end".to_string(),
    };
    transcript.0.push(Entry { at: began.elapsed(), said: LineEvent::Note(how) });
    Ok((report, transcript, sandbox))
}

/// The fault of a bot that is gone, in the words of its end: `killed` by the system, or by itself with a status.
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
