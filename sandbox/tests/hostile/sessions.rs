//! A crowd in a game of one process: whichever way the game ends, no process of it is left.

use super::canaries::Canaries;
use super::stage::Stage;
use cornerman_sandbox::{Conditions, Level, Limits, Line, Order, Program, Sandbox};
use std::time::{Duration, Instant};

/// How long the crowd may take to gather.
const PATIENCE: Duration = Duration::from_secs(30);

/// The trial number `number`: four hundred processes, each in a session of its own where that is allowed.
pub fn a_fork_bomb_leaves_nothing(level: Level, stage: &Stage, number: usize) -> Result<(), String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let place = stage.place(&format!("{level}.session")).map_err(|error| told(&error))?;
    let marker = format!("session-{}-{number}.", std::process::id());
    let mut canaries = Canaries::set_up(&place, marker).map_err(|error| told(&error))?;
    let mut argv = vec![place.bot.clone().into_os_string(), "fork-bomb-of-sessions".into()];
    argv.extend(canaries.arguments().map_err(|error| told(&error))?.into_iter().map(Into::into));
    argv.push("A".into());
    let folder = place.bot.parent().unwrap_or(&place.bot).to_path_buf();
    let program = Program { argv, folder, parts: vec![place.bot.clone()] };
    let limits = Limits { memory: 512 << 20, ..Limits::default() };
    let conditions = Conditions { at_most: Some(level), ..Conditions::default() };
    for finishes in [true, false] {
        let sandbox = Sandbox::open(&program, &limits, conditions).map_err(|error| told(&error))?;
        let started = sandbox.start(&Order::of_game(Vec::new())).map_err(|error| told(&error))?;
        let mut session = started.map_err(|(report, _)| format!("{report:?}"))?;
        match session.line(100, Instant::now() + PATIENCE).map_err(|error| told(&error))? {
            Line::Read(line) if line == b"ready" => {}
            other => return Err(format!("the crowd did not gather: {other:?}")),
        }
        if finishes {
            let (report, _) = session.finish(Duration::ZERO).map_err(|error| told(&error))?;
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
