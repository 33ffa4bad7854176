//! A sandbox server that does not answer is ended, so that nobody waits for it for ever.
//!
//! A time limit on each wait for an answer would be a call of the system more for every move. Instead one thread
//! looks now and then which questions are still the same.

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How often the thread looks: by so much a server may be ended too late.
const SPELL: Duration = Duration::from_secs(1);

/// What a server is asked, as far as the time until the answer goes.
#[derive(Debug)]
pub struct Watchdog {
    /// Counts questions and answers: odd while an answer is due.
    count: AtomicU64,
    /// How long an answer may take.
    patience: Duration,
    server: OwnedFd,
    given_up: AtomicBool,
}

impl Watchdog {
    /// Those to `server`, which the thread knows of as long as this is kept.
    ///
    /// # Errors
    /// When descriptors are used up.
    pub fn to(server: &Child, patience: Duration) -> io::Result<Arc<Watchdog>> {
        static STARTED: Once = Once::new();
        // Without it no server is ever ended: the machine lacks a thread for it then.
        STARTED.call_once(|| drop(thread::Builder::new().name("server watchdog".to_string()).spawn(keep_watch)));
        let (count, given_up) = (AtomicU64::new(0), AtomicBool::new(false));
        let pid = i32::try_from(server.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
        let server = pidfd_open(pid, PidfdFlags::empty())?;
        let watchdog = Arc::new(Watchdog { count, patience, server, given_up });
        let watched = Watched { watchdog: Arc::downgrade(&watchdog), count: 0, since: Instant::now() };
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
        Ok(watchdog)
    }

    /// An answer is due from now on.
    pub fn asked(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// It came, or will not.
    pub fn answered(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the server was ended for not answering.
    pub fn given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// Questions as the thread found them.
struct Watched {
    watchdog: Weak<Watchdog>,
    count: u64,
    /// When it found that count first.
    since: Instant,
}

impl Watched {
    /// Looks again, and ends a server that takes too long. `false`: there is nothing to look at any more.
    fn look(&mut self, now: Instant) -> bool {
        let Some(watchdog) = self.watchdog.upgrade() else { return false };
        let count = watchdog.count.load(Ordering::Relaxed);
        if count != self.count {
            (self.count, self.since) = (count, now);
        } else if count % 2 == 1 && now.saturating_duration_since(self.since) >= watchdog.patience {
            watchdog.given_up.store(true, Ordering::Relaxed);
            // One that has ended already has closed its channel, too.
            pidfd_send_signal(&watchdog.server, Signal::KILL).ok();
        }
        true
    }
}

fn keep_watch() -> ! {
    loop {
        thread::sleep(SPELL);
        let now = Instant::now();
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).retain_mut(|watched| watched.look(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const PATIENCE: Duration = Duration::from_secs(3600);

    /// A process to which so many questions and answers go is looked at before and after `pause`: whether it is ended.
    fn check(before: u64, meanwhile: u64, pause: Duration, ended: bool) {
        let mut child = Command::new("sleep").arg("1000").spawn().expect("`sleep` starts");
        let watchdog = Watchdog::to(&child, PATIENCE).expect("a handle of it");
        let mut watched = Watched { watchdog: Arc::downgrade(&watchdog), count: 0, since: Instant::now() };
        let now = Instant::now();
        (0..before).for_each(|_| watchdog.asked());
        assert!(watched.look(now));
        (0..meanwhile).for_each(|_| watchdog.answered());
        assert!(watched.look(now + pause));
        assert_eq!(watchdog.given_up(), ended);
        child.kill().ok();
        child.wait().expect("it ends");
        drop(watchdog);
        assert!(!watched.look(now + pause));
    }

    #[test]
    fn a_server_is_ended_when_one_answer_takes_too_long() {
        check(1, 0, PATIENCE, true);
        check(1, 0, PATIENCE / 2, false);
        check(1, 1, PATIENCE, false);
        check(1, 2, PATIENCE, false);
        check(0, 0, PATIENCE, false);
    }
}
