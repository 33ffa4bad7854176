//! The record of a tournament: one SQLite file that survives anything, from which everything else is derived.
//!
//! A game is one transaction, on the disk before the next is asked for: whatever kills the run, what is there
//! afterwards is a number of whole games, and the plan asks for the others again. One run at a time writes
//! ([`Writer`]), anyone may read meanwhile ([`Record`], or the `sqlite3` program). The tables are described for
//! people in `docs/record.md`.
//!
//! ```no_run
//! use cornerman_harness::record::{Header, Record, Writer};
//! use std::path::Path;
//!
//! let header = Header { contest: "Club night".to_string(), game: "boxing".to_string(), ..Header::default() };
//! let mut writer = Writer::create_or_resume(Path::new("club.db"), &header)?;
//! let done = writer.results()?; // what has been played before, in a run that was killed
//! # let game = unimplemented!();
//! writer.add_game(&game)?;
//!
//! let games = Record::open(Path::new("club.db"))?.games()?;
//! # Ok::<(), cornerman_harness::record::RecordError>(())
//! ```

mod behaviour;
mod changes;
mod columns;
mod error;
mod files;
mod framework;
mod incidents;
mod insert;
mod lock;
mod manners;
mod read;
mod schema;
mod scribe;
#[cfg(test)]
mod tests;
mod verify;
mod whole;
mod write;

pub use behaviour::{ConductRecord, Frozen, Timed};
pub use error::{Holder, RecordError};
pub use incidents::{Incident, Unplayed, What};
pub use manners::{Manners, Times};
pub use read::Record;
pub use schema::VERSION;
pub use scribe::{Scribe, host_name};
pub use write::Writer;

use crate::player::{Conduct, Spent};
use crate::sandbox::Level;
use cornerman::format::{EntrantId, Pairing, PairingId};
use cornerman::game::{Outcome, Seat, Setup};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game as it was played, from the first move to how everyone behaved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the contest, who sat where, and the number of the board.
    pub pairing: Pairing,
    /// What it started from; the board is the one of this number in its game's text form.
    pub setup: Setup,
    /// How it ended.
    pub outcome: Outcome,
    /// When it began: milliseconds since 1970.
    pub started_ms: u64,
    /// From its start to its end, void attempts included.
    pub wall: Duration,
    /// The machine it was played on.
    pub host: String,
    /// The moves, in the order of their numbers.
    pub moves: Vec<MoveRecord>,
    /// The forfeits, in the order they happened.
    pub faults: Vec<FaultRecord>,
    /// What made earlier attempts void, in the order they happened.
    pub voids: Vec<VoidRecord>,
    /// How each seat behaved.
    pub seats: Vec<SeatRecord>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Which move of the game, from 1.
    pub number: u32,
    /// Who made it.
    pub seat: Seat,
    /// The move in the game's notation.
    pub notation: String,
    /// What it used up.
    pub used: Used,
    /// What should be known of it, in words; usually nothing.
    pub remarks: String,
}

/// A seat's forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Which move of the game it would have been, from 1.
    pub number: u32,
    /// Who forfeited.
    pub seat: Seat,
    /// The slug of its fault, such as `timeout`.
    pub kind: String,
    /// The fault in words.
    pub detail: String,
    /// What the seat was shown.
    pub view: Vec<u8>,
    /// What it answered, if anything.
    pub answer: Vec<u8>,
    /// What it used up.
    pub used: Used,
    /// The end of what the bot wrote to standard error at that move.
    pub stderr: String,
}

/// A loss on time while the machine was held up: the attempt did not count (B10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidRecord {
    /// Whose time it was.
    pub seat: Seat,
    /// Which move of the attempt it would have been, from 1.
    pub number: u32,
    /// What the move used up, and how far the machine was held up.
    pub used: Used,
}

/// How a seat behaved over the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// How well the bot was shut in; `None` for a human.
    pub level: Option<Level>,
    /// What the machine refused on the way to a better level, a line each; usually nothing.
    pub refused: String,
    /// How many moves it was asked for.
    pub asked: u32,
    /// Its slowest move.
    pub slowest: Duration,
    /// Processor time in all.
    pub cpu: Duration,
    /// The largest resident memory of a move, in bytes.
    pub peak_memory: u64,
    /// Processes it left running.
    pub leftovers: u32,
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// What it called itself, where the protocol has it say so (R3).
    pub called: Option<String>,
    /// Lines that were no answers and were ignored (G5).
    pub ignored: u32,
    /// The most processes and threads that it was seen to have in a game of one process (R8).
    pub tasks: u32,
    /// How often it tried to use the network, where that can be seen (R8).
    pub network: Option<u64>,
}

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
            stderr: scribe::tail(conduct.errors_tail.as_bytes()),
            called: conduct.called.clone(),
            ignored: conduct.garbage,
            tasks: conduct.tasks,
            network: conduct.network,
        }
    }
}

/// What a move used up, kept in whole microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Wall time.
    pub wall: Duration,
    /// Processor time, user and system together.
    pub cpu: Duration,
    /// Part of the wall time, in which it waited for a processor that others had. (Records of earlier versions have
    /// here by how much the machine was held up.)
    pub lag: Duration,
}

impl From<&Spent> for Used {
    fn from(spent: &Spent) -> Used {
        Used { wall: spent.wall, cpu: spent.cpu.total(), lag: spent.waited }
    }
}

/// A game without its moves: what lists and tables need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHead {
    /// Which game of the contest, who sat where, and the number of the board.
    pub pairing: Pairing,
    /// How it ended.
    pub outcome: Outcome,
    /// How many moves were made.
    pub moves: u32,
    /// When it began: milliseconds since 1970.
    pub started_ms: u64,
    /// From its start to its end.
    pub wall: Duration,
    /// The machine it was played on.
    pub host: String,
}

/// What a record begins with: the contest and its rules as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The contest's name for people.
    pub contest: String,
    /// The contest file, whole.
    pub contest_text: String,
    /// What the contest file comes to, in a form of its own: `docs/record.md`. Records of earlier kits lack it.
    pub contest_json: Option<String>,
    /// The game.
    pub game: String,
    /// The ruleset's id, such as `boxing-1994`.
    pub ruleset: String,
    /// The ruleset file, whole.
    pub ruleset_text: String,
    /// What all lots are drawn from.
    pub seed: u64,
    /// The stages, in order.
    pub stages: Vec<StageRecord>,
    /// The boards that the contest file gives, by number from 0.
    pub boards: Vec<Vec<u8>>,
    /// The version of the kit.
    pub kit: String,
}

/// A stage of the contest, as far as the contest file does not say it in itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageRecord {
    /// Its name.
    pub name: String,
    /// Its format, such as `all-play-all`.
    pub kind: String,
    /// Whom its entrants are seeded against, in order (F1).
    pub programs: Vec<EntrantId>,
}

/// What an entrant is in the contest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// It competes.
    #[default]
    Entry,
    /// The organizer's, to fill up where somebody lacks an opponent (F4, S2).
    Filler,
    /// The organizer's, to seed the entries against (F1).
    SeedProgram,
}

impl Role {
    const ALL: [Role; 3] = [Role::Entry, Role::Filler, Role::SeedProgram];

    /// Its name in the record.
    pub fn name(self) -> &'static str {
        match self {
            Role::Entry => "entry",
            Role::Filler => "filler",
            Role::SeedProgram => "seed program",
        }
    }
}

/// Who takes part, and who would have. Their number is the place in the list, from 0, and for those who play their
/// [`EntrantId`]: the entrants come first, then the organizer's bots, and behind them the entries that are out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntrantRecord {
    /// Its name for people (B13).
    pub name: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// How the contest file names it.
    pub spec: String,
    /// What it is in the contest.
    pub role: Role,
    /// Its group, if it is in one.
    pub group: Option<String>,
    /// Its place among all entries of the contest file, from 0; `None` for the organizer's bots.
    pub entered: Option<u32>,
    /// SHA-256 of its source in hexadecimal, if it came as one.
    pub source_sha256: Option<String>,
    /// SHA-256 of its program in hexadecimal.
    pub program_sha256: Option<String>,
    /// What built and runs it, with versions.
    pub toolchain: Option<String>,
    /// What the check of the entry said, if it was checked.
    pub verdict: Option<String>,
    /// Why it does not play, if it does not.
    pub out: Option<String>,
}

/// `s1/r2/m3/g1`, as games are shown, read back; `None` if it is no such name.
pub fn pairing_named(name: &str) -> Option<PairingId> {
    let mut parts = name.split('/');
    let mut part =
        |letter: char| -> Option<u32> { parts.next()?.strip_prefix(letter)?.parse::<u32>().ok()?.checked_sub(1) };
    let (stage, round, table, game) = (part('s')?, part('r')?, part('m')?, part('g')?);
    let (stage, round, game) = (stage.try_into().ok()?, round.try_into().ok()?, game.try_into().ok()?);
    parts.next().is_none().then_some(PairingId { stage, round, table, game })
}
