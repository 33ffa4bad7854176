//! Faults of running (G3, G4, G9): what a bot requires of its environment, what it leaves behind, how it ends.

use super::{GoSteps, understand};
use crate::lines::{brief_thread, remember, stay};
use crate::process::replace_itself;
use std::process::abort;
use std::thread::spawn;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-saves-as-white" => GoSteps {
            heed: |game| {
                if let (false, Ok(home)) = (game.black, std::env::var("HOME")) {
                    _ = remember(&home);
                }
            },
            ..sound
        },
        "go-saves-long-games" => GoSteps {
            heed: |game| {
                if game.moves.len() >= 30 {
                    _ = remember("/var/tmp");
                }
            },
            ..sound
        },
        "go-near-brief-thread" => GoSteps { prepare: brief_thread, ..sound },
        "go-saves-when-both-pass" => GoSteps { end: |_, _| _ = remember("/dev/shm"), ..sound },
        "go-replaces-itself" => GoSteps {
            hurry: |_, game| {
                replace_itself();
                game.hurried = true;
            },
            ..sound
        },
        "go-capitals-only" => GoSteps {
            understand: |game, line| {
                // A pass is usually written in small letters.
                let small = line.bytes().any(|byte| byte.is_ascii_lowercase()) && line != "pass";
                if small { std::process::exit(1) } else { understand(game, line) }
            },
            ..sound
        },
        "go-dies-of-junk" => GoSteps { junk: |_| abort(), ..sound },
        "go-hangs-on-junk" => GoSteps {
            junk: |_| {
                stay();
            },
            ..sound
        },
        "go-one-size" => GoSteps { size: |_| 19, ..sound },
        "go-spins" => GoSteps { prepare: spin, ..sound },
        _ => return None,
    })
}

/// Starts a thread that spins.
fn spin() -> Result<(), String> {
    spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    Ok(())
}
