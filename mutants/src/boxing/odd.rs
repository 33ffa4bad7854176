//! Faults of time (B10), and faults outside a turn (B6): input and arguments that no referee sends, and a closed output.

use super::{BoxingSteps, Invocation, KnownTurn, read_some, write};
use cornerman::games::boxing::{ARENA_BYTES, Arena, SPOTS};
use std::io;
use std::process::abort;
use std::sync::mpsc;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    let heed: fn(&Invocation) = match kind {
        "overflow-on-long-input" => {
            return Some(BoxingSteps { read: read_beyond, heed: overflow, ..BoxingSteps::default() });
        }
        "dies-on-closed-pipe" => return Some(BoxingSteps { write: or_abort, ..BoxingSteps::default() }),
        "retries-closed-pipe" => return Some(BoxingSteps { write: or_retry, ..BoxingSteps::default() }),
        "dies-on-empty-input" => |given| abort_if(given.input.is_empty()),
        "dies-on-short-input" => |given| abort_if(is_short(&given.input)),
        "waits-for-the-rest" => |given| {
            if is_short(&given.input) {
                spin();
            }
        },
        "dies-on-crlf" => |given| abort_if(given.input.contains(&b'\r')),
        "dies-on-nul" => |given| abort_if(given.input.contains(&0)),
        "segv-without-argument" => |given| abort_if(given.args.first().is_none_or(Vec::is_empty)),
        "dies-on-long-argument" => |given| abort_if(given.args.first().is_some_and(|mark| mark.len() > 1)),
        _ => return None,
    };
    Some(BoxingSteps { heed, ..BoxingSteps::default() })
}

fn abort_if(odd: bool) {
    if odd {
        abort();
    }
}

/// Whether the input is a part of an arena, and not unusual in other ways as well.
fn is_short(input: &[u8]) -> bool {
    (1..ARENA_BYTES).contains(&input.len()) && !input.contains(&b'\r') && !input.contains(&0)
}

/// Aborts if the input is an arena and more characters of the kind that an arena has.
fn overflow(given: &Invocation) {
    let beyond = given.input.split_at_checked(ARENA_BYTES);
    abort_if(beyond.is_some_and(|(arena, more)| {
        Arena::parse(arena).is_ok() && !more.is_empty() && !more.iter().any(|&byte| byte == 0 || byte == b'\r')
    }));
}

/// Reads the arena, and what follows at once. Waiting until the input is closed would be another fault.
fn read_beyond() -> Vec<u8> {
    const AT_ONCE: Duration = Duration::from_millis(150);
    const ENOUGH: usize = 2 * ARENA_BYTES;
    let (sender, receiver) = mpsc::channel();
    spawn(move || {
        loop {
            let mut piece = Vec::new();
            if read_some(&mut piece) == 0 || sender.send(piece).is_err() {
                return;
            }
        }
    });
    let mut input = Vec::new();
    while input.len() < ARENA_BYTES {
        let Ok(piece) = receiver.recv() else { return input };
        input.extend(piece);
    }
    let until = Instant::now() + AT_ONCE;
    while input.len() < ENOUGH {
        let Ok(piece) = receiver.recv_timeout(until.saturating_duration_since(Instant::now())) else { break };
        input.extend(piece);
    }
    input
}

fn or_abort(text: &[u8]) -> io::Result<()> {
    write(text).or_else(|_| abort())
}

/// Retries a failed write until the time is up.
fn or_retry(text: &[u8]) -> io::Result<()> {
    let until = Instant::now() + TOO_LONG;
    while let Err(error) = write(text) {
        if Instant::now() > until {
            return Err(error);
        }
        sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// Well past the hard limit, even for a bot that mostly waits for a processor; the bot ends then if it is not killed.
pub const TOO_LONG: Duration = Duration::from_secs(30);

/// The bot with the fault of time `kind`, if it is one of these. Such a fault appears only on the empty arena, which is
/// certain to be tried, so that the suite waits for the limit only once.
pub fn slow(kind: &str) -> Option<BoxingSteps> {
    let prepare: fn(&KnownTurn) -> Result<(), String> = match kind {
        "sleep-over-limit" => |turn| on_the_open(turn, || sleep(TOO_LONG)),
        "spin" => |turn| on_the_open(turn, spin),
        "slow-when-empty" => |turn| on_the_open(turn, || sleep(Duration::from_millis(1300))),
        "near-limit" => |turn| on_the_open(turn, || sleep(Duration::from_millis(500))),
        _ => return None,
    };
    Some(BoxingSteps { prepare, ..BoxingSteps::default() })
}

fn on_the_open(turn: &KnownTurn, pass_time: fn()) -> Result<(), String> {
    if turn.arena.vacant().count() == SPOTS as u32 {
        pass_time();
    }
    Ok(())
}

/// Computes for [`TOO_LONG`].
pub fn spin() {
    let since = Instant::now();
    while since.elapsed() < TOO_LONG {
        std::hint::spin_loop();
    }
}
