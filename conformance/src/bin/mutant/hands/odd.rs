//! Faults of running (R3, R7, R8): what a bot asks of its surroundings, what it leaves behind, how it ends.

use super::{Bot, remember};
use crate::running::{asset, child, home, leave_child};
use std::io::{self, Read, Write};
use std::process::{Child, ExitCode, Stdio, abort};
use std::sync::Mutex;
use std::thread::{sleep, spawn};
use std::time::Duration;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    let sound = Bot::default();
    Some(match kind {
        "rps-read-once" => Bot { read: read_once, ..sound },
        "rps-saves-history" => Bot { prepare: || remember("/tmp"), ..sound },
        "rps-history-in-folder" => Bot { prepare: || remember("."), ..sound },
        "rps-forks" => Bot { finish: fork_at_the_end, ..sound },
        "rps-has-a-helper" => Bot { prepare: have_a_helper, finish: end_the_helper, ..sound },
        "rps-threads" => Bot {
            prepare: || {
                spawn(|| sleep(Duration::from_secs(30)));
                Ok(())
            },
            ..sound
        },
        "rps-needs-home" => Bot { prepare: home, ..sound },
        "rps-relative-asset" => Bot { prepare: asset, ..sound },
        "rps-ignores-eof" => Bot { finish: stay, ..sound },
        "rps-dies-at-eof" => Bot { finish: || abort(), ..sound },
        "rps-floods-stderr" => Bot { prepare: flood, ..sound },
        _ => return None,
    })
}

/// What one read gives is taken for whole lines.
pub fn read_once() -> Option<String> {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut lines = LINES.lock().expect("nobody panics");
    if lines.is_empty() {
        let mut buffer = [0; 4096];
        let count = io::stdin().lock().read(&mut buffer).ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
        lines.extend(text.lines().rev().map(str::to_string));
    }
    lines.pop()
}

/// Leaves a process behind when the input has ended.
pub fn fork_at_the_end() -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    leave_child(Stdio::null()).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

/// The process that helps it.
static HELPER: Mutex<Option<Child>> = Mutex::new(None);

/// Starts a process that stays.
pub fn have_a_helper() -> Result<(), String> {
    *HELPER.lock().expect("nobody panics") = Some(child(Stdio::null())?);
    Ok(())
}

/// Ends it when the input has ended.
pub fn end_the_helper() -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    if let Some(mut helper) = HELPER.lock().expect("nobody panics").take() {
        _ = helper.kill().and_then(|()| helper.wait());
    }
    ExitCode::SUCCESS
}

/// Stays although the input has ended.
pub fn stay() -> ExitCode {
    sleep(Duration::from_secs(30));
    ExitCode::SUCCESS
}

fn flood() -> Result<(), String> {
    let line = [b'x'; 1024];
    (0..128).for_each(|_| _ = io::stderr().write_all(&line));
    Ok(())
}
