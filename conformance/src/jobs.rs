//! Jobs: some runs of a bot for one or several checks. A suite provides them phase by phase, and the report is made
//! from their results.
//!
//! The jobs of phase 0 run the bot in plain conditions, one after another, and each can end the whole check. Those of
//! later phases run on all processors, as far as the budget allows.

use crate::attribution::{Observations, results};
use crate::bot_report::BotReport;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, Severity};
use crate::finding::{CheckResult, Evidence, Finding, LeftOutReason, Outcome, Timing};
use crate::runner::{BotRunner, SharedState};
use crate::start_error;
use cornerman_harness::bot::Bot;
use cornerman_harness::judge;
use cornerman_harness::pool;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::text::{count, duration};
use cornerman_harness::toolchain::hint_for_unseen_file;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs of a bot that belong together.
pub struct Job {
    /// The checks that it is for. They count as judged once it is done, unless its result says otherwise.
    pub checks: Vec<Id>,
    /// Whether its findings come before others of its phase in a report, because they are the easiest to understand.
    pub comes_first: bool,
    /// Whether no other job may run at the same time.
    pub alone: bool,
    /// Whether the file system is watched. Where bots share folders with other programs, no other job may run at the
    /// same time.
    pub watched: bool,
    /// When it runs, depending on the budget.
    pub round: Round,
    /// About how many runs it takes for a bot without faults.
    pub runs: u32,
    /// About how many moves the bot makes in it.
    pub moves: u32,
    /// Does the work.
    pub run: Run,
    /// Its place among the jobs of its phase.
    pub place: usize,
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

impl From<Vec<Finding>> for JobResult {
    fn from(findings: Vec<Finding>) -> JobResult {
        JobResult { findings, ..JobResult::default() }
    }
}

impl JobResult {
    /// The same result, in which `checks` are judged. If there is a finding in plain conditions that is about more than
    /// conduct or the exit status, only its own check is judged, and those for which `despite` returns true.
    #[must_use]
    pub(crate) fn judging(
        mut self,
        catalogue: &Catalogue,
        checks: Vec<Id>,
        despite: impl Fn(&Finding, Id) -> bool,
    ) -> JobResult {
        let hinders = |finding: &&mut Finding| {
            let is_of_answer = !finding.cause.incidental && finding.special_check().is_none();
            is_of_answer && !catalogue.is_any(finding.check(), &["EXIT"])
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
    /// A job for `checks` that takes about this many `runs` of one move each, in the first round and beside other jobs.
    pub(crate) fn new<R: Into<JobResult>>(
        checks: &[Id],
        runs: u32,
        run: impl FnOnce(&mut BotRunner) -> Result<R, SandboxError> + Send + 'static,
    ) -> Job {
        Job {
            checks: checks.to_vec(),
            comes_first: false,
            alone: false,
            watched: false,
            round: Round::First,
            runs,
            moves: runs,
            run: Box::new(|runner| Ok(run(runner)?.into())),
            place: 0,
        }
    }

    /// The same job in another round of the budget.
    #[must_use]
    pub(crate) fn in_round(self, round: Round) -> Job {
        Job { round, ..self }
    }
}

/// A job that was done.
#[derive(Default)]
struct FinishedJob {
    /// Decides the order of the findings of a phase.
    rank: (bool, usize),
    checks: Vec<Id>,
    took: Duration,
    /// `None` if the bot had been given up, or the job was broken off.
    found: Option<Result<JobResult, SandboxError>>,
}

/// Does the check of `shared`. `progress` is called after each job, and when no more are done.
pub(crate) fn check(
    shared: &SharedState,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<BotReport, SandboxError> {
    let mut report = BotReport::unchecked(shared);
    let runner = match BotRunner::open(shared) {
        Ok(runner) => runner,
        Err(refused @ (SandboxError::LevelRefused { .. } | SandboxError::NotReady)) => return Err(refused),
        Err(failed) => {
            report.kit_failure = Some(failed.to_string());
            report.took = shared.budget.took();
            return Ok(report);
        }
    };
    report.isolation = Some(runner.isolation().clone());
    let phases = |seen: &Observations, phase| shared.suite.phase_jobs(shared, seen, phase);
    let jobs = (0..).map_while(|phase| phases(&Observations::default(), phase)).map(|jobs| jobs.len()).sum();
    let mut run =
        CheckRun { shared, progress, done: 0, jobs, seen: Observations::default(), took: BTreeMap::new(), report };
    let mut runners = vec![runner];
    for phase in 0.. {
        let Some(jobs) = phases(&run.seen, phase) else { break };
        run.phase(phase, jobs, &mut runners);
        if run.seen.halted.is_some() || run.report.kit_failure.is_some() {
            break;
        }
    }
    Ok(run.conclude())
}

/// A remark with figures, if checks were not judged because the bot, or the judge of its game, is too slow for the
/// budget.
fn out_of_time(report: &BotReport, shared: &SharedState) -> Option<String> {
    let is_left_out = |result: &CheckResult| result.outcome == Outcome::LeftOut(LeftOutReason::Budget);
    report.results.iter().find(|result| is_left_out(result))?;
    let Timing { runs, slowest, .. } = &report.timing;
    let runs = count(*runs, "run");
    let spent = duration(shared.budget.took());
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

/// A remark on what a bot that fails may have missed, by its standard error: a file beside it, or the modules of a
/// virtual environment.
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
    shared: &'a SharedState<'a>,
    progress: &'a mut dyn FnMut(usize, usize),
    done: usize,
    jobs: usize,
    seen: Observations,
    /// How long the jobs of each check took. The time of a job for several checks is divided among them.
    took: BTreeMap<Id, Duration>,
    report: BotReport,
}

impl<'a> CheckRun<'a> {
    /// Does the jobs of a phase. Their results are recorded in the order of the jobs, beginning with those that have
    /// [`Job::comes_first`], and not in the order in which they were done, so that the report is always the same. At
    /// least one of the `runners` is idle, before and afterwards.
    fn phase(&mut self, phase: usize, mut jobs: Vec<Job>, runners: &mut Vec<BotRunner<'a>>) {
        let mut all: Vec<Box<FinishedJob>> = Vec::new();
        let shared = self.shared;
        for (place, job) in jobs.iter_mut().enumerate() {
            job.place = place;
            job.alone |= job.watched && !runners[0].watches_every_run();
        }
        let open = || {
            let failed = |error| Box::new(FinishedJob { found: Some(Err(error)), ..FinishedJob::default() });
            BotRunner::open(shared).map_err(failed)
        };
        if phase == 0 {
            for job in jobs {
                // One job is done however little time there is.
                if self.done > 0 && shared.budget.is_over_after(Duration::ZERO) {
                    shared.budget.leave_out(&job);
                    continue;
                }
                let mut halts = false;
                pool::spread(vec![job], 1, runners, open, run_job, &mut |mut done| {
                    if let Some(Ok(found)) = &mut done.found {
                        start_error::explain(found, |text| shared.suite.is_answer(text));
                    }
                    halts = matches!(&done.found, Some(Ok(JobResult { halted: Some(_), .. }) | Err(_)));
                    self.note(&done);
                    all.push(done);
                });
                if halts {
                    break;
                }
            }
        } else {
            let mut take = |done: Box<FinishedJob>| {
                self.note(&done);
                all.push(done);
            };
            shared.budget.spend(jobs, runners, open, run_job, &mut take);
        }
        all.sort_by_key(|done| done.rank);
        for done in all {
            self.record(*done);
        }
    }

    /// The report of what the jobs have shown.
    fn conclude(self) -> BotReport {
        let CheckRun { shared, progress, jobs, mut seen, mut report, .. } = self;
        let SharedState { bot, suite, selected, .. } = shared;
        progress(jobs, jobs);
        report.timing = shared.known().timing.clone();
        let (left, left_out) = shared.budget.left_out(report.timing.runs);
        seen.leave_out(&left, left_out.map(|left_out| left_out.why));
        report.left_out = left_out;
        seen.wrote_state = shared.known().wrote_state;
        let start = shared.checks.id("START");
        if shared.given_up() {
            seen.give_up(start, shared.checks.id("TIME"));
            let killed = "it had to be killed repeatedly, so the check ended early";
            report.remarks.extend((report.timing.runs > 1).then(|| killed.to_string()));
        }
        seen.require_an_answer(start);
        report.remarks.extend(shared.stderr_remark());
        if report.kit_failure.is_none() {
            suite.attribute(&mut seen);
            report.results = results(suite.catalogue(), &seen, selected);
            for result in &mut report.results {
                result.took = self.took.get(result.check.id.as_str()).copied().unwrap_or_default();
            }
            report.remarks.extend(out_of_time(&report, shared));
            let is_judged =
                |result: &CheckResult| result.outcome.is_judged() && selected.contains(&result.check.id);
            report.nothing_judged = !report.results.iter().any(is_judged);
        }
        report.remarks.extend(out_of_sight(bot, &report.results));
        report.took = shared.budget.took();
        report
    }

    /// Reports progress, and notes whether a must has failed.
    fn note(&mut self, done: &FinishedJob) {
        let SharedState { selected, checks, budget, .. } = self.shared;
        self.done += 1;
        (self.progress)(self.done.min(self.jobs), self.jobs);
        // A finding that the report does not show must not end the check.
        let counts = |finding: &&Finding| {
            [finding.check()].iter().chain(&finding.conditions.unjudged).any(|id| selected.contains(*id))
        };
        let is_must = |finding: &&Finding| {
            finding.cause.severity == Severity::Must
                && checks.get(finding.check()).is_some_and(|check| check.severity == Severity::Must)
        };
        let mut found = done.found.iter().flatten().flat_map(|found| &found.findings).filter(counts);
        if found.any(|finding| is_must(&finding)) {
            budget.note_failed_must();
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
                self.report.kit_failure.get_or_insert_with(|| failed.to_string());
                return;
            }
        };
        let seen = &mut self.seen;
        seen.findings.extend(found.findings);
        seen.blocked.extend(found.blocked);
        seen.plain.extend(found.plain);
        self.report.remarks.extend(found.remarks);
        match found.halted {
            Some(halted) => seen.halted = Some(halted),
            None => seen.judged.extend(found.judged.unwrap_or(done.checks)),
        }
    }
}

/// Does a job, unless the bot has been given up.
fn run_job(runner: &mut BotRunner, job: Job) -> Box<FinishedJob> {
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
    Box::new(FinishedJob { rank: (!job.comes_first, job.place), checks: job.checks, took: began.elapsed(), found })
}
