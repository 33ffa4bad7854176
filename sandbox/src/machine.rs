//! Finds the strongest level that this machine provides.
//!
//! It tries levels with this program itself, never with a bot, so no bot can lower the level by failing.

use super::client::Conditions;
use super::error::SandboxError;
use super::keeper_handle::{Ender, KeeperHandle};
use super::level::{Isolation, Level, Refusal};
use super::report::Ended;
use super::run_request::{Limits, Program, RunRequest};
use super::wire::{SandboxSpec, ServerReply, ServerRequest};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// With this argument, this program exits at once. That shows that programs can run in a sandbox.
pub(crate) const PROBE: &str = "--cornerman-sandbox-probe";

/// Whether the kernel claims to be this version (major, minor) or a later one. Use this only for features that cannot
/// be tried out.
pub fn kernel_is_at_least(wanted: (u32, u32)) -> bool {
    let name = rustix::system::uname();
    let mut numbers = name.release().to_bytes().split(|byte| !byte.is_ascii_digit());
    let mut next = || str::from_utf8(numbers.next()?).ok()?.parse::<u32>().ok();
    (next().unwrap_or_default(), next().unwrap_or_default()) >= wanted
}

/// How many times a level is tried before it counts as refused.
const TRIES: u32 = 3;

/// The pause between two tries: a resource that had run out may be available again.
const PAUSE: Duration = Duration::from_millis(20);

/// Finds the strongest level up to `at_most` that the machine provides, and the steps that it refused above that level.
///
/// # Errors
/// When the machine refuses every level, or one cannot be tried.
pub(crate) fn find_strongest(at_most: Level) -> Result<Isolation, SandboxError> {
    static FOUND: Mutex<BTreeMap<Level, Isolation>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(isolation) = found.get(&at_most) {
        return Ok(isolation.clone());
    }
    let mut level = at_most;
    let mut refused = Vec::new();
    while let Err(error) = try_level(level) {
        let SandboxError::Refused(refusal) = error else { return Err(error) };
        level = level.next_lower().ok_or_else(|| SandboxError::Failed(refusal.why.clone()))?;
        refused.push(refusal);
    }
    let isolation = Isolation { level, refused };
    found.insert(at_most, isolation.clone());
    Ok(isolation)
}

/// Checks whether the machine provides `level` now: sets it up and runs this program there.
pub(crate) fn try_level(level: Level) -> Result<(), SandboxError> {
    for _ in 1..TRIES {
        match try_level_once(level) {
            Err(SandboxError::Refused(_)) => thread::sleep(PAUSE),
            tried => return tried,
        }
    }
    try_level_once(level)
}

fn try_level_once(level: Level) -> Result<(), SandboxError> {
    // If this program's file was replaced while it runs, it cannot be started again. Then try only the set-up.
    let own = std::env::current_exe().ok().filter(|own| own.is_file());
    let argv = own.iter().map(|own| own.clone().into()).chain([PROBE.into()]).collect();
    let program = Program { argv, folder: "/".into(), parts: own.iter().cloned().collect() };
    let limits = Limits { hard: Duration::from_secs(60), ..Limits::default() };
    let spec = SandboxSpec {
        program,
        limits,
        level,
        conditions: Conditions::default(),
        is_sanitized: false,
        group: Vec::new(),
    };
    let mut keeper = KeeperHandle::open(&spec, &Ender::default())?;
    if own.is_none() {
        return Ok(());
    }
    match keeper.ask(&ServerRequest::Run(Cow::Owned(RunRequest::with_input(Vec::new(), b""))))? {
        ServerReply::Ran(report, _) if report.ended == Ended::Exited(0) => Ok(()),
        ServerReply::Ran(report, _) => {
            let step = "run a program of the kit's own".to_string();
            let why = format!("{}: {}", report.ended, report.stderr_tail(3));
            Err(SandboxError::Refused(Refusal { level, step, why, errno: None }))
        }
        other => Err(SandboxError::unexpected(&other)),
    }
}
