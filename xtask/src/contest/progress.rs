//! A line on standard error that shows the progress of a run.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};

/// The progress bar on standard error, if that is a terminal. Clones print above the same bar.
#[derive(Clone)]
pub struct ProgressLine(Option<ProgressBar>);

impl ProgressLine {
    /// A new bar, if standard error is a terminal.
    pub fn new() -> ProgressLine {
        ProgressLine::styled("{bar:30} {pos}/{len} games, {eta} left  {msg}")
    }

    /// A line that has only its message, if standard error is a terminal.
    pub fn of_words() -> ProgressLine {
        ProgressLine::styled("{msg}")
    }

    fn styled(template: &str) -> ProgressLine {
        let style = ProgressStyle::with_template(template);
        let bar = stderr().is_terminal().then(|| ProgressBar::new(0));
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style);
        }
        ProgressLine(bar)
    }

    /// Whether there is a bar; otherwise lines are printed now and then.
    pub fn is_bar(&self) -> bool {
        self.0.is_some()
    }

    /// Lets the bar begin with games that were `played` before, which say nothing about the speed of this run.
    pub fn begin(&self, played: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(played as u64);
            bar.reset_eta();
        }
    }

    /// Shows that `played` of the `known` games are over.
    pub fn advance(&self, played: usize, known: usize) {
        if let Some(bar) = &self.0 {
            bar.set_length(known as u64);
            bar.set_position(played as u64);
        }
    }

    /// Shows these words behind the bar.
    pub fn message(&self, words: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(words);
        }
    }

    /// Prints a line, above the bar if there is one.
    pub fn say(&self, words: &str) {
        match &self.0 {
            Some(bar) => bar.suspend(|| eprintln!("\r{words}")),
            None => eprintln!("{words}"),
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
