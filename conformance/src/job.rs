//! A job: runs of a bot for one or several checks, and their result.

use crate::budget::Round;
use crate::catalog::Id;
use crate::conduct::CommonCheckIds;
use crate::finding::{Evidence, Finding};
use crate::runner::BotRunner;
use cornerman_harness::sandbox::SandboxError;

/// Runs of a bot that belong together.
pub struct Job {
    /// The checks that it is for. They count as judged once it is done.
    pub checks: Vec<Id>,
    /// Whether its findings come first in a report, because they are the easiest to understand.
    pub comes_first: bool,
    /// Whether no other job may run at the same time.
    pub alone: bool,
    /// Whether the file system is watched, so that no other job may run at the same time where bots share their folders
    /// with other programs.
    pub watched: bool,
    /// When it runs, depending on the budget.
    pub round: Round,
    /// About how many runs it takes for a bot without faults.
    pub runs: u32,
    /// About how many moves the bot makes in it.
    pub moves: u32,
    /// Does the work.
    pub run: Run,
}

/// The work of a job.
pub(crate) type Run = Box<dyn FnOnce(&mut BotRunner) -> Result<JobResult, SandboxError> + Send>;

/// The result of a job.
#[derive(Debug, Default)]
pub struct JobResult {
    /// All findings.
    pub findings: Vec<Finding>,
    /// The checks that it judged; `None` if they are the job's [`checks`](Job::checks).
    pub judged: Option<Vec<Id>>,
    /// Checks that could not be judged, each with the failed check that prevented it.
    pub blocked: Vec<(Id, Id)>,
    /// Runs in plain conditions, for later jobs and for the attribution of findings.
    pub plain: Vec<Evidence>,
    /// Remarks that fail no check.
    pub remarks: Vec<String>,
    /// The failed check because of which the whole check ends here.
    pub halted: Option<Id>,
}

impl JobResult {
    /// The same result, of a run or dialogue in plain conditions, with the judged ones of `checks`. A finding that
    /// leaves no answer to judge decides only its own check and those for which `despite` returns true.
    #[must_use]
    pub(crate) fn judging(
        mut self,
        ids: &CommonCheckIds,
        checks: Vec<Id>,
        despite: impl Fn(&Finding, Id) -> bool,
    ) -> JobResult {
        let hinders = |finding: &&mut Finding| {
            !finding.cause.incidental && finding.special_check().is_none() && ids.exit != Some(finding.check())
        };
        self.judged = Some(match self.findings.iter_mut().find(hinders) {
            None => checks,
            Some(finding) => {
                let own = finding.check();
                let (judged, unjudged) = checks.into_iter().partition(|id| *id == own || despite(finding, id));
                finding.conditions.unjudged = unjudged;
                judged
            }
        });
        self
    }
}

impl Job {
    /// A job for `checks` that takes about this many `runs` of one move each. It runs in the first round and in
    /// parallel with others.
    pub(crate) fn new(
        checks: &[Id],
        runs: u32,
        run: impl FnOnce(&mut BotRunner) -> Result<JobResult, SandboxError> + Send + 'static,
    ) -> Job {
        let checks = checks.to_vec();
        let run = Box::new(run);
        Job {
            checks,
            comes_first: false,
            alone: false,
            watched: false,
            round: Round::First,
            runs,
            moves: runs,
            run,
        }
    }

    /// The same job in another round of the budget.
    #[must_use]
    pub(crate) fn in_round(self, round: Round) -> Job {
        Job { round, ..self }
    }
}
