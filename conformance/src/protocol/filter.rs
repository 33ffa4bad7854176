//! Games in which a bot is a filter, a process for each move: its runs, with or without a state file.

pub(crate) mod conditions;
pub(crate) mod games;
pub(crate) mod question;
pub(crate) mod state;
pub(crate) mod suite;

use crate::conduct::{conduct_causes, left_running};
use crate::finding::{Evidence, Finding};
use crate::runner::{BotRunner, LateAnswer};
use cornerman_harness::player::marks::{MarkClaim, claim_marks, move_request, state_file};
use cornerman_harness::sandbox::{Ended, RunReport, RunRequest, SandboxError};
use question::Question;
use std::time::Instant;

/// The content of a state file that no bot has a reason to open.
pub(crate) const NOTES_OF_ANOTHER: &[u8] = b"none of your business\n";

/// The purpose of a run, which decides how its time counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A move as in a tournament. Slowness counts.
    Move,
    /// A run under special conditions. Of time, only the hard limit counts.
    Special,
}

impl BotRunner<'_> {
    /// Claims the state files of `marks`, if all bots of the machine share one `/tmp`, so that no other check uses
    /// them until the claim is dropped.
    pub(crate) fn claim(&self, marks: &[u8]) -> Result<MarkClaim, SandboxError> {
        let marks = if self.isolation().level.shares_tmp() { marks } else { &[] };
        claim_marks(marks).map_err(|refused| SandboxError::Failed(format!("claiming state files: {refused}")))
    }

    /// The content of the state file of `mark`; `None` if there is none.
    pub(crate) fn state(&mut self, mark: u8) -> Result<Option<Vec<u8>>, SandboxError> {
        let state = self.with_sandbox(|sandbox| sandbox.state(&state_file(mark)))?;
        if state.is_some() {
            self.shared.known().wrote_state = true;
        }
        Ok(state)
    }

    /// Gives the state file of `mark` this content, or removes it.
    pub(crate) fn put_state(&mut self, mark: u8, state: Option<&[u8]>) -> Result<(), SandboxError> {
        let path = state_file(mark);
        self.with_sandbox(|sandbox| match state {
            Some(content) => sandbox.set_state(&path, content),
            None => sandbox.clear_state(&path),
        })
    }

    /// What the state file of `mark` contains while the bot does not play that mark: notes that no bot has a reason
    /// to open, so that every run can show a bot that opens them. `None` if other programs could come across the
    /// file.
    pub(crate) fn bait(&self, mark: u8) -> Option<&'static [u8]> {
        // No file can have this mark in its name.
        (self.watches_every_run() && mark != b'/').then_some(NOTES_OF_ANOTHER)
    }

    /// Removes the state files of `marks`, or puts [bait](Self::bait) in their place.
    pub(crate) fn put_states(&mut self, marks: &[u8]) -> Result<(), SandboxError> {
        marks.iter().try_for_each(|&mark| self.put_state(mark, self.bait(mark)))
    }

    /// Does `work` while the state files of `marks` are claimed. Afterwards they are removed, or there is
    /// [bait](Self::bait) in their place.
    pub(crate) fn claiming<T>(
        &mut self,
        marks: &[u8],
        work: impl FnOnce(&mut Self) -> Result<T, SandboxError>,
    ) -> Result<T, SandboxError> {
        let _claim = self.claim(marks)?;
        let done = work(self)?;
        self.put_states(marks)?;
        Ok(done)
    }

    /// One run with `state` in the state file, or without one.
    pub(crate) fn ask(
        &mut self,
        question: &Question,
        purpose: Purpose,
        request: &RunRequest,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        self.claiming(&[question.mark], |runner| runner.ask_claimed(question, purpose, request, state))
    }

    /// One run with `state` in the state file, or without one; repeated if what it shows may not be the bot's fault,
    /// as [`until_certain`](Self::until_certain) says. The caller must have claimed the mark. The state file is left
    /// as the bot left it.
    pub(crate) fn ask_claimed(
        &mut self,
        question: &Question,
        purpose: Purpose,
        request: &RunRequest,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let is_move = purpose == Purpose::Move;
        let (_, report) = self.until_certain(
            |runner| {
                let report = runner.run(question.mark, request, state)?;
                Ok((runner.late(purpose, &report), report))
            },
            |(late, report)| (*late, report),
        )?;
        if is_move && left_running(&report) > 0 {
            self.shared.known().confirmed.insert(self.shared.checks.id("ORPHAN"));
        }
        let slowest = is_move.then(|| (question.case.clone(), report.wall));
        // Runs under special conditions may take longer, and are not typical.
        if is_move {
            self.shared.budget.note(1, report.wall);
        }
        self.shared.note(&question.case, is_move, slowest, &report);
        self.shared.note_end(is_move, &report);
        let state = state.map(<[u8]>::to_vec);
        let Question { case, about, .. } = question.clone();
        let evidence = Evidence { case, about, request: request.clone(), state, report, transcript: None };
        self.note_conduct(question, &evidence);
        Ok(evidence)
    }

    /// Notes what the bot did in a run besides its answer, whatever the run was for.
    fn note_conduct(&mut self, question: &Question, evidence: &Evidence) {
        let request = &evidence.request;
        let report = &evidence.report;
        // Without its own mark as the argument, a bot cannot know which file is its own.
        let mark = Some(question.mark).filter(|mark| request.args == move_request(*mark, b"").args);
        let touched_count = mark.is_some() && self.watches_every_run();
        let causes = conduct_causes(self.shared, report, mark, touched_count, "move");
        // One finding of each check is enough for a job.
        for cause in causes {
            let is_known =
                |known: &Finding| known.cause.check == cause.check && known.cause.severity >= cause.severity;
            if !self.conduct.iter().any(is_known) {
                self.conduct.push(Finding::new(None, cause, evidence.clone()));
            }
        }
    }

    /// What is known about the answer of a run, if it was late.
    fn late(&self, purpose: Purpose, report: &RunReport) -> Option<LateAnswer> {
        let limits = &self.shared.bot.limits;
        let limit = if report.ended == Ended::TimedOut {
            Some(limits.hard).filter(|_| !report.waits_for_input)
        } else {
            Some(limits.soft).filter(|soft| purpose == Purpose::Move && report.own_wall() > *soft)
        };
        let RunReport { waited, rested, .. } = *report;
        Some(LateAnswer { limit: limit?, waited, used: report.cpu.total(), rested })
    }

    /// One run, unless there is no time left. If the sandbox fails, a new one is tried; if that fails too, it is an
    /// error.
    pub(crate) fn run(
        &mut self,
        mark: u8,
        request: &RunRequest,
        state: Option<&[u8]>,
    ) -> Result<RunReport, SandboxError> {
        if self.shared.budget.breaks_off_at().is_some_and(|until| Instant::now() >= until) {
            self.is_broken_off = true;
            return Err(SandboxError::Failed("the job was broken off".to_string()));
        }
        let mut put_and_run = || {
            self.put_state(mark, state)?;
            self.with_sandbox(|sandbox| sandbox.run(request))
        };
        let report = put_and_run().or_else(|_| put_and_run())?;
        if report.ended == Ended::Starved {
            return Err(SandboxError::Starved { wall: report.wall, waited: report.waited });
        }
        // The next run must not find what the bot wrote into the copy of its own folder.
        if self.wrote_to_its_folder(&report) {
            self.with_sandbox(|sandbox| sandbox.renew())?;
        }
        Ok(report)
    }
}
