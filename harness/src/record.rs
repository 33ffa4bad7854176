//! The record of a tournament: one SQLite file, from which standings, replays and reports are derived.
//!
//! A game is recorded in one transaction, alone or with others, and is on the disk before its result counts. However a
//! run is killed, the file contains only whole games, and the next run plays the rest. One run at a time writes
//! ([`Writer`]); anyone may read meanwhile, with [`Record`] or the `sqlite3` program. `docs/record.md` describes the
//! tables.
//!
//! ```no_run
//! use cornerman_harness::record::{Header, Record, Writer};
//! use std::path::Path;
//!
//! let header = Header { contest: "Club night".to_string(), game: "boxing".to_string(), ..Header::default() };
//! let mut writer = Writer::create_or_resume(Path::new("club.db"), &header)?;
//! let done = writer.results()?; // the games that earlier runs have played
//! # let game = unimplemented!();
//! writer.add_game(&game)?;
//!
//! let games = Record::open(Path::new("club.db"))?.games()?;
//! # Ok::<(), cornerman_harness::record::RecordError>(())
//! ```

mod changes;
mod copies;
mod decisions;
mod digest;
mod error;
mod files;
mod framework;
mod read;
mod recorder;
mod row;
mod schedule;
mod schema;
mod seal;
mod stored;
#[cfg(test)]
mod tests;
mod verify;
mod write;
pub(crate) use changes::{may_be_amended, stage_of};
pub use copies::Extract;
pub use decisions::{DecidedAction, DecisionRecord, LONGEST_REASON, about, added, in_force, with_decisions};
pub use digest::{Behaviour, CalledName, ConductTotals, Digest, Forfeit, Occurrences, RemarkTotals, ResourceUse};
pub use error::{RecordError, RecordErrorKind};
pub use framework::{BuildFacts, RemarkColumns, Unplayed, columns_of_remark};
pub use read::Record;
pub use recorder::{GameRecorder, host_name};
pub use schedule::{Forfeited, LateGames, LaterGames, Outcomes, Phase, annul, award, out_of_schedule, replace};
pub(crate) use schedule::{replan, reseated};
pub use schema::VERSION;
pub use seal::Seal;
pub use write::Writer;

use crate::contest_spec::ContestSpec;
use crate::player::{Conduct, Remark, Spent};
use crate::sandbox::Level;
use crate::text::Reason;
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{End, Outcome, Seat, Setup};
use cornerman::journal::Journal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A whole game: its moves, forfeits and outcome, and how each bot behaved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the contest it is, who sat where, and the number of the board.
    pub pairing: Pairing,
    /// The start of the game, with the board itself in the game's text form.
    pub setup: Setup,
    /// How it ended.
    pub outcome: Outcome,
    /// When it began: milliseconds since 1970.
    pub started_ms: u64,
    /// Wall time from its start to its end.
    pub wall: Duration,
    /// The name of the machine it was played on.
    pub host: String,
    /// The legal moves, in the order of their numbers.
    pub moves: Vec<MoveRecord>,
    /// The forfeits, in the order they happened.
    pub faults: Vec<FaultRecord>,
    /// How each seat behaved, by seat.
    pub seats: Vec<SeatRecord>,
}

impl GameRecord {
    /// A game that begins: nothing has happened yet.
    fn begun(pairing: Pairing, setup: Setup) -> GameRecord {
        GameRecord {
            pairing,
            setup,
            outcome: Outcome { places: Vec::new(), points: Vec::new(), territory: Vec::new(), end: End::Played },
            started_ms: 0,
            wall: Duration::ZERO,
            host: String::new(),
            moves: Vec::new(),
            faults: Vec::new(),
            seats: Vec::new(),
        }
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Which move of the game, from 1.
    pub number: u32,
    /// The seat that made it.
    pub seat: Seat,
    /// The move in the game's notation.
    pub notation: String,
    /// The time it took.
    pub used: TimeUsed,
    /// What was remarkable about it; usually nothing.
    pub remarks: Vec<Remark>,
}

impl MoveRecord {
    /// Remarks such as `slower than the soft limit (B10)`, joined by `; `; usually empty.
    pub fn remarks_in_words(&self) -> String {
        self.remarks.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// A seat's forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Which move of the game it would have been, from 1.
    pub number: u32,
    /// The seat that forfeited.
    pub seat: Seat,
    /// The identifier of its fault, such as `timeout`.
    pub kind: String,
    /// The message that explains the fault.
    pub detail: String,
    /// The view that the bot was to answer.
    pub view: Vec<u8>,
    /// The answer, if the rules rejected it; empty for any other fault.
    pub answer: Vec<u8>,
    /// The time it took.
    pub used: TimeUsed,
    /// The end of what the bot wrote to standard error: at that move; or, if one process plays the whole game, until it
    /// ended, and empty if it had not.
    pub stderr: String,
}

/// How a seat behaved over the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// The isolation that the bot had; `None` for a human.
    pub level: Option<Level>,
    /// The steps to a better level that the machine refused, one per line; usually empty.
    pub refused: String,
    /// How many moves it was asked for.
    pub asked: u32,
    /// The wall time of its slowest move.
    pub slowest: Duration,
    /// Its total processor time.
    pub cpu: Duration,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// How many processes it left running.
    pub leftovers: u32,
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// What it wrote to standard error, by move: its author's log.
    pub said: Vec<SaidRecord>,
    /// The name that it gave itself, where the protocol has one (R3).
    pub called: Option<String>,
    /// How many lines were ignored because they were not answers (G5).
    pub ignored: u32,
    /// The most processes and threads that it was seen to have at once, where one process plays the whole game (R8).
    pub tasks: u32,
}

/// What a bot wrote to standard error at a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SaidJson")]
pub struct SaidRecord {
    /// The number of the move; 0 is before it was first asked.
    pub number: u32,
    /// The end of it.
    pub text: String,
    /// How many bytes before it were left out; in a seat's first row also those of the moves before.
    pub left_out: u64,
}

/// `said` stays empty: only the recorder knows at which move of the game each part was written.
impl From<&Conduct> for SeatRecord {
    fn from(conduct: &Conduct) -> SeatRecord {
        let refusals = conduct.isolation.iter().flat_map(|isolation| &isolation.refused);
        let lines: Vec<String> = refusals.map(|no| format!("{}: {}: {}", no.level, no.step, no.why)).collect();
        SeatRecord {
            level: conduct.isolation.as_ref().map(|isolation| isolation.level),
            refused: lines.join("\n"),
            asked: conduct.moves,
            slowest: conduct.slowest,
            cpu: conduct.cpu.total(),
            peak_memory: conduct.peak_memory,
            leftovers: conduct.leftovers,
            stderr: recorder::tail(conduct.errors_tail.as_bytes()),
            said: Vec::new(),
            called: conduct.called.clone(),
            ignored: conduct.garbage,
            tasks: conduct.tasks,
        }
    }
}

/// The time that a move took. Records keep whole microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeUsed {
    /// Wall time.
    pub wall: Duration,
    /// Processor time, user and system together; 0 where it was not measured.
    pub cpu: Duration,
    /// The part of the wall time in which the bot waited for a processor that others were using.
    pub lag: Duration,
}

impl From<&Spent> for TimeUsed {
    fn from(spent: &Spent) -> TimeUsed {
        TimeUsed { wall: spent.wall, cpu: spent.cpu.total(), lag: spent.waited }
    }
}

/// A game without its moves, for lists and tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Which game of the contest it is, who sat where, and the number of the board.
    pub pairing: Pairing,
    /// How it ended.
    pub outcome: Outcome,
    /// How many legal moves were made.
    pub moves: u32,
    /// When it began: milliseconds since 1970.
    pub started_ms: u64,
    /// Wall time from its start to its end.
    pub wall: Duration,
    /// The name of the machine it was played on.
    pub host: String,
}

impl GameSummary {
    /// The game with its outcome, to be collected as [`Results`](cornerman::format::Results) if it was not annulled.
    pub fn result(&self) -> (GameId, Outcome) {
        (self.pairing.id, self.outcome.clone())
    }
}

impl From<GameRecord> for GameSummary {
    fn from(game: GameRecord) -> GameSummary {
        GameSummary {
            moves: game.moves.len() as u32,
            pairing: game.pairing,
            outcome: game.outcome,
            started_ms: game.started_ms,
            wall: game.wall,
            host: game.host,
        }
    }
}

/// The beginning of a record: the contest and its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The contest's name for people.
    pub contest: String,
    /// The text of the contest file; empty if there is none.
    pub contest_text: String,
    /// The contest, a [`ContestSpec`] as JSON (`docs/record.md`).
    pub contest_json: String,
    /// What held before the first decision of this record: the lots of the contest that the games come from.
    pub journal: Journal,
    /// The game's id, such as `boxing`.
    pub game: String,
    /// The ruleset's id, such as `boxing-1994`.
    pub ruleset: String,
    /// The text of the ruleset file.
    pub ruleset_text: String,
    /// The seed for all lots and generated boards.
    pub seed: u64,
    /// The stages, in order.
    pub stages: Vec<StageRecord>,
    /// The boards from the contest file, by number from 0.
    pub boards: Vec<Vec<u8>>,
    /// The version of the kit, with its commit.
    pub kit: String,
    /// Where the games come from, in words; `None` if they were played for this record.
    pub origin: Option<String>,
}

impl Header {
    /// Whether there is no contest file: the contest is that of `compare`, `spar` or `play`.
    pub fn is_improvised(&self) -> bool {
        self.contest_text.is_empty()
    }

    /// The contest.
    ///
    /// # Errors
    /// If the JSON is not a contest, or has another name, seed or stages than this header; in words.
    pub fn spec(&self) -> Result<ContestSpec, Reason> {
        let spec = ContestSpec::from_json(&self.contest_json)?;
        let names = spec.stages.iter().map(|stage| &stage.name);
        let is_same = (&spec.name, spec.seed) == (&self.contest, self.seed)
            && names.eq(self.stages.iter().map(|stage| &stage.name));
        if is_same { Ok(spec) } else { Err("contest_json has another name, seed or stages".into()) }
    }
}

/// A stage of the contest. Its settings are in [`Header::contest_json`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageRecord {
    /// Its name.
    pub name: String,
    /// Its format, such as `all-play-all`.
    pub kind: String,
    /// The programs that its entrants are seeded against, in order (F1).
    pub programs: Vec<EntrantId>,
}

/// The role of an entrant in the contest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// It competes.
    #[default]
    Entry,
    /// It is the organizer's, and plays where an entry would have no opponent (F4, S2).
    Filler,
    /// It is the organizer's, and the entries are seeded by their games against it (F1).
    SeedProgram,
    /// It is a better version of another bot, whose games it plays from some round on.
    Version,
}

impl Role {
    const ALL: [Role; 4] = [Role::Entry, Role::Filler, Role::SeedProgram, Role::Version];

    /// Its name in the record.
    pub fn name(self) -> &'static str {
        match self {
            Role::Entry => "entry",
            Role::Filler => "filler",
            Role::SeedProgram => "seed program",
            Role::Version => "version",
        }
    }
}

/// A bot of the contest. Its number is its place in the list, from 0: first the entries that compete, then the
/// organizer's bots, then the entries that do not play, then those that decisions added. Its number is also the
/// [`EntrantId`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntrantRecord {
    /// Its name for people (B13).
    pub name: String,
    /// Its author, if known.
    pub author: Option<String>,
    /// What the contest file writes for it, such as `bots/gull.c`, `@greedy` or `gtp:gnugo --mode gtp`.
    pub spec: String,
    /// Its role in the contest.
    pub role: Role,
    /// The name of its group, if it is in one.
    pub group: Option<String>,
    /// Its place among all entries of the contest file, from 0; `None` for the organizer's bots and those that
    /// decisions added.
    pub entered: Option<u32>,
    /// SHA-256 of its source in hexadecimal, if it was entered as source.
    pub source_sha256: Option<String>,
    /// SHA-256 of its program in hexadecimal.
    pub program_sha256: Option<String>,
    /// The tools that built it and run it, with versions.
    pub toolchain: Option<String>,
    /// The result of the conformance check before the contest; `None` if it was not checked.
    pub verdict: Option<String>,
    /// Why it does not play; `None` if it plays.
    pub out: Option<String>,
}

impl EntrantRecord {
    /// Whether it is one of the kit's reference bots.
    pub fn is_reference_bot(&self) -> bool {
        self.spec.starts_with('@')
    }
}

/// Parses the name of a game as it is shown, such as `s1/r2/m3/g1` or `s1/r2/m3/g1/a2`; `None` if it is malformed.
pub fn parse_game_id(name: &str) -> Option<GameId> {
    let from_zero = |(letter, part): (char, &str)| part.strip_prefix(letter)?.parse::<u32>().ok()?.checked_sub(1);
    let parts: Vec<u32> = "srmga".chars().zip(name.split('/')).map(from_zero).collect::<Option<_>>()?;
    let [stage, round, table, game, ref attempt @ ..] = parts[..] else { return None };
    let attempt = match attempt.first() {
        None => 0,
        // The first attempt is not named.
        Some(&attempt) => attempt.try_into().ok().filter(|attempt| *attempt > 0)?,
    };
    let [round, game] = [round.try_into().ok()?, game.try_into().ok()?];
    let id = GameId { stage: stage.try_into().ok()?, round, table, game, attempt };
    (name.split('/').count() == parts.len()).then_some(id)
}

/// A move or a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedAction<'a> {
    /// A legal move.
    Moved(&'a MoveRecord),
    /// A forfeit.
    Forfeited(&'a FaultRecord),
}

impl RecordedAction<'_> {
    /// The number of the move in the game, from 1.
    pub fn number(&self) -> u32 {
        match self {
            RecordedAction::Moved(made) => made.number,
            RecordedAction::Forfeited(fault) => fault.number,
        }
    }

    /// The seat that moved or forfeited.
    pub fn seat(&self) -> Seat {
        match self {
            RecordedAction::Moved(made) => made.seat,
            RecordedAction::Forfeited(fault) => fault.seat,
        }
    }

    /// The time that it used.
    pub fn used(&self) -> TimeUsed {
        match self {
            RecordedAction::Moved(made) => made.used,
            RecordedAction::Forfeited(fault) => fault.used,
        }
    }
}

/// Moves and forfeits in the order of their numbers. Where both have the same number, the forfeit came first: the
/// next seat then made that move.
pub fn actions(game: &GameRecord) -> Vec<RecordedAction<'_>> {
    let faults = game.faults.iter().map(|fault| (fault.number, 0, RecordedAction::Forfeited(fault)));
    let moves = game.moves.iter().map(|made| (made.number, 1, RecordedAction::Moved(made)));
    let mut all: Vec<(u32, u8, RecordedAction)> = faults.chain(moves).collect();
    // The sort is stable, so several forfeits of a move stay in the order in which they happened.
    all.sort_by_key(|(number, kind, _)| (*number, *kind));
    all.into_iter().map(|(.., act)| act).collect()
}
