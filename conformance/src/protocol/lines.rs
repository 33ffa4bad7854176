//! Games in lines, in which a bot is one process that reads and writes lines: a script holds a dialogue with the bot
//! and judges its answers, and the transcript is the evidence.
//!
//! A game's suite defines [`Dialogue`]s: how the bot is started, and a script that talks to it through a
//! [`DialogueSession`] until something is wrong. A [`BotRunner`] runs them and returns a
//! [`DialogueResult`]. [`crate::attribution`] decides which check each finding fails.
//!
//! In most dialogues a game is played, by the same code for all games. What differs from game to game is in a
//! `LineGame`: how the game begins, what an answer is, and what else may be wrong with an answer.

pub(crate) mod conditions;
mod diagnosis;
pub(crate) mod game;
mod play;
mod session;
pub(crate) mod suite;
pub(crate) mod transcript;

pub(crate) use session::{DialogueSession, LineRead, Played, Stop, Talk};
pub use transcript::{LineEvent, TimedEvent, Transcript};

use crate::budget::Round;
use crate::catalog::Id;
use crate::conduct::{conduct_causes, killed, left_running, not_started, slow_cause};
use crate::finding::{Cause, Evidence, Finding, IfEnded};
use crate::jobs::{Job, JobResult};
use crate::runner::{BotRunner, LateAnswer, SharedState};
use cornerman_harness::sandbox::{Ended, RunReport, RunRequest, SandboxError, StartOutcome};
use cornerman_harness::text::{duration, signal_name};
use game::{GameDialogue, LinePlan, Watch};
use session::AnswerTime;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The default of [`Dialogue::grace`].
pub(crate) const GRACE: Duration = Duration::from_millis(200);

/// A dialogue with a bot, as it is planned: a game, or a part of one.
pub(crate) struct Dialogue {
    /// The check with special conditions that it is for; `None` if the conditions are plain.
    pub check: Option<Id>,
    /// The name of the case in reports.
    pub case: String,
    /// The game.
    pub plan: LinePlan,
    /// When the bot is watched closely.
    pub watch: Watch,
    /// How the bot is started.
    pub request: RunRequest,
    /// Whether the bot gets its input byte by byte.
    pub dribbled: bool,
    /// How long the bot has to end after the end of its input: by itself in the first half, and when a signal asks it
    /// to in the second. Then it is killed. With zero, it is killed at once.
    pub grace: Duration,
    /// When it is run, depending on the budget.
    pub round: Round,
    /// About how many moves the bot makes in it.
    pub moves: u32,
    /// Plays the game.
    pub play: Play,
}

/// Talks to a bot until something is wrong. It may be called several times, in games of their own.
pub(crate) type Play = Box<dyn Fn(&mut GameDialogue) -> Played + Send + Sync>;

impl Dialogue {
    fn evidence(&self, report: RunReport, transcript: Transcript) -> Evidence {
        let Dialogue { case, plan, request, .. } = self;
        let (case, about, request) = (case.clone(), plan.about.clone(), request.clone());
        Evidence { case, about, request, state: None, report, transcript: Some(transcript) }
    }

    /// The same dialogue in another round of the budget.
    #[must_use]
    pub(crate) fn in_round(self, round: Round) -> Dialogue {
        Dialogue { round, ..self }
    }

    /// The job for the check of this dialogue; `run` runs the dialogue and says what it shows.
    pub(crate) fn job<R: Into<JobResult> + 'static>(
        self,
        run: impl FnOnce(&mut BotRunner, &Dialogue) -> Result<R, SandboxError> + Send + 'static,
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
pub(crate) struct DialogueResult {
    /// What the bot did wrong. The cause that the script found comes first, if there is one.
    pub causes: Vec<Cause>,
    /// The run and its transcript.
    pub evidence: Evidence,
    /// What is known about the last line that did not come in time, if the script found a cause; or else about an
    /// answer that was slow.
    pub late: Option<LateAnswer>,
}

impl DialogueResult {
    /// What the bot did wrong in the game itself.
    pub(crate) fn of_play(&self) -> impl Iterator<Item = &Cause> {
        self.causes.iter().filter(|cause| !cause.incidental)
    }

    /// Whether the bot did nothing wrong in the game itself.
    pub(crate) fn is_whole(&self) -> bool {
        self.of_play().next().is_none()
    }

    /// The findings in this result, one per cause, as seen under the special conditions of the check `seen_by`, if any.
    pub(crate) fn findings(&self, seen_by: Option<Id>) -> Vec<Finding> {
        let seen_by = |cause: &Cause| seen_by.filter(|_| !cause.incidental);
        let finding = |cause: &Cause| Finding::new(seen_by(cause), cause.clone(), self.evidence.clone());
        self.causes.iter().map(finding).collect()
    }
}

impl BotRunner<'_> {
    /// Runs `dialogue`, and again if what it shows may not be the bot's fault, as
    /// [`until_certain`](Self::until_certain) says.
    pub(crate) fn run_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, SandboxError> {
        let mut result =
            self.until_certain(|runner| runner.play(dialogue), |result| (result.late, &result.evidence.report))?;
        let orphan = self.shared.checks.id("ORPHAN");
        if result.causes.iter().any(|cause| cause.check == orphan) {
            self.shared.known().confirmed.insert(orphan);
        }
        if dialogue.request.watch {
            let again = |runner: &mut Self| Ok(runner.play(dialogue)?.evidence.report);
            result.causes.extend(self.touched_each_time(None, &result.evidence.report, again)?);
        }
        Ok(result)
    }

    /// Runs `dialogue` and returns what it shows. Findings under special conditions that a second run does not show are
    /// marked as intermittent.
    pub(crate) fn findings(
        &mut self,
        dialogue: &Dialogue,
    ) -> Result<(Vec<Finding>, DialogueResult), SandboxError> {
        let result = self.run_dialogue(dialogue)?;
        let mut findings = result.findings(dialogue.check);
        if findings.iter().any(|finding| finding.special_check().is_some()) {
            let again = self.run_dialogue(dialogue)?;
            for finding in findings.iter_mut().filter(|finding| finding.special_check().is_some()) {
                if !again.causes.iter().any(|cause| cause.check == finding.cause.check) {
                    finding.mark_intermittent();
                }
            }
        }
        Ok((findings, result))
    }

    /// Starts the bot with `args` and returns what `talk` finds out in a dialogue with it; false if the bot cannot be
    /// started.
    pub(crate) fn finds_out(
        &mut self,
        args: Vec<OsString>,
        talk: impl FnOnce(&mut DialogueSession) -> Talk<bool>,
    ) -> Result<bool, SandboxError> {
        let session = match self.take_sandbox()?.start(&RunRequest::for_game(args))? {
            StartOutcome::Running(session) => session,
            StartOutcome::CannotStart(report, sandbox) => {
                self.put_sandbox(sandbox)?;
                self.shared.note_end(false, &report);
                return Ok(false);
            }
        };
        let mut session = DialogueSession::new(session, self.shared, false, Instant::now());
        let found = talk(&mut session)?;
        let (report, sandbox) = session.session.finish(session.limits.hard)?;
        self.put_sandbox(sandbox)?;
        self.shared.note_end(false, &report);
        Ok(found)
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
                self.put_sandbox(sandbox)?;
                shared.note(&dialogue.case, true, None, &report);
                let why = not_started(&report).unwrap_or_else(|| report.ended.to_string());
                let evidence = dialogue.evidence(*report, Transcript::default());
                let causes = vec![Cause::new(shared.checks.id("START"), why)];
                return Ok(DialogueResult { causes, evidence, late: None });
            }
        };
        let cause = match GameDialogue::play(&mut session, dialogue) {
            Ok(()) | Err(Stop::Over) => None,
            Err(Stop::Cause(cause)) => Some(cause),
            Err(Stop::Failed(error)) => {
                if session.is_broken_off {
                    let (_, sandbox) = session.session.finish(Duration::ZERO)?;
                    self.put_sandbox(sandbox)?;
                    self.is_broken_off = true;
                }
                return Err(error);
            }
        };
        let DialogueSession { session, mut transcript, slowest, beyond_minimum, answers, thought, late, .. } =
            session;
        if let Some((_, slowest)) = &slowest {
            // The slowest answer is usually the first one, and not typical of the others.
            shared.budget.note(answers - 1, thought - slowest.own_wall);
        }
        let (report, mut sandbox) = session.finish(dialogue.grace)?;
        transcript.0.push(TimedEvent { at: began.elapsed(), event: ending(&report) });
        if self.wrote_to_its_folder(&report) {
            sandbox.renew()?;
        }
        self.put_sandbox(sandbox)?;
        let placed = slowest.clone().map(|(place, took)| (format!("{} {place}", dialogue.case), took.own_wall));
        shared.note(&dialogue.case, true, placed, &report);
        let cause = cause
            .and_then(|cause| at_the_end(cause, &report, killed(&report, limits), shared.checks.id("SIGNAL")));
        let slow = slowest.filter(|(_, took)| took.own_wall > limits.soft).or(beyond_minimum);
        let slow = slow.filter(|_| cause.is_none());
        let slow_answer = slow.as_ref().map(|(_, took)| LateAnswer::new(limits.soft, took.waited));
        let late = if cause.is_some() { late } else { slow_answer };
        let causes = self.causes(cause, slow, &report);
        let report = RunReport { output: transcript.received(), ..report };
        Ok(DialogueResult { causes, evidence: dialogue.evidence(report, transcript), late })
    }

    fn causes(&self, cause: Option<Cause>, slow: Option<(String, AnswerTime)>, report: &RunReport) -> Vec<Cause> {
        let SharedState { checks, bot, clock, .. } = self.shared;
        let limits = &bot.limits;
        let slow = slow.map(|(place, took)| {
            let slow = format!("{place}: the answer took {}", duration(took.own_wall));
            match clock.filter(|_| took.own_wall <= limits.soft) {
                None => slow_cause(checks, limits, slow),
                Some(clock) => {
                    let minimum = duration(clock.minimum);
                    let what = format!(
                        "{slow} after `time`, and is in time only as it used less than {minimum} of processor time"
                    );
                    Cause::new(checks.id("SLOW"), what).warning().incidental()
                }
            }
        });
        let mut causes: Vec<Cause> = cause.into_iter().chain(slow).collect();
        causes.extend(conduct_causes(self.shared, report, None, self.watches_every_run(), "game"));
        let known = |cause: &Cause| causes.iter().any(|other| other.check == cause.check);
        // A process that was left behind fails the check of leftover processes alone.
        let is_left = left_running(report) > 0;
        let helpers = self.helpers(report).filter(|cause| !is_left && !known(cause));
        causes.extend(helpers);
        causes
    }

    /// What is wrong with a bot that had other processes, or threads if these count, at any time.
    fn helpers(&self, report: &RunReport) -> Option<Cause> {
        let checks = self.shared.checks;
        let counts_threads = checks.named("THREADS").is_some();
        let made =
            report.tasks.made.filter(|made| counts_threads && *made > 1 && !self.shared.runtime_has_threads());
        let what = match made {
            Some(made) => format!("it had {made} processes and threads in one game, one after another or at once"),
            None if report.tasks.helpers => "it started another process".to_string(),
            None => return None,
        };
        Some(Cause::new(checks.named("HELPERS")?, what).warning().incidental())
    }
}

/// The end of a transcript: how the bot ended.
fn ending(report: &RunReport) -> LineEvent {
    LineEvent::Note(match &report.ended {
        Ended::Exited(status) => format!("it ended with status {status}"),
        Ended::Signalled(signal) => format!("it died by signal {signal}{}", signal_name(*signal)),
        Ended::OutOfMemory => "it was killed for using too much memory".to_string(),
        _ => "it was stopped".to_string(),
    })
}

/// `cause`, decided and completed by how the bot ended, as [`Cause::ended`] asks: `killed` by the system, or by
/// itself with a status. `None` if it ended as it may.
fn at_the_end(cause: Cause, report: &RunReport, killed: Option<String>, signal: Id) -> Option<Cause> {
    let was_killed = killed.is_some();
    let how = killed.unwrap_or_else(|| match report.ended {
        Ended::Exited(status) => format!("it ended with status {status}"),
        _ => "it closed its output".to_string(),
    });
    let what = format!("{}: {how}", cause.what);
    match cause.ended {
        Some(IfEnded::ByItself) if was_killed => Some(Cause { check: signal, what, ended: None, ..cause }),
        Some(IfEnded::ByItself) => Some(Cause { what, ended: None, ..cause }),
        Some(IfEnded::BySignal) => was_killed.then_some(Cause { what, ended: None, ..cause }),
        _ => Some(cause),
    }
}
