//! Faults of what is written, when, and how (R3–R6), and bots that only look wrong in these ways.

use super::{KnownRounds, RpsSteps};
use crate::lines::{drawn_at_start, flush_at_the_end, kept_back, read, read_but, read_pieces, write};
use std::process::{ExitCode, abort, exit};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<RpsSteps> {
    let sound = RpsSteps::default();
    Some(match kind {
        "rps-near-limit" => RpsSteps {
            heed: |history| {
                if history.round() == 1 {
                    sleep(Duration::from_millis(250));
                }
            },
            ..sound
        },
        "rps-near-cr" => {
            RpsSteps { name: || "Mutant\r\n".to_string(), render: |_, hand| format!("{hand}\r\n"), ..sound }
        }
        "rps-near-uncounted" => RpsSteps {
            finish: || {
                write("0\n");
                ExitCode::SUCCESS
            },
            ..sound
        },
        // The opening.
        "rps-waits-first" => RpsSteps { name: String::new, write: name_late, ..sound },
        "rps-changing-name" => RpsSteps { name: || format!("Mutant {}\n", now()), ..sound },
        "rps-rarely-another-name" => RpsSteps {
            name: || if now().is_multiple_of(6) { "Mutant of another kind\n" } else { "Mutant\n" }.to_string(),
            ..sound
        },
        "rps-empty-name" => RpsSteps { name: || "\n".to_string(), ..sound },
        "rps-banner" => RpsSteps { name: || "Mutant\nThe best bot there is\n".to_string(), ..sound },
        "rps-asks" => RpsSteps { name: || "Mutant\nseed? ".to_string(), ..sound },
        // Hands.
        "rps-word-token" => {
            RpsSteps { render: |_, hand| format!("{}\n", ["rock", "paper", "scissors"][hand as usize]), ..sound }
        }
        "rps-digit-3" => RpsSteps {
            render: |history, hand| format!("{}\n", if history.round() == 4 { 3 } else { hand }),
            ..sound
        },
        "rps-name-without-lf" => RpsSteps { name: || "Mutant".to_string(), ..sound },
        "rps-floods" => RpsSteps {
            heed: |_| {
                loop {
                    write("0\n");
                }
            },
            ..sound
        },
        "rps-runs-ahead" => RpsSteps { read: || read_but(1), ..sound },
        "rps-flushes-its-name" => RpsSteps {
            write: |text| if text.starts_with('M') { write(text) } else { kept_back(Some(text)) },
            finish: flush_at_the_end,
            ..sound
        },
        // Time and length.
        "rps-stops-at-999" => RpsSteps {
            heed: |history| {
                if history.round() == 999 {
                    std::process::exit(1);
                }
            },
            ..sound
        },
        "rps-dies-on-paper" => RpsSteps {
            heed: |history| {
                if history.foes.contains(&1) {
                    std::process::exit(1);
                }
            },
            ..sound
        },
        "rps-dies-on-seed-0" => RpsSteps {
            heed: |history| {
                if history.seed == 0 {
                    std::process::exit(1)
                }
            },
            ..sound
        },
        "rps-short-seed" => RpsSteps {
            heed: |history| {
                if history.seed > 32767 {
                    abort()
                }
            },
            ..sound
        },
        "rps-dies-on-crlf" => RpsSteps {
            read: || {
                read().inspect(|line| {
                    if line.ends_with('\r') {
                        std::process::exit(1)
                    }
                })
            },
            ..sound
        },
        // Play.
        "rps-clock-seeded" => RpsSteps { choose: |history| (history.mixed() + now()) % 3, ..sound },
        "rps-second-seeded" => RpsSteps { choose: |history| drawn(history, now_in_seconds()), ..sound },
        "rps-pid-seeded" => RpsSteps { choose: |history| drawn(history, std::process::id().into()), ..sound },
        "rps-address-seeded" => RpsSteps {
            choose: |history| {
                let here = 0_u8;
                drawn(history, (&raw const here) as u64 >> 12)
            },
            ..sound
        },
        "rps-environment-seeded" => RpsSteps {
            choose: |history| {
                let text: String = std::env::vars().map(|(name, value)| name + &value).collect();
                drawn(history, text.bytes().fold(0, |sum, byte| sum * 31 % 65_521 + u64::from(byte)))
            },
            ..sound
        },
        "rps-folder-seeded" => RpsSteps {
            choose: |history| {
                let folder = std::env::current_dir().unwrap_or_default();
                drawn(history, folder.as_os_str().len() as u64)
            },
            ..sound
        },
        "rps-locale-seeded" => RpsSteps {
            choose: |history| drawn(history, std::env::var("LANG").map_or(0, |lang| lang.len() as u64)),
            ..sound
        },
        "rps-processor-seeded" => RpsSteps {
            choose: |history| drawn(history, available_parallelism().map_or(0, |many| many.get() as u64)),
            ..sound
        },
        "rps-hash-seeded" => RpsSteps { choose: |history| drawn(history, drawn_at_start()), ..sound },
        "rps-rarely-another-hand" => RpsSteps {
            choose: |history| {
                let is_odd = history.round() == 9 && drawn_at_start().is_multiple_of(3);
                (history.mixed() + u64::from(is_odd)) % 3
            },
            ..sound
        },
        "rps-takes-its-seed-for-the-rounds" => RpsSteps {
            heed: |history| {
                if history.round() as u64 > history.seed {
                    exit(0);
                }
            },
            ..sound
        },
        "rps-one-round-short" => RpsSteps {
            heed: |history| {
                if history.is_last() {
                    exit(0);
                }
            },
            ..sound
        },
        "rps-leaves-after-rock" => RpsSteps {
            heed: |history| {
                if history.foes.contains(&0) {
                    exit(0);
                }
            },
            ..sound
        },
        "rps-fraction" => RpsSteps { render: |_, hand| format!("{hand}.0\n"), ..sound },
        "rps-one-based" => RpsSteps { render: |_, hand| format!("{}\n", hand + 1), ..sound },
        "rps-quotes" => RpsSteps { render: |_, hand| format!("\"{hand}\"\n"), ..sound },
        "rps-full-width" => RpsSteps {
            render: |_, hand| format!("{}\n", ['\u{ff10}', '\u{ff11}', '\u{ff12}'][hand as usize]),
            ..sound
        },
        "rps-before-the-rounds" => RpsSteps { read: show_a_hand_after_the_seed, ..sound },
        "rps-short-lines" => RpsSteps { read: || read_pieces(4), ..sound },
        "rps-room-for-a-thousand" => RpsSteps {
            heed: |history| {
                if history.round() > 1000 {
                    abort()
                }
            },
            ..sound
        },
        "rps-divides-by-ties" => RpsSteps {
            heed: |history| {
                if history.round() == 15 && history.count(0) == 0 {
                    exit(1);
                }
            },
            choose: |history| if history.foes.iter().any(|&foe| foe != 1) { history.mixed() } else { 0 },
            ..sound
        },
        "rps-name-with-pid" => RpsSteps { name: || format!("Mutant {}\n", std::process::id()), ..sound },
        "rps-ignores" => RpsSteps {
            choose: |history| (history.seed + history.round() as u64 * history.round() as u64) % 3,
            ..sound
        },
        _ => return None,
    })
}

/// Writes the name late, with the first hand.
fn name_late(text: &str) {
    static SAID: Mutex<bool> = Mutex::new(false);
    let mut said = SAID.lock().expect("no thread panics while it has the lock");
    if !text.is_empty() && !*said {
        *said = true;
        write("Mutant\n");
    }
    write(text);
}

/// Reads a line. After the first, which is its seed, it shows a hand at once.
fn show_a_hand_after_the_seed() -> Option<String> {
    static IS_SHOWN: AtomicBool = AtomicBool::new(false);
    let line = read();
    if !IS_SHOWN.swap(true, Ordering::Relaxed) {
        write("0\n");
    }
    line
}

/// A hand drawn from the faultless one and from `seed`.
fn drawn(history: &KnownRounds, seed: u64) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = (seed ^ (history.round() as u64) << 40).wrapping_mul(ODD);
    // Without a second step, two seeds would differ by the same amount in each round, which may be a multiple of 3.
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(ODD);
    (history.mixed() + (mixed >> 40)) % 3
}

/// The time in whole seconds.
fn now_in_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// A number that differs each time.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        >> 40
}
