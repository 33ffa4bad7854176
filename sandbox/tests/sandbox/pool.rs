//! Which sandboxes a pool keeps, and for whom.

use super::{at, expect, for_move, level_of};
use cornerman_sandbox::{Conditions, Level, Limits, Program, Sandbox, SandboxError, SandboxPool};
use libtest_mimic::{Failed, Trial};
use std::thread;
use std::time::Duration;

pub fn trials() -> [Trial; 3] {
    let level = level_of(Level::Namespaced);
    let lacking = (level < Level::Namespaced).then(|| format!("no sandbox is kept at {level}"));
    [
        Trial::test("pool::sandboxes_are_kept_for_their_own_bot", sandboxes_are_kept_for_their_own_bot),
        Trial::test("pool::sandboxes_end_while_they_are_used", sandboxes_end_while_they_are_used),
        Trial::test("pool::closed_or_weaker_sandboxes_are_not_kept", closed_or_weaker_sandboxes_are_not_kept),
    ]
    .map(|trial| trial.with_ignored_flag(lacking.is_some()).with_kind(lacking.clone().unwrap_or_default()))
}

/// A bot that prints the number of its user namespace, which each sandbox has for itself.
fn program(name: &str) -> Program {
    let script = "readlink /proc/self/ns/user";
    Program {
        argv: ["/bin/sh", "-c", script, name].map(Into::into).to_vec(),
        folder: "/".into(),
        parts: Vec::new(),
    }
}

/// Plays a game in a sandbox from `pool`, gives the sandbox back, and returns its number.
fn played(pool: &SandboxPool, name: &str, limits: &Limits, conditions: Conditions) -> Result<Vec<u8>, Failed> {
    let mut sandbox: Sandbox = pool.take(&program(name), limits, conditions)?;
    sandbox.renew()?;
    let output = sandbox.run(&for_move(b'A', b""))?.output;
    pool.give_back(sandbox);
    Ok(output)
}

fn sandboxes_are_kept_for_their_own_bot() -> Result<(), Failed> {
    let pool = SandboxPool::new(2);
    let namespaced = at(Level::Namespaced);
    let usual = Limits::default();
    let slower = Limits { hard: Duration::from_secs(9), ..usual.clone() };
    let traced = Conditions { can_trace: true, ..namespaced };
    let first = played(&pool, "first", &usual, namespaced)?;
    expect(first.starts_with(b"user:["), true)?;
    for (same, name, limits, conditions) in [
        (true, "first", &usual, namespaced),
        (false, "second", &usual, namespaced),
        (true, "first", &usual, namespaced),
        (false, "first", &slower, namespaced),
        // The second bot's had been idle for the longest time.
        (true, "first", &usual, namespaced),
        (false, "first", &usual, traced),
    ] {
        let number = played(&pool, name, limits, conditions)?;
        expect((number == first, name, limits.hard), (same, name, limits.hard))?;
    }
    expect(pool.has(&program("second"), &usual, namespaced), false)?;
    let mut one = pool.take(&program("first"), &usual, namespaced)?;
    let mut two = pool.take(&program("first"), &usual, namespaced)?;
    let number = |sandbox: &mut Sandbox| sandbox.run(&for_move(b'A', b"")).map(|report| report.output);
    expect(number(&mut one)? == number(&mut two)?, false)
}

fn sandboxes_end_while_they_are_used() -> Result<(), Failed> {
    for level in [Level::Plain, Level::Namespaced] {
        let pool = SandboxPool::new(1);
        let patient = Limits { hard: Duration::from_secs(3600), ..Limits::default() };
        let sleeps =
            Program { argv: ["/bin/sh", "-c", "exec sleep 3600"].map(Into::into).to_vec(), ..program("sleeps") };
        let mut sandbox = pool.take(&sleeps, &patient, at(level))?;
        let ended = thread::scope(|scope| {
            let run = scope.spawn(move || sandbox.run(&for_move(b'A', b"")).map(|report| report.ended));
            pool.end();
            run.join().expect("no panic")
        });
        expect((level, ended.is_err()), (level, true))?;
        let another = pool.take(&sleeps, &patient, at(level));
        expect((level, matches!(another, Err(SandboxError::Ended))), (level, true))?;
    }
    Ok(())
}

fn closed_or_weaker_sandboxes_are_not_kept() -> Result<(), Failed> {
    let usual = Limits::default();
    for (level, close, kept) in
        [(Level::Namespaced, false, true), (Level::Namespaced, true, false), (Level::Scoped, false, false)]
    {
        let pool = SandboxPool::new(1);
        played(&pool, "bot", &usual, at(level))?;
        if close {
            pool.begin_to_close();
        }
        expect((level, close, pool.has(&program("bot"), &usual, at(level))), (level, close, kept))?;
        played(&pool, "bot", &usual, at(level))?;
    }
    Ok(())
}
