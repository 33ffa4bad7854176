//! Reads how entrants conducted themselves outside the game: processes left running, ignored lines, remarks on
//! moves, and names. The result has one item per entrant, however many games there are.

use super::schema::text;
use super::{Record, RecordError};
use cornerman::format::EntrantId;
use rusqlite::Row;
use std::collections::HashMap;

/// The most names that are kept for an entrant.
const MOST_NAMES: usize = 5;

/// The most different remarks on moves that are kept for an entrant.
const MOST_REMARKS: usize = 20;

/// An entrant's conduct over all its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConductTotals {
    /// The entrant.
    pub entrant: EntrantId,
    /// How many games it has played.
    pub games: u32,
    /// Processes that it left running.
    pub leftovers: Occurrences,
    /// Lines that were ignored because they were not answers (G5).
    pub ignored: Occurrences,
    /// The most processes and threads that it was seen to have at once (R8).
    pub tasks: u32,
    /// The five names that it gave itself most often, each with its number of games, most frequent first (R3).
    pub called: Vec<(String, u32)>,
    /// How many different names it gave itself.
    pub names: u32,
    /// The remarks on its moves, such as `slower than the soft limit (B10)`, each with its number of moves and games;
    /// the first twenty. Processes left running are in `leftovers`.
    pub remarks: Vec<(String, Occurrences)>,
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// How often in all games together.
    pub all: u64,
    /// In how many games at least once.
    pub games: u32,
}

impl Record {
    /// The conduct of every entrant that has played, by entrant.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn conduct_totals(&self) -> Result<Vec<ConductTotals>, RecordError> {
        let ask = || {
            let sql = "SELECT entrant, count(*), sum(leftovers), sum(leftovers > 0), sum(ignored), sum(ignored > 0), \
                       max(tasks) \
                       FROM seats GROUP BY entrant ORDER BY entrant";
            let mut all: Vec<ConductTotals> =
                self.db().prepare(sql)?.query_map([], of_row)?.collect::<Result<_, _>>()?;
            let sql = "SELECT entrant, called, count(*) AS games FROM seats WHERE called IS NOT NULL \
                       GROUP BY entrant, called ORDER BY entrant, games DESC, called";
            let mut select = self.db().prepare(sql)?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                let entrant = EntrantId(row.get(0)?);
                let Ok(at) = all.binary_search_by_key(&entrant, |conduct| conduct.entrant) else { continue };
                let conduct = &mut all[at];
                conduct.names += 1;
                if conduct.called.len() < MOST_NAMES {
                    conduct.called.push((text(row, 1)?, row.get(2)?));
                }
            }
            self.count_remarks(&mut all)?;
            Ok(all)
        };
        ask().map_err(|error| RecordError::new(self.path(), "reading how entrants behaved", error))
    }

    /// Counts the remarks on the moves of each entrant, and the games with them. Rows come game by game.
    fn count_remarks(&self, all: &mut [ConductTotals]) -> rusqlite::Result<()> {
        let sql = "SELECT s.entrant, m.game, m.remarks FROM moves m JOIN seats s ON s.game = m.game AND s.seat = m.seat \
                   WHERE m.remarks IS NOT NULL ORDER BY m.game, m.number";
        let mut select = self.db().prepare(sql)?;
        let mut rows = select.query([])?;
        // The game in which a remark on an entrant was last seen.
        let mut last: HashMap<(usize, usize), i64> = HashMap::new();
        while let Some(row) = rows.next()? {
            let entrant = EntrantId(row.get(0)?);
            let game = row.get(1)?;
            let remarks = text(row, 2)?;
            let Ok(at) = all.binary_search_by_key(&entrant, |conduct| conduct.entrant) else { continue };
            for remark in remarks.split("; ").filter(|remark| !is_of_leftovers(remark)) {
                let known = &mut all[at].remarks;
                let place = match known.iter().position(|(other, _)| other == remark) {
                    Some(place) => place,
                    None if known.len() < MOST_REMARKS => {
                        known.push((remark.to_string(), Occurrences::default()));
                        known.len() - 1
                    }
                    None => continue,
                };
                let counted = &mut known[place].1;
                counted.all += 1;
                counted.games += u32::from(last.insert((at, place), game) != Some(game));
            }
        }
        Ok(())
    }
}

/// Whether a remark on a move counts processes left running, as [`ConductTotals::leftovers`] does.
fn is_of_leftovers(remark: &str) -> bool {
    remark.starts_with("left ") && remark.contains(" running")
}

fn of_row(row: &Row) -> rusqlite::Result<ConductTotals> {
    let times = |from: usize| -> rusqlite::Result<Occurrences> {
        Ok(Occurrences { all: row.get::<_, i64>(from)?.cast_unsigned(), games: row.get(from + 1)? })
    };
    Ok(ConductTotals {
        entrant: EntrantId(row.get(0)?),
        games: row.get(1)?,
        leftovers: times(2)?,
        ignored: times(4)?,
        tasks: row.get(6)?,
        called: Vec::new(),
        names: 0,
        remarks: Vec::new(),
    })
}
