//! Plays the games of an improvised contest that somebody asks for, one after another, and records each.

use super::{Losses, PreparedContest, ProgressLine, Stop, stop};
use crate::cli;
use crate::exit::CliError;
use cornerman::format::{GameId, Pairing, Results};
use cornerman::game::Outcome;
use cornerman_harness::record::{GameRecord, Record, RecordError, Writer};
use cornerman_harness::ruleset::SeedUse;
use cornerman_harness::run::{Planner, Progress, Recorder, RunEnd, Sink};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::Instant;

/// How many equal pairs in a row show that bots only repeat themselves.
const REPEATS: usize = 4;

/// What is played, and where it is recorded.
pub(crate) struct Sparring<'a> {
    /// The contest.
    pub prepared: &'a PreparedContest,
    /// The isolation of its bots.
    pub isolation: cli::Isolation,
    /// Its record.
    pub writer: &'a mut Writer,
    /// The line that moves.
    pub line: ProgressLine,
}

impl Sparring<'_> {
    /// Plays the games of `planner` after the `results` so far, until it asks for none, or until the time `time`: games
    /// that are under way then are given up. `watch` sees the games that are over before their results count.
    ///
    /// # Errors
    /// When games cannot be recorded, and [`CliError::Ended`].
    pub(crate) fn play(
        &mut self,
        results: &mut Results,
        planner: &mut dyn Planner,
        time: Option<Instant>,
        watch: &mut dyn FnMut(&[GameRecord]),
    ) -> Result<RunEnd, CliError> {
        let prepared = self.prepared;
        let stop = Stop::on_signals(self.line.clone(), stop::to_resume())?;
        let until = stop.until().by(time);
        let mut workers = prepared.workers(self.isolation, &until)?;
        let mut watch = |progress: &Progress, _: &Results| {
            if let Progress::Played(games) = progress {
                watch(games);
            }
            Ok(())
        };
        let sinks: &mut [&mut dyn Sink<CliError>] =
            &mut [&mut Recorder(self.writer), &mut watch, &mut Losses(&self.line)];
        let ended = prepared.play(planner, &mut workers, &until, sinks, results);
        self.line.end();
        drop(workers);
        prepared.sandboxes.begin_to_close();
        ended
    }
}

/// The points of a seat in a game of two, in halves: two for a win, one for a tie.
pub(crate) fn half_points(outcome: &Outcome, seat: usize) -> usize {
    match outcome.places[seat].cmp(&outcome.places[1 - seat]) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

/// Which games were equal move by move. Bots without chance play the same game again and again where there are no boards,
/// and more of it says nothing.
pub(crate) struct Echoes(Option<BTreeMap<GameId, u64>>);

impl Echoes {
    /// Of the games that the record has already. Where games begin on boards, nothing is noted: no two of them are alike.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn from_record(record: &Record, prepared: &PreparedContest) -> Result<Echoes, CliError> {
        if matches!(prepared.file.ruleset.kit().seed_use(), SeedUse::Board(_)) {
            return Ok(Echoes(None));
        }
        let mut prints = BTreeMap::new();
        record.each_full_game::<RecordError>(&mut |game| {
            prints.insert(game.pairing.id, print(&game));
            Ok(())
        })?;
        Ok(Echoes(Some(prints)))
    }

    /// Notes these games.
    pub(crate) fn add(&mut self, games: &[GameRecord]) {
        if let Some(prints) = &mut self.0 {
            prints.extend(games.iter().map(|game| (game.pairing.id, print(game))));
        }
    }

    /// Whether bots only repeat themselves: whether the games of each of these pairs are those of the pair `turns` before
    /// it, [`REPEATS`] times over.
    pub(crate) fn repeat(&self, pairs: &[Vec<Pairing>], turns: usize) -> bool {
        pairs.len() >= REPEATS * turns
            && (turns..pairs.len()).all(|at| self.are_equal(&pairs[at], &pairs[at - turns]))
    }

    /// Whether the games of two lists are equal, one by one.
    fn are_equal(&self, these: &[Pairing], those: &[Pairing]) -> bool {
        let Some(prints) = &self.0 else { return false };
        let print = |game: &Pairing| prints.get(&game.id);
        these.iter().zip(those).all(|(one, other)| print(one).is_some() && print(one) == print(other))
    }
}

/// What tells games apart: who played which moves, and how it ended.
fn print(game: &GameRecord) -> u64 {
    let mut hash = DefaultHasher::new();
    game.pairing.seats.hash(&mut hash);
    for made in &game.moves {
        made.notation.hash(&mut hash);
    }
    (&game.outcome.places, &game.outcome.points, game.faults.len()).hash(&mut hash);
    hash.finish()
}
