//! Tests how games are assigned to workers that come, go and fall silent.

use super::*;

/// Game `game` of match `table`.
fn game(table: u32, game: u16) -> JobKey {
    JobKey::first(GameId { stage: 0, round: 0, table, game, attempt: 0 })
}

struct Run {
    assignment: Assignment,
    now: Instant,
}

impl Run {
    /// Workers of one thread each.
    fn with(workers: &[&WorkerKey]) -> Run {
        let mut run = Run { assignment: Assignment::default(), now: Instant::now() };
        for (number, worker) in workers.iter().enumerate() {
            run.assignment.join((*worker).clone(), &format!("m{number}"), 1, BTreeSet::new(), run.now);
        }
        run
    }

    fn offer(&mut self, key: JobKey, seats: &[u16]) {
        self.assignment.offer(key, seats.iter().map(|id| EntrantId(*id)).collect(), Vec::new(), self.now);
    }

    /// Two games of each of these matches, of entrants 0 and 1.
    fn offer_matches(&mut self, matches: u32) {
        for table in 0..matches {
            for nth in 0..2 {
                self.offer(game(table, nth), &[0, 1]);
            }
        }
    }

    fn assign(&mut self) -> Vec<(WorkerKey, JobKey)> {
        self.assignment.assign(self.now).into_iter().map(|given| (given.worker, given.key)).collect()
    }

    /// Assigns games and ends them until none is left. Returns which worker had each.
    fn play_all(&mut self) -> BTreeMap<JobKey, WorkerKey> {
        let mut by = BTreeMap::new();
        loop {
            let given = self.assign();
            if given.is_empty() {
                return by;
            }
            for (worker, key) in given {
                assert!(self.assignment.finish(key, Some(Duration::from_millis(100))));
                assert_eq!(by.insert(key, worker), None, "{key:?} is given twice");
            }
        }
    }
}

#[test]
fn every_game_is_given_once_and_a_match_stays_with_its_worker() {
    let workers = [WorkerKey::new("a"), WorkerKey::new("b"), WorkerKey::new("c")];
    let mut run = Run::with(&workers.each_ref());
    run.offer_matches(50);
    let by = run.play_all();
    assert_eq!(by.len(), 100);
    assert!((0..50).all(|table| by[&game(table, 0)] == by[&game(table, 1)]));
    let shares: BTreeSet<&WorkerKey> = by.values().collect();
    assert_eq!(shares.len(), 3, "every worker plays");
}

#[test]
fn games_that_come_later_go_to_the_worker_of_their_match() {
    let workers = [WorkerKey::new("a"), WorkerKey::new("b")];
    let mut run = Run::with(&workers.each_ref());
    for table in 0..10 {
        run.offer(game(table, 0), &[0, 1]);
    }
    let first = run.play_all();
    for table in 0..10 {
        run.offer(game(table, 1), &[1, 0]);
    }
    let second = run.play_all();
    assert!((0..10).all(|table| first[&game(table, 0)] == second[&game(table, 1)]));
}

#[test]
fn a_worker_gets_no_game_of_a_bot_that_it_cannot_build() {
    let able = WorkerKey::new("able");
    let unable = WorkerKey::new("unable");
    let mut run = Run::with(&[&able]);
    run.assignment.join(unable.clone(), "u", 1, BTreeSet::from([EntrantId(3)]), run.now);
    for table in 0..20 {
        run.offer(game(table, 0), if table % 2 == 0 { &[0, 3] } else { &[0, 1] });
    }
    let by = run.play_all();
    assert_eq!(by.len(), 20);
    assert!((0..20).step_by(2).all(|table| by[&game(table, 0)] == able));
    assert!(by.values().any(|worker| *worker == unable));
}

#[test]
fn games_that_no_worker_can_play_are_named_once_nothing_else_is_left() {
    let unable = WorkerKey::new("unable");
    let mut run = Run::with(&[]);
    run.offer(game(0, 0), &[0, 3]);
    run.offer(game(1, 0), &[0, 1]);
    assert!(run.assignment.unplayable().is_empty(), "a worker may still come");
    run.assignment.join(unable, "u", 1, BTreeSet::from([EntrantId(3)]), run.now);
    assert_eq!(run.assign().len(), 1);
    assert!(run.assignment.unplayable().is_empty(), "a game is being played");
    assert!(run.assignment.finish(game(1, 0), None));
    assert_eq!(run.assignment.unplayable(), [game(0, 0)]);
    run.assignment.join(WorkerKey::new("able"), "able", 1, BTreeSet::new(), run.now);
    assert!(run.assignment.unplayable().is_empty());
    assert_eq!(run.assign().len(), 1);
}

#[test]
fn the_games_of_a_lost_worker_are_begun_anew_and_a_game_that_loses_them_all_is_given_up() {
    let mut run = Run::with(&[]);
    run.offer_matches(1);
    for attempt in 1..=MAX_ATTEMPTS {
        let worker = WorkerKey::new("a");
        run.assignment.join(worker.clone(), "a", 1, BTreeSet::new(), run.now);
        let given = run.assignment.assign(run.now);
        assert_eq!(given.iter().map(|given| given.attempt).collect::<Vec<_>>(), [attempt, attempt]);
        run.now += SILENCE + Duration::from_secs(1);
        assert_eq!(run.assignment.silent_workers(run.now), std::slice::from_ref(&worker));
        let (had, abandoned) = run.assignment.remove_worker(&worker);
        assert_eq!((had, abandoned.len()), (2, if attempt == MAX_ATTEMPTS { 2 } else { 0 }));
    }
    run.assignment.join(WorkerKey::new("b"), "b", 1, BTreeSet::new(), run.now);
    assert!(run.assign().is_empty());
}

#[test]
fn a_game_that_its_worker_never_mentions_goes_to_another() {
    let deaf = WorkerKey::new("deaf");
    let other = WorkerKey::new("other");
    let mut run = Run::with(&[&deaf]);
    run.offer(game(0, 0), &[0, 1]);
    run.offer(game(1, 0), &[0, 1]);
    assert_eq!(run.assign().len(), 2);
    run.assignment.join(other.clone(), "o", 1, BTreeSet::new(), run.now);
    for _ in 0..50 {
        run.now += Duration::from_secs(1);
        run.assignment.on_status(&deaf, &[game(0, 0)], false, run.now);
        run.assignment.on_status(&other, &[], false, run.now);
    }
    run.assignment.on_status(&deaf, &[game(0, 0)], true, run.now);
    assert_eq!(run.assign(), [(other, game(1, 0))]);
}

#[test]
fn a_worker_that_leaves_keeps_what_it_plays_and_gives_back_the_rest() {
    let leaver = WorkerKey::new("leaver");
    let other = WorkerKey::new("other");
    let mut run = Run::with(&[&leaver]);
    run.offer_matches(2);
    let given = run.assign();
    assert_eq!(given.len(), 2);
    run.assignment.join(other.clone(), "o", 4, BTreeSet::new(), run.now);
    run.assignment.on_status(&leaver, &[given[0].1], true, run.now);
    let again = run.assign();
    assert_eq!(again.len(), 3);
    assert!(again.iter().all(|(worker, key)| *worker == other && *key != given[0].1));
}

#[test]
fn a_manager_that_comes_back_leaves_games_where_they_are() {
    let worker = WorkerKey::new("a");
    let mut run = Run::with(&[&worker]);
    run.assignment.on_status(&worker, &[game(0, 0)], false, run.now);
    run.offer_matches(1);
    assert_eq!(run.assign(), [(worker.clone(), game(0, 1))]);
    assert!(run.assignment.holds(&worker, game(0, 0)));
    assert!(run.assignment.finish(game(0, 0), None));
}

#[test]
fn no_worker_can_say_that_it_has_all_games() {
    let liar = WorkerKey::new("liar");
    let other = WorkerKey::new("other");
    let mut run = Run::with(&[&liar, &other]);
    let all: Vec<JobKey> = (0..10_000).map(|table| game(table, 0)).collect();
    run.assignment.on_status(&liar, &all, false, run.now);
    run.offer_matches(1_000);
    let threads = run.assignment.workers[&liar].threads;
    assert!(run.assignment.workers[&liar].given.len() <= (threads * MAX_PER_THREAD) as usize);
    assert!(run.assign().iter().any(|(worker, _)| *worker == other));
}

#[test]
fn only_what_no_worker_was_given_is_taken_back() {
    let worker = WorkerKey::new("a");
    let mut run = Run::with(&[&worker]);
    run.offer_matches(5);
    let given = run.assign().len();
    assert_eq!(run.assignment.take_back().len(), 10 - given);
    assert!(run.assign().is_empty());
}

#[test]
fn a_second_look_goes_to_another_machine() {
    let one = WorkerKey::new("a");
    let two = WorkerKey::new("b");
    let mut run = Run::with(&[&one, &two]);
    let again = JobKey { look: 1, ..game(0, 0) };
    run.assignment.offer(again, vec![EntrantId(0)], vec!["m0".to_string()], run.now);
    assert_eq!(run.assign(), [(two, again)]);
}

#[test]
fn workers_are_given_as_much_as_they_play_in_a_second() {
    let worker = WorkerKey::new("a");
    for (wall, given) in [
        (None, 2),
        (Some(Duration::from_secs(10)), 2),
        (Some(Duration::from_millis(100)), 10),
        (Some(Duration::ZERO), 64),
    ] {
        let mut run = Run::with(&[&worker]);
        run.assignment.typical_time = wall;
        run.offer_matches(100);
        assert_eq!(run.assign().len(), given, "{wall:?}");
    }
}
