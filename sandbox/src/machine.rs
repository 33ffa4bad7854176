//! What this machine gives: found once, with a program of the kit's own, so that no bot's doing lowers the level.

use super::error::SandboxError;
use super::keeper_handle::KeeperHandle;
use super::level::{Isolation, Level, LevelSetup, Refusal};
use super::report::Ended;
use super::run_request::{Limits, Program, RunRequest};
use super::wire::{Reply, Request, SandboxSpec};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The argument by which this program, started in a sandbox, shows that programs run there.
pub const PROBE: &str = "--cornerman-sandbox-probe";

/// How often a level is tried before it is said that the machine does not give it.
const TRIES: u32 = 3;

/// Between two tries: what was used up for a moment may be there again.
const PAUSE: Duration = Duration::from_millis(20);

/// The best level up to `at_most` that the machine gives, and what it refused above it.
///
/// # Errors
/// When it gives none.
pub fn best(at_most: Level) -> Result<Isolation, SandboxError> {
    static FOUND: Mutex<BTreeMap<Level, Isolation>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(isolation) = found.get(&at_most) {
        return Ok(isolation.clone());
    }
    let (mut level, mut refused) = (at_most, Vec::new());
    while let LevelSetup::Refused(refusal) = gives(level)? {
        let why = refusal.why.clone();
        refused.push(refusal);
        level = level.next_lower().ok_or(SandboxError::Failed(why))?;
    }
    let isolation = Isolation { level, refused };
    found.insert(at_most, isolation.clone());
    Ok(isolation)
}

/// Whether the machine gives `level` now: it is set up whole, and a program of the kit's own run there.
///
/// # Errors
/// When not even a process can be started.
pub fn gives(level: Level) -> Result<LevelSetup<()>, SandboxError> {
    let mut tried = try_out(level)?;
    for _ in 1..TRIES {
        if matches!(tried, LevelSetup::Done(())) {
            break;
        }
        thread::sleep(PAUSE);
        tried = try_out(level)?;
    }
    Ok(tried)
}

fn try_out(level: Level) -> Result<LevelSetup<()>, SandboxError> {
    // A program that was replaced while it runs cannot be started again: then the set-up alone is tried.
    let own = std::env::current_exe().ok().filter(|own| own.is_file());
    let argv = own.iter().map(|own| own.clone().into()).chain([PROBE.into()]).collect();
    let program = Program { argv, folder: "/".into(), parts: own.iter().cloned().collect() };
    let limits = Limits { hard: Duration::from_secs(60), ..Limits::default() };
    let spec =
        SandboxSpec { program, limits, level, watchful: false, builds: false, traces: false, group: Vec::new() };
    let mut keeper = match KeeperHandle::open(&spec)? {
        LevelSetup::Done(keeper) => keeper,
        LevelSetup::Refused(refusal) => return Ok(LevelSetup::Refused(refusal)),
    };
    if own.is_none() {
        return Ok(LevelSetup::Done(()));
    }
    match keeper.ask(&Request::Run(Cow::Owned(RunRequest::with_input(Vec::new(), b""))))? {
        Reply::Ran(report, _) if report.ended == Ended::Exited(0) => Ok(LevelSetup::Done(())),
        Reply::Ran(report, _) => {
            let why = format!("{:?} {}", report.ended, report.errors_tail(3));
            Ok(LevelSetup::Refused(Refusal { level, step: "run a program of the kit's own".to_string(), why }))
        }
        other => Err(SandboxError::unexpected(&other)),
    }
}
