//! What a run shows while it plays, a line on standard error with its progress, and how Ctrl-C stops it: the first one
//! lets the running games end, the second ends them, and a third ends the program, whatever it is doing. Runs that end
//! at once skip the first step.

use crate::show::{plain, plain_lines, rounded_duration};
use crate::{CliError, own};
use cornerman::format::Results;
use cornerman_harness::run::{Progress, Sink, Until};
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, stderr};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The progress bar on standard error, if that is a terminal. Clones print above the same bar.
#[derive(Clone)]
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    /// How many games were played before this run.
    before: usize,
    /// When a line was last printed. Lines are printed only without a bar.
    last_line: Instant,
}

/// The least time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// How long a run still takes that has played this many of the `known` games in the time `since` its beginning; `None`
/// before its first game is over.
pub(crate) fn time_left(since: Duration, played: usize, known: usize) -> Option<Duration> {
    let each = (played > 0).then(|| since.div_f64(played as f64))?;
    Some(each.mul_f64(known.saturating_sub(played) as f64))
}

impl ProgressLine {
    /// A new bar, if standard error is a terminal.
    pub(crate) fn new() -> ProgressLine {
        ProgressLine::styled("{bar:30} {pos}/{len} games{prefix}  {msg}")
    }

    /// A line that has only its message, if standard error is a terminal.
    pub(crate) fn of_words() -> ProgressLine {
        ProgressLine::styled("{msg}")
    }

    fn styled(template: &str) -> ProgressLine {
        let style = ProgressStyle::with_template(template);
        let bar = stderr().is_terminal().then(|| ProgressBar::new(0));
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style);
        }
        ProgressLine { bar, before: 0, last_line: Instant::now() }
    }

    /// Whether there is a bar; otherwise lines are printed now and then.
    pub(crate) fn is_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Whether to show the progress now: on a bar always, and without one as a line once a minute.
    pub(crate) fn is_due(&mut self) -> bool {
        let is_due = self.is_bar() || self.last_line.elapsed() > LINE_EVERY;
        if is_due {
            self.last_line = Instant::now();
        }
        is_due
    }

    /// Sets how many games earlier runs have `played`, which say nothing about the speed of this run.
    pub(crate) fn begin(&mut self, played: usize) {
        self.before = played;
        if let Some(bar) = &self.bar {
            bar.set_position(played as u64);
            bar.reset_elapsed();
        }
    }

    /// Shows that `played` of the `known` games are over.
    pub(crate) fn advance(&self, played: usize, known: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(known as u64);
            bar.set_position(played as u64);
            let in_this_run = |games: usize| games.saturating_sub(self.before);
            let left = time_left(bar.elapsed(), in_this_run(played), in_this_run(known));
            bar.set_prefix(left.map_or(String::new(), |left| format!(", about {} left", rounded_duration(left))));
        }
    }

    /// Shows these words behind the bar, if there is one.
    pub(crate) fn message(&self, words: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(words);
        }
    }

    /// Prints a line, above the bar if there is one.
    pub(crate) fn say(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note!("\r{words}")),
            None => note!("{words}"),
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Prints the games that were lost: a line for each, and below the first one with each reason its details.
pub(crate) struct Losses {
    line: ProgressLine,
    /// The reasons so far.
    reasons: BTreeSet<String>,
}

impl Losses {
    /// Prints them on `line`.
    pub(crate) fn new(line: &ProgressLine) -> Losses {
        Losses { line: line.clone(), reasons: BTreeSet::new() }
    }
}

impl Sink<CliError> for Losses {
    fn on(&mut self, progress: &Progress, _: &Results) -> Result<(), CliError> {
        if let Progress::Lost { id, why, given_up } = progress {
            let then = if *given_up { "" } else { "; it will be tried again" };
            let (reason, details) = why.split_once('\n').unwrap_or((why, ""));
            self.line.say(&plain(format!("game {id} was not played: {reason}{then}")));
            if self.reasons.insert(reason.to_string()) && !details.is_empty() {
                self.line.say(&plain_lines(details));
            }
        }
        Ok(())
    }
}

/// How long the end of a run waits until its last words are printed, which never happens if no one reads them.
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
    pub(crate) fn on_signals(line: ProgressLine, ended: String) -> io::Result<Stop> {
        Stop::listen(move |until| {
            if until.is_stopping() {
                until.end();
                line.end();
                note!("ended at once: {ended}");
            } else {
                until.stop();
                line.say("stopping: the running games are played to their end; press Ctrl-C again to end at once");
            }
        })
    }

    /// Starts to listen for a run that the first signal ends at once, without a word.
    pub(crate) fn at_once() -> io::Result<Stop> {
        Stop::listen(Until::end)
    }

    /// Starts a thread that calls `on_signal` for each signal. A signal after [`Until::end`] ends the program as if it
    /// did not listen.
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

    /// What tells the run whether to go on.
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

/// What a run that ends at once prints about its games.
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
    let words = words.map(|word| own::quoted(&word));
    std::iter::once(own::command()).chain(words).collect::<Vec<_>>().join(" ")
}
