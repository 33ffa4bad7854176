//! A job: some runs of a bot for some checks, and what came of them.

use crate::attribution::Failure;
use crate::budget::Round;
use crate::catalog::Id;
use crate::finding::Evidence;
use crate::runner::BotRunner;
use cornerman_harness::sandbox::SandboxError;

/// Some runs of the bot that belong together.
pub struct Job {
    /// The checks it is for, which are judged once it is done.
    pub checks: Vec<Id>,
    /// Whether its findings come first in a report: it is what is simplest to look at.
    pub comes_first: bool,
    /// Whether it needs the machine to itself.
    pub alone: bool,
    /// When it is done.
    pub round: Round,
    /// How many runs it takes, about, of a bot without faults.
    pub runs: u32,
    /// How many moves the bot makes in it, about.
    pub moves: u32,
    /// Does it.
    pub run: Run,
}

/// What a job does.
pub type Run = Box<dyn FnOnce(&mut BotRunner) -> Result<JobResult, SandboxError> + Send>;

/// What came of a job.
#[derive(Debug, Default)]
pub struct JobResult {
    /// All troubles.
    pub failures: Vec<Failure>,
    /// The checks it judged, if they are not those it is for.
    pub judged: Option<Vec<Id>>,
    /// Checks that could not be judged, and the one that is why.
    pub blocked: Vec<(Id, Id)>,
    /// What showed the bot as in any game, for the jobs and the settlement that depend on it.
    pub plain: Vec<Evidence>,
    /// What is worth knowing and fails no check.
    pub remarks: Vec<String>,
    /// No more is to be asked, as this check failed.
    pub halted: Option<Id>,
}

impl Job {
    /// A job for `checks` of about this many `runs`, a move each, beside others, among the first.
    pub fn new(
        checks: &[Id],
        runs: u32,
        run: impl FnOnce(&mut BotRunner) -> Result<JobResult, SandboxError> + Send + 'static,
    ) -> Job {
        let (checks, run) = (checks.to_vec(), Box::new(run));
        Job { checks, comes_first: false, alone: false, round: Round::First, runs, moves: runs, run }
    }

    /// The same in another round of the budget.
    #[must_use]
    pub fn in_round(self, round: Round) -> Job {
        Job { round, ..self }
    }
}
