//! How a run handles reports that arrive in time, late, twice or never.

use super::*;
use crate::record::{EntrantRecord, Role, SeatRecord};
use cornerman::contest::{Contest, Field, Participants, Stage};
use cornerman::formats::{Board, Format, all_play_all};
use cornerman::game::{End, Outcome};
use std::error::Error;
use std::sync::Mutex;

/// How a job ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// It is played.
    Over,
    /// It is played, and everything is reported twice.
    Twice,
    /// It is lost.
    Lost,
    /// It is reported as lost, and later as over.
    LostThenOver,
}
use Fate::{Lost, LostThenOver, Over, Twice};

/// Workers that do one job after another.
struct Scripted {
    /// How the first game ends, offer by offer; all others are played.
    fates: &'static [Fate],
    /// How often the first game was offered.
    offers: usize,
    waiting: VecDeque<Job>,
    reports: VecDeque<WorkerReport>,
}

impl Workers for Scripted {
    fn offer(&mut self, jobs: Vec<Job>) {
        self.offers += jobs.iter().filter(|job| job.pairing.id == FIRST).count();
        self.waiting.extend(jobs);
    }

    fn take_back(&mut self) -> Vec<Job> {
        self.waiting.drain(..).collect()
    }

    fn at_once(&self) -> usize {
        2
    }

    fn next(&mut self, _: Duration) -> Option<WorkerReport> {
        if self.reports.is_empty() {
            let job = self.waiting.pop_front()?;
            let id = job.pairing.id;
            let fate = self.fate(&job);
            let begun = WorkerReport::Begun(id);
            let lost = WorkerReport::Lost { id, why: "it disconnected".to_string() };
            let over = WorkerReport::Over(Box::new(played(job)));
            self.reports.extend(match fate {
                Over => vec![begun, over],
                Twice => vec![begun.clone(), begun, over.clone(), over],
                Lost => vec![begun, lost],
                LostThenOver => vec![begun, lost, over],
            });
        }
        self.reports.pop_front()
    }
}

impl Scripted {
    fn fate(&self, job: &Job) -> Fate {
        let fate = self.fates.get(self.offers - 1).copied().unwrap_or(Over);
        if job.pairing.id == FIRST { fate } else { Over }
    }
}

const FIRST: GameId = GameId { stage: 0, round: 0, table: 0, game: 0 };

/// The games of three entrants, each pair on one board in both orders.
const GAMES: usize = 6;

fn contest() -> Contest {
    let settings = all_play_all::Settings { boards: Some(vec![Board(0)]), ..Default::default() };
    Contest::new(Field::new(3, 0), vec![Stage { format: Format::AllPlayAll(settings), who: Participants::All }], 1)
        .unwrap()
}

fn setup(pairing: &Pairing) -> Setup {
    Setup { seats: pairing.seats.len() as u8, board: vec![b'-'; 4], marks: b"AB".to_vec(), seed: u64::MAX }
}

/// The first seat wins.
fn played(job: Job) -> GameRecord {
    let outcome = Outcome { places: vec![1, 2], points: vec![3, -1], territory: vec![3, 0], end: End::Played };
    GameRecord {
        pairing: job.pairing,
        setup: job.setup,
        outcome,
        started_ms: 1_700_000_000_000,
        wall: Duration::from_micros(1500),
        host: "ring1".to_string(),
        moves: Vec::new(),
        faults: Vec::new(),
        seats: vec![SeatRecord::default(); 2],
    }
}

/// How a run ended, how many games began and were over, and for each loss whether the game was given up.
type Ran = (RunEnd, usize, usize, Vec<bool>);

fn run_with(workers: &mut dyn Workers, results: &mut Results) -> Ran {
    let contest = contest();
    let mut planner = |done: &Results| contest.plan(done).unwrap();
    let mut begun = 0;
    let mut over = 0;
    let mut lost = Vec::new();
    let mut count = |progress: &Progress, _: &Results| {
        match progress {
            Progress::Planned { .. } | Progress::Waiting => {}
            Progress::Begun { .. } => begun += 1,
            Progress::Played(games) => over += games.len(),
            Progress::Lost { given_up, .. } => lost.push(*given_up),
        }
        Ok::<(), std::convert::Infallible>(())
    };
    let ended =
        Run { planner: &mut planner, setup: &setup, workers, until: &Until::default(), sinks: &mut [&mut count] }
            .play(results);
    (ended.unwrap(), begun, over, lost)
}

/// Checks a run in which the first game ends in these ways: how often that game is offered, and how the run goes.
#[track_caller]
fn check(fates: &'static [Fate], offers: usize, wanted: Ran) {
    let mut workers = Scripted { fates, offers: 0, waiting: VecDeque::new(), reports: VecDeque::new() };
    let mut results = Results::new();
    let run = run_with(&mut workers, &mut results);
    assert_eq!((workers.offers, results.len()), (offers, run.2), "{fates:?}");
    assert_eq!(run, wanted, "{fates:?}");
}

#[test]
fn a_lost_game_is_offered_three_times_in_all() {
    check(&[Over], 1, (RunEnd::Finished, GAMES, GAMES, vec![]));
    check(&[Lost, Over], 2, (RunEnd::Finished, GAMES + 1, GAMES, vec![false]));
    check(&[Lost, Lost, Over], 3, (RunEnd::Finished, GAMES + 2, GAMES, vec![false, false]));
    check(&[Lost, Lost, Lost], 3, (RunEnd::Unplayed, GAMES + 2, GAMES - 1, vec![false, false, true]));
}

#[test]
fn a_game_counts_once_however_often_it_is_reported() {
    check(&[Twice], 1, (RunEnd::Finished, GAMES, GAMES, vec![]));
    check(&[Lost, Twice], 2, (RunEnd::Finished, GAMES + 1, GAMES, vec![false]));
}

#[test]
fn a_game_reported_over_after_it_was_lost_counts() {
    check(&[LostThenOver], 1, (RunEnd::Finished, GAMES, GAMES, vec![false]));
}

#[test]
fn reports_on_a_game_that_was_not_offered_are_ignored() {
    let pairing = Pairing { id: GameId { stage: 7, ..FIRST }, seats: vec![EntrantId(0), EntrantId(1)], board: 0 };
    let id = pairing.id;
    let setup = setup(&pairing);
    let strange = [
        WorkerReport::Begun(id),
        WorkerReport::Lost { id, why: String::new() },
        WorkerReport::Over(Box::new(played(Job { pairing, setup }))),
    ];
    let mut workers = Scripted { fates: &[], offers: 0, waiting: VecDeque::new(), reports: strange.into() };
    let run = run_with(&mut workers, &mut Results::new());
    assert_eq!(run, (RunEnd::Finished, GAMES, GAMES, vec![]));
}

#[test]
fn a_worker_that_panics_loses_its_game_and_goes_on() {
    for (losses, threads) in [(1, 1), (1, 3), (2, 1), (2, 3), (9, 1), (9, 3)] {
        let left = Mutex::new(losses);
        let play = move |job: Job| -> Result<GameRecord, Box<dyn Error>> {
            if job.pairing.id == FIRST {
                let mut left = left.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if *left > 0 {
                    *left -= 1;
                    panic!("a panic on purpose");
                }
            }
            Ok(played(job))
        };
        let run = run_with(&mut LocalWorkers::with(play, threads, false), &mut Results::new());
        let wanted = match losses {
            9 => (RunEnd::Unplayed, GAMES + 2, GAMES - 1, vec![false, false, true]),
            _ => (RunEnd::Finished, GAMES + losses, GAMES, vec![false; losses]),
        };
        assert_eq!(run, wanted, "{losses} losses, {threads} threads");
    }
}

#[test]
fn a_large_tournament_is_offered_in_parts() {
    struct Counting(usize);
    impl Workers for Counting {
        fn offer(&mut self, jobs: Vec<Job>) {
            self.0 += jobs.len();
        }

        fn take_back(&mut self) -> Vec<Job> {
            Vec::new()
        }

        fn at_once(&self) -> usize {
            3
        }

        fn next(&mut self, _: Duration) -> Option<WorkerReport> {
            panic!("{} games are waiting", self.0);
        }
    }
    let game =
        |table| Pairing { id: GameId { table, ..FIRST }, seats: vec![EntrantId(0), EntrantId(1)], board: 0 };
    let mut planner = |_: &Results| Plan::from_games((0..100_000).map(game));
    let run = Run::<()> {
        planner: &mut planner,
        setup: &setup,
        workers: &mut Counting(0),
        until: &Until::default(),
        sinks: &mut [],
    };
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.play(&mut Results::new())));
    assert_eq!(panicked.unwrap_err().downcast_ref::<String>().unwrap(), "300 games are waiting");
}

#[test]
fn jobs_reports_and_entrants_survive_serialization() {
    let pairing = Pairing { id: FIRST, seats: vec![EntrantId(2), EntrantId(0)], board: 7 };
    let job = Job { setup: setup(&pairing), pairing };
    let entrant = EntrantRecord { name: "gull".to_string(), role: Role::Filler, ..EntrantRecord::default() };
    assert_eq!(sent(&entrant), entrant);
    assert_eq!(sent(&job), job);
    let reports = [
        WorkerReport::Begun(FIRST),
        WorkerReport::Lost { id: FIRST, why: "it disconnected".to_string() },
        WorkerReport::Over(Box::new(played(job))),
    ];
    for report in reports {
        assert_eq!(sent(&report), report);
    }
}

fn sent<T: serde::Serialize + serde::de::DeserializeOwned>(it: &T) -> T {
    serde_json::from_str(&serde_json::to_string(it).unwrap()).unwrap()
}
