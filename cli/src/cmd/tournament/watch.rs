//! The progress of a tournament: a bar on a terminal, or a line per minute in a pipe.

use super::remote::Overview;
use crate::CliError;
use crate::contest::ProgressLine;
use crate::show::plain;
use cornerman::contest::Contest;
use cornerman::format::{Results, Standing};
use cornerman_harness::run::{Progress, Sink};
use std::time::{Duration, Instant};

/// How often the leaders are looked up, at most.
const LEADERS_EVERY: Duration = Duration::from_millis(500);

/// Looking up the leaders takes at most this fraction of the time: one part in 200.
const LEADERS_SHARE: u32 = 200;

/// Prints the progress of a run to standard error.
pub(super) struct Watch<'a> {
    contest: &'a Contest,
    names: &'a [String],
    /// What goes on at workers on other machines, if these play.
    overview: Option<&'a dyn Overview>,
    line: ProgressLine,
    began: Instant,
    /// The first entrants of the stage that is played, in words.
    leaders: String,
    /// When the leaders may be looked up again.
    next_look: Instant,
    played_before: usize,
    played: usize,
    known: usize,
}

impl<'a> Watch<'a> {
    /// Watches a run of `contest`, whose entrants have these names. Earlier runs have played `played_before` games.
    pub(super) fn new(
        contest: &'a Contest,
        names: &'a [String],
        overview: Option<&'a dyn Overview>,
        played_before: usize,
        mut line: ProgressLine,
    ) -> Watch<'a> {
        line.begin(played_before);
        let began = Instant::now();
        let leaders = String::new();
        Watch {
            contest,
            names,
            overview,
            line,
            began,
            leaders,
            next_look: began,
            played_before,
            played: 0,
            known: 0,
        }
    }

    /// Looks up who leads in the stage with the index `stage`. Standings are made from all results, which takes longer
    /// the more there are, so it is then done less often.
    fn look(&mut self, stage: u8, results: &Results) {
        let began = Instant::now();
        let progress = self.contest.progress(results);
        let standings = progress.get(usize::from(stage)).map(|stage| stage.standings(results)).unwrap_or_default();
        let leader = |standing: &Standing| {
            let name = self.names.get(standing.entrant.index()).map(String::as_str).unwrap_or_default();
            format!("{}. {}", standing.place, plain(name))
        };
        self.leaders = standings.iter().take(3).map(leader).collect::<Vec<_>>().join("  ");
        self.next_look = Instant::now() + LEADERS_EVERY.max(began.elapsed() * LEADERS_SHARE);
    }

    /// Removes the bar at the end of the run.
    pub(super) fn end(&self) {
        self.line.end();
    }
}

impl Sink<CliError> for Watch<'_> {
    fn on(&mut self, progress: &Progress, results: &Results) -> Result<(), CliError> {
        let stage = match progress {
            Progress::Planned { open } => {
                self.known = self.played + open;
                None
            }
            Progress::Begun { id, .. } => Some(id.stage),
            Progress::Played(games) => {
                self.played += games.len();
                games.last().map(|game| game.pairing.id.stage)
            }
            Progress::Waiting | Progress::Late(_) | Progress::Lost { .. } => None,
        };
        let played = self.played_before + self.played;
        let known = self.played_before + self.known;
        self.line.advance(played, known);
        if !self.line.is_due() {
            return Ok(());
        }
        if let Some(stage) = stage.filter(|_| Instant::now() >= self.next_look) {
            self.look(stage, results);
        }
        let workers = self.overview.map(Overview::words);
        if self.line.is_bar() {
            self.line.message(workers.into_iter().chain([self.leaders.clone()]).collect::<Vec<_>>().join("  "));
        } else {
            let rate = self.played as f64 / self.began.elapsed().as_secs_f64();
            let workers = workers.map_or(String::new(), |workers| format!("; {workers}"));
            note!("{played} of {known} games known so far, {rate:.1} per second{workers}; {}", self.leaders);
        }
        Ok(())
    }
}
