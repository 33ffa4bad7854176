//! How far a tournament is: a bar on a terminal, a line a minute in a pipe.

use cornerman_harness::tournament::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Tells of progress on standard error.
pub struct Watch {
    bar: Option<ProgressBar>,
    began: Instant,
    last_line: Instant,
    wins: Vec<(u32, String)>,
    played_before: usize,
    played: usize,
    known: usize,
}

impl Watch {
    /// Of entrants with these names; `played_before` games were played in earlier runs.
    pub fn new(names: &[String], played_before: usize) -> Watch {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {per_sec}, {eta} left  {msg}");
        let bar = stderr().is_terminal().then(|| ProgressBar::new(0));
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style);
        }
        let wins = names.iter().map(|name| (0, crate::show::plain(name))).collect();
        let now = Instant::now();
        Watch { bar, began: now, last_line: now, wins, played_before, played: 0, known: 0 }
    }

    /// Something happened.
    pub fn tell(&mut self, progress: &Progress) {
        match progress {
            Progress::Planned { open } => self.known = self.played + open,
            Progress::Begun { .. } => {}
            Progress::Played(game) => {
                self.played += 1;
                for seat in game.outcome.winners() {
                    self.wins[game.pairing.seats[seat.index()].index()].0 += 1;
                }
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_length((self.played_before + self.known) as u64);
            bar.set_position((self.played_before + self.played) as u64);
            bar.set_message(self.leaders());
        } else if self.last_line.elapsed() > LINE_EVERY {
            self.last_line = Instant::now();
            let (played, known) = (self.played_before + self.played, self.played_before + self.known);
            let rate = self.played as f64 / self.began.elapsed().as_secs_f64();
            eprintln!("{played} of {known} games known so far, {rate:.1} a second; {}", self.leaders());
        }
    }

    /// Who won most games in this run.
    fn leaders(&self) -> String {
        let mut best: Vec<&(u32, String)> = self.wins.iter().filter(|(wins, _)| *wins > 0).collect();
        best.sort_by_key(|(wins, _)| std::cmp::Reverse(*wins));
        best.iter().take(3).map(|(wins, name)| format!("{name} {wins}")).collect::<Vec<_>>().join(", ")
    }

    /// The run is over.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
