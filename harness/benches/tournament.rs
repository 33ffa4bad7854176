//! Measures what a tournament costs in addition to its bots. Prints one figure per line.
//!
//! `tournament/…/wall` is the duration of a tournament multiplied by its workers, divided by the time of all moves of
//! its bots: 1 would be a tournament without any overhead. `tournament/…/manager` is the share of one processor that
//! the manager, which plans and records, used while bots played. Because machines are shared, the median of several
//! tournaments is printed; compare only figures of one machine.

use cornerman::contest::{Contest, Field, Journal, Participants, Stage};
use cornerman::format::{Pairing, Results};
use cornerman::formats::{Format, GamesPerOrder, all_play_all};
use cornerman::games::boxing::Arena;
use cornerman_harness::bot::Bot;
use cornerman_harness::games::boxing;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::record::{EntrantRecord, Header, RecordError, StageRecord, Writer};
use cornerman_harness::sandbox::{self, Conditions, SandboxPool};
use cornerman_harness::tournament::{
    GameContext, LocalWorkers, MAX_IDLE_SANDBOXES, Progress, Setups, TournamentRun, run,
};
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Two entries, and the number of games in each order on each board. The entries in C take well under a millisecond per
/// move, so the overhead weighs most with them.
const ENTRIES: [(&str, [&str; 2], u32); 2] = [
    ("c", ["bots/corner-crab", "reference-bots/templates/boxing/bot.c"], 30),
    ("python", ["reference-bots/templates/boxing/bot.py"; 2], 1),
];

/// The number of tournaments; must be odd.
const ROUNDS: usize = 5;

fn main() {
    sandbox::serve_if_asked();
    // `cargo test` runs this without `--bench`, only to see that it works.
    let (rounds, most) = if std::env::args().any(|arg| arg == "--bench") { (ROUNDS, u32::MAX) } else { (1, 1) };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let counts = [1, cores].into_iter().take(cores.min(2));
    for (workers, (language, entries, games)) in counts.flat_map(|count| ENTRIES.map(|entries| (count, entries))) {
        let figures: Vec<Figures> = (0..rounds).map(|_| played(entries, workers, games.min(most))).collect();
        let of = |figure: fn(&Figures) -> f64| median(figures.iter().map(figure).collect());
        let rate = of(|figures| figures.games / figures.wall.as_secs_f64());
        let overhead = of(|figures| figures.wall.as_secs_f64() * figures.workers / figures.bots.as_secs_f64());
        let share = of(|figures| figures.manager.as_secs_f64() / figures.wall.as_secs_f64());
        println!("tournament/{language}/wall/{workers}    ratio {overhead:>6.3} ({rate:.0} games/s)");
        println!("tournament/{language}/manager/{workers} ratio {share:>6.3} (of a processor)");
    }
}

/// The figures of one tournament.
struct Figures {
    workers: f64,
    games: f64,
    wall: Duration,
    /// Wall time of all moves of all bots.
    bots: Duration,
    /// Processor time of the manager.
    manager: Duration,
}

/// Plays a tournament on three boards and records it.
fn played(entries: [&str; 2], workers: usize, games_per_order: u32) -> Figures {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let bots = entries.iter().map(|bot| Bot::load(&root.join(bot)).expect("a bot of the checkout")).collect();
    let ruleset = boxing::KIT.default_ruleset();
    let sandboxes = Arc::new(SandboxPool::new(MAX_IDLE_SANDBOXES));
    let context = GameContext { ruleset: ruleset.clone(), bots, conditions: Conditions::default(), sandboxes };
    let boards = |number: u32| Arena::generate(number.into()).to_bytes().to_vec();
    let setups = Setups { ruleset: &ruleset, boards: &boards, seed: 1 };
    let setup = |pairing: &Pairing| setups.of(pairing);
    let games_per_order = GamesPerOrder::new(games_per_order);
    let settings = all_play_all::Settings { games_per_order, ..Default::default() };
    let stages = vec![Stage { format: Format::AllPlayAll(settings), who: Participants::All }];
    let contest = Contest::new(Field::new(2, 0), stages, 1).expect("a contest");
    // Not in /tmp, which may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let header = Header { stages: vec![StageRecord::default()], ..Header::default() };
    let mut writer = Writer::create(&folder.path().join("bench.db"), &header).expect("a record");
    writer.add_entrants(&vec![EntrantRecord::default(); 2]).expect("entrants");
    let stop = AtomicBool::new(false);
    let plan = |done: &Results| contest.plan(done, &Journal::new()).expect("a plan");
    let settings = TournamentRun { plan: &plan, setup: &setup, workers, stop: &stop };
    let mut local = LocalWorkers::new(context, workers, workers > 1);
    let (mut results, mut moves) = (Results::new(), Duration::ZERO);
    let (began, cpu) = (Instant::now(), thread_time());
    run(&mut local, settings, &mut results, &mut |progress, _| {
        if let Progress::Played(games) = &progress {
            writer.add_games(games)?;
            moves += games.iter().flat_map(|game| &game.moves).map(|one| one.used.wall).sum::<Duration>();
        }
        Ok::<(), RecordError>(())
    })
    .unwrap_or_else(|error| panic!("{error}"));
    let (wall, manager) = (began.elapsed(), thread_time() - cpu);
    Figures { workers: workers as f64, games: results.len() as f64, wall, bots: moves, manager }
}

/// Processor time of this thread, which is the manager of its tournaments.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
