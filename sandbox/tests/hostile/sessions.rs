//! Bots with many processes in a session: however the session ends, none of the processes is left, and none of them
//! thinks on another bot's turn.

use super::canaries::Canaries;
use super::stage::{Stage, text};
use cornerman_sandbox::{
    Activity, AnswerTimer, Conditions, Level, Limits, Program, ReadLine, RunRequest, Sandbox, Session,
};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

/// How long a bot may take to start all its processes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A trial of a level, with a number that no other trial has.
type Run = fn(Level, &Stage, usize) -> Result<(), String>;

/// All trials, with their names.
pub const TRIALS: [(&str, Run); 5] = [
    ("a_crowd_of_threads_is_granted_nothing", a_crowd_of_threads_is_granted_nothing),
    ("a_fork_bomb_leaves_nothing", a_fork_bomb_leaves_nothing),
    ("a_name_hides_no_time", a_name_hides_no_time),
    ("another_threads_waiting_does_not_count", another_threads_waiting_does_not_count),
    ("no_bot_thinks_on_anothers_turn", no_bot_thinks_on_anothers_turn),
];

/// Four hundred processes, each in a session of its own where that is allowed.
fn a_fork_bomb_leaves_nothing(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    let mut canaries = canaries("crowd", level, stage, number)?;
    for finishes in [true, false] {
        let session = ready("fork-bomb-of-sessions", level, stage, &canaries)?;
        if finishes {
            let (report, _) = session.finish(Duration::ZERO).map_err(text)?;
            if report.leftovers == 0 {
                return Err(format!("no process is reported as left: {report:?}"));
            }
        } else {
            drop(session);
        }
        canaries.check()?;
    }
    Ok(())
}

/// With threads and children, with timers, or with orphans in sessions of their own: while it is stopped for half a
/// second, none may use more than a little of it.
fn no_bot_thinks_on_anothers_turn(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    const STOPPED: Duration = Duration::from_millis(500);
    const MOST: Duration = Duration::from_millis(150);
    let canaries = canaries("thief", level, stage, number)?;
    for behaviour in ["ponders", "ponders-by-timer", "ponders-in-orphans"] {
        let mut session = ready(behaviour, level, stage, &canaries)?;
        // It gets a moment to set its timers.
        thread::sleep(STOPPED / 5);
        session.freeze().map_err(text)?;
        thread::sleep(STOPPED);
        let used = session.thaw().map_err(text)?;
        if used > MOST {
            return Err(format!("{behaviour}: it used {used:?} while it was stopped for {STOPPED:?}"));
        }
    }
    Ok(())
}

/// A process is found and its time counted, whatever its name is.
fn a_name_hides_no_time(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    const SOME: Duration = Duration::from_millis(50);
    let canaries = canaries("hidden", level, stage, number)?;
    let mut session = ready("hides-behind-its-name", level, stage, &canaries)?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let usage = session.usage().map_err(text)?;
        if usage.tasks.processes == 1 && usage.cpu.total() > SOME {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(format!("it is not seen: {usage:?}"));
        }
        thread::sleep(SOME);
    }
}

/// While any of a bot's threads runs, the bot does not wait, however long its threads keep the measuring process
/// waiting.
fn a_crowd_of_threads_is_granted_nothing(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    let canaries = canaries("thinkers", level, stage, number)?;
    for _ in 0..5 {
        let mut session = ready("thinks-in-a-crowd", level, stage, &canaries)?;
        let before = session.usage().map_err(text)?.processor_time();
        let mut timer = AnswerTimer::begin();
        session.send(b"?\n", Instant::now() + PATIENCE).map_err(text)?;
        match timer.line_within(&mut session, 100, PATIENCE, &mut || Ok(false)).map_err(text)? {
            ReadLine::Read(line) if line == b"answer" => {}
            other => return Err(format!("no answer: {other:?}")),
        }
        // In this order, because its threads go on, and this process has to wait for them.
        let usage = session.usage().map_err(text)?;
        let waited = timer.waited(&mut session).map_err(text)?;
        let wall = timer.wall();
        // Without a control group, processor time is counted in ticks, and some of it late.
        let ran = usage.group_cpu.map_or(Duration::ZERO, |used| used.saturating_sub(before));
        let processors = thread::available_parallelism().map_or(1, NonZero::get) as u32;
        // The kernel's counts and the moments at which they are read differ a little.
        let accuracy = Duration::from_millis(20) + wall / 20;
        if waited > wall.saturating_sub(ran / processors) + accuracy {
            return Err(format!("of {wall:?} it is said to have waited {waited:?}, but used {ran:?}"));
        }
    }
    Ok(())
}

/// A bot that sleeps does not wait for a processor, although its only thread waited for one before it took the number
/// of the first thread.
fn another_threads_waiting_does_not_count(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    const SLEPT: Duration = Duration::from_millis(600);
    // If the earlier waiting counted, the whole sleep would seem to be waiting. A little may, on a busy machine.
    const MOST: Duration = Duration::from_millis(300);
    const TRIES: u32 = 5;
    let canaries = canaries("heir", level, stage, number)?;
    let mut waited = Duration::ZERO;
    for _ in 0..TRIES {
        // On one processor: on two, a bot is granted its waiting on one, while it runs on the other, once it rests.
        let mut session = on_one_processor(|| ready("execs-after-waiting", level, stage, &canaries))?;
        let deadline = Instant::now() + PATIENCE;
        // As long as the thread takes to wait, and before it ends the others.
        thread::sleep(SLEPT);
        session.begin_waiting().map_err(text)?;
        while session.usage().map_err(text)?.tasks.threads != 1
            || session.activity().map_err(text)? != Activity::Rests
        {
            if Instant::now() > deadline {
                return Err("it still has more than one thread, or does not sleep".into());
            }
            thread::sleep(SLEPT / 60);
        }
        let before = session.waited_in_full().map_err(text)?;
        thread::sleep(SLEPT);
        waited = session.waited_in_full().map_err(text)?.saturating_sub(before);
        if waited < MOST {
            return Ok(());
        }
    }
    Err(format!("while it sleeps, it seems to wait for {waited:?}"))
}

/// Does `action` while this thread, and what it starts, may use only the first of its processors.
fn on_one_processor<T>(action: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let allowed = sched_getaffinity(None).map_err(text)?;
    let first = (0..CpuSet::MAX_CPU).find(|&number| allowed.is_set(number));
    let mut one = CpuSet::new();
    one.set(first.ok_or("no processor is allowed")?);
    sched_setaffinity(None, &one).map_err(text)?;
    let done = action();
    sched_setaffinity(None, &allowed).map_err(text)?;
    done
}

fn canaries(name: &str, level: Level, stage: &Stage, number: usize) -> Result<Canaries, String> {
    let place = stage.place(&format!("{level}.{name}")).map_err(text)?;
    Canaries::set_up(&place, format!("{name}-{}-{number}.", std::process::id())).map_err(text)
}

/// Starts a session with a bot of this behaviour, and waits until it is ready.
fn ready(behaviour: &str, level: Level, stage: &Stage, canaries: &Canaries) -> Result<Session, String> {
    let program = stage.program();
    let mut argv = vec![program.clone().into_os_string(), behaviour.into()];
    argv.extend(canaries.arguments().map_err(text)?.into_iter().map(Into::into));
    argv.push("A".into());
    let folder = program.parent().unwrap_or(&program).to_path_buf();
    let program = Program { argv, folder, parts: vec![program] };
    let conditions = Conditions { at_most: Some(level), ..Conditions::default() };
    let sandbox = Sandbox::open(&program, &Limits::default(), conditions).map_err(text)?;
    let started = sandbox.start(&RunRequest::for_game(Vec::new())).map_err(text)?;
    let mut session = started.running().map_err(|report| format!("{report:?}"))?;
    match session.line(100, Instant::now() + PATIENCE).map_err(text)? {
        ReadLine::Read(line) if line == b"ready" => Ok(session),
        other => Err(format!("{behaviour}: it did not get ready: {other:?}")),
    }
}
