//! Faults of running (R3, R7, R8): what a bot requires of its environment, what it leaves behind, how it ends.

use super::Bot;
use crate::lines::{
    brief_process, brief_thread, end_the_helper, fork_at_the_end, have_a_helper, read_once, remember, scratch,
    stay,
};
use crate::process::{asset, home, replace_itself};
use std::io::{self, Write};
use std::process::{ExitCode, abort};
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
        "rps-brief-thread" => Bot { prepare: brief_thread, ..sound },
        "rps-brief-process" => Bot {
            heed: |history| {
                if history.round() == 7 {
                    brief_process();
                }
            },
            ..sound
        },
        "rps-history-late" => Bot {
            heed: |history| {
                if let (200.., Ok(home)) = (history.round(), std::env::var("HOME")) {
                    _ = remember(&home);
                }
            },
            ..sound
        },
        "rps-history-at-the-end" => Bot {
            finish: || {
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                _ = remember("/tmp");
                ExitCode::SUCCESS
            },
            ..sound
        },
        "rps-hidden-history" => Bot {
            prepare: || {
                _ = std::fs::create_dir_all(".cache/past");
                remember(".cache/past")
            },
            ..sound
        },
        "rps-scratch-files" => Bot { prepare: scratch, ..sound },
        "rps-history-with-its-last-hand" => Bot {
            heed: |history| {
                if history.is_last() {
                    _ = remember("/dev/shm");
                }
            },
            ..sound
        },
        "rps-replaces-itself" => Bot {
            finish: || {
                replace_itself();
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                ExitCode::SUCCESS
            },
            ..sound
        },
        "rps-needs-home" => Bot { prepare: home, ..sound },
        "rps-relative-asset" => Bot { prepare: asset, ..sound },
        "rps-near-ignores-eof" => Bot { finish: stay, ..sound },
        "rps-near-dies-at-eof" => Bot {
            finish: || {
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                abort()
            },
            ..sound
        },
        "rps-near-status-3" => Bot { finish: || ExitCode::from(3), ..sound },
        "rps-dies-at-end" => Bot { finish: || abort(), ..sound },
        "rps-name-of-home" => {
            Bot { name: || format!("Mutant of {}\n", std::env::var("HOME").unwrap_or_default()), ..sound }
        }
        "rps-floods-stderr" => Bot { prepare: flood, ..sound },
        _ => return None,
    })
}

fn flood() -> Result<(), String> {
    let line = [b'x'; 1024];
    for _ in 0..128 {
        _ = io::stderr().write_all(&line);
    }
    Ok(())
}
