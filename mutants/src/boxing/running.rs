//! Faults of running (B5, B9): what a bot requires of its environment, how it reads and writes, how it ends, and what
//! it leaves behind. Bots that only look wrong in these ways are here too.

use super::{BoxingSteps, KnownTurn, read_some, write};
use crate::process::{asset, home, leave_child, myself, run};
use cornerman::games::boxing::{ARENA_BYTES, WIDTH};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{ExitCode, Stdio, abort};
use std::sync::mpsc;
use std::thread::{sleep, spawn};
use std::time::Duration;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    let sound = BoxingSteps::default();
    Some(match kind {
        "segv-after-output" => BoxingSteps { finish: || abort(), ..sound },
        "exit-1" => BoxingSteps { finish: || ExitCode::from(1), ..sound },
        "read-once" => BoxingSteps { read: read_once, ..sound },
        "waits-for-end" => BoxingSteps { read: read_to_the_end, ..sound },
        "reads-one-more" => BoxingSteps { read: read_one_more, ..sound },
        "needs-home" => BoxingSteps { prepare: |_| home(), ..sound },
        "relative-asset" => BoxingSteps { prepare: |_| asset(), ..sound },
        "pipe-only" => BoxingSteps { prepare: need_pipe, ..sound },
        "child-holds-stdout" => BoxingSteps { prepare: |_| leave_child(Stdio::inherit()), ..sound },
        "silent-child" => BoxingSteps { prepare: |_| leave_child(Stdio::null()), ..sound },
        "daemon" => BoxingSteps { prepare: leave_daemon, ..sound },
        "child-at-the-end" => BoxingSteps {
            prepare: |turn| if turn.arena.vacant().is_empty() { leave_child(Stdio::null()) } else { Ok(()) },
            ..sound
        },
        "child-in-a-game" => BoxingSteps {
            prepare: |turn| {
                let few = (1..=8).contains(&turn.arena.vacant().count());
                if few { leave_child(Stdio::null()) } else { Ok(()) }
            },
            ..sound
        },
        "near-zombie" => BoxingSteps { prepare: leave_zombie, ..sound },
        "floods-stderr" => BoxingSteps { prepare: flood, ..sound },
        "answers-on-standard-error" => BoxingSteps { write: |text| io::stderr().write_all(text), ..sound },
        "near-chatter" => BoxingSteps { prepare: chatter, ..sound },
        "near-dribble" => BoxingSteps { write: dribble, ..sound },
        "near-expects-more" => BoxingSteps { read: expect_more, ..sound },
        "near-state" => BoxingSteps { prepare: leave_state, ..sound },
        "near-child" => BoxingSteps { prepare: wait_for_child, ..sound },
        "none" => sound,
        _ => return None,
    })
}

/// Takes the result of one read for the whole input.
fn read_once() -> Vec<u8> {
    let mut input = Vec::new();
    read_some(&mut input);
    input
}

fn read_to_the_end() -> Vec<u8> {
    let mut input = Vec::new();
    _ = io::stdin().lock().read_to_end(&mut input);
    input
}

fn read_one_more() -> Vec<u8> {
    let mut input = Vec::new();
    while input.len() <= ARENA_BYTES && read_some(&mut input) > 0 {}
    input
}

/// Reads in another thread until nothing more comes for a quarter of a second.
fn expect_more() -> Vec<u8> {
    let (sender, pieces) = mpsc::channel();
    spawn(move || {
        let mut piece = Vec::new();
        while read_some(&mut piece) > 0 && sender.send(std::mem::take(&mut piece)).is_ok() {}
    });
    let mut input = Vec::new();
    loop {
        match pieces.recv_timeout(Duration::from_millis(250)) {
            Ok(piece) => input.extend(piece),
            Err(mpsc::RecvTimeoutError::Timeout) if input.len() < ARENA_BYTES => {}
            Err(_) => return input,
        }
    }
}

fn need_pipe(_: &KnownTurn) -> Result<(), String> {
    let output = io::stdout().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    match output {
        Ok(output) if output.is_file() => Err("standard output is a file".to_string()),
        _ => Ok(()),
    }
}

/// Leaves a process whose parent has ended, in a new process group.
fn leave_daemon(_: &KnownTurn) -> Result<(), String> {
    run(myself("--detach", Stdio::null())?.process_group(0))
}

/// Starts a process that ends before the bot does, and does not wait for it.
fn leave_zombie(_: &KnownTurn) -> Result<(), String> {
    let mut command = myself("--nothing", Stdio::piped())?;
    let mut child = command.spawn().map_err(|error| format!("cannot start a process: {error}"))?;
    // Its output ends when it does. A moment later it has ended itself.
    _ = child.stdout.take().map(|mut out| out.read_to_end(&mut Vec::new()));
    let state = format!("/proc/{}/stat", child.id());
    while fs::read_to_string(&state).is_ok_and(|stat| !stat.contains(") Z ")) {
        sleep(Duration::from_millis(1));
    }
    Ok(())
}

fn wait_for_child(_: &KnownTurn) -> Result<(), String> {
    run(&mut myself("--nothing", Stdio::null())?)
}

/// Writes twice the capacity of a pipe to standard error, and fails if it cannot.
fn flood(_: &KnownTurn) -> Result<(), String> {
    let line = b"thinking of all the squares that are still vacant, one after another, aloud\n";
    io::stderr()
        .write_all(&line.repeat((1 << 17) / line.len()))
        .map_err(|error| format!("standard error cannot be written: {error}"))
}

/// Writes a few harmless lines to standard error.
fn chatter(turn: &KnownTurn) -> Result<(), String> {
    let vacant = turn.arena.vacant();
    for (size, corners) in vacant.anchors_by_size() {
        _ = writeln!(io::stderr(), "{} squares of {size}", corners.count());
    }
    Ok(())
}

/// Writes a row and a half at a time.
fn dribble(text: &[u8]) -> io::Result<()> {
    for piece in text.chunks(WIDTH * 3 / 2) {
        write(piece)?;
        sleep(Duration::from_millis(2));
    }
    Ok(())
}

/// Leaves a state file, and never removes it.
fn leave_state(turn: &KnownTurn) -> Result<(), String> {
    _ = fs::write(super::state::state_file(turn.mark), turn.arena.to_bytes());
    Ok(())
}
