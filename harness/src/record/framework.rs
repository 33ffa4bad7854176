//! Parts of a record other than its games: the contest, the entrants, the contest file's boards, remarks, games that
//! could not be played, and the machines with what each has built.

use super::digest::in_words;
use super::row::{NAME, TEXT, game_id};
use super::{
    EntrantRecord, Header, Record, RecordError, RecordErrorKind, Role, StageRecord, Writer, with_decisions,
};
use crate::machine::Machine;
use cornerman::format::{EntrantId, GameId, StageRemark};
use cornerman::journal::Journal;
use rusqlite::types::{FromSql, Type};
use rusqlite::{OptionalExtension, Row, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

impl Record {
    /// The contest and its rules, with all amendments that were decided.
    pub fn header(&self) -> Result<Header, RecordError> {
        let created = self.created()?;
        Ok(self.decisions()?.iter().fold(created, |header, taken| header.amended(&taken.action)))
    }

    /// The contest and its rules, without the amendments that were decided.
    pub(crate) fn created(&self) -> Result<Header, RecordError> {
        let text = |key| Ok::<String, RecordError>(self.fact(key)?.unwrap_or_default());
        let number = |key| Ok::<i64, RecordError>(self.fact(key)?.unwrap_or_default());
        let stages = self.list("SELECT name, kind, programs FROM stages ORDER BY number", |row| {
            Ok(StageRecord { name: row.get(0)?, kind: row.get(1)?, programs: numbers(row, 2)? })
        })?;
        // Generated boards have the numbers after them, and are in the record once a game has been played on them.
        let boards = (0..number("boards")? as u32).map(|board| Ok(self.board(board)?.unwrap_or_default()));
        Ok(Header {
            contest: text("contest")?,
            contest_text: text("contest_file")?,
            contest_json: text("contest_json")?,
            journal: self.journal()?,
            game: text("game")?,
            ruleset: text("ruleset")?,
            ruleset_text: text("ruleset_file")?,
            seed: number("seed")?.cast_unsigned(),
            stages,
            boards: boards.collect::<Result<_, RecordError>>()?,
            kit: text("kit")?,
            origin: self.fact("origin")?,
        })
    }

    /// [`Header::journal`].
    fn journal(&self) -> Result<Journal, RecordError> {
        let Some(json) = self.fact::<String>("journal")? else { return Ok(Journal::new()) };
        serde_json::from_str(&json)
            .map_err(|why| RecordErrorKind::InvalidContest(format!("journal: {why}")).at(self.path()))
    }

    /// A value of the table `meta`; `None` if the record does not have it.
    pub(crate) fn fact<T: FromSql>(&self, key: &str) -> Result<Option<T>, RecordError> {
        self.query("reading a fact of the contest", |db| {
            db.query_row("SELECT value FROM meta WHERE key = ?", [key], |row| row.get(0)).optional()
        })
    }

    /// All entrants in the order of their numbers, also those that do not play and those that decisions added.
    pub fn entrants(&self) -> Result<Vec<EntrantRecord>, RecordError> {
        let sql = "SELECT name, author, spec, role, source_sha256, program_sha256, toolchain, verdict, out, grp, \
                   entered FROM entrants ORDER BY number";
        self.list(sql, |row| {
            let role: String = row.get(3)?;
            Ok(EntrantRecord {
                name: row.get(0)?,
                author: row.get(1)?,
                spec: row.get(2)?,
                role: Role::ALL.into_iter().find(|known| known.name() == role).unwrap_or_default(),
                source_sha256: row.get(4)?,
                program_sha256: row.get(5)?,
                toolchain: row.get(6)?,
                verdict: row.get(7)?,
                out: row.get(8)?,
                group: row.get(9)?,
                entered: row.get(10)?,
            })
        })
    }

    /// The remarks about byes, repeated pairings, fillers and lots, and notes: the stage (from 0), the kind, the round
    /// and the entrants of each.
    pub fn remarks(&self) -> Result<Vec<RemarkColumns>, RecordError> {
        self.list("SELECT stage, kind, round, entrants FROM remarks ORDER BY stage, nth", |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, numbers(row, 3)?))
        })
    }

    /// The games that could not be played, in the order of the contest. Those that a later run has played, that were
    /// annulled, or whose places were awarded, are not among them.
    pub fn unplayed(&self) -> Result<Vec<Unplayed>, RecordError> {
        let sql = "SELECT stage, round, tbl, game, attempt, attempts, why FROM unplayed \
                   WHERE (stage, round, tbl, game, attempt) NOT IN (SELECT stage, round, tbl, game, attempt FROM games) \
                   ORDER BY stage, round, tbl, game, attempt";
        let mut unplayed =
            self.list(sql, |row| Ok(Unplayed { id: game_id(row, 0)?, attempts: row.get(5)?, why: row.get(6)? }))?;
        let journal = with_decisions(&Journal::new(), &self.decisions()?);
        unplayed.retain(|game| !journal.is_annulled(game.id) && !journal.is_awarded(game.id));
        Ok(unplayed)
    }
}

/// The entrants in a column that has their numbers as a JSON list.
fn numbers(row: &Row, column: usize) -> rusqlite::Result<Vec<EntrantId>> {
    let wrong = |error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error));
    serde_json::from_str(row.get_ref(column)?.as_str()?).map_err(wrong)
}

/// A game that no worker could finish, and that has no result yet. Attempts of all runs that gave it up are counted,
/// and `why` has details in further lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "UnplayedJson", description = "A game that could not be played.")]
pub struct Unplayed {
    /// The game.
    #[serde(rename = "game", serialize_with = "in_words")]
    #[schemars(with = "String")]
    pub id: GameId,
    /// How often it was tried.
    pub attempts: u32,
    /// Why not, the last time.
    pub why: String,
}

impl Unplayed {
    /// What went wrong, without its details.
    pub fn reason(&self) -> &str {
        self.why.lines().next().unwrap_or_default()
    }
}

impl fmt::Display for Unplayed {
    /// Writes `game s1/r2/m3/g1 could not be played: why`, without details.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "game {} could not be played: {}", self.id, self.reason())
    }
}

/// The kind, the round, the text and the entrants of a remark, as the table `remarks` has them.
pub fn columns_of_remark(remark: &StageRemark) -> (&'static str, Option<u16>, Option<&str>, Vec<EntrantId>) {
    match remark {
        StageRemark::Bye { round, entrant } => ("bye", Some(*round), None, vec![*entrant]),
        StageRemark::Repeat { round, pair } => ("repeat", Some(*round), None, vec![pair.0, pair.1]),
        StageRemark::Filler { round, entrant } => ("filler", Some(*round), None, vec![*entrant]),
        StageRemark::Lot { about, order } => ("lot", None, Some(about), order.clone()),
        StageRemark::Note(text) => ("note", None, Some(text), Vec::new()),
    }
}

/// The stage, the kind, the round and the entrants of a remark.
pub type RemarkColumns = (u8, String, Option<u16>, Vec<EntrantId>);

/// The build of a bot on some machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildFacts {
    /// The version line that the compiler or interpreter prints.
    pub toolchain: Option<String>,
    /// The SHA-256 of what is run, as 64 hexadecimal digits.
    pub program_sha256: Option<String>,
}

impl BuildFacts {
    /// Whether they can be recorded: a record with larger values would be refused when it is read.
    pub fn is_recordable(&self) -> bool {
        let fits = |text: &Option<String>, most| text.as_ref().is_none_or(|text| text.len() <= most);
        fits(&self.toolchain, TEXT) && fits(&self.program_sha256, NAME)
    }
}

impl Machine {
    /// What cannot be recorded of this machine; `None` if all of it can.
    pub fn unrecordable(&self) -> Option<&'static str> {
        let name = &self.name;
        if name.is_empty() || name.len() > NAME || name.contains(char::is_control) {
            return Some("its name");
        }
        (self.processor.len().max(self.kernel.len()) > NAME).then_some("its processor or kernel")
    }
}

impl Record {
    /// The machines that have taken part in runs, by name.
    pub fn machines(&self) -> Result<Vec<Machine>, RecordError> {
        self.list("SELECT host, processor, cores, kernel FROM machines ORDER BY host", |row| {
            Ok(Machine { name: row.get(0)?, processor: row.get(1)?, cores: row.get(2)?, kernel: row.get(3)? })
        })
    }
}

impl Writer {
    /// Records a machine, or what has changed about it.
    pub fn add_machine(&mut self, machine: &Machine) -> Result<(), RecordError> {
        self.transaction("recording a machine", |db| {
            let Machine { name, processor, cores, kernel } = machine;
            let insert = "INSERT OR REPLACE INTO machines VALUES (?, ?, ?, ?)";
            db.execute(insert, params![name, processor, cores, kernel]).map(drop)
        })
    }

    /// Records the bots that the machine `host` has built: each entrant with the version of the toolchain and the
    /// SHA-256 of the program.
    ///
    /// # Errors
    /// If the machine is not recorded, or the record cannot be written.
    pub fn add_builds(&mut self, host: &str, builds: &[(EntrantId, BuildFacts)]) -> Result<(), RecordError> {
        self.transaction("recording builds", |db| {
            let mut insert = db.prepare_cached("INSERT OR REPLACE INTO builds VALUES (?, ?, ?, ?)")?;
            builds.iter().try_for_each(|(entrant, facts)| {
                insert.execute(params![host, entrant.0, facts.toolchain, facts.program_sha256]).map(drop)
            })
        })
    }
}
