//! Tournaments of small real bots have the same games with any number of workers, after interruptions, and after losses
//! of games.

use crate::shell;
use cornerman::contest::{Contest, Field, Participants, Quota, Stage, Versions};
use cornerman::format::{EntrantId, GameId, Pairing, Results};
use cornerman::formats::Format;
use cornerman::game::{Outcome, Setup};
use cornerman::games::boxing::Arena;
use cornerman_harness::bot::Bot;
use cornerman_harness::games::boxing;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::record::GameRecord;
use cornerman_harness::run::{
    GameContext, Job, LocalWorkers, MAX_IDLE_SANDBOXES, MAX_OFFERS, Progress, Run, RunEnd, Sink, Until, setup_for,
};
use cornerman_harness::sandbox::{Conditions, Limits, SandboxPool};
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeMap;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test(
            "tournament::any_number_of_workers_gives_the_same_games",
            any_number_of_workers_gives_the_same_games,
        ),
        Trial::test("tournament::a_stopped_run_resumes", a_stopped_run_resumes),
        Trial::test("tournament::a_bot_that_fails_loses_and_the_tournament_goes_on", failing_bots_lose),
        Trial::test("tournament::a_lost_game_is_offered_again", a_lost_game_is_offered_again),
        Trial::test("tournament::a_game_lost_every_time_does_not_prevent_others", a_game_lost_every_time),
        Trial::test("tournament::a_watcher_that_fails_ends_the_run", a_watcher_that_fails_ends_the_run),
    ]
}

/// Bots that take one vacant spot, the first or the last; and one that dies.
const FIRST: &str = "awk -v m=\"$1\" '{ if (!d && sub(/-/, m)) d = 1; print }'";
const LAST: &str = "tac | rev | awk -v m=\"$1\" '{ if (!d && sub(/-/, m)) d = 1; print }' | rev | tac";
const DIES: &str = "kill -SEGV $$";

/// How long a bot may take for a move.
const PATIENCE: Duration = Duration::from_secs(60);

struct Setting {
    _folder: tempfile::TempDir,
    context: Arc<GameContext>,
    board: Vec<u8>,
    /// Called with each job before it is played; may make it fail.
    before: Arc<Before>,
    contest: Contest,
}

type Before = dyn Fn(&mut Job) + Send + Sync;

/// An all-play-all contest of these scripts on an arena with five vacant spots.
fn setting(scripts: &[&str]) -> Setting {
    let folder = tempfile::Builder::new().prefix("tournament-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bots = scripts.iter().enumerate();
    // None of them needs long, and the machine may be busy.
    let patient = |bot: Bot| Bot { limits: Limits { hard: PATIENCE, ..bot.limits }, ..bot };
    let bots = bots.map(|(at, script)| patient(shell::bot(folder.path(), &format!("bot{at}"), script).unwrap()));
    let mut rows = [[b'o'; 32]; 16];
    rows[3][4..9].fill(b'-');
    let board = Arena::from_rows(rows).to_bytes().to_vec();
    let context = GameContext {
        ruleset: boxing::KIT.default_ruleset(),
        bots: (0..).map(EntrantId).zip(bots).collect(),
        versions: Versions::default(),
        conditions: Conditions::default(),
        sandboxes: Arc::new(SandboxPool::new(MAX_IDLE_SANDBOXES)),
    };
    let stages = vec![Stage { format: Format::AllPlayAll(Default::default()), who: Participants::All }];
    let field = Field::new(scripts.len() as u16, 0);
    let contest = Contest::new(field, stages, 1).unwrap();
    Setting { _folder: folder, context: Arc::new(context), board, before: Arc::new(|_| {}), contest }
}

impl Setting {
    fn workers(&self, threads: usize) -> LocalWorkers {
        let context = Arc::clone(&self.context);
        let before = Arc::clone(&self.before);
        let play = move |mut job: Job| {
            before(&mut job);
            context.play(job)
        };
        LocalWorkers::with(play, threads, threads > 1)
    }

    fn setup(&self, pairing: &Pairing) -> Setup {
        setup_for(pairing, 1, &self.context.ruleset, self.board.clone())
    }
}

impl Setting {
    fn run<E>(
        &self,
        workers: usize,
        until: &Until,
        results: &mut Results,
        sink: &mut dyn Sink<E>,
    ) -> Result<RunEnd, E> {
        let mut planner = |done: &Results| self.contest.plan(done).unwrap();
        let setup = |pairing: &Pairing| self.setup(pairing);
        let workers = &mut self.workers(workers);
        Run { planner: &mut planner, setup: &setup, workers, until, sinks: &mut [sink] }.play(results)
    }
}

type Games = BTreeMap<GameId, GameRecord>;

/// Resumes from `results` until `stop_after` more games are over. No game may be lost.
fn play(setting: &Setting, workers: usize, results: &mut Results, stop_after: usize) -> (RunEnd, Games) {
    let (ended, games, losses) = play_and_lose(setting, workers, results, stop_after);
    assert!(losses.is_empty(), "{losses:?}");
    (ended, games)
}

/// A lost game, the reason, and whether it was given up.
type Loss = (GameId, String, bool);

/// Like [`play`], but games may be lost.
fn play_and_lose(
    setting: &Setting,
    workers: usize,
    results: &mut Results,
    stop_after: usize,
) -> (RunEnd, Games, Vec<Loss>) {
    let until = Until::default();
    let mut games = Games::new();
    let mut losses = Vec::new();
    let mut collect = |progress: &Progress, _: &Results| {
        match progress {
            Progress::Played(over) => {
                games.extend(over.iter().map(|game| (game.pairing.id, game.clone())));
                if games.len() >= stop_after {
                    until.stop();
                }
            }
            Progress::Lost { id, why, given_up } => losses.push((*id, why.clone(), *given_up)),
            _ => {}
        }
        Ok::<(), std::convert::Infallible>(())
    };
    let ended = setting.run(workers, &until, results, &mut collect);
    (ended.unwrap(), games, losses)
}

/// The parts of games that must be the same in every run: outcome and moves.
fn summary(games: &Games) -> Vec<(GameId, &Outcome, Vec<String>)> {
    let moves = |game: &'_ GameRecord| game.moves.iter().map(|m| m.notation.clone()).collect();
    games.iter().map(|(id, game)| (*id, &game.outcome, moves(game))).collect()
}

fn equal<T: PartialEq + std::fmt::Debug>(a: T, b: T) -> Result<(), Failed> {
    if a == b { Ok(()) } else { Err(format!("{a:?}\nis not\n{b:?}").into()) }
}

fn any_number_of_workers_gives_the_same_games() -> Result<(), Failed> {
    let setting = setting(&[FIRST, LAST, FIRST]);
    let (one, alone) = play(&setting, 1, &mut Results::new(), usize::MAX);
    let (three, together) = play(&setting, 3, &mut Results::new(), usize::MAX);
    equal((one, three), (RunEnd::Finished, RunEnd::Finished))?;
    equal(alone.len(), 3 * 6)?;
    equal(summary(&alone), summary(&together))
}

fn a_stopped_run_resumes() -> Result<(), Failed> {
    let setting = setting(&[FIRST, LAST, FIRST]);
    let (_, uninterrupted) = play(&setting, 2, &mut Results::new(), usize::MAX);
    let mut results = Results::new();
    let mut pieces = Games::new();
    loop {
        let (ended, games) = play(&setting, 2, &mut results, 4);
        equal(games.keys().all(|id| !pieces.contains_key(id)), true)?;
        pieces.extend(games);
        if ended == RunEnd::Finished {
            break;
        }
    }
    equal(summary(&uninterrupted), summary(&pieces))
}

fn failing_bots_lose() -> Result<(), Failed> {
    let setting = setting(&[FIRST, DIES]);
    let (ended, games) = play(&setting, 2, &mut Results::new(), usize::MAX);
    equal((ended, games.len()), (RunEnd::Finished, 6))?;
    for game in games.values() {
        let loser = game.pairing.seats.iter().position(|id| id.0 == 1).unwrap();
        equal((game.outcome.places[loser], game.faults[0].kind.as_str()), (2, "died"))?;
    }
    Ok(())
}

/// Makes workers lose games on the board of this number. `fails` says for the n-th such game begun whether it is lost:
/// alternately by a panic, and by a board on which no game can begin.
fn losing(setting: &mut Setting, number: u32, fails: impl Fn(usize) -> bool + Send + Sync + 'static) {
    let begun = AtomicUsize::new(0);
    setting.before = Arc::new(move |job| {
        if job.pairing.board != number {
            return;
        }
        match begun.fetch_add(1, Ordering::Relaxed) {
            time if !fails(time) => {}
            // A panic without the hook, which would print a backtrace among those of real failures.
            time if time % 2 == 0 => {
                panic::resume_unwind(Box::new(format!("lost on board {number} at time {time}")))
            }
            _ => job.setup.board = b"not an arena".to_vec(),
        }
    });
}

fn a_lost_game_is_offered_again() -> Result<(), Failed> {
    let mut setting = setting(&[FIRST, LAST]);
    let (_, uninterrupted) = play(&setting, 1, &mut Results::new(), usize::MAX);
    for workers in [1, 3] {
        losing(&mut setting, 1, |time| time < 2);
        let (ended, games, mut losses) = play_and_lose(&setting, workers, &mut Results::new(), usize::MAX);
        equal(ended, RunEnd::Finished)?;
        equal(summary(&games), summary(&uninterrupted))?;
        losses.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
        let words: Vec<(&str, bool)> = losses.iter().map(|(_, why, given_up)| (why.as_str(), *given_up)).collect();
        let [(of_board, false), ("the worker panicked: lost on board 1 at time 0", false)] = words[..] else {
            return Err(format!("{words:?}").into());
        };
        equal(of_board.starts_with("board 2: "), true)?;
    }
    Ok(())
}

fn a_game_lost_every_time() -> Result<(), Failed> {
    let mut setting = setting(&[FIRST, LAST]);
    let stage = |who| Stage { format: Format::AllPlayAll(Default::default()), who };
    let stages = vec![stage(Participants::All), stage(Participants::Best(vec![Quota { stage: 0, best: 2 }]))];
    setting.contest = Contest::new(Field::new(2, 0), stages, 1)?;
    let (_, uninterrupted) = play(&setting, 2, &mut Results::new(), usize::MAX);
    losing(&mut setting, 1, |_| true);
    for workers in [1, 3] {
        let mut results = Results::new();
        for first in [true, false] {
            let (ended, games, losses) = play_and_lose(&setting, workers, &mut results, usize::MAX);
            equal(ended, RunEnd::Unplayed)?;
            // Two of the six games of the first stage are on that board, and the second stage waits for them.
            equal((games.len(), results.len()), (if first { 4 } else { 0 }, 4))?;
            equal(losses.len(), 2 * MAX_OFFERS as usize)?;
            equal(losses.iter().filter(|(.., given_up)| *given_up).count(), 2)?;
            equal(losses.iter().all(|(id, ..)| uninterrupted[id].pairing.board == 1), true)?;
        }
        let losing = std::mem::replace(&mut setting.before, Arc::new(|_| {}));
        let (ended, games) = play(&setting, workers, &mut results, usize::MAX);
        equal(
            (ended, games.len(), results.len()),
            (RunEnd::Finished, uninterrupted.len() - 4, uninterrupted.len()),
        )?;
        setting.before = losing;
    }
    Ok(())
}

fn a_watcher_that_fails_ends_the_run() -> Result<(), Failed> {
    let setting = setting(&[FIRST, LAST]);
    let mut results = Results::new();
    let mut full = |progress: &Progress, _: &Results| match progress {
        Progress::Played(_) => Err("the disk is full"),
        _ => Ok(()),
    };
    match setting.run(2, &Until::default(), &mut results, &mut full) {
        Err("the disk is full") => equal(results.len(), 0),
        other => Err(format!("{other:?}").into()),
    }
}
