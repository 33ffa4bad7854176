//! Reads how entrants behaved over all their games: times, full forfeits, resources, standard error.
//!
//! A large tournament has millions of moves, so most of this is passed on row by row and never collected.

use super::schema::{bytes, duration, text, used};
use super::{FaultRecord, Record, RecordError, TimeUsed};
use crate::sandbox::Level;
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use rusqlite::{Row, Transaction};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// The time that one legal move took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// The game.
    pub id: GameId,
    /// The entrant that made it.
    pub entrant: EntrantId,
    /// Which move of the game, from 1.
    pub number: u32,
    /// The time it took.
    pub used: TimeUsed,
}

/// The resources that an entrant used over all its games at one level of isolation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// The entrant.
    pub entrant: EntrantId,
    /// Its isolation; `None` for a human.
    pub level: Option<Level>,
    /// The steps to a better level that the machine refused, one per line; usually empty.
    pub refused: String,
    /// The number of games at this level.
    pub games: u32,
    /// The wall time of its slowest move.
    pub slowest: Duration,
    /// Its processor time in all moves together.
    pub cpu: Duration,
    /// The largest resident memory of a move, in bytes.
    pub peak_memory: u64,
    /// How many processes it left running.
    pub leftovers: u32,
}

/// While this exists, reading the record shows the state at its creation, even if a run adds games.
#[derive(Debug)]
pub struct Snapshot<'a>(#[expect(dead_code, reason = "dropping it ends the reading")] Transaction<'a>);

impl Record {
    /// Makes all reads until the result is dropped see the same state, so that they agree with each other.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, RecordError> {
        let begun = self.db().unchecked_transaction();
        begun.map(Snapshot).map_err(|error| RecordError::new(self.path(), "reading the record", error))
    }

    /// Calls `each` with the time of every legal move, game by game in the order in which they were finished.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_move_time(&self, each: &mut dyn FnMut(MoveTime)) -> Result<(), RecordError> {
        let mut ask = || {
            let mut games: HashMap<i64, (GameId, Vec<EntrantId>)> = HashMap::new();
            let sql = "SELECT g.stage, g.round, g.tbl, g.game, g.id, s.entrant FROM games g \
                       JOIN seats s ON s.game = g.id ORDER BY s.game, s.seat";
            self.rows(sql, &mut |row| {
                let seats = games.entry(row.get(4)?).or_insert((game_id(row)?, Vec::new()));
                seats.1.push(EntrantId(row.get(5)?));
                Ok(())
            })?;
            // This is the order of the primary key, so SQLite need not sort.
            let sql = "SELECT game, number, seat, wall_us, cpu_us, lag_us FROM moves ORDER BY game, number";
            self.rows(sql, &mut |row| {
                let (seat, number): (u8, u32) = (row.get(2)?, row.get(1)?);
                if let Some((id, seats)) = games.get(&row.get(0)?)
                    && let Some(&entrant) = seats.get(usize::from(seat))
                {
                    each(MoveTime { id: *id, entrant, number, used: used(row, 3)? });
                }
                Ok(())
            })
        };
        ask().map_err(|error| RecordError::new(self.path(), "reading times", error))
    }

    /// The wall time of the slowest move of each seat of every game, by seat.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn slowest_moves(&self) -> Result<BTreeMap<GameId, Vec<Duration>>, RecordError> {
        let sql = "SELECT g.stage, g.round, g.tbl, g.game, s.slowest_us FROM seats s JOIN games g ON g.id = s.game \
                   ORDER BY s.game, s.seat";
        let mut all: BTreeMap<GameId, Vec<Duration>> = BTreeMap::new();
        let asked = self.rows(sql, &mut |row| {
            all.entry(game_id(row)?).or_default().push(duration(row, 4)?);
            Ok(())
        });
        asked.map_err(|error| RecordError::new(self.path(), "reading times", error))?;
        Ok(all)
    }

    /// Calls `each` with every forfeit, including its view and answer, in the order of the contest.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_fault(&self, each: &mut dyn FnMut(GameId, EntrantId, FaultRecord)) -> Result<(), RecordError> {
        let sql = "SELECT g.stage, g.round, g.tbl, g.game, s.entrant, f.number, f.seat, f.kind, f.detail, f.view, \
                   f.answer, f.wall_us, f.cpu_us, f.lag_us, f.stderr \
                   FROM faults f JOIN games g ON g.id = f.game JOIN seats s ON s.game = f.game AND s.seat = f.seat \
                   ORDER BY g.stage, g.round, g.tbl, g.game, f.nth";
        let asked = self.rows(sql, &mut |row| {
            let fault = FaultRecord {
                number: row.get(5)?,
                seat: Seat(row.get(6)?),
                kind: row.get(7)?,
                detail: row.get(8)?,
                view: bytes(row, 9)?,
                answer: bytes(row, 10)?,
                used: used(row, 11)?,
                stderr: text(row, 14)?,
            };
            each(game_id(row)?, EntrantId(row.get(4)?), fault);
            Ok(())
        });
        asked.map_err(|error| RecordError::new(self.path(), "reading forfeits", error))
    }

    /// The resources that every entrant used, one item for each isolation it had, by entrant.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn resource_use(&self) -> Result<Vec<ResourceUse>, RecordError> {
        let sql = "SELECT entrant, level, refused, count(*), max(slowest_us), sum(cpu_us), max(peak_memory), \
                   sum(leftovers) FROM seats LEFT JOIN isolations ON id = isolation \
                   GROUP BY entrant, isolation ORDER BY entrant, isolation";
        let mut all = Vec::new();
        let asked = self.rows(sql, &mut |row| {
            let level: Option<String> = row.get(1)?;
            all.push(ResourceUse {
                entrant: EntrantId(row.get(0)?),
                level: level.as_deref().and_then(Level::named),
                refused: text(row, 2)?,
                games: row.get(3)?,
                slowest: duration(row, 4)?,
                cpu: duration(row, 5)?,
                peak_memory: row.get::<_, i64>(6)?.cast_unsigned(),
                leftovers: row.get(7)?,
            });
            Ok(())
        });
        asked.map_err(|error| RecordError::new(self.path(), "reading how entrants behaved", error))?;
        Ok(all)
    }

    /// Calls `each` with the end of what an entrant wrote to standard error in a game, in the order in which the games
    /// were finished. Games in which it wrote nothing are skipped.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_stderr(&self, each: &mut dyn FnMut(GameId, EntrantId, String)) -> Result<(), RecordError> {
        let sql = "SELECT g.stage, g.round, g.tbl, g.game, s.entrant, s.stderr \
                   FROM seats s JOIN games g ON g.id = s.game WHERE s.stderr IS NOT NULL ORDER BY s.game, s.seat";
        let asked = self.rows(sql, &mut |row| {
            each(game_id(row)?, EntrantId(row.get(4)?), text(row, 5)?);
            Ok(())
        });
        asked.map_err(|error| RecordError::new(self.path(), "reading standard error", error))
    }

    fn rows(&self, sql: &str, each: &mut dyn FnMut(&Row) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
        let mut select = self.db().prepare(sql)?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            each(row)?;
        }
        Ok(())
    }
}

/// The game named by the first four columns.
fn game_id(row: &Row) -> rusqlite::Result<GameId> {
    Ok(GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? })
}
