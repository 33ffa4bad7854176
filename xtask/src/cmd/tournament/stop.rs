//! Ctrl-C: the first lets the games in play end, the second ends the program, and both say so at once.

use super::watch::Line;
use crate::own;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// The exit code of a program that Ctrl-C ended, as shells have it.
const ENDED: i32 = 130;

/// Listens for signals until it is dropped.
pub struct Stop {
    asked: Arc<AtomicBool>,
    signals: Handle,
    listener: Option<JoinHandle<()>>,
}

impl Stop {
    /// Listens from now on, and says on `line` what becomes of the run.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn on_signals(line: Line) -> io::Result<Stop> {
        let asked = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let (handle, stopping) = (signals.handle(), Arc::clone(&asked));
        let listener = thread::spawn(move || {
            for _ in signals.forever() {
                if stopping.swap(true, Ordering::Relaxed) {
                    line.end();
                    eprintln!(
                        "ended at once: the games that were in play are played again; go on with: {}",
                        again()
                    );
                    // The sandboxes see it, and end their bots; what is recorded is whole.
                    std::process::exit(ENDED);
                }
                line.say("stopping: the games in play are played to their end; Ctrl-C again ends at once");
            }
        });
        Ok(Stop { asked, signals: handle, listener: Some(listener) })
    }

    /// Set once a signal has come.
    pub fn asked(&self) -> &AtomicBool {
        &self.asked
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.signals.close();
        // It has nothing to say but what it has said.
        self.listener.take().map(JoinHandle::join);
    }
}

/// The command that takes the run up again: as it was called, but that it sets nothing aside again.
pub fn again() -> String {
    let words = std::env::args_os().skip(1).filter(|word| word != "--force-new");
    let words = words.map(|word| cornerman_conformance::report::quoted(&word));
    std::iter::once(own::command()).chain(words).collect::<Vec<_>>().join(" ")
}
