//! Handles Ctrl-C during a run: the first lets the running games end, the second ends the program at once.

use super::ProgressLine;
use crate::own;
use cornerman_harness::text::quoted;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The exit code of a program that was ended by Ctrl-C, by the convention of shells.
const ENDED: i32 = 130;

/// How long printing may take before the program ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Listens for SIGINT and SIGTERM until it is dropped.
pub(crate) struct Stop {
    asked: Arc<AtomicBool>,
    signals: Handle,
    listener: Option<JoinHandle<()>>,
}

impl Stop {
    /// Starts to listen, and prints on `line` what a signal does; `ended` is printed when the program ends at once.
    ///
    /// # Errors
    /// When the signals cannot be listened for.
    pub(crate) fn on_signals(line: ProgressLine, ended: String) -> io::Result<Stop> {
        let asked = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let stopping = Arc::clone(&asked);
        let listener = thread::spawn(move || {
            for _ in signals.forever() {
                if stopping.swap(true, Ordering::Relaxed) {
                    // Also if whoever reads what is printed here does not read on.
                    thread::spawn(|| {
                        thread::sleep(PATIENCE);
                        signal_hook::low_level::exit(ENDED);
                    });
                    line.end();
                    eprintln!("ended at once: {ended}");
                    // The sandboxes notice, and end their bots. The record only ever holds complete games.
                    std::process::exit(ENDED);
                }
                line.say("stopping: the running games are played to their end; press Ctrl-C again to end at once");
            }
        });
        Ok(Stop { asked, signals: handle, listener: Some(listener) })
    }

    /// Becomes true with the first signal.
    pub(crate) fn asked(&self) -> &AtomicBool {
        &self.asked
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.signals.close();
        // The thread returns nothing.
        self.listener.take().map(JoinHandle::join);
    }
}

/// What a run says that ends at once.
pub(crate) fn to_resume() -> String {
    format!("the games that were running will be played again; resume with: {}", resume_command())
}

/// The command that resumes the run: as it was called, but without `--force-new`, which would begin anew.
pub(crate) fn resume_command() -> String {
    command_without(&["--force-new"], &[])
}

/// The command as it was called, without these flags and without these options and their values.
pub(crate) fn command_without(flags: &[&str], options: &[&str]) -> String {
    let mut skips_value = false;
    let words = std::env::args_os().skip(1).filter(|word| {
        if std::mem::take(&mut skips_value) {
            return false;
        }
        let word = word.to_string_lossy();
        let (name, value) = word.split_once('=').map_or((&*word, None), |(name, value)| (name, Some(value)));
        let is_option = options.contains(&name);
        skips_value = is_option && value.is_none();
        !is_option && !flags.contains(&name)
    });
    let words = words.map(|word| quoted(&word)).collect::<Vec<_>>();
    std::iter::once(own::command()).chain(words).collect::<Vec<_>>().join(" ")
}
