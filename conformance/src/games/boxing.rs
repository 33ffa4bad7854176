//! The suite of The Boxing Match: which jobs a bot is put through, and what comes of them.
//!
//! Data takes one way: cases and special conditions become [jobs](checks), jobs run the bot and bring troubles,
//! [`attribute`] decides which check each of them fails, and a report is made of that.

pub mod attribute;
pub mod case;
pub mod checks;
pub mod runner;
pub mod verdict;

use super::{Asked, Suite};
use crate::budget::{Round, Task};
use crate::catalog::id;
use crate::finding::BotReport;
use crate::suite::{Progress, SuiteError};
use attribute::Seen;
use case::{Case, RANDOM_CASES};
use checks::{Found, Job, Trouble, answers, games, odd, running, state};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::SandboxError;
use runner::{Hand, Shared};
use std::collections::BTreeSet;

/// The checks that have jobs of their own.
const SPECIAL: [&str; 22] = [
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

/// The numbers of the random arenas that every bot is asked about: from nearly full to nearly open.
const FIRST_RANDOM: [&str; 4] = ["2", "9", "31", "64"];

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

    /// The jobs for `selected`: early ones first.
    fn jobs(&self, selected: &BTreeSet<String>) -> Vec<Job<'_>> {
        let mut jobs: Vec<Job> = answers::EARLY.map(|name| answers::early_job(self.named(name))).into();
        jobs.push(games::chain(self.named("document-start")));
        jobs.push(games::short_chain(self.seed));
        jobs.extend(games::whole_games(self.seed));
        let later = |case: &&Case| !answers::EARLY.contains(&case.name.as_str());
        // The marks of the document are those of the chain as well, which holds them for a whole game.
        let (documents, others): (Vec<&Case>, Vec<&Case>) =
            self.all.iter().filter(later).partition(|case| b"AB".contains(&case.mark));
        jobs.extend(others.into_iter().map(first_or_later));
        jobs.push(state::cold(self.seed));
        jobs.push(state::stale(self.seed, self.several(["random-10", "random-30"])));
        jobs.push(state::corrupt(self.seed, self.several(["random-17", "random-40", "strips"])));
        jobs.extend(running::jobs(&self.several(["random-21", "three-marks"])));
        jobs.extend(odd::jobs(self.named("random-33")));
        jobs.extend(["hole-16", "random-50"].map(|name| answers::twice(self.named(name))));
        jobs.extend(documents.into_iter().map(first_or_later));
        jobs.push(state::watched(self.named("document-partial"), b'A', None));
        jobs.push(state::watched(self.named("three-marks"), b'D', None));
        jobs.push(state::watched(self.named("hole-16"), b'X', Some(b"a note to myself\n")));
        jobs.retain(|job| job.checks.is_empty() || job.checks.iter().any(|id| selected.contains(*id)));
        jobs
    }
}

/// The suite, as all games know it.
pub struct Boxing;

impl Suite for Boxing {
    fn game(&self) -> &'static str {
        "boxing"
    }

    fn check(
        &self,
        bot: &Bot,
        asked: &Asked,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<BotReport, SuiteError> {
        check_one(bot, asked, &Cases::of(asked.options.seed), progress)
    }
}

fn check_one(
    bot: &Bot,
    asked: &Asked,
    cases: &Cases,
    progress: &mut dyn FnMut(Progress),
) -> Result<BotReport, SuiteError> {
    let (options, selected) = (asked.options, asked.selected);
    let shared = Shared::new(bot, options);
    let jobs = cases.jobs(selected);
    let of = jobs.len();
    progress(Progress::Started { bot: &bot.name, jobs: of });
    let mut report = BotReport::unchecked("boxing", bot, options.seed);
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
                let note =
                    |trouble: &Trouble| shared.budget.note_trouble(trouble.check(), trouble.finding.severity);
                troubles.iter().for_each(note);
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
    jobs.into_iter().for_each(|job| take(run(job, &mut hand)));
    let failed = |error| Done { place: (true, usize::MAX), checks: &[], found: Some(Err(error)) };
    let remainder = shared.budget.spend(
        later.into_iter().map(task).collect(),
        || Hand::open(&shared).map_err(failed),
        |hand, job| run(job, hand),
        &mut take,
    );
    progress(Progress::Advanced { bot: &bot.name, done: of, jobs: of });
    report.left_out = shared.budget.left_out(&remainder, shared.timing().runs);
    let checks = remainder.left.iter().map(|task| task.job.1.checks);
    seen.leave_out(checks, report.left_out.map(|left_out| left_out.why));
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

/// Answers on arenas of many marks are asked along with all others, in plain conditions.
fn judged_without_jobs() -> BTreeSet<&'static str> {
    BTreeSet::from([id::NPLAYER, attribute::PLAIN])
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

fn task((number, job): (usize, Job<'_>)) -> Task<(usize, Job<'_>)> {
    Task { round: job.round, alone: job.alone, runs: job.runs, moves: job.runs, job: (number, job) }
}

/// The job of an arena. Those that were made for something, and a few random ones, are asked in the first round.
fn first_or_later(case: &Case) -> Job<'_> {
    let random = case.name.strip_prefix("random-");
    let later = random.is_some_and(|number| !FIRST_RANDOM.contains(&number));
    answers::job(case).in_round(if later { Round::Later } else { Round::First })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalogue;

    #[test]
    fn a_selection_has_the_jobs_it_needs_and_no_others() {
        let cases = Cases::of(1);
        let count = |id: &str| {
            let jobs = cases.jobs(&BTreeSet::from([id.to_string()]));
            jobs.iter().filter(|job| job.round != Round::Short).count()
        };
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
