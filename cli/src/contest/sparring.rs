//! Plays the games of an improvised contest that a command asks for, and records each.

use super::{Losses, PreparedContest, ProgressLine, SparringArgs, Stop};
use crate::options::{IsolationArgs, RulesChoice};
use crate::show::{self, plain};
use crate::{CliError, own};
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::game::Outcome;
use cornerman_harness::record::{GameRecord, Record, RecordError, Writer};
use cornerman_harness::ruleset::{Ruleset, SeedUse};
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
    pub prepared: PreparedContest,
    /// The BOT argument of each entrant.
    specs: Vec<String>,
    /// The file of its record.
    pub path: PathBuf,
    pub writer: Writer,
    pub results: Results,
    pub history: SparringHistory,
    isolation: IsolationArgs,
}

impl Sparring {
    /// Resumes the contest in the record of `writer`, which is at `path`.
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
            note!("{}: resuming after {}", plain(path.display()), show::count(results.len(), "game"));
        }
        let history = SparringHistory::from_record(&writer, &prepared.file.ruleset)?;
        Ok(Sparring { prepared, specs, path, writer, results, history, isolation })
    }

    /// Plays the games that `next` asks for after the results so far, until it asks for none, or until `time` or
    /// Ctrl-C, when running games are given up. A bot that has forfeited [`HOPELESS`] games before its first move, with
    /// kinds of faults for which `is_hopeless` is true, ends it too. Shows lost games on `line`.
    pub(crate) fn play(
        &mut self,
        next: &mut dyn FnMut(&Results, &SparringHistory) -> Vec<Pairing>,
        time: Option<Instant>,
        is_hopeless: IsHopeless,
        line: &ProgressLine,
    ) -> Result<RunEnd, CliError> {
        let prepared = &self.prepared;
        let stop = Stop::at_once()?;
        let until = stop.until().by(time);
        let mut workers = prepared.workers(self.isolation, &until)?;
        let history = RefCell::new(&mut self.history);
        let mut planner = |done: &Results| match history.borrow().hopeless(is_hopeless) {
            Some(_) => Plan::Finished,
            None => Plan::from_games(next(done, &history.borrow())),
        };
        let mut note = |progress: &Progress, _: &Results| {
            if let Progress::Played(games) = progress {
                for game in games {
                    history.borrow_mut().add(game);
                }
            }
            Ok(())
        };
        let sinks: &mut [&mut dyn Sink<CliError>] =
            &mut [&mut Recorder(&mut self.writer), &mut note, &mut Losses::new(line)];
        let ended = prepared.play(&mut planner, &mut workers, &until, sinks, &mut self.results);
        line.end();
        drop(workers);
        prepared.sandboxes.begin_to_close();
        match ended {
            Err(CliError::Ended) => Ok(RunEnd::Ended),
            ended => ended,
        }
    }

    /// If a hopeless bot has ended [`Sparring::play`], says so on standard error and returns the command that checks
    /// the bot by the rules of these `options`.
    pub(crate) fn check_command(&self, is_hopeless: IsHopeless, options: &SparringArgs) -> Option<String> {
        let (entrant, detail) = self.history.hopeless(is_hopeless)?;
        let name = &self.prepared.entries.names[entrant.index()];
        note!("{} forfeited {HOPELESS} games before its first move: {}", plain(name), plain(detail));
        let mut command = own::command_with("check", &self.specs[entrant.index()]);
        let RulesChoice { game, rules, .. } = &options.rules;
        let files = options.with_files.with.iter().map(|file| ("--with", file));
        let chosen = [("--game", game), ("--rules", rules)].into_iter();
        for (option, value) in chosen.filter_map(|(option, value)| Some((option, value.as_ref()?))).chain(files) {
            command += &format!(" {option} {}", own::quoted(value.as_ref()));
        }
        Some(command)
    }
}

/// Whether more games are pointless with a bot that forfeits before its first move with this kind of fault.
pub(crate) type IsHopeless = fn(&str) -> bool;

/// What the games so far say about whether to play more.
pub(crate) struct SparringHistory {
    /// A hash of each game; `None` where games begin on boards, so that no two of them are alike.
    prints: Option<BTreeMap<GameId, u64>>,
    /// The forfeits of bots that had not made a move. `check` says more about such a bot than any number of games.
    openings: Vec<OpeningForfeit>,
}

/// The forfeit of a bot before its first move in a game.
struct OpeningForfeit {
    entrant: EntrantId,
    /// The kind of the fault, such as `timeout`.
    kind: String,
    /// The message that explains it.
    detail: String,
}

impl SparringHistory {
    /// The history of the games in `record`, which were played by `ruleset`.
    fn from_record(record: &Record, ruleset: &Ruleset) -> Result<SparringHistory, CliError> {
        let has_boards = matches!(ruleset.kit().facts().seed_use, SeedUse::Board(_));
        let mut history = SparringHistory { prints: (!has_boards).then(BTreeMap::new), openings: Vec::new() };
        record.each_full_game::<RecordError>(&mut |game| {
            history.add(&game);
            Ok(())
        })?;
        Ok(history)
    }

    fn add(&mut self, game: &GameRecord) {
        if let Some(prints) = &mut self.prints {
            prints.insert(game.pairing.id, print(game));
        }
        for fault in game.faults.iter().filter(|fault| game.moves.iter().all(|made| made.seat != fault.seat)) {
            let entrant = game.pairing.seats[fault.seat.index()];
            self.openings.push(OpeningForfeit { entrant, kind: fault.kind.clone(), detail: fault.detail.clone() });
        }
    }

    /// The first bot that forfeited [`HOPELESS`] times before its first move, and the message of the last time.
    fn hopeless(&self, is_hopeless: IsHopeless) -> Option<(EntrantId, &str)> {
        let mut counts = BTreeMap::new();
        self.openings.iter().filter(|forfeit| is_hopeless(&forfeit.kind)).find_map(|forfeit| {
            let count = counts.entry(forfeit.entrant).or_insert(0);
            *count += 1;
            (*count == HOPELESS).then_some((forfeit.entrant, forfeit.detail.as_str()))
        })
    }

    /// Whether bots only repeat themselves: whether there are [`REPEATS`] pairs for each of the `turns`, and the games
    /// of each pair equal those of the pair `turns` before it, move by move. Bots without chance do that where there
    /// are no boards.
    pub(crate) fn repeats(&self, pairs: &[Vec<Pairing>], turns: usize) -> bool {
        pairs.len() >= REPEATS * turns
            && (turns..pairs.len()).all(|at| self.are_equal(&pairs[at], &pairs[at - turns]))
    }

    /// Whether the games of two lists are equal, one by one.
    fn are_equal(&self, these: &[Pairing], those: &[Pairing]) -> bool {
        let Some(prints) = &self.prints else { return false };
        let print = |game: &Pairing| prints.get(&game.id);
        these.iter().zip(those).all(|(one, other)| print(one).is_some() && print(one) == print(other))
    }
}

/// A hash of who played which moves in a game, and how it ended.
fn print(game: &GameRecord) -> u64 {
    let mut hash = DefaultHasher::new();
    game.pairing.seats.hash(&mut hash);
    for made in &game.moves {
        made.notation.hash(&mut hash);
    }
    (&game.outcome.places, &game.outcome.points, game.faults.len()).hash(&mut hash);
    hash.finish()
}

/// The points of a seat in halves: two for each other seat with a worse place, and one for each with the same.
pub(crate) fn half_points(outcome: &Outcome, seat: usize) -> usize {
    let own = outcome.places[seat];
    let worse = outcome.places.iter().filter(|place| own < **place).count();
    let equal = outcome.places.iter().filter(|place| own == **place).count() - 1;
    2 * worse + equal
}
