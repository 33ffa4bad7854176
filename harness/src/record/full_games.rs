//! Reads all games with their moves, one at a time, because a large tournament does not fit into memory.

use super::{GameRecord, Record, RecordError};
use cornerman::format::GameId;

impl Record {
    /// Calls `each` with every game and its moves, in the order of the contest, until it fails.
    ///
    /// # Errors
    /// If the record cannot be read, or the error of `each`.
    pub fn each_full_game<E: From<RecordError>>(
        &self,
        each: &mut dyn FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrong = |error| RecordError::new(self.path(), "reading games", error);
        // This is the order of an index, so SQLite need not sort.
        let sql = "SELECT stage, round, tbl, game FROM games ORDER BY stage, round, tbl, game";
        let mut select = self.db().prepare(sql).map_err(wrong)?;
        let mut rows = select.query([]).map_err(wrong)?;
        while let Some(row) = rows.next().map_err(wrong)? {
            let id = || -> rusqlite::Result<GameId> {
                Ok(GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? })
            };
            if let Some(game) = self.game(id().map_err(wrong)?)? {
                each(game)?;
            }
        }
        Ok(())
    }
}
