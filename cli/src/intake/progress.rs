//! The progress bar of the intake.

use super::IntakeEvent;
use crate::show;
use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar: of the jobs of a single entry's check, or of the entries if there are several. It is hidden if
/// standard error is not a terminal.
pub(crate) struct IntakeBar {
    bar: ProgressBar,
    many: bool,
    /// The entries that are being checked.
    busy: Vec<String>,
}

impl IntakeBar {
    /// A bar for this number of entries.
    pub(crate) fn new(entries: usize) -> IntakeBar {
        let many = entries > 1;
        let template = if many {
            "{pos} of {len} {bar:30} {elapsed}, {eta} to go: {wide_msg}"
        } else {
            "{wide_msg} {bar:30} {pos}/{len} {elapsed}"
        };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::new(if many { entries as u64 } else { 0 }).with_style(style);
        IntakeBar { bar, many, busy: Vec::new() }
    }

    /// Shows the progress that `event` reports.
    pub(crate) fn on_event(&mut self, event: &IntakeEvent) {
        match event {
            IntakeEvent::Began(spec) => self.busy.push(show::plain(spec)),
            IntakeEvent::Ended(spec) => {
                let spec = show::plain(spec);
                if let Some(at) = self.busy.iter().position(|busy| *busy == spec) {
                    self.busy.remove(at);
                }
                self.bar.inc(u64::from(self.many));
            }
            IntakeEvent::Advanced(done, jobs) if !self.many => {
                self.bar.set_length(*jobs as u64);
                self.bar.set_position(*done as u64);
                return;
            }
            IntakeEvent::Advanced(..) | IntakeEvent::Known(_) => return,
        }
        self.bar.set_message(self.busy.join(", "));
    }

    /// Runs `write`, which writes to the terminal, while the bar is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for IntakeBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
