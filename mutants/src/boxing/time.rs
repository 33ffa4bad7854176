//! Faults of time (B10). They appear only on the empty arena, which is certain to be tried, so that the suite waits for
//! the limit only once.

use super::bot::{Bot, Turn};
use cornerman::games::boxing::SPOTS;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Well past the hard limit, even for a bot that mostly waits for a processor; the bot ends then if it is not killed.
pub const TOO_LONG: Duration = Duration::from_secs(30);

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    let prepare: fn(&Turn) -> Result<(), String> = match kind {
        "sleep-over-limit" => |turn| on_the_open(turn, || sleep(TOO_LONG)),
        "spin" => |turn| on_the_open(turn, spin),
        "slow-when-empty" => |turn| on_the_open(turn, || sleep(Duration::from_millis(1300))),
        "near-limit" => |turn| on_the_open(turn, || sleep(Duration::from_millis(500))),
        _ => return None,
    };
    Some(Bot { prepare, ..Bot::default() })
}

fn on_the_open(turn: &Turn, pass_time: fn()) -> Result<(), String> {
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
