//! Handles Ctrl-C during a run: the first lets the running games end, the second ends them, and one more ends the program
//! whatever it is doing.

use super::ProgressLine;
use crate::own;
use cornerman_harness::run::Until;
use cornerman_harness::text::quoted;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{io, thread};

/// How long the end of a run waits for its last words to be printed: nobody may be reading them.
const PATIENCE: Duration = Duration::from_secs(1);

/// Listens for SIGINT and SIGTERM until it is dropped.
pub(crate) struct Stop {
    until: Until,
    signals: Handle,
    /// Disconnected once the listener has ended.
    listening: Receiver<()>,
}

impl Stop {
    /// Starts to listen, and prints on `line` what a signal does; `ended` is printed when the games end at once.
    ///
    /// # Errors
    /// When the signals cannot be listened for.
    pub(crate) fn on_signals(line: ProgressLine, ended: String) -> io::Result<Stop> {
        Stop::listen(move |until| {
            if until.is_stopping() {
                until.end();
                line.end();
                eprintln!("ended at once: {ended}");
            } else {
                until.stop();
                line.say("stopping: the running games are played to their end; press Ctrl-C again to end at once");
            }
        })
    }

    /// Starts to listen for a run that the first signal ends at once, because games that are not over matter too.
    ///
    /// # Errors
    /// When the signals cannot be listened for.
    pub(crate) fn at_once() -> io::Result<Stop> {
        Stop::listen(Until::end)
    }

    fn listen(on_signal: impl Fn(&Until) + Send + 'static) -> io::Result<Stop> {
        let until = Until::default();
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let asked = until.clone();
        let (lives, listening) = channel();
        thread::spawn(move || {
            let _lives = lives;
            for signal in signals.forever() {
                if asked.ended().is_some() {
                    signal_hook::low_level::emulate_default_handler(signal).ok();
                }
                on_signal(&asked);
            }
        });
        Ok(Stop { until, signals: handle, listening })
    }

    /// What the run asks whether to go on.
    pub(crate) fn until(&self) -> &Until {
        &self.until
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.signals.close();
        self.listening.recv_timeout(PATIENCE).ok();
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
