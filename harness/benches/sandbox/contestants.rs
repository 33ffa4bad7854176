//! What is compared: each contestant lets a bot work, usually for a move, a given number of times, and returns the time
//! that this took.

use cornerman_harness::player::marks::move_request;
use cornerman_harness::sandbox::{
    Conditions, Ended, Level, Limits, Program, ReadLine, RunRequest, Sandbox, SendStatus, Session,
};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The size of an arena, in bytes.
const ARENA: usize = 528;

/// One side of a comparison.
pub type Contestant<'a> = Box<dyn FnMut(u32) -> Duration + 'a>;

/// The processors that this program may use.
pub fn cores() -> Vec<usize> {
    let given = sched_getaffinity(None).expect("the processors of this process");
    (0..CpuSet::MAX_CPU).filter(|&core| given.is_set(core)).collect()
}

/// Pins this thread, and all it starts from now on, to one processor. This includes a sandbox's server and its bots, so
/// that the sandbox need not pin them itself.
pub fn stay_on(core: usize) {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).expect("a processor of this process");
}

/// A sandbox for `bot`, if the machine provides exactly `level`.
pub fn open(bot: &Path, level: Level) -> Option<Sandbox> {
    let program = Program {
        argv: vec![bot.into()],
        folder: bot.parent().expect("bots lie in a folder").into(),
        parts: vec![bot.into()],
    };
    let conditions = Conditions { at_least: Some(level), at_most: Some(level), ..Conditions::default() };
    Sandbox::open(&program, &Limits::default(), conditions).ok()
}

/// Moves as in a contest: one process per move, with a deadline, and cleaned up afterwards. Each round has a new
/// sandbox; the time to open it is not counted.
pub fn sandboxed(bot: &Path, level: Level) -> Option<Contestant<'_>> {
    open(bot, level)?;
    Some(Box::new(move |count| {
        let mut sandbox = open(bot, level).expect("it could be opened before");
        timed_when_warm(count, || sandboxed_move(&mut sandbox))
    }))
}

fn sandboxed_move(sandbox: &mut Sandbox) {
    let report = sandbox.run(&move_request(b'A', black_box(&[b'-'; ARENA]))).expect("the sandbox runs");
    assert_eq!((report.ended, report.output.len()), (Ended::Exited(0), ARENA));
}

/// Moves with Rust's own `Command`, without any sandbox.
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

/// Gives the system time to clean up: much of the work at the end of a sandbox or process is deferred.
pub fn rest() {
    std::thread::sleep(Duration::from_millis(50));
}

/// Times the work after a warm-up of a quarter as many repetitions, like the yardstick for moves.
fn timed_when_warm(count: u32, mut work: impl FnMut()) -> Duration {
    rest();
    for _ in 0..count / 4 {
        work();
    }
    timed(count, work)
}

fn timed(count: u32, mut work: impl FnMut()) -> Duration {
    let began = Instant::now();
    for _ in 0..count {
        work();
    }
    began.elapsed()
}

/// A thread with its own processor and its own sandbox.
pub struct Worker {
    counts: Sender<u32>,
    done: Receiver<Duration>,
}

impl Worker {
    /// Starts a worker on `core`, if the machine provides exactly `level`.
    pub fn start(bot: &Path, level: Level, core: usize) -> Option<Worker> {
        let bot = bot.to_path_buf();
        let (counts, todo) = channel();
        let (report, done) = channel();
        std::thread::spawn(move || {
            stay_on(core);
            let Some(mut sandbox) = open(&bot, level) else { return };
            let mut work = |count| timed(count, || sandboxed_move(&mut sandbox));
            // The first report shows that the sandbox is open.
            report.send(work(1)).ok();
            for count in todo {
                report.send(work(count)).ok();
            }
        });
        done.recv().ok().map(|_| Worker { counts, done })
    }
}

/// All `workers` at the same time, each with its share of the moves.
pub fn together(workers: &[Worker]) -> Contestant<'_> {
    Box::new(move |count| {
        let share = count / u32::try_from(workers.len()).expect("a few workers");
        let began = Instant::now();
        for worker in workers {
            worker.counts.send(share).expect("the worker lives");
        }
        for worker in workers {
            worker.done.recv().expect("the worker lives");
        }
        began.elapsed()
    })
}

/// Opens and closes a sandbox without a move.
pub fn opened_and_closed(bot: &Path, level: Level) -> Contestant<'_> {
    Box::new(move |count| timed(count, || drop(open(bot, level).expect("it could be opened before"))))
}

/// Two bots that run for a whole game and are addressed by turns: a line to one, a line back, each with a deadline.
pub fn conversation(first: Sandbox, second: Sandbox) -> Contestant<'static> {
    let mut seats = [first, second].map(|sandbox| {
        let started = sandbox.start(&RunRequest::for_game(Vec::new())).expect("the sandbox runs");
        started.running().expect("the bot starts")
    });
    let mut turn = 0;
    Box::new(move |count| {
        timed(count, || {
            turn = 1 - turn;
            round_trip(&mut seats[turn]);
        })
    })
}

fn round_trip(bot: &mut Session) {
    let deadline = Instant::now() + Duration::from_secs(1);
    assert_eq!(bot.send(b"1\n", deadline).expect("the bot listens"), SendStatus::Whole);
    let line = bot.line(100, deadline).expect("the bot answers");
    assert_eq!(line, ReadLine::Read(b"1".to_vec()));
}
