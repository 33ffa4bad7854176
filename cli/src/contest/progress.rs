//! A line on standard error that shows the progress of a run.

use crate::CliError;
use crate::show::{self, plain};
use cornerman::format::Results;
use cornerman_harness::run::{Progress, Sink};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// The progress bar on standard error, if that is a terminal. Clones print above the same bar.
#[derive(Clone)]
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    /// How many games were played before this run.
    before: usize,
}

/// How long a run still takes that has played this many of the `known` games in the time `since` its beginning; `None`
/// before its first game is over. All its games count alike: the latest ones say less about the others.
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
        ProgressLine { bar, before: 0 }
    }

    /// Whether there is a bar; otherwise lines are printed now and then.
    pub(crate) fn is_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Lets the bar begin with games that were `played` before, which say nothing about the speed of this run.
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
            let left =
                time_left(bar.elapsed(), played.saturating_sub(self.before), known.saturating_sub(self.before));
            bar.set_prefix(
                left.map_or(String::new(), |left| format!(", about {} left", show::rounded_duration(left))),
            );
        }
    }

    /// Shows these words behind the bar.
    pub(crate) fn message(&self, words: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(words);
        }
    }

    /// Prints a line, above the bar if there is one.
    pub(crate) fn say(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("\r{words}")),
            None => eprintln!("{words}"),
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Prints the games that were lost.
pub(crate) struct Losses<'a>(pub &'a ProgressLine);

impl Sink<CliError> for Losses<'_> {
    fn on(&mut self, progress: &Progress, _: &Results) -> Result<(), CliError> {
        if let Progress::Lost { id, why, given_up } = progress {
            let then = if *given_up { "" } else { "; it will be tried again" };
            self.0.say(&plain(format!("game {id} was not played: {why}{then}")));
        }
        Ok(())
    }
}
