//! Reads what went wrong: forfeits (without views and answers), void attempts, and games that could not be played.

use super::columns::{bytes, used};
use super::{Record, RecordError, TimeUsed};
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use rusqlite::Row;
use std::fmt;

/// A forfeit or a void attempt of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The game.
    pub id: GameId,
    /// The entrant concerned.
    pub entrant: EntrantId,
    /// Its seat.
    pub seat: Seat,
    /// Which move of the game it would have been, from 1.
    pub number: u32,
    /// What happened.
    pub what: IncidentKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncidentKind {
    /// The seat forfeited.
    Forfeit {
        /// The identifier of its fault, such as `timeout`.
        kind: String,
        /// The message that explains the fault.
        detail: String,
    },
    /// The bot was late while the machine was stalled, so the attempt did not count (B10).
    Void {
        /// The time that the move took, and how long the machine was stalled.
        used: TimeUsed,
    },
}

/// A game that could not be played because the kit or the machine failed, and has no result yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplayed {
    /// The game.
    pub id: GameId,
    /// How many times it was attempted in all runs.
    pub attempts: u32,
    /// What went wrong in the last attempt.
    pub why: String,
}

impl fmt::Display for Unplayed {
    /// Writes `game s1/r2/m3/g1 could not be played: why`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "game {} could not be played: {}", self.id, self.why)
    }
}

impl Record {
    /// The games that could not be played, in the order of the contest, without those that a later run has played.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn unplayed(&self) -> Result<Vec<Unplayed>, RecordError> {
        if !self.has_table("unplayed")? {
            return Ok(Vec::new());
        }
        let sql = "SELECT stage, round, tbl, game, attempts, why FROM unplayed WHERE (stage, round, tbl, game) \
                   NOT IN (SELECT stage, round, tbl, game FROM games) ORDER BY stage, round, tbl, game";
        self.list(sql, |row| {
            let id = GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? };
            Ok(Unplayed { id, attempts: row.get(4)?, why: row.get(5)? })
        })
    }

    /// Every forfeit and every void attempt, in the order of the contest. Within a game, void attempts come first.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn incidents(&self) -> Result<Vec<Incident>, RecordError> {
        let voids = self.select("voids", "attempt", "i.wall_us, i.cpu_us, i.lag_us", |row| {
            Ok(IncidentKind::Void { used: used(row, 7)? })
        })?;
        let faults = self.select("faults", "nth", "i.kind, i.detail", |row| {
            let words = |column| bytes(row, column).map(|words| String::from_utf8_lossy(&words).into_owned());
            Ok(IncidentKind::Forfeit { kind: words(7)?, detail: words(8)? })
        })?;
        let mut all: Vec<Incident> = voids.into_iter().chain(faults).collect();
        // The sort is stable: the void attempts of a game stay before its forfeits.
        all.sort_by_key(|incident| incident.id);
        Ok(all)
    }

    fn select(
        &self,
        table: &str,
        order: &str,
        columns: &str,
        what: impl Fn(&Row) -> rusqlite::Result<IncidentKind>,
    ) -> Result<Vec<Incident>, RecordError> {
        let sql = format!(
            "SELECT g.stage, g.round, g.tbl, g.game, s.entrant, s.seat, i.number, {columns} \
             FROM {table} i JOIN games g ON g.id = i.game JOIN seats s ON s.game = i.game AND s.seat = i.seat \
             ORDER BY g.stage, g.round, g.tbl, g.game, i.{order}"
        );
        let read = |row: &Row| {
            Ok(Incident {
                id: GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? },
                entrant: EntrantId(row.get(4)?),
                seat: Seat(row.get(5)?),
                number: row.get(6)?,
                what: what(row)?,
            })
        };
        let ask =
            || -> rusqlite::Result<Vec<Incident>> { self.db().prepare(&sql)?.query_map([], read)?.collect() };
        ask().map_err(|error| RecordError::new(self.path(), "reading forfeits", error))
    }
}
