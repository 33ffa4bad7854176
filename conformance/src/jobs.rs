//! The jobs of a suite: a bot is put through them in rounds, and a report is made of what they bring.
//!
//! The jobs of the first round show the bot in plain conditions. They are done one after another, whatever they take, and
//! one of them can end the check. Those of later rounds are done on all processors, as far as the budget goes.

use crate::attribution::{Observations, results};
use crate::bot_report::BotReport;
use crate::budget::{Budget, Remainder, Task};
use crate::catalog::Id;
use crate::games::{CheckRequest, Suite};
use crate::job::{Job, JobResult};
use crate::progress::Progress;
use crate::runner::BotRunner;
use crate::shared::SharedState;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::SandboxError;

/// A job, and where its findings stand among those of its round.
type RankedJob = ((bool, usize), Job);

/// A job that was done; no place: it could not be begun.
struct FinishedJob {
    place: Option<(bool, usize)>,
    checks: Vec<Id>,
    /// `None`: the bot had been given up.
    found: Option<Result<JobResult, SandboxError>>,
}

/// Puts `bot` through the checks of `suite`; `progress` hears how it goes.
///
/// # Errors
/// When the sandbox that is demanded is not available. Whatever the bot does, and a sandbox that fails midway, is in the
/// report.
pub fn check(
    suite: &'static dyn Suite,
    bot: &Bot,
    asked: &CheckRequest,
    progress: &mut dyn FnMut(Progress),
) -> Result<BotReport, SandboxError> {
    let bot = &suite.bot(bot, asked);
    let mut report = BotReport::unchecked(suite, bot, asked.seed);
    let (ids, clock) = (suite.ids(), suite.clock(asked));
    let budget = Budget::begin(suite.catalogue(), asked.budget, asked.fast);
    let shared = SharedState::new(bot, ids, clock, budget, asked.conditions);
    let mut runner = match BotRunner::open(&shared) {
        Ok(runner) => runner,
        Err(refused @ (SandboxError::LevelRefused { .. } | SandboxError::NotReady)) => return Err(refused),
        Err(failed) => {
            report.kit_failure = Some(failed.to_string());
            return Ok(report);
        }
    };
    report.isolation = Some(runner.isolation().clone());
    let rounds = |seen: &Observations, round| suite.next(asked, &shared, seen, round);
    let jobs = (0..).map_while(|round| rounds(&Observations::default(), round)).map(|jobs| jobs.len()).sum();
    let mut look = CheckRun {
        shared: &shared,
        progress,
        done: 0,
        jobs,
        seen: Observations::default(),
        remarks: Vec::new(),
        remainder: Remainder::default(),
        failure: None,
    };
    (look.progress)(Progress::Started { bot: &bot.name, jobs });
    for round in 0.. {
        let Some(jobs) = rounds(&look.seen, round) else { break };
        look.at(&mut runner, round, jobs);
        if look.seen.halted.is_some() || look.failure.is_some() {
            break;
        }
    }
    let CheckRun { mut seen, remarks, remainder, failure, .. } = look;
    progress(Progress::Advanced { bot: &bot.name, done: jobs, jobs });
    report.timing = shared.timing();
    report.left_out = shared.budget.left_out(&remainder, report.timing.runs);
    let checks = remainder.left.iter().flat_map(|task| task.job.iter().copied());
    seen.leave_out(checks, report.left_out.map(|left_out| left_out.why));
    seen.wrote_state = shared.wrote_state();
    if shared.given_up() {
        seen.give_up(shared.ids.start, shared.ids.time);
        let killed = "it had to be killed again and again, and was asked no more";
        report.remarks.extend((report.timing.runs > 1).then(|| killed.to_string()));
    }
    report.remarks.extend(remarks.into_iter().chain(shared.chatter()));
    if failure.is_none() {
        suite.attribute(&mut seen);
        report.results = results(suite.catalogue(), suite.follows(), &seen, asked.selected);
    }
    report.kit_failure = failure;
    Ok(report)
}

/// A check under way.
struct CheckRun<'a> {
    shared: &'a SharedState<'a>,
    progress: &'a mut dyn FnMut(Progress),
    done: usize,
    jobs: usize,
    seen: Observations,
    remarks: Vec<String>,
    /// The checks of the jobs that were left out.
    remainder: Remainder<Vec<Id>>,
    failure: Option<String>,
}

impl CheckRun<'_> {
    /// Does the jobs of a round, and takes what they bring in their order: whichever was done first, the report is the
    /// same.
    fn at(&mut self, runner: &mut BotRunner, round: usize, jobs: Vec<Job>) {
        let jobs = jobs.into_iter().enumerate().map(|(number, job)| ((!job.comes_first, number), job));
        let mut all: Vec<Box<FinishedJob>> = Vec::new();
        if round == 0 {
            for job in jobs {
                let done = run(runner, job);
                let halts = matches!(&done.found, Some(Ok(JobResult { halted: Some(_), .. }) | Err(_)));
                self.note(&done);
                all.push(done);
                if halts {
                    break;
                }
            }
        } else {
            let shared = self.shared;
            let task = |job: RankedJob| {
                let Job { round, alone, runs, moves, .. } = job.1;
                Task { round, alone, runs, moves, job }
            };
            let failed =
                |error| Box::new(FinishedJob { place: None, checks: Vec::new(), found: Some(Err(error)) });
            let left = shared.budget.spend(
                jobs.map(task).collect(),
                || BotRunner::open(shared).map_err(failed),
                run,
                &mut |done| {
                    self.note(&done);
                    all.push(done);
                },
            );
            self.remainder.add(left.map(|(_, job)| job.checks.clone()));
        }
        all.sort_by_key(|done| done.place);
        all.into_iter().for_each(|done| self.take(*done));
    }

    /// Notes that a job is done.
    fn note(&mut self, done: &FinishedJob) {
        let (bot, jobs) = (&self.shared.bot.name, self.jobs);
        self.done += 1;
        (self.progress)(Progress::Advanced { bot, done: self.done.min(jobs), jobs });
        for failure in done.found.iter().flatten().flat_map(|found| &found.failures) {
            self.shared.budget.note_trouble(failure.check(), failure.finding.severity);
        }
    }

    /// Takes what a job brought.
    fn take(&mut self, done: FinishedJob) {
        let found = match done.found {
            None => return,
            Some(Ok(found)) => found,
            // The first failure is the one to look at.
            Some(Err(failed)) => {
                self.failure.get_or_insert_with(|| failed.to_string());
                return;
            }
        };
        let seen = &mut self.seen;
        seen.failures.extend(found.failures);
        seen.blocked.extend(found.blocked);
        seen.plain.extend(found.plain);
        self.remarks.extend(found.remarks);
        match found.halted {
            Some(halted) => seen.halted = Some(halted),
            None => seen.judged.extend(found.judged.unwrap_or(done.checks)),
        }
    }
}

/// Does a job, unless the bot was given up meanwhile.
fn run(runner: &mut BotRunner, (place, job): RankedJob) -> Box<FinishedJob> {
    let found = (!runner.shared.given_up()).then(|| (job.run)(runner));
    Box::new(FinishedJob { place: Some(place), checks: job.checks, found })
}
