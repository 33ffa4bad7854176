//! Reads what went wrong: forfeits (without views and answers), and games that could not be played.

use super::schema::bytes;
use super::{Record, RecordError};
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use rusqlite::Row;
use std::fmt;

/// A forfeit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The game.
    pub id: GameId,
    /// The entrant that forfeited.
    pub entrant: EntrantId,
    /// Its seat.
    pub seat: Seat,
    /// Which move of the game it would have been, from 1.
    pub number: u32,
    /// The identifier of its fault, such as `timeout`.
    pub kind: String,
    /// The message that explains the fault.
    pub detail: String,
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
        let sql = "SELECT stage, round, tbl, game, attempts, why FROM unplayed WHERE (stage, round, tbl, game) \
                   NOT IN (SELECT stage, round, tbl, game FROM games) ORDER BY stage, round, tbl, game";
        self.list(sql, |row| {
            let id = GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? };
            Ok(Unplayed { id, attempts: row.get(4)?, why: row.get(5)? })
        })
    }

    /// Every forfeit, in the order of the contest.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn forfeits(&self) -> Result<Vec<Forfeit>, RecordError> {
        let sql = "SELECT g.stage, g.round, g.tbl, g.game, s.entrant, s.seat, f.number, f.kind, f.detail \
                   FROM faults f JOIN games g ON g.id = f.game JOIN seats s ON s.game = f.game AND s.seat = f.seat \
                   ORDER BY g.stage, g.round, g.tbl, g.game, f.nth";
        let words =
            |row: &Row, column| bytes(row, column).map(|words| String::from_utf8_lossy(&words).into_owned());
        let forfeit = |row: &Row| {
            Ok(Forfeit {
                id: GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? },
                entrant: EntrantId(row.get(4)?),
                seat: Seat(row.get(5)?),
                number: row.get(6)?,
                kind: words(row, 7)?,
                detail: words(row, 8)?,
            })
        };
        self.query("reading forfeits", |db| db.prepare(sql)?.query_map([], forfeit)?.collect())
    }
}
