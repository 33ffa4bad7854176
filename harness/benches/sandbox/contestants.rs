//! Ways to have a bot move: each takes a number of moves, and gives the time they took.

use cornerman_harness::sandbox::{Came, Conditions, Ended, Level, Limits, Order, Program, Sandbox, Sent, Session};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Bytes of an arena.
const ARENA: usize = 528;

/// One side of a comparison.
pub type Contestant<'a> = Box<dyn FnMut(u32) -> Duration + 'a>;

/// The processors this program was given.
pub fn cores() -> Vec<usize> {
    let given = sched_getaffinity(None).expect("the processors of this process");
    (0..CpuSet::MAX_CPU).filter(|&core| given.is_set(core)).collect()
}

/// Keeps this thread, and all it starts from now on, on one processor. A sandbox's server and its bots
/// belong to them: no word about processors has to pass between the sandbox and its server.
pub fn stay_on(core: usize) {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).expect("a processor of this process");
}

/// A sandbox for `bot`, if the machine gives exactly `level`.
pub fn open(bot: &Path, level: Level) -> Option<Sandbox> {
    let program = Program {
        argv: vec![bot.into()],
        folder: bot.parent().expect("bots lie in a folder").into(),
        parts: vec![bot.into()],
    };
    let conditions = Conditions { at_least: Some(level), at_most: Some(level), ..Conditions::default() };
    Sandbox::open(&program, &Limits::default(), conditions).ok()
}

/// Everything on: one process a move, within its deadline, swept up after. Each round has a new sandbox, as each game
/// has; opening it is not counted.
pub fn sandboxed(bot: &Path, level: Level) -> Option<Contestant<'_>> {
    open(bot, level)?;
    Some(Box::new(move |count| {
        let mut sandbox = open(bot, level).expect("it could be opened before");
        timed_when_warm(count, || sandboxed_move(&mut sandbox))
    }))
}

fn sandboxed_move(sandbox: &mut Sandbox) {
    let report = sandbox.run(&Order::of_move(b'A', black_box(&[b'-'; ARENA]))).expect("the sandbox runs");
    assert_eq!((report.ended, report.output.len()), (Ended::Exited(0), ARENA));
}

/// Rust's own way to start a program, with nothing of a sandbox.
pub fn std_command(bot: &Path) -> Contestant<'_> {
    Box::new(move |count| timed_when_warm(count, || std_command_move(bot)))
}

fn std_command_move(bot: &Path) {
    let mut command = Command::new(bot);
    command.arg("A").env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the bot starts");
    child.stdin.take().expect("a pipe").write_all(black_box(&[b'-'; ARENA])).expect("the bot takes its input");
    let mut answer = Vec::with_capacity(1024);
    child.stdout.take().expect("a pipe").read_to_end(&mut answer).expect("the bot answers");
    assert!(child.wait().expect("the bot ends").success() && answer.len() == ARENA);
}

/// Lets the system tidy up: it puts off much of what the end of a sandbox or process is.
pub fn rest() {
    std::thread::sleep(Duration::from_millis(50));
}

/// Like the yardstick for moves: a quarter as many come first.
fn timed_when_warm(count: u32, mut work: impl FnMut()) -> Duration {
    rest();
    (0..count / 4).for_each(|_| work());
    timed(count, work)
}

fn timed(count: u32, mut work: impl FnMut()) -> Duration {
    let began = Instant::now();
    (0..count).for_each(|_| work());
    began.elapsed()
}

/// A thread on a processor of its own, with a sandbox of its own.
pub struct Worker {
    orders: Sender<u32>,
    done: Receiver<Duration>,
}

impl Worker {
    /// Starts it on `core`, if the machine gives exactly `level`.
    pub fn start(bot: &Path, level: Level, core: usize) -> Option<Worker> {
        let bot = bot.to_path_buf();
        let (orders, todo) = channel();
        let (report, done) = channel();
        std::thread::spawn(move || {
            stay_on(core);
            let Some(mut sandbox) = open(&bot, level) else { return };
            let mut work = |count| timed(count, || sandboxed_move(&mut sandbox));
            report.send(work(1)).ok();
            for count in todo {
                report.send(work(count)).ok();
            }
        });
        done.recv().ok().map(|_| Worker { orders, done })
    }
}

/// All of `workers` at once, each with its share of the moves.
pub fn together(workers: &[Worker]) -> Contestant<'_> {
    Box::new(move |count| {
        let share = count / u32::try_from(workers.len()).expect("a few workers");
        let began = Instant::now();
        workers.iter().for_each(|worker| worker.orders.send(share).expect("the worker lives"));
        for worker in workers {
            worker.done.recv().expect("the worker lives");
        }
        began.elapsed()
    })
}

/// Opens and closes a sandbox, which plays no move.
pub fn opened_and_closed(bot: &Path, level: Level) -> Contestant<'_> {
    Box::new(move |count| timed(count, || drop(open(bot, level).expect("it could be opened before"))))
}

/// Two bots that run for a whole game, spoken to by turns: a line to one, a line back, each within a deadline.
pub fn conversation(first: Sandbox, second: Sandbox) -> Contestant<'static> {
    let mut seats = [first, second].map(|sandbox| {
        let started = sandbox.start(&Order::of_game(Vec::new())).expect("the sandbox runs");
        started.expect("the bot starts")
    });
    let (mut turn, mut line) = (0, Vec::new());
    Box::new(move |count| {
        timed(count, || {
            turn = 1 - turn;
            round_trip(&mut seats[turn], &mut line);
        })
    })
}

fn round_trip(bot: &mut Session, line: &mut Vec<u8>) {
    let deadline = Instant::now() + Duration::from_secs(1);
    assert_eq!(bot.send(b"1\n", deadline).expect("the bot listens"), Sent::Whole);
    let came = bot.line_into(line, 100, deadline).expect("the bot answers");
    assert_eq!((came, &line[..]), (Came::Line, &b"1"[..]));
}
