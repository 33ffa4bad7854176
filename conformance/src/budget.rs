//! The time budget of a check, and which cases are run within it.
//!
//! After phase 0, jobs are done in rounds. The first round has the most informative cases of most checks; some checks
//! have only long cases, and short ones that stand in for them. It may exceed a short budget, up to a minute in all,
//! unless the budget is not 0 and the own time of the bot or of the judge of its game alone reaches it, and two
//! seconds. When the time is over, games in progress are broken off. If the long cases seem to fit into the rest of the
//! budget, they follow. If not, the short cases come before as many long ones as fit. They come last if it turns out
//! that long ones do not fit.

use crate::catalog::Id;
use crate::finding::{LeftOut, LeftOutReason};
use crate::jobs::Job;
use cornerman_harness::{machine, pool};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When a job is done, depending on the budget. No job is begun when the time is over, nor after a failed must in a
/// fast check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Whether or not it fits into a short budget.
    First,
    /// Only if the jobs of [`Round::Later`] do not all fit: then it stands in for some of them.
    Short,
    /// Only if it fits.
    Later,
}

/// The check may take this long up to the end of the first round, even if the budget is shorter, unless the bot or the
/// judge of its game is slow.
const LEAST: Duration = Duration::from_secs(60);

/// A bot or judge that has taken less than this of its own time is not slow, whatever the budget is.
const BRISK: Duration = Duration::from_secs(2);

/// The time budget for the check of one bot, and how much of it is used.
pub struct Budget {
    /// How long the check may take.
    time: Option<Duration>,
    fast: bool,
    began: Instant,
    spent: Mutex<Spent>,
}

/// What is known about the use of a budget.
#[derive(Clone, Default)]
struct Spent {
    /// Whether a must has failed in a fast check.
    is_stopped: bool,
    /// Whether the rounds have begun. Games before that, in plain conditions, are never broken off in a turn: what a
    /// bot does in it may fail a check.
    in_rounds: bool,
    /// The checks of jobs that were left out.
    checks_left: Vec<Id>,
    /// About how many runs were left out or broken off, at least one for each job.
    runs_left: u32,
    /// The number of runs of the short jobs that were to replace jobs that were left out, made or not.
    stand_ins: u32,
    /// The number of moves that were [noted](Budget::note), and the time that they and the judge's answers took
    /// together.
    moves: u32,
    time: Duration,
    /// The time of runs, without the time in which the bot waited for a processor. In a dialogue it includes the time
    /// in which the bot waits for the judge of its game.
    own: Duration,
    /// The time of all answers of the judge of the bot's game.
    judge: Duration,
}

impl Budget {
    /// The budget of a check that begins now and may take `time`, or any time if that is `None`. If `fast`, the check
    /// ends at the first failed must.
    pub(crate) fn begin(time: Option<Duration>, fast: bool) -> Budget {
        Budget { time, fast, began: Instant::now(), spent: Mutex::default() }
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is the bot or the judge of its game that uses up the budget, and not a busy machine. The bot has
    /// taken `more` than is noted. Never with a budget of 0, which asks for the first round and the short cases alone.
    fn is_of_slow_games(&self, more: Duration) -> bool {
        let Spent { own, judge, .. } = *self.spent();
        self.time.is_some_and(|time| !time.is_zero() && judge.max(own + more) >= BRISK.max(time))
    }

    /// When the time is over even for the first round; `None` if it is not limited. The bot has taken `more` than is
    /// noted.
    fn at_last(&self, more: Duration) -> Option<Instant> {
        let least = if self.is_of_slow_games(more) { Duration::ZERO } else { LEAST };
        self.time.and_then(|time| self.began.checked_add(time.max(least)))
    }

    /// When games in progress are broken off; `None` if they are not.
    pub(crate) fn breaks_off_at(&self) -> Option<Instant> {
        self.at_last(Duration::ZERO).filter(|_| self.spent().in_rounds)
    }

    /// Whether no time is left, not even for the first round. The bot has taken `more` than is noted, in a game that is
    /// not over.
    pub(crate) fn is_over_after(&self, more: Duration) -> bool {
        self.at_last(more).is_some_and(|at_last| Instant::now() >= at_last)
    }

    /// Notes that a run took `time`, without the time in which the bot waited for a processor.
    pub(crate) fn note_run(&self, time: Duration) {
        let own = &mut self.spent().own;
        *own = own.saturating_add(time);
    }

    /// Notes that the judge of the bot's game took `time` for its answers, which makes moves take longer.
    pub(crate) fn note_judge(&self, time: Duration) {
        let mut spent = self.spent();
        spent.judge = spent.judge.saturating_add(time);
        spent.time = spent.time.saturating_add(time);
    }

    /// How long the judge took, if that is more than half of the bot's own time.
    pub(crate) fn slow_judge(&self) -> Option<Duration> {
        let Spent { own, judge, .. } = *self.spent();
        (judge > own / 2).then_some(judge)
    }

    /// Notes that a job of this many `runs` was broken off.
    pub(crate) fn note_broken_off(&self, runs: u32) {
        self.spent().runs_left += runs;
    }

    /// Notes that `job` is left out.
    pub(crate) fn leave_out(&self, job: &Job) {
        let mut spent = self.spent();
        spent.checks_left.extend(&job.checks);
        spent.runs_left += job.runs;
    }

    /// How long the check has taken.
    pub(crate) fn took(&self) -> Duration {
        self.began.elapsed()
    }

    /// Notes that the bot took `time` for this many `moves` together.
    pub(crate) fn note(&self, moves: u32, time: Duration) {
        let mut spent = self.spent();
        spent.moves = spent.moves.saturating_add(moves);
        spent.time = spent.time.saturating_add(time);
    }

    /// Notes that a must has failed, which ends a fast check.
    pub(crate) fn note_failed_must(&self) {
        self.spent().is_stopped |= self.fast;
    }

    /// Whether this many moves fit into the time that is left if all processors are used.
    pub(crate) fn fits_on_all(&self, moves: u32) -> bool {
        self.fits(moves.div_ceil(machine::cores() as u32))
    }

    /// Whether this many moves fit into the time that is left if they are made one after another.
    fn fits(&self, moves: u32) -> bool {
        let Spent { moves: made, time, .. } = *self.spent();
        self.fits_at(time / made.max(1), moves)
    }

    /// The same if each move takes `pace`.
    pub(crate) fn fits_at(&self, pace: Duration, moves: u32) -> bool {
        self.time.is_none_or(|time| time.saturating_sub(self.took()) > pace.saturating_mul(moves))
    }

    fn allows(&self, job: &Job) -> bool {
        !self.spent().is_stopped
            && !self.is_over_after(Duration::ZERO)
            && (job.round != Round::Later || self.fits(job.moves))
    }

    /// Does `jobs` on all processors, round by round. Those that must be alone come at the end of their round. `open`
    /// and `work` are those of `pool::spread`; `take` receives the results.
    pub(crate) fn spend<W: Send, R: Send>(
        &self,
        mut jobs: Vec<Job>,
        idle: &mut Vec<W>,
        open: impl Fn() -> Result<W, R> + Sync,
        work: impl Fn(&mut W, Job) -> R + Sync,
        take: &mut dyn FnMut(R),
    ) {
        self.spent().in_rounds = true;
        let mut of_round = |round| -> Vec<Job> { jobs.extract_if(.., |job| job.round == round).collect() };
        let [first, mut short, later] = [Round::First, Round::Short, Round::Later].map(&mut of_round);
        let mut spread = |jobs: Vec<Job>| {
            let (alone, beside): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.alone);
            for (jobs, workers) in [(beside, pool::workers_that_wait()), (alone, 1)] {
                let open = || open().map_err(Some);
                let work = |own: &mut W, job: Job| {
                    if self.allows(&job) {
                        return Some(work(own, job));
                    }
                    self.leave_out(&job);
                    None
                };
                pool::spread(jobs, workers, idle, open, work, &mut |done| {
                    if let Some(done) = done {
                        take(done);
                    }
                });
            }
        };
        spread(first);
        let stand_ins: u32 = short.iter().map(|job| job.runs).sum();
        let are_first = !self.fits_on_all(later.iter().map(|job| job.moves).sum());
        if are_first {
            spread(std::mem::take(&mut short));
        }
        let before = self.spent().runs_left;
        spread(later);
        let are_last = self.spent().runs_left > before;
        if are_last {
            spread(short);
        }
        self.spent().stand_ins += if are_first || are_last { stand_ins } else { 0 };
    }

    /// The checks of jobs that were left out, and what the report says about these jobs after this many `runs`; `None`
    /// if nothing was left out.
    pub(crate) fn left_out(&self, runs: u32) -> (Vec<Id>, Option<LeftOut>) {
        let Spent { checks_left, runs_left, stand_ins, is_stopped, .. } = self.spent().clone();
        let why = if is_stopped { LeftOutReason::Fast } else { LeftOutReason::Budget };
        // A whole check has no stand-ins, and each of them is among the runs that were made or that were left out.
        let planned = (runs + runs_left).saturating_sub(stand_ins).max(runs);
        (checks_left, (runs_left > 0).then_some(LeftOut { planned, why }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::JobResult;

    fn job(round: Round, moves: u32, name: Id) -> Job {
        Job { round, moves, ..Job::new(&[name], 1, |_| Ok(JobResult::default())) }
    }

    /// The jobs done, in alphabetical order, and how much was left out.
    fn spent(budget: Option<Duration>, fast: bool) -> (String, Option<LeftOut>) {
        let budget = Budget::begin(budget, fast);
        budget.note(1, Duration::from_secs(100));
        let jobs = vec![
            job(Round::Later, 1000, "long"),
            job(Round::First, 1, "a"),
            job(Round::Short, 1, "s"),
            job(Round::First, 1, "b"),
        ];
        let mut done = Vec::new();
        let work = |_: &mut (), job: Job| {
            budget.note_failed_must();
            job.checks[0]
        };
        budget.spend(jobs, &mut Vec::new(), || Ok(()), work, &mut |job| done.push(job));
        done.sort_unstable();
        (done.join(" "), budget.left_out(done.len() as u32).1)
    }

    #[test]
    fn jobs_that_do_not_fit_are_replaced_by_short_ones() {
        assert_eq!(spent(None, false), ("a b long".to_string(), None));
        assert_eq!(spent(Some(Duration::from_secs(1_000_000)), false), ("a b long".to_string(), None));
        let left_out = Some(LeftOut { planned: 3, why: LeftOutReason::Budget });
        assert_eq!(spent(Some(Duration::ZERO), false), ("a b s".to_string(), left_out));
    }

    #[test]
    fn a_bot_or_judge_that_is_very_slow_does_not_hold_up_the_check() {
        let job = || job(Round::First, 1, "a");
        // A budget, what the bot or the judge took of it, and whether the first round goes on when the budget is spent.
        let cases = [
            (Duration::ZERO, Duration::from_secs(1000), true),
            (Duration::from_secs(1), Duration::from_secs(1), true),
            (Duration::from_secs(1), Duration::from_secs(2), false),
            (Duration::from_secs(20), Duration::from_secs(19), true),
            (Duration::from_secs(20), Duration::from_secs(20), false),
        ];
        let by: [fn(&Budget, Duration); 2] = [Budget::note_run, Budget::note_judge];
        for (note, (time, took, goes_on)) in by.iter().flat_map(|note| cases.map(|case| (note, case))) {
            let budget = Budget::begin(Some(time), false);
            note(&budget, took);
            let at = |since_begin| {
                let began =
                    Instant::now().checked_sub(since_begin).expect("the machine runs for longer than that");
                Budget { began, spent: Mutex::new(budget.spent().clone()), ..Budget::begin(Some(time), false) }
            };
            assert_eq!(at(time).allows(&job()), goes_on, "{time:?}, {took:?}");
            // A game that is not over counts like those that are noted.
            let unnoted = Budget { spent: Mutex::default(), ..at(time) };
            assert_eq!(unnoted.is_over_after(took), !goes_on, "{time:?}, {took:?}");
            let late = at(LEAST);
            // The games in plain conditions come before all rounds.
            assert_eq!((late.allows(&job()), late.breaks_off_at()), (false, None));
            let work = |_: &mut (), _: Job| ();
            late.spend(vec![job()], &mut Vec::new(), || Ok(()), work, &mut |()| ());
            let left = late.spent().runs_left;
            assert_eq!((left, late.breaks_off_at()), (1, late.at_last(Duration::ZERO)));
        }
    }

    #[test]
    fn a_fast_check_stops_at_the_first_failed_must() {
        let (done, left_out) = spent(None, true);
        assert!(!done.contains("long"), "{done}");
        assert_eq!(left_out.map(|left_out| left_out.why), Some(LeftOutReason::Fast));
    }
}
