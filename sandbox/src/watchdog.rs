//! Kills the keeper of a sandbox server that does not answer, and with it the server. Otherwise the client would wait
//! forever.
//!
//! A time limit on every wait for an answer would cost every move another system call. Instead one thread checks
//! once a second which servers still owe the same answer.

use rustix::process::{Signal, pidfd_send_signal};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How often the thread checks. A server may be killed up to twice this much too late.
const INTERVAL: Duration = Duration::from_secs(1);

/// The watch over one server: whether it owes an answer, and for how long it may.
#[derive(Debug)]
pub(crate) struct Watchdog {
    /// The number of requests and answers so far, together: odd while an answer is due.
    count: AtomicU64,
    /// How long an answer may take.
    patience: Duration,
    /// A handle of the server's keeper.
    server: OwnedFd,
    given_up: AtomicBool,
}

impl Watchdog {
    /// Makes the thread watch the keeper with the handle `server`, until the returned value is dropped.
    pub(crate) fn for_server(server: OwnedFd, patience: Duration) -> Arc<Watchdog> {
        static STARTED: Once = Once::new();
        // If the machine refuses another thread, servers are not watched.
        STARTED.call_once(|| drop(thread::Builder::new().name("server watchdog".to_string()).spawn(keep_watch)));
        let count = AtomicU64::new(0);
        let given_up = AtomicBool::new(false);
        let watchdog = Arc::new(Watchdog { count, patience, server, given_up });
        let watched = WatchedServer { watchdog: Arc::downgrade(&watchdog), count: 0, since: Instant::now() };
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
        watchdog
    }

    /// Notes that a request was sent, so that an answer is due, or that the answer came or will never come.
    pub(crate) fn note_message(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the server was killed because it did not answer.
    pub(crate) fn given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}

static WATCHED: Mutex<Vec<WatchedServer>> = Mutex::new(Vec::new());

/// What the thread knows of one server.
struct WatchedServer {
    watchdog: Weak<Watchdog>,
    count: u64,
    /// When the thread first saw that count.
    since: Instant,
}

impl WatchedServer {
    /// Checks the server, and kills it if it has taken too long. Returns `false` if it need not be watched any more.
    fn check(&mut self, now: Instant) -> bool {
        let Some(watchdog) = self.watchdog.upgrade() else { return false };
        let count = watchdog.count.load(Ordering::Relaxed);
        if count != self.count {
            (self.count, self.since) = (count, now);
        } else if count % 2 == 1 && now.saturating_duration_since(self.since) >= watchdog.patience {
            watchdog.given_up.store(true, Ordering::Relaxed);
            // If it has ended already, its channel is closed and the client is not waiting.
            pidfd_send_signal(&watchdog.server, Signal::KILL).ok();
        }
        true
    }
}

fn keep_watch() -> ! {
    loop {
        thread::sleep(INTERVAL);
        let now = Instant::now();
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).retain_mut(|watched| watched.check(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    use std::process::Command;

    const PATIENCE: Duration = Duration::from_secs(3600);

    /// Checks a process after `before` messages, and again after `pause` and `meanwhile` further messages. `ended` says
    /// whether it must have been killed. Requests and answers take turns, beginning with a request.
    fn check_server(before: u64, meanwhile: u64, pause: Duration, ended: bool) {
        let mut child = Command::new("sleep").arg("1000").spawn().expect("`sleep` starts");
        let handle = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).expect("a handle of it");
        let watchdog = Watchdog::for_server(handle, PATIENCE);
        let mut watched = WatchedServer { watchdog: Arc::downgrade(&watchdog), count: 0, since: Instant::now() };
        let now = Instant::now();
        for _ in 0..before {
            watchdog.note_message();
        }
        assert!(watched.check(now));
        for _ in 0..meanwhile {
            watchdog.note_message();
        }
        assert!(watched.check(now + pause));
        assert_eq!(watchdog.given_up(), ended);
        child.kill().ok();
        child.wait().expect("it ends");
        drop(watchdog);
        assert!(!watched.check(now + pause));
    }

    #[test]
    fn a_server_is_ended_when_one_answer_takes_too_long() {
        check_server(1, 0, PATIENCE, true);
        check_server(1, 0, PATIENCE / 2, false);
        check_server(1, 1, PATIENCE, false);
        check_server(1, 2, PATIENCE, false);
        check_server(0, 0, PATIENCE, false);
    }
}
