//! Runs the jobs of a suite for one bot, phase by phase, and makes the report from their results.
//!
//! The jobs of the first phase run the bot in plain conditions, one after another; the first of them regardless of the
//! budget. Each can end the whole check. Those of later phases run on all processors, as far as the budget allows.

use crate::attribution::{Observations, results};
use crate::bot_report::{BotReport, Progress};
use crate::budget::{Budget, Remainder, Task};
use crate::catalog::Id;
use crate::finding::{CheckResult, Finding, LeftOutReason, Outcome, Timing};
use crate::games::{CheckRequest, Suite};
use crate::job::{Job, JobResult};
use crate::runner::BotRunner;
use crate::shared::SharedState;
use crate::start_error;
use cornerman_harness::bot::Bot;
use cornerman_harness::judge;
use cornerman_harness::pool;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::text::{count, duration};
use cornerman_harness::toolchain::hint_for_unseen_file;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// A job, and the rank of its findings among those of its phase.
type RankedJob = ((bool, usize), Job);

/// A job that was done.
struct FinishedJob {
    /// `None` if the worker could not open a sandbox, so that no job was begun.
    rank: Option<(bool, usize)>,
    checks: Vec<Id>,
    took: Duration,
    /// `None` if the bot had been given up before, or the job was broken off.
    found: Option<Result<JobResult, SandboxError>>,
}

/// Puts `bot` through the checks of `suite`. `progress` is called when the check begins and after each job.
pub(crate) fn check(
    suite: &'static dyn Suite,
    bot: &Bot,
    request: &CheckRequest,
    progress: &mut dyn FnMut(Progress),
) -> Result<BotReport, SandboxError> {
    let bot = &suite.bot(bot, request);
    let mut report = BotReport::unchecked(suite, bot, request.seed);
    let ids = suite.ids();
    let clock = suite.clock(request);
    let budget = Budget::begin(suite.catalogue(), request.budget, request.fast);
    let shared = SharedState::new(bot, ids, clock, budget, request.conditions);
    let runner = match BotRunner::open(&shared) {
        Ok(runner) => runner,
        Err(refused @ (SandboxError::LevelRefused { .. } | SandboxError::NotReady)) => return Err(refused),
        Err(failed) => {
            report.kit_failure = Some(failed.to_string());
            return Ok(report);
        }
    };
    report.isolation = Some(runner.isolation().clone());
    let phases = |seen: &Observations, phase| suite.phase_jobs(request, &shared, seen, phase);
    let jobs = (0..).map_while(|phase| phases(&Observations::default(), phase)).map(|jobs| jobs.len()).sum();
    let mut run = CheckRun {
        suite,
        shared: &shared,
        runners: vec![runner],
        selected: request.selected,
        progress,
        done: 0,
        jobs,
        seen: Observations::default(),
        remarks: Vec::new(),
        took: BTreeMap::new(),
        remainder: Remainder::default(),
        finding: None,
    };
    (run.progress)(Progress::Started { bot: &bot.name, jobs });
    for phase in 0.. {
        let Some(jobs) = phases(&run.seen, phase) else { break };
        run.phase(phase, jobs);
        if run.seen.halted.is_some() || run.finding.is_some() {
            break;
        }
    }
    let CheckRun { mut seen, remarks, remainder, finding, took, .. } = run;
    progress(Progress::Advanced { bot: &bot.name, done: jobs, jobs });
    report.timing = shared.timing();
    report.left_out = shared.budget.left_out(&remainder, report.timing.runs);
    let checks = remainder.left.iter().flat_map(|task| task.job.iter().copied());
    seen.leave_out(checks, report.left_out.map(|left_out| left_out.why));
    seen.wrote_state = shared.wrote_state();
    if shared.given_up() {
        seen.give_up(shared.ids.start, shared.ids.time);
        let killed = "it had to be killed repeatedly, so the check ended early";
        report.remarks.extend((report.timing.runs > 1).then(|| killed.to_string()));
    }
    seen.require_an_answer(shared.ids.start);
    report.remarks.extend(remarks.into_iter().chain(shared.stderr_remark()));
    if finding.is_none() {
        suite.attribute(&mut seen);
        report.results = results(suite.catalogue(), suite.follows(), &seen, request.selected);
        for result in &mut report.results {
            result.took = took.get(result.check.id.as_str()).copied().unwrap_or_default();
        }
        report.remarks.extend(out_of_time(&report, &shared));
        report.nothing_judged = !report
            .results
            .iter()
            .any(|result| result.outcome.is_judged() && request.selected.contains(&result.check.id));
    }
    report.remarks.extend(out_of_sight(bot, &report.results));
    report.kit_failure = finding;
    Ok(report)
}

/// A remark on a bot or a judge for which the budget was too short, with figures.
fn out_of_time(report: &BotReport, shared: &SharedState) -> Option<String> {
    let is_left_out = |result: &CheckResult| result.outcome == Outcome::LeftOut(LeftOutReason::Budget);
    report.results.iter().find(|result| is_left_out(result))?;
    let Timing { runs, slowest, .. } = &report.timing;
    let runs = count(*runs, "run");
    let spent = duration(shared.budget.spent());
    let longer = "a longer `--budget` judges more, and `--full` all";
    if let Some(judge) = shared.budget.slow_judge() {
        let judge = duration(judge);
        let took = format!("{runs} took {spent}, and its answers in all games together {judge}");
        return Some(format!("the game's judge is slow: {took}; {longer}"));
    }
    let slowest =
        slowest.as_ref().map(|(case, took)| format!(", the slowest answer {} ({case})", duration(*took)));
    Some(format!("it is slow: {runs} took {spent}{}; {longer}", slowest.unwrap_or_default()))
}

/// A remark on what a failed bot may have missed: a file beside it, or the modules of a virtual environment.
fn out_of_sight(bot: &Bot, results: &[CheckResult]) -> Option<String> {
    let failed = results.iter().filter_map(|result| match &result.outcome {
        Outcome::Fail(findings) => Some(String::from_utf8_lossy(&findings[0].evidence.report.stderr)),
        _ => None,
    });
    let said: Vec<_> = failed.filter(|said| !said.is_empty()).collect();
    let from = Path::new(&bot.spec);
    let sees = |file: &Path| {
        let whole = std::path::absolute(from).map(|whole| whole.with_file_name("").join(file));
        whole.is_ok_and(|whole| bot.program.parts.contains(&whole))
    };
    said.iter().find_map(|said| hint_for_unseen_file(from, sees, said)).or_else(|| {
        let environment = std::env::var_os("VIRTUAL_ENV")?;
        let misses_module = said.iter().any(|said| said.contains("ModuleNotFoundError"));
        let environment = environment.display();
        misses_module.then(|| {
            format!(
                "it runs with the Python of the machine, without the modules of the virtual environment {environment}: \
                 hand in a folder with the modules that it needs"
            )
        })
    })
}

/// The check of one bot in progress.
struct CheckRun<'a> {
    suite: &'static dyn Suite,
    shared: &'a SharedState<'a>,
    /// The idle runners, at least one.
    runners: Vec<BotRunner<'a>>,
    selected: &'a BTreeSet<String>,
    progress: &'a mut dyn FnMut(Progress),
    done: usize,
    jobs: usize,
    seen: Observations,
    remarks: Vec<String>,
    /// How long the jobs of each check took. The time of a job for several checks is divided between them.
    took: BTreeMap<Id, Duration>,
    /// The jobs that were left out, as the checks that they were for.
    remainder: Remainder<Vec<Id>>,
    finding: Option<String>,
}

impl CheckRun<'_> {
    /// Does the jobs of a phase and records their results in the order of the jobs, not in the order in which they were
    /// done, so that the report is always the same.
    fn phase(&mut self, phase: usize, jobs: Vec<Job>) {
        let mut runners = std::mem::take(&mut self.runners);
        let jobs = jobs.into_iter().enumerate().map(|(number, job)| ((!job.comes_first, number), job));
        let mut all: Vec<Box<FinishedJob>> = Vec::new();
        let shared = self.shared;
        let watches_every_run = runners[0].watches_every_run();
        let open = || {
            let failed = |error| FinishedJob {
                rank: None,
                checks: Vec::new(),
                took: Duration::ZERO,
                found: Some(Err(error)),
            };
            BotRunner::open(shared).map_err(|error| Box::new(failed(error)))
        };
        let task = |job: RankedJob| {
            let Job { round, alone, watched, runs, moves, .. } = job.1;
            let alone = alone || watched && !watches_every_run;
            Task { round, alone, runs, moves, job }
        };
        let left = if phase == 0 {
            let mut left = Remainder::default();
            for job in jobs {
                if self.done > 0 && shared.budget.is_over() {
                    left.left.push(task(job));
                    continue;
                }
                let mut halts = false;
                pool::spread(vec![job], 1, &mut runners, open, run_job, &mut |mut done| {
                    if let Some(Ok(found)) = &mut done.found {
                        start_error::explain(found, |text| self.suite.is_answer(text));
                    }
                    halts = matches!(&done.found, Some(Ok(JobResult { halted: Some(_), .. }) | Err(_)));
                    self.note(&done);
                    all.push(done);
                });
                if halts {
                    break;
                }
            }
            left
        } else {
            shared.budget.spend(jobs.map(task).collect(), &mut runners, open, run_job, &mut |done| {
                self.note(&done);
                all.push(done);
            })
        };
        self.remainder.add(left.map(|(_, job)| job.checks.clone()));
        self.runners = runners;
        all.sort_by_key(|done| done.rank);
        for done in all {
            self.record(*done);
        }
    }

    /// Reports progress, and tells the budget which checks have failed.
    fn note(&mut self, done: &FinishedJob) {
        let bot = &self.shared.bot.name;
        let jobs = self.jobs;
        self.done += 1;
        (self.progress)(Progress::Advanced { bot, done: self.done.min(jobs), jobs });
        // A finding that the report would not show must not end the check.
        let counts = |finding: &&Finding| {
            [finding.check()].iter().chain(&finding.conditions.unjudged).any(|id| self.selected.contains(*id))
        };
        for finding in done.found.iter().flatten().flat_map(|found| &found.findings).filter(counts) {
            self.shared.budget.note_failed(finding.check(), finding.cause.severity);
        }
    }

    /// Records the result of a job.
    fn record(&mut self, done: FinishedJob) {
        let share = done.took / done.checks.len().max(1) as u32;
        for id in &done.checks {
            *self.took.entry(id).or_default() += share;
        }
        let found = match done.found {
            None => return,
            Some(Ok(found)) => found,
            // Later errors may only be consequences of the first.
            Some(Err(failed)) => {
                self.finding.get_or_insert_with(|| failed.to_string());
                return;
            }
        };
        let seen = &mut self.seen;
        seen.findings.extend(found.findings);
        seen.blocked.extend(found.blocked);
        seen.plain.extend(found.plain);
        self.remarks.extend(found.remarks);
        match found.halted {
            Some(halted) => seen.halted = Some(halted),
            None => seen.judged.extend(found.judged.unwrap_or(done.checks)),
        }
    }
}

/// Does a job, unless the bot has been given up.
fn run_job(runner: &mut BotRunner, (rank, job): RankedJob) -> Box<FinishedJob> {
    let began = Instant::now();
    let judged_before = judge::answer_time_of_this_thread();
    let mut found = (!runner.shared.given_up()).then(|| (job.run)(runner));
    runner.shared.budget.note_judge(judge::answer_time_of_this_thread().saturating_sub(judged_before));
    let conduct = std::mem::take(&mut runner.conduct);
    if std::mem::take(&mut runner.is_broken_off) {
        runner.shared.budget.note_broken_off(job.runs);
        found = None;
    }
    if let Some(Ok(found)) = &mut found {
        found.findings.extend(conduct);
    }
    Box::new(FinishedJob { rank: Some(rank), checks: job.checks, took: began.elapsed(), found })
}
