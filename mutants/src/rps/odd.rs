//! Faults of running (R3, R7, R8): what a bot requires of its environment, what it leaves behind, how it ends.

use super::RpsSteps;
use crate::lines::{brief_thread, remember, stay};
use crate::process::replace_itself;
use std::io::{self};
use std::process::{ExitCode, abort};
use std::thread::{sleep, spawn};
use std::time::Duration;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<RpsSteps> {
    let sound = RpsSteps::default();
    Some(match kind {
        "rps-threads" => RpsSteps {
            prepare: || {
                spawn(|| sleep(Duration::from_secs(30)));
                Ok(())
            },
            ..sound
        },
        "rps-brief-thread" => RpsSteps { prepare: brief_thread, ..sound },
        "rps-history-late" => RpsSteps {
            heed: |history| {
                if let (200.., Ok(home)) = (history.round(), std::env::var("HOME")) {
                    _ = remember(&home);
                }
            },
            ..sound
        },
        "rps-hidden-history" => RpsSteps {
            prepare: || {
                _ = std::fs::create_dir_all(".cache/past");
                remember(".cache/past")
            },
            ..sound
        },
        "rps-history-with-its-last-hand" => RpsSteps {
            heed: |history| {
                if history.is_last() {
                    _ = remember("/dev/shm");
                }
            },
            ..sound
        },
        "rps-replaces-itself" => RpsSteps {
            finish: || {
                replace_itself();
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                ExitCode::SUCCESS
            },
            ..sound
        },
        "rps-near-ignores-eof" => RpsSteps { finish: stay, ..sound },
        "rps-near-dies-at-eof" => RpsSteps {
            finish: || {
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                abort()
            },
            ..sound
        },
        "rps-dies-at-end" => RpsSteps { finish: || abort(), ..sound },
        "rps-name-of-home" => {
            RpsSteps { name: || format!("Mutant of {}\n", std::env::var("HOME").unwrap_or_default()), ..sound }
        }
        _ => return None,
    })
}
