//! Plays the games of an improvised contest that somebody asks for, one after another, and records each.

use super::{Losses, PreparedContest, ProgressLine, Stop};
use crate::options::IsolationArgs;
use crate::show::{self, plain};
use crate::{CliError, own};
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::game::Outcome;
use cornerman_harness::record::{GameRecord, Record, RecordError, Writer};
use cornerman_harness::ruleset::SeedUse;
use cornerman_harness::run::{Progress, Recorder, RunEnd, Sink};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::time::Instant;

/// How many equal pairs in a row show that bots only repeat themselves.
const REPEATS: usize = 4;

/// How many forfeits before its first move show that a bot does not play at all.
const HOPELESS: usize = 2;

/// An improvised contest, and its record.
pub(crate) struct Sparring {
    /// The contest.
    pub prepared: PreparedContest,
    /// The BOT argument of each entrant.
    specs: Vec<String>,
    /// The file of its record.
    pub path: PathBuf,
    /// Its record.
    pub writer: Writer,
    /// The results so far.
    pub results: Results,
    /// Which games so far were equal.
    pub echoes: Echoes,
    /// The forfeits of bots that had not made a move.
    openings: OpeningForfeits,
    isolation: IsolationArgs,
}

impl Sparring {
    /// Goes on with the record of the contest in which `writer` writes.
    ///
    /// # Errors
    /// When the record has games that the contest does not have, or cannot be read.
    pub(super) fn begin(
        prepared: PreparedContest,
        specs: Vec<String>,
        path: PathBuf,
        writer: Writer,
        isolation: IsolationArgs,
    ) -> Result<Sparring, CliError> {
        let results = writer.check_schedule(&prepared.contest)?;
        if !results.is_empty() {
            eprintln!("{}: resuming after {}", plain(path.display()), show::count(results.len(), "game"));
        }
        let echoes = Echoes::from_record(&writer, &prepared)?;
        let mut openings = OpeningForfeits::default();
        writer.each_full_game::<RecordError>(&mut |game| {
            openings.add(&game);
            Ok(())
        })?;
        Ok(Sparring { prepared, specs, path, writer, results, echoes, openings, isolation })
    }

    /// Plays the games that `next` asks for after the results so far, until it asks for none, or until `time`, or
    /// until Ctrl-C: games that are under way then are given up. A bot that has forfeited twice before its first move, for reasons of which
    /// `is_hopeless` is true, ends it too. Shows what happens on `line`.
    pub(crate) fn play(
        &mut self,
        next: &mut dyn FnMut(&Results, &Echoes) -> Vec<Pairing>,
        time: Option<Instant>,
        is_hopeless: IsHopeless,
        line: &ProgressLine,
    ) -> Result<RunEnd, CliError> {
        let prepared = &self.prepared;
        let stop = Stop::at_once()?;
        let until = stop.until().by(time);
        let mut workers = prepared.workers(self.isolation, &until)?;
        let echoes = RefCell::new(&mut self.echoes);
        let openings = RefCell::new(&mut self.openings);
        let mut planner = |done: &Results| match openings.borrow().hopeless(is_hopeless) {
            Some(_) => Plan::Finished,
            None => Plan::from_games(next(done, &echoes.borrow())),
        };
        let mut compare = |progress: &Progress, _: &Results| {
            if let Progress::Played(games) = progress {
                echoes.borrow_mut().add(games);
                let mut openings = openings.borrow_mut();
                for game in games {
                    openings.add(game);
                }
            }
            Ok(())
        };
        let sinks: &mut [&mut dyn Sink<CliError>] =
            &mut [&mut Recorder(&mut self.writer), &mut compare, &mut Losses::new(line)];
        let ended = prepared.play(&mut planner, &mut workers, &until, sinks, &mut self.results);
        line.end();
        drop(workers);
        prepared.sandboxes.begin_to_close();
        match ended {
            Err(CliError::Ended) => Ok(RunEnd::Ended),
            ended => ended,
        }
    }

    /// The command that checks the bot that made [`Sparring::play`] end, if one did. Says why on standard error.
    pub(crate) fn check_command(&self, is_hopeless: IsHopeless) -> Option<String> {
        let (entrant, detail) = self.openings.hopeless(is_hopeless)?;
        let name = &self.prepared.entries.names[entrant.index()];
        eprintln!("{} forfeited {HOPELESS} games before its first move: {}", plain(name), plain(detail));
        Some(format!("{} check {}", own::command(), own::quoted(self.specs[entrant.index()].as_ref())))
    }
}

/// Whether more games are pointless with a bot that forfeits before its first move with this kind of fault.
pub(crate) type IsHopeless = fn(&str) -> bool;

/// The forfeits of bots that had not made a move in the game: who, and the kind and the message of the fault. `check` says
/// more about such a bot than any number of games.
#[derive(Default)]
struct OpeningForfeits(Vec<(EntrantId, String, String)>);

impl OpeningForfeits {
    fn add(&mut self, game: &GameRecord) {
        for fault in game.faults.iter().filter(|fault| game.moves.iter().all(|made| made.seat != fault.seat)) {
            let entrant = game.pairing.seats[fault.seat.index()];
            self.0.push((entrant, fault.kind.clone(), fault.detail.clone()));
        }
    }

    /// The first bot with [`HOPELESS`] of them, and the message of the last one.
    fn hopeless(&self, is_hopeless: IsHopeless) -> Option<(EntrantId, &str)> {
        let mut counts = BTreeMap::new();
        self.0.iter().filter(|(_, kind, _)| is_hopeless(kind)).find_map(|(entrant, _, detail)| {
            let count = counts.entry(*entrant).or_insert(0);
            *count += 1;
            (*count == HOPELESS).then_some((*entrant, detail.as_str()))
        })
    }
}

/// The points of a seat in halves: for each other seat, two if it is placed before it, and one for a tie.
pub(crate) fn half_points(outcome: &Outcome, seat: usize) -> usize {
    let own = outcome.places[seat];
    let others = outcome.places.iter().enumerate().filter(|(other, _)| *other != seat);
    others
        .map(|(_, place)| match own.cmp(place) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        })
        .sum()
}

/// Which games were equal move by move. Bots without chance play the same game again and again where there are no boards,
/// and more of it says nothing.
pub(crate) struct Echoes(Option<BTreeMap<GameId, u64>>);

impl Echoes {
    /// Of the games that the record has already. Where games begin on boards, nothing is noted: no two of them are alike.
    fn from_record(record: &Record, prepared: &PreparedContest) -> Result<Echoes, CliError> {
        if matches!(prepared.file.ruleset.kit().facts().seed_use, SeedUse::Board(_)) {
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
    fn add(&mut self, games: &[GameRecord]) {
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
