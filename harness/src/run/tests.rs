//! How a run handles reports that arrive in time, late, twice or never.

use super::*;
use crate::games::boxing;
use crate::kit::AnyKit;
use crate::record::{EntrantRecord, Role, SeatRecord};
use cornerman::contest::{Contest, Field, OrganizerBot, Participants, Quota, Stage};
use cornerman::formats::{BoardNumber, Format, all_play_all};
use cornerman::game::{End, Outcome};
use cornerman::rng::Rng;
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

const FIRST: GameId = GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 };

/// The games of three entrants, each pair on one board in both orders.
const GAMES: usize = 6;

fn contest() -> Contest {
    let settings = all_play_all::AllPlayAllSettings { boards: Some(vec![BoardNumber(0)]), ..Default::default() };
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
            Progress::Planned { .. } | Progress::Waiting | Progress::Late(_) => {}
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

/// Plays until `until` ends the run, or the games are over.
fn run_with_until(workers: &mut dyn Workers, until: &Until) -> RunEnd {
    let contest = contest();
    let mut planner = |done: &Results| contest.plan(done).unwrap();
    let run = Run::<()> { planner: &mut planner, setup: &setup, workers, until, sinks: &mut [] };
    run.play(&mut Results::new()).unwrap()
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

/// Workers that report as late each game of an earlier run that a plan does not have.
struct Returning(Scripted, Vec<GameRecord>);

impl Workers for Returning {
    fn offer(&mut self, jobs: Vec<Job>) {
        self.0.offer(jobs);
    }

    fn take_back(&mut self) -> Vec<Job> {
        self.0.take_back()
    }

    fn at_once(&self) -> usize {
        2
    }

    fn next(&mut self, wait: Duration) -> Option<WorkerReport> {
        self.0.next(wait)
    }

    fn on_plan(&mut self, due: &[Pairing]) {
        let late = self.1.extract_if(.., |game| !due.contains(&game.pairing));
        self.0.reports.extend(late.map(|game| WorkerReport::Late(Box::new(game))));
    }
}

#[test]
fn a_game_that_comes_late_is_told_and_does_not_count() {
    let game = |stage| {
        let id = GameId { stage, ..FIRST };
        let pairing = Pairing { id, seats: vec![EntrantId(0), EntrantId(1)], board: 0 };
        let setup = setup(&pairing);
        played(Job { pairing, setup })
    };
    let contest = contest();
    let mut planner = |done: &Results| contest.plan(done).unwrap();
    let mut late = Vec::new();
    let mut tell = |progress: &Progress, _: &Results| {
        if let Progress::Late(game) = progress {
            late.push(game.pairing.id);
        }
        Ok::<(), std::convert::Infallible>(())
    };
    let scripted = Scripted { fates: &[], offers: 0, waiting: VecDeque::new(), reports: VecDeque::new() };
    let mut workers = Returning(scripted, vec![game(7), game(8)]);
    let mut results = Results::new();
    let mut run = |results: &mut Results, workers: &mut Returning, sink: &mut dyn Sink<_>| {
        Run { planner: &mut planner, setup: &setup, workers, until: &Until::default(), sinks: &mut [sink] }
            .play(results)
    };
    run(&mut results, &mut workers, &mut tell).unwrap();
    // The first plan says that there is no more to play.
    workers.1.push(game(9));
    run(&mut results, &mut workers, &mut tell).unwrap();
    assert_eq!(late.iter().map(|id| id.stage).collect::<Vec<_>>(), [7, 8, 9]);
    assert_eq!(results.len(), GAMES);
}

/// King of the hill: the winner of a game stays and meets the next entrant. A new way of playing is a plan.
#[test]
fn a_new_way_of_playing_needs_a_plan_and_nothing_else() {
    let challengers = [3, 1, 4, 2].map(EntrantId);
    let mut hill = |done: &Results| {
        let mut king = EntrantId(0);
        for (table, &challenger) in (0..).zip(&challengers) {
            let seats = vec![challenger, king];
            let game = Pairing { id: GameId { table, ..FIRST }, seats, board: 0 };
            match done.get(game.id) {
                None => return Plan::from_games([game]),
                Some(outcome) => king = outcome.winners().next().map_or(king, |seat| game.seats[seat.index()]),
            }
        }
        Plan::Finished
    };
    let mut workers =
        Scripted { fates: &[Lost, Over], offers: 0, waiting: VecDeque::new(), reports: VecDeque::new() };
    let mut seats = Vec::new();
    let mut collect = |progress: &Progress, _: &Results| {
        if let Progress::Played(games) = progress {
            seats.extend(games.iter().map(|game| [game.pairing.seats[0].0, game.pairing.seats[1].0]));
        }
        Ok::<(), std::convert::Infallible>(())
    };
    let run = Run {
        planner: &mut hill,
        setup: &setup,
        workers: &mut workers,
        until: &Until::default(),
        sinks: &mut [&mut collect],
    };
    assert_eq!(run.play(&mut Results::new()), Ok(RunEnd::Finished));
    assert_eq!(seats, [[3, 0], [1, 3], [4, 1], [2, 4]]);
}

#[test]
fn a_run_that_is_to_end_at_once_does_not_wait_for_its_games() {
    /// Games never end. The first wait asks the run to stop, the second to end at once.
    struct Endless<'a>(&'a Until, usize);
    impl Workers for Endless<'_> {
        fn offer(&mut self, _: Vec<Job>) {}

        fn take_back(&mut self) -> Vec<Job> {
            Vec::new()
        }

        fn next(&mut self, _: Duration) -> Option<WorkerReport> {
            self.1 += 1;
            match self.1 {
                1 => self.0.stop(),
                _ => self.0.end(),
            }
            None
        }

        fn at_once(&self) -> usize {
            1
        }
    }
    let now = Instant::now();
    let asked = Until::default();
    for (until, wanted) in [(asked.by(Some(now)), RunEnd::TimeIsOver), (asked.clone(), RunEnd::Ended)] {
        assert_eq!(run_with_until(&mut Endless(&asked, 0), &until), wanted);
    }
    assert!(asked.is_stopping() && asked.by(None).ended() == Some(RunEnd::Ended));
}

/// Forty contests of every format, of 1 to 64 entries of which some do not play, interrupted after every few games and
/// resumed, with games that are lost and forfeited: the results are those of a run without a stop.
#[test]
fn interrupted_contests_end_as_if_they_had_not_been() {
    let mut rng = Rng::new(45);
    let mut played_of = BTreeMap::<&str, usize>::new();
    for number in 0..40 {
        let entries = 1 + rng.below(64) as u16;
        let playing = (entries - rng.below(u64::from(entries / 4 + 1)) as u16).max(2);
        let name = Format::NAMES[number % Format::NAMES.len()];
        let contest = generated(name, playing, rng.draw());
        let mut whole = Results::new();
        play_until(&contest, usize::MAX, &mut whole);
        *played_of.entry(name).or_default() += whole.len();
        let mut resumed = Results::new();
        let mut order: Vec<usize> = Vec::new();
        while play_until(&contest, 1 + rng.below(1 + whole.len() as u64 / 3) as usize, &mut resumed) {
            order.push(resumed.len());
        }
        assert_eq!(resumed, whole, "{name} of {playing}: stopped after {order:?}");
        assert_eq!(contest.standings(&resumed), contest.standings(&whole));
        assert_eq!(contest.remarks(&resumed), contest.remarks(&whole));
    }
    assert_eq!(played_of.len(), Format::NAMES.len());
    assert!(played_of.values().all(|games| *games > 0), "{played_of:?}");
}

/// A contest of this format; where the format allows fewer entrants, the best of a first stage.
fn generated(name: &str, playing: u16, seed: u64) -> Contest {
    let field =
        Field { fillers: (0..3).map(|filler| EntrantId(playing + filler)).collect(), ..Field::new(playing, 4) };
    let keys = toml::Deserializer::parse("").expect("no keys");
    let mut format = Format::read(name, keys).expect("a format").expect("defaults for all keys");
    if let Some(programs) = format.seed_programs_mut() {
        programs.push(OrganizerBot(3));
    }
    format.fill_in_game_defaults(&boxing::KIT.default_ruleset().rules.stage_defaults(), 0);
    format.fill_in_defaults(&(1..=8), 0).expect("any number of seats");
    let first = Stage { format: Format::Knockout(Default::default()), who: Participants::All };
    let best = Participants::Best(vec![Quota { stage: 0, best: 4 }]);
    let alone = vec![Stage { format: format.clone(), who: Participants::All }];
    Contest::new(field.clone(), alone, seed)
        .or_else(|_| Contest::new(field.clone(), vec![first.clone(), Stage { format, who: best }], seed))
        .or_else(|_| Contest::new(field, vec![first], seed))
        .expect("a contest")
}

/// Plays until this many more games are over, and returns whether the contest has more.
fn play_until(contest: &Contest, games: usize, results: &mut Results) -> bool {
    let until = Until::default();
    let mut workers = LocalWorkers::with(|job| Ok(chance(job)), 2, false);
    let mut planner = |done: &Results| contest.plan(done).unwrap_or(Plan::Finished);
    let mut over = 0;
    let mut count = |progress: &Progress, _: &Results| {
        if let Progress::Played(played) = progress {
            over += played.len();
        }
        if over >= games {
            until.stop();
        }
        Ok::<(), std::convert::Infallible>(())
    };
    let sinks: &mut [&mut dyn Sink<_>] = &mut [&mut count];
    let run = Run { planner: &mut planner, setup: &setup, workers: &mut workers, until: &until, sinks };
    run.play(results).unwrap() == RunEnd::Stopped
}

/// A game whose outcome depends on its place alone: a win, a tie or a forfeit.
fn chance(job: Job) -> GameRecord {
    let id = job.pairing.id;
    let place = [u64::from(id.stage), u64::from(id.round), u64::from(id.table), u64::from(id.game)];
    let mut rng = Rng::new(place.into_iter().fold(7, |seed, part| Rng::new(seed ^ part).draw()));
    let seats = job.pairing.seats.len();
    let points: Vec<i64> = (0..seats).map(|_| rng.below(3) as i64).collect();
    let places = points.iter().map(|own| 1 + points.iter().filter(|other| *other > own).count() as u8).collect();
    let end = if rng.below(9) == 0 { End::Forfeited } else { End::Played };
    let territory = points.iter().map(|points| *points as u32).collect();
    GameRecord { outcome: Outcome { places, points, territory, end }, ..played(job) }
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
