//! The suite: which jobs a bot is put through, by how many workers, and what comes of it.

use crate::attribute::{self, Seen};
use crate::case::{self, Case, RANDOM_CASES};
use crate::catalog::{Severity, id};
use crate::checks::{Found, Job, Trouble, answers, games, odd, running, state};
use crate::files;
use crate::finding::{BotReport, CheckResult};
use crate::runner::{Hand, Shared};
use crate::select::{SelectionError, select};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, SandboxError};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, mpsc};

/// The seed of the random arenas unless another is asked for: a check is the same every time.
pub const DEFAULT_SEED: u64 = 1994;

/// Where the files of failures go unless another folder is asked for, seen from the working directory.
pub const DEFAULT_FILES: &str = "target/cornerman/check";

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only checks that fit one of these: ids, beginnings of ids, patterns with `*`. Empty: all.
    pub run: Vec<String>,
    /// No checks that fit one of these.
    pub skip: Vec<String>,
    /// Whether a failed should counts as a must: for reports and the exit code, the checks are the same.
    pub strict: bool,
    /// Where the random arenas come from.
    pub seed: u64,
    /// The folder for the exact bytes of failures; `None`: none are written.
    pub files: Option<PathBuf>,
    /// The isolation that is demanded.
    pub conditions: Conditions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            run: Vec::new(),
            skip: Vec::new(),
            strict: false,
            seed: DEFAULT_SEED,
            files: Some(DEFAULT_FILES.into()),
            conditions: Conditions::default(),
        }
    }
}

/// How far the suite is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A bot's check begins.
    Started {
        /// The bot's name.
        bot: &'a str,
        /// How many jobs there are for it.
        jobs: usize,
    },
    /// One more job is done.
    Advanced {
        /// The bot's name.
        bot: &'a str,
        /// How many are done.
        done: usize,
        /// How many there are.
        jobs: usize,
    },
    /// The result of a check is known.
    Judged {
        /// The bot's name.
        bot: &'a str,
        /// What came of the check.
        result: &'a CheckResult,
    },
    /// All there is to say about a bot is known, and the files of its failures are written.
    Reported {
        /// The report.
        report: &'a BotReport,
    },
}

/// Why nothing was checked. What a bot does wrong is in its report, as is a sandbox that fails midway.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// What was selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// No sandbox can be had as demanded.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// No bot was given.
    #[error("no bot was given to be checked")]
    NoBot,
    /// The files of failures cannot be written.
    #[error("cannot write the bytes of a failure to {path}: {why}", path = .path.display())]
    Files {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        why: std::io::Error,
    },
}

/// The checks that have jobs of their own.
pub(crate) const SPECIAL: [&str; 22] = [
    id::CHAIN,
    id::SELF,
    id::STATE_COLD,
    id::STATE_STALE,
    id::STATE_CORRUPT,
    id::STATE_ONLY,
    id::STATE_SEP,
    id::RUN_CHUNK,
    id::RUN_OPEN,
    id::RUN_CWD,
    id::RUN_ENV,
    id::RUN_FILE,
    id::ODD_EMPTY,
    id::ODD_SHORT,
    id::ODD_LONG,
    id::ODD_CRLF,
    id::ODD_NUL,
    id::ODD_NOARG,
    id::ODD_LONGARG,
    id::ODD_EPIPE,
    id::DETERMINISM,
    id::NPLAYER,
];

/// Checks `bots`, one after another, each on all processors; `progress` hears how it goes.
///
/// # Errors
/// When there is nothing to do, the sandbox that is demanded cannot be had, or files cannot be written.
pub fn check(
    bots: &[Bot],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<BotReport>, SuiteError> {
    let selected = select(&options.run, &options.skip)?;
    if bots.is_empty() {
        return Err(SuiteError::NoBot);
    }
    let cases = Cases::of(options.seed);
    let folders = files::folder_names(bots);
    let mut reports = Vec::new();
    for (bot, folder) in bots.iter().zip(folders) {
        let mut report = check_one(bot, options, &selected, &cases, progress)?;
        if let Some(base) = &options.files {
            files::write(&base.join(folder), &mut report)?;
        }
        report.results.iter().for_each(|result| progress(Progress::Judged { bot: &bot.name, result }));
        progress(Progress::Reported { report: &report });
        reports.push(report);
    }
    Ok(reports)
}

/// All arenas of a seed.
struct Cases {
    all: Vec<Case>,
    seed: u64,
}

impl Cases {
    fn of(seed: u64) -> Cases {
        let random = (0..RANDOM_CASES).map(|at| case::random(seed, at));
        Cases { all: case::fixed().into_iter().chain(random).collect(), seed }
    }

    fn named(&self, name: &str) -> &Case {
        self.all.iter().find(|case| case.name == name).unwrap_or_else(|| panic!("there is no case `{name}`"))
    }

    fn several<const N: usize>(&self, names: [&str; N]) -> Vec<&Case> {
        names.map(|name| self.named(name)).into()
    }

    /// The jobs for `selected`: early ones first, those that need the machine alone last.
    fn jobs(&self, selected: &BTreeSet<String>) -> Vec<Job<'_>> {
        let mut jobs: Vec<Job> = answers::EARLY.map(|name| answers::early_job(self.named(name))).into();
        jobs.push(games::chain(self.named("document-start")));
        jobs.extend(games::whole_games(self.seed));
        let later = |case: &&Case| !answers::EARLY.contains(&case.name.as_str());
        // The marks of the document are those of the chain as well, which holds them for a whole game.
        let (documents, others): (Vec<&Case>, Vec<&Case>) =
            self.all.iter().filter(later).partition(|case| b"AB".contains(&case.mark));
        jobs.extend(others.into_iter().map(answers::job));
        jobs.push(state::cold(self.seed));
        jobs.push(state::stale(self.seed, self.several(["random-10", "random-30"])));
        jobs.push(state::corrupt(self.seed, self.several(["random-17", "random-40", "strips"])));
        jobs.extend(running::jobs(&self.several(["random-21", "three-marks"])));
        jobs.extend(odd::jobs(self.named("random-33")));
        jobs.extend(["hole-16", "random-50"].map(|name| answers::twice(self.named(name))));
        jobs.extend(documents.into_iter().map(answers::job));
        jobs.push(state::watched(self.named("document-partial"), b'A', None));
        jobs.push(state::watched(self.named("three-marks"), b'D', None));
        jobs.push(state::watched(self.named("hole-16"), b'X', Some(b"a note to myself\n")));
        jobs.retain(|job| job.checks.is_empty() || job.checks.iter().any(|id| selected.contains(*id)));
        jobs
    }
}

fn check_one(
    bot: &Bot,
    options: &Options,
    selected: &BTreeSet<String>,
    cases: &Cases,
    progress: &mut dyn FnMut(Progress),
) -> Result<BotReport, SuiteError> {
    let shared = Shared::new(bot, options.conditions);
    let jobs = cases.jobs(selected);
    let of = jobs.len();
    progress(Progress::Started { bot: &bot.name, jobs: of });
    let mut report = unchecked(bot, options.seed);
    let mut hand = match Hand::open(&shared) {
        Ok(hand) => hand,
        Err(refused @ (SandboxError::LevelRefused { .. } | SandboxError::NotReady)) => return Err(refused.into()),
        Err(failed) => {
            report.kit_failure = Some(failed.to_string());
            return Ok(report);
        }
    };
    report.isolation = Some(hand.isolation());
    let mut seen = Seen { done: judged_without_jobs(), ..Seen::default() };
    let mut done = 0;
    let mut found_by: Vec<(Place, Vec<Trouble>)> = Vec::new();
    let mut take = |Done { place, checks, found }: Done| {
        done += 1;
        progress(Progress::Advanced { bot: &bot.name, done, jobs: of });
        match found {
            Some(Ok(troubles)) => {
                found_by.push((place, troubles));
                seen.done.extend(checks);
            }
            // The first failure is the one to look at.
            Some(Err(failed)) => _ = report.kit_failure.get_or_insert_with(|| failed.to_string()),
            None => {}
        }
    };
    let mut jobs: Vec<(usize, Job)> = jobs.into_iter().enumerate().collect();
    let later = jobs.split_off(jobs.iter().take_while(|(_, job)| job.alone).count());
    let (alone, beside): (Vec<_>, Vec<_>) = later.into_iter().partition(|(_, job)| job.alone);
    jobs.into_iter().for_each(|job| take(run(job, &mut hand)));
    run_beside(&shared, beside, &mut take);
    alone.into_iter().for_each(|job| take(run(job, &mut hand)));
    // Whoever was done first, the report is the same.
    found_by.sort_by_key(|(place, _)| *place);
    seen.troubles = found_by.into_iter().flat_map(|(_, troubles)| troubles).collect();
    seen.wrote_state = shared.wrote_state();
    seen.given_up = shared.given_up();
    report.timing = shared.timing();
    report.remarks = remarks(&shared);
    if report.kit_failure.is_none() {
        report.results = attribute::results(seen, selected);
    }
    Ok(report)
}

/// The report about a bot of which nothing is known yet.
fn unchecked(bot: &Bot, seed: u64) -> BotReport {
    BotReport {
        name: bot.name.clone(),
        spec: bot.spec.clone(),
        program: bot.program.clone(),
        limits: bot.limits.clone(),
        seed,
        isolation: None,
        results: Vec::new(),
        timing: Default::default(),
        remarks: Vec::new(),
        kit_failure: None,
    }
}

/// Answers on arenas of many marks are asked along with all others.
fn judged_without_jobs() -> BTreeSet<&'static str> {
    BTreeSet::from([id::NPLAYER])
}

/// Where a job's findings stand in a report: single arenas, which are the simplest to look at, come first.
type Place = (bool, usize);

/// A job that was done.
struct Done {
    place: Place,
    checks: &'static [&'static str],
    /// `None`: the bot had been given up.
    found: Option<Found>,
}

/// Does a job, unless the bot was given up meanwhile.
fn run((number, job): (usize, Job), hand: &mut Hand) -> Done {
    let place = (!job.checks.is_empty(), number);
    let found = (!hand.shared.given_up()).then(|| (job.run)(hand));
    Done { place, checks: job.checks, found }
}

/// Does `jobs` on all processors, each worker with a sandbox of its own.
fn run_beside(shared: &Shared, jobs: Vec<(usize, Job)>, take: &mut dyn FnMut(Done)) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    let queue = Mutex::new(VecDeque::from(jobs));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut hand = match Hand::open(shared) {
                    Ok(hand) => hand,
                    Err(failed) => {
                        let done = Done { place: (true, usize::MAX), checks: &[], found: Some(Err(failed)) };
                        sender.send(done).ok();
                        return;
                    }
                };
                while let Some(job) = next() {
                    if sender.send(run(job, &mut hand)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.iter().for_each(take);
    });
}

fn remarks(shared: &Shared) -> Vec<String> {
    let mut remarks = Vec::new();
    if shared.given_up() && shared.timing().runs > 1 {
        remarks.push("it had to be killed again and again, and was asked no more".to_string());
    }
    if let Some((case, bytes)) = shared.chatter() {
        remarks.push(format!("it writes to standard error ({bytes} bytes on `{case}`); silence is better"));
    }
    remarks
}

/// The severity of what fails under `strict`.
pub(crate) fn fails(severity: Severity, strict: bool) -> bool {
    severity == Severity::Must || (strict && severity == Severity::Should)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalogue;

    #[test]
    fn a_selection_has_the_jobs_it_needs_and_no_others() {
        let cases = Cases::of(1);
        let count = |id: &str| cases.jobs(&BTreeSet::from([id.to_string()])).len();
        assert_eq!(count("BX-SELF"), count("BX-OUT-EOL") + 6);
        assert_eq!(count("BX-CHAIN"), count("BX-OUT-EOL") + 1);
    }

    #[test]
    fn every_check_with_jobs_has_one() {
        let all: BTreeSet<String> = Catalogue::boxing().checks.iter().map(|check| check.id.clone()).collect();
        let cases = Cases::of(1);
        let jobs = cases.jobs(&all);
        let done: BTreeSet<&str> = jobs.iter().flat_map(|job| job.checks).copied().collect();
        let nplayer = cases.all.iter().any(|case| case.group == case::Group::Nplayer);
        assert!(nplayer);
        for id in SPECIAL.into_iter().filter(|id| *id != id::NPLAYER) {
            assert!(done.contains(id), "nothing asks for {id}");
        }
    }
}
