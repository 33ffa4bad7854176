//! A crowd in a game of one process: whichever way the game ends, no process of it is left, and whatever it does, it does
//! not think on another's turn.

use super::canaries::Canaries;
use super::stage::Stage;
use cornerman_sandbox::{Conditions, Level, Limits, Line, Program, RunRequest, Sandbox, Session};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// How long the crowd may take to gather.
const PATIENCE: Duration = Duration::from_secs(30);

/// A trial of a level, with a number of its own.
type Run = fn(Level, &Stage, usize) -> Result<(), String>;

/// All, with their names.
pub const TRIALS: [(&str, Run); 2] = [
    ("a_fork_bomb_leaves_nothing", a_fork_bomb_leaves_nothing),
    ("nobody_thinks_on_anothers_turn", nobody_thinks_on_anothers_turn),
];

fn told(error: impl Display) -> String {
    error.to_string()
}

/// Four hundred processes, each in a session of its own where that is allowed.
fn a_fork_bomb_leaves_nothing(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    let mut canaries = canaries("crowd", level, stage, number)?;
    for finishes in [true, false] {
        let session = ready("fork-bomb-of-sessions", level, stage, &canaries)?;
        if finishes {
            let (report, _) = session.finish(Duration::ZERO).map_err(told)?;
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

/// By threads and children, timers that would wake it, or orphans in sessions of their own: none uses more than a
/// little of the half a second for which it is stopped.
fn nobody_thinks_on_anothers_turn(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    const STOPPED: Duration = Duration::from_millis(500);
    const MOST: Duration = Duration::from_millis(150);
    let canaries = canaries("thief", level, stage, number)?;
    for behaviour in ["ponders", "ponders-by-timer", "ponders-in-orphans"] {
        let mut session = ready(behaviour, level, stage, &canaries)?;
        // It may have a moment to set its timers.
        std::thread::sleep(STOPPED / 5);
        session.freeze().map_err(told)?;
        std::thread::sleep(STOPPED);
        let used = session.thaw().map_err(told)?;
        if used > MOST {
            return Err(format!("{behaviour}: it used {used:?} while it was stopped for {STOPPED:?}"));
        }
    }
    Ok(())
}

fn canaries(name: &str, level: Level, stage: &Stage, number: usize) -> Result<Canaries, String> {
    let place = stage.place(&format!("{level}.{name}")).map_err(told)?;
    Canaries::set_up(&place, format!("{name}-{}-{number}.", std::process::id())).map_err(told)
}

/// The bot of this behaviour in a game, once it said that it is ready.
fn ready(behaviour: &str, level: Level, stage: &Stage, canaries: &Canaries) -> Result<Session, String> {
    let program = stage.program();
    let mut argv = vec![program.clone().into_os_string(), behaviour.into()];
    argv.extend(canaries.arguments().map_err(told)?.into_iter().map(Into::into));
    argv.push("A".into());
    let folder = program.parent().unwrap_or(&program).to_path_buf();
    let program = Program { argv, folder, parts: vec![program] };
    let limits = Limits { memory: 512 << 20, ..Limits::default() };
    let conditions = Conditions { at_most: Some(level), ..Conditions::default() };
    let sandbox = Sandbox::open(&program, &limits, conditions).map_err(told)?;
    let started = sandbox.start(&RunRequest::of_game(Vec::new())).map_err(told)?;
    let mut session = started.running().map_err(|report| format!("{report:?}"))?;
    match session.line(100, Instant::now() + PATIENCE).map_err(told)? {
        Line::Read(line) if line == b"ready" => Ok(session),
        other => Err(format!("{behaviour}: it did not get ready: {other:?}")),
    }
}
