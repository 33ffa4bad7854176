//! How far a tournament is: a bar on a terminal, a line a minute in a pipe.

use crate::show::plain;
use cornerman::contest::{Contest, Journal};
use cornerman::format::Results;
use cornerman_harness::tournament::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// How often the leaders are looked up anew.
const LEADERS_EVERY: Duration = Duration::from_millis(500);

/// Looking up the leaders takes at most one part in so many of the time.
const LEADERS_SHARE: u32 = 200;

/// The line on standard error that progress is told on; it may be spoken on from anywhere.
#[derive(Clone)]
pub struct Line(Option<ProgressBar>);

impl Line {
    /// A bar, if standard error is a terminal.
    pub fn new() -> Line {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {per_sec}, {eta} left  {msg}");
        let bar = stderr().is_terminal().then(|| ProgressBar::new(0));
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style);
        }
        Line(bar)
    }

    /// Says something, above the bar if there is one.
    pub fn say(&self, words: &str) {
        match &self.0 {
            Some(bar) => bar.suspend(|| eprintln!("\r{words}")),
            None => eprintln!("{words}"),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Tells of progress on standard error.
pub struct Watch<'a> {
    contest: &'a Contest,
    names: &'a [String],
    line: Line,
    began: Instant,
    last_line: Instant,
    leaders: String,
    next_look: Instant,
    played_before: usize,
    played: usize,
    known: usize,
}

impl<'a> Watch<'a> {
    /// Of entrants with these names; `played_before` games were played in earlier runs.
    pub fn new(contest: &'a Contest, names: &'a [String], played_before: usize, line: Line) -> Watch<'a> {
        if let Some(bar) = &line.0 {
            bar.set_position(played_before as u64);
            // They were not played at this run's speed.
            bar.reset_eta();
        }
        let (began, leaders) = (Instant::now(), String::new());
        let (last_line, next_look) = (began, began);
        Watch { contest, names, line, began, last_line, leaders, next_look, played_before, played: 0, known: 0 }
    }

    /// Something happened, where these were the results before it.
    pub fn tell(&mut self, progress: &Progress, results: &Results) {
        let stage = match progress {
            Progress::Planned { open } => {
                self.known = self.played + open;
                None
            }
            Progress::Begun { id, .. } => Some(id.stage),
            Progress::Played(game) => {
                self.played += 1;
                Some(game.pairing.id.stage)
            }
            Progress::Lost { id, why, given_up } => {
                let then = if *given_up { "" } else { "; it is offered again" };
                self.line.say(&plain(format!("game {id} was not played: {why}{then}")));
                None
            }
        };
        let (played, known) = (self.played_before + self.played, self.played_before + self.known);
        let line_is_due = self.last_line.elapsed() > LINE_EVERY;
        if let Some(bar) = &self.line.0 {
            bar.set_length(known as u64);
            bar.set_position(played as u64);
        } else if !line_is_due {
            return;
        }
        if let Some(stage) = stage.filter(|_| Instant::now() >= self.next_look) {
            self.look(stage, results);
        }
        if let Some(bar) = &self.line.0 {
            bar.set_message(self.leaders.clone());
        } else {
            self.last_line = Instant::now();
            let rate = self.played as f64 / self.began.elapsed().as_secs_f64();
            eprintln!("{played} of {known} games known so far, {rate:.1} a second; {}", self.leaders);
        }
    }

    /// Who leads in a stage (from 0) by its own standings. They are made from all results, which takes longer the more
    /// there are: then it is done less often.
    fn look(&mut self, stage: u8, results: &Results) {
        let began = Instant::now();
        let progress = self.contest.progress(results, &Journal::new());
        let standings = progress.get(usize::from(stage)).map(|stage| stage.standings(results)).unwrap_or_default();
        let leader = |standing: &cornerman::format::Standing| {
            let name = self.names.get(standing.entrant.index()).map(String::as_str).unwrap_or_default();
            format!("{}. {}", standing.place, plain(name))
        };
        self.leaders = standings.iter().take(3).map(leader).collect::<Vec<_>>().join("  ");
        self.next_look = Instant::now() + LEADERS_EVERY.max(began.elapsed() * LEADERS_SHARE);
    }

    /// The run is over.
    pub fn end(&self) {
        self.line.end();
    }
}
