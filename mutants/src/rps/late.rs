//! Faults that show only in some rounds, after some results or in some games, and bots that only look as if they had one.

use super::RpsSteps;
use crate::lines::{flush_at_the_end, kept_back_if, read_but, write};
use std::io;
use std::process::{ExitCode, abort, exit};
use std::thread::sleep;
use std::time::Duration;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<RpsSteps> {
    let sound = RpsSteps::default();
    Some(match kind {
        // The opening.
        "rps-near-long-name" => RpsSteps { name: || format!("{} 石头 \n", "Fäustling ".repeat(20)), ..sound },
        "rps-holds-its-name" => {
            RpsSteps { write: |text| kept_back_if(text, |line| line == 0), finish: flush_at_the_end, ..sound }
        }
        // Hands.
        "rps-sign" => RpsSteps { render: |_, hand| format!("+{hand}\n"), ..sound },
        "rps-initial-late" => RpsSteps { render: |h, hand| hand_or(h.round() == 700, "R\n", hand), ..sound },
        "rps-3-against-paper" => {
            RpsSteps { render: |h, hand| hand_or(h.foes.ends_with(&[1; 20]), "3\n", hand), ..sound }
        }
        "rps-minus-1-when-behind" => {
            RpsSteps { render: |h, hand| hand_or(h.count(2) == 100, "-1\n", hand), ..sound }
        }
        "rps-shows-nothing-late" => RpsSteps { render: |h, hand| hand_or(h.round() == 12, "\n", hand), ..sound },
        "rps-word-at-60000" => RpsSteps { render: |h, hand| hand_or(h.seed == 60000, "rock\n", hand), ..sound },
        "rps-last-without-lf" => RpsSteps {
            render: |h, hand| format!("{hand}{}", if h.is_last() { "" } else { "\n" }),
            finish: leave,
            ..sound
        },
        "rps-no-lf-late" => {
            RpsSteps { render: |h, hand| format!("{hand}{}", if h.round() == 450 { "" } else { "\n" }), ..sound }
        }
        "rps-writes-twice-late" => {
            RpsSteps { render: |h, hand| and_also(h.round() == 600, hand, &hand.to_string()), ..sound }
        }
        "rps-writes-twice-last" => {
            RpsSteps { render: |h, hand| and_also(h.is_last(), hand, &hand.to_string()), ..sound }
        }
        "rps-blank-line-late" => RpsSteps { render: |h, hand| and_also(h.round() == 777, hand, ""), ..sound },
        "rps-blank-line-at-end" => RpsSteps {
            finish: || {
                write("\n");
                leave()
            },
            ..sound
        },
        "rps-remark-when-ahead" => {
            RpsSteps { render: |h, hand| and_also(h.count(1) == 60, hand, "60 won"), ..sound }
        }
        "rps-farewell" => RpsSteps {
            finish: || {
                write("good game\n");
                leave()
            },
            ..sound
        },
        "rps-unfinished-farewell" => RpsSteps {
            finish: || {
                write("good ga");
                ExitCode::SUCCESS
            },
            ..sound
        },
        "rps-skips-a-read-late" => RpsSteps { read: || read_but(400), ..sound },
        "rps-forgets-to-flush-late" => {
            RpsSteps { write: |text| kept_back_if(text, |line| line == 444), finish: flush_at_the_end, ..sound }
        }
        // Time and length.
        "rps-near-leaves-with-its-last-hand" => RpsSteps {
            render: |history, hand| {
                if history.is_last() {
                    write(&format!("{hand}\n"));
                    exit(0);
                }
                format!("{hand}\n")
            },
            ..sound
        },
        "rps-sleeps-late" => RpsSteps {
            heed: |h| {
                if h.round() == 720 {
                    sleep(Duration::from_secs(3));
                }
            },
            ..sound
        },
        "rps-leaves-after-ties" => RpsSteps {
            heed: |h| {
                if h.count(0) == 150 {
                    exit(0)
                }
            },
            ..sound
        },
        "rps-dies-late" => RpsSteps {
            heed: |h| {
                if h.round() == 850 {
                    abort()
                }
            },
            ..sound
        },
        "rps-dies-of-losses" => RpsSteps {
            heed: |h| {
                if h.count(2) == 120 {
                    abort()
                }
            },
            ..sound
        },
        "rps-dies-with-its-last-hand" => RpsSteps {
            render: |history, hand| {
                if history.is_last() {
                    write(&format!("{hand}\n"));
                    abort();
                }
                format!("{hand}\n")
            },
            ..sound
        },
        _ => return None,
    })
}

/// The line of `hand`, or `other` if that is due.
fn hand_or(is_due: bool, other: &str, hand: u64) -> String {
    if is_due { other.to_string() } else { format!("{hand}\n") }
}

/// The line of `hand`, and the line `more` if that is due.
fn and_also(is_due: bool, hand: u64, more: &str) -> String {
    if is_due { format!("{hand}\n{more}\n") } else { format!("{hand}\n") }
}

/// Waits for the end of the input.
fn leave() -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    ExitCode::SUCCESS
}
