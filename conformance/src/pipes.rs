//! Runs of a bot that is started for every move: fed, read, and its state file kept or taken away.

pub mod protocol;
pub mod question;

use crate::catalog::Id;
use crate::finding::Evidence;
use crate::job::{Job, JobResult};
use crate::runner::{BotRunner, RepeatPolicy, Repeated};
use cornerman_harness::sandbox::{Ended, MarkClaim, RunReport, RunRequest, SandboxError, claim_marks};

/// Why a run is made, which decides how it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move as in a tournament: its time counts.
    Move,
    /// Something else, in which only a timeout is doubted.
    Special,
}

impl Purpose {
    /// A move is repeated twice, unless that has shown the same of the bot before; anything else once.
    fn repeats(self) -> RepeatPolicy {
        match self {
            Purpose::Move => RepeatPolicy { most: 2, skip_if_confirmed: true },
            Purpose::Special => RepeatPolicy { most: 1, skip_if_confirmed: false },
        }
    }
}

impl BotRunner<'_> {
    /// Claims the state files of `marks` where all bots share one `/tmp`.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn claim(&self, marks: &[u8]) -> Result<MarkClaim, SandboxError> {
        let marks = if self.isolation().level.shares_tmp() { marks } else { &[] };
        claim_marks(marks).map_err(|refused| SandboxError::Failed(format!("claiming state files: {refused}")))
    }

    /// The content of the state file of `mark`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn state(&mut self, mark: u8) -> Result<Option<Vec<u8>>, SandboxError> {
        let state = self.with_sandbox(|sandbox| sandbox.state(mark))?;
        if state.is_some() {
            self.shared.note_state();
        }
        Ok(state)
    }

    /// Gives the state file of `mark` this content, or removes it.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn put_state(&mut self, mark: u8, state: Option<&[u8]>) -> Result<(), SandboxError> {
        // A run for which the file system is watched has it to itself.
        self.in_parallel(|runner| runner.put(mark, state))
    }

    /// Removes the state files of `marks`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn forget(&mut self, marks: &[u8]) -> Result<(), SandboxError> {
        marks.iter().try_for_each(|&mark| self.put_state(mark, None))
    }

    fn put(&mut self, mark: u8, state: Option<&[u8]>) -> Result<(), SandboxError> {
        self.with_sandbox(|sandbox| match state {
            Some(content) => sandbox.set_state(mark, content),
            None => sandbox.clear_state(mark),
        })
    }

    /// One run from a state file of `state`, which is removed afterwards.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask(
        &mut self,
        case: &str,
        purpose: Purpose,
        request: &RunRequest,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let claim = request.mark.map(|mark| self.claim(&[mark])).transpose()?;
        let evidence = self.ask_claimed(case, purpose, request, state)?;
        if let Some(mark) = request.mark {
            self.put_state(mark, None)?;
        }
        drop(claim);
        Ok(evidence)
    }

    /// One run from a state file of `state`, whose mark is claimed already; the state file is left as it is.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask_claimed(
        &mut self,
        case: &str,
        purpose: Purpose,
        request: &RunRequest,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let first = self.in_parallel(|runner| runner.run(request, state))?;
        self.evidence(case, purpose, request, state, first)
    }

    /// One run with the machine to itself.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask_alone(
        &mut self,
        case: &str,
        purpose: Purpose,
        request: &RunRequest,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let first = self.alone(|runner| runner.run(request, state))?;
        self.evidence(case, purpose, request, state, first)
    }

    /// The evidence of a run, repeated if it is doubtful: the last one counts.
    fn evidence(
        &mut self,
        case: &str,
        purpose: Purpose,
        request: &RunRequest,
        state: Option<&[u8]>,
        first: RunReport,
    ) -> Result<Evidence, SandboxError> {
        let is_move = purpose == Purpose::Move;
        let report = match self.doubtful(purpose, &first) {
            None => first,
            Some(doubtful) => {
                let again = |runner: &mut Self| runner.run(request, state);
                let shows = |runner: &Self, report: &RunReport| runner.doubtful(purpose, report) == Some(doubtful);
                match self.repeat(first, doubtful, purpose.repeats(), again, shows)? {
                    Repeated::NotConfirmed(last) => last,
                    Repeated::Confirmed(mut seen) => {
                        if is_move {
                            self.shared.confirm(doubtful);
                        }
                        seen.pop().expect("the first is there")
                    }
                }
            }
        };
        let slowest = is_move.then(|| (case.to_string(), report.wall));
        // What is odd may well take longer, and is not what most runs are.
        if is_move {
            self.shared.budget.note(1, report.wall);
        }
        self.shared.note(case, is_move, slowest, &report);
        self.shared.note_end(is_move, &report);
        Ok(Evidence { request: request.clone(), state: state.map(<[u8]>::to_vec), report, transcript: None })
    }

    /// The check that the run fails by what may be a fault of the machine's load rather than of the bot.
    fn doubtful(&self, purpose: Purpose, report: &RunReport) -> Option<Id> {
        let ids = &self.shared.ids;
        match purpose {
            _ if report.ended == Ended::TimedOut => Some(ids.time),
            Purpose::Special => None,
            Purpose::Move if report.leftovers > 0 => Some(ids.orphan),
            Purpose::Move => (report.own_wall() > self.shared.bot.limits.soft).then_some(ids.slow),
        }
    }

    /// One run. A sandbox that fails once is replaced; one that fails again is a failure of the kit.
    fn run(&mut self, request: &RunRequest, state: Option<&[u8]>) -> Result<RunReport, SandboxError> {
        if let Some(mark) = request.mark {
            self.put(mark, state)?;
        }
        let report = self.with_sandbox(|sandbox| sandbox.run(request));
        let report = report.or_else(|_| self.with_sandbox(|sandbox| sandbox.run(request)))?;
        if report.ended == Ended::Starved {
            return Err(SandboxError::Starved { wall: report.wall, waited: report.waited });
        }
        // What a bot did to the copy of its own folder is not to be found there by its next run.
        if report.file_violations.iter().any(|trespass| trespass.path.starts_with(&self.shared.bot.program.folder))
        {
            self.with_sandbox(|sandbox| sandbox.renew())?;
        }
        Ok(report)
    }
}

/// A job for `checks` of about this many `runs`.
pub fn job(
    checks: &[Id],
    runs: u32,
    run: impl FnOnce(&mut BotRunner) -> question::Failures + Send + 'static,
) -> Job {
    Job::new(checks, runs, |runner| Ok(JobResult { failures: run(runner)?, ..JobResult::default() }))
}
