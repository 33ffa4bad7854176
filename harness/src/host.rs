//! Whether the machine itself was held up: a bot must not lose on time because others kept it waiting (B10).
//!
//! A watchdog thread sleeps for short spells and notes by how much it woke too late. What it could not do in
//! time, a bot could not do either.

use std::collections::VecDeque;
use std::fs;
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the watchdog sleeps.
const SPELL: Duration = Duration::from_millis(10);

/// Waking later than this is worth a note; less is every machine's daily life.
const NOTEWORTHY: Duration = Duration::from_millis(5);

/// Notes older than this are of no use: no move takes as long.
const MEMORY: Duration = Duration::from_secs(600);

/// Of a limit, the part that the machine may waste before it, not the bot, is to blame.
const TOLERATED: u32 = 10;

struct Note {
    woke: Instant,
    late: Duration,
}

static NOTES: Mutex<VecDeque<Note>> = Mutex::new(VecDeque::new());

/// How far the machine was held up over some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostLag {
    /// All the time by which the watchdog woke too late.
    pub total: Duration,
    /// The longest single delay.
    pub worst: Duration,
}

impl HostLag {
    /// Whether it explains a bot's missing a `limit`.
    pub fn excuses(self, limit: Duration) -> bool {
        self.total >= limit / TOLERATED
    }
}

/// Starts the watchdog, if it does not run yet. What happened before is not known.
pub fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // Without it no lag is ever seen, and no loss on time excused: the machine lacks a thread for it then.
        thread::Builder::new().name("host watchdog".to_string()).spawn(keep_watch).ok();
    });
}

fn keep_watch() -> ! {
    loop {
        let due = Instant::now() + SPELL;
        thread::sleep(SPELL);
        let woke = Instant::now();
        let late = woke.saturating_duration_since(due);
        if late > NOTEWORTHY {
            let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
            notes.push_back(Note { woke, late });
            while notes.front().is_some_and(|note| woke.duration_since(note.woke) > MEMORY) {
                notes.pop_front();
            }
        }
    }
}

/// How far the machine was held up since `began`.
pub fn lag_since(began: Instant) -> HostLag {
    let notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    lag_between(notes.iter(), began, Instant::now())
}

fn lag_between<'a>(notes: impl Iterator<Item = &'a Note>, began: Instant, ended: Instant) -> HostLag {
    let mut lag = HostLag::default();
    for note in notes {
        // Of a delay that began before, only what fell into the time counts.
        let from = note.woke.checked_sub(note.late).map_or(began, |from| from.max(began));
        let late = note.woke.min(ended).saturating_duration_since(from);
        lag.total += late;
        lag.worst = lag.worst.max(late);
    }
    lag
}

/// The kernel's own account of processes that waited for a processor: microseconds since it started, where it
/// keeps one (`/proc/pressure/cpu`).
pub fn pressure() -> Option<u64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    text.lines().find(|line| line.starts_with("some"))?.rsplit_once("total=")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// Delays as (end, length) in milliseconds from a common start; what is seen between `began` and `ended`.
    fn check(delays: &[(u64, u64)], (began, ended): (u64, u64), total: u64, worst: u64) {
        let start = Instant::now() + MS(10_000);
        let notes: Vec<Note> =
            delays.iter().map(|&(end, late)| Note { woke: start + MS(end), late: MS(late) }).collect();
        let lag = lag_between(notes.iter(), start + MS(began), start + MS(ended));
        assert_eq!(lag, HostLag { total: MS(total), worst: MS(worst) });
    }

    #[test]
    fn only_what_fell_into_the_time_counts() {
        check(&[], (0, 100), 0, 0);
        check(&[(50, 20), (90, 5)], (0, 100), 25, 20);
        check(&[(50, 20)], (40, 100), 10, 10);
        check(&[(50, 20)], (60, 100), 0, 0);
        check(&[(120, 50)], (0, 100), 30, 30);
    }

    #[test]
    fn a_tenth_of_the_limit_excuses() {
        let lag = |ms| HostLag { total: MS(ms), worst: MS(ms) };
        assert!(lag(200).excuses(MS(2000)));
        assert!(!lag(199).excuses(MS(2000)));
    }
}
