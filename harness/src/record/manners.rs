//! Reading how entrants kept to the rules beside the game: what they left running, said, opened and called themselves.
//!
//! A row an entrant comes of it, whatever the number of games.

use super::columns::text;
use super::{Record, RecordError};
use cornerman::format::EntrantId;
use rusqlite::Row;

/// Of the names that an entrant gave itself, so many are kept.
const MOST_NAMES: usize = 5;

/// An entrant's manners over all its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manners {
    /// Who.
    pub entrant: EntrantId,
    /// In how many games.
    pub games: u32,
    /// Processes that it left running.
    pub leftovers: Times,
    /// Lines that were no answers and were ignored (G5).
    pub ignored: Times,
    /// Attempts to use the network, where they can be seen (R8).
    pub network: Times,
    /// The most processes and threads that it was seen to have at a time (R8).
    pub tasks: u32,
    /// What it called itself and in how many games, most often first (R3); the most usual five.
    pub called: Vec<(String, u32)>,
    /// How many names it gave itself in all.
    pub names: u32,
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// In all.
    pub all: u64,
    /// In so many games.
    pub games: u32,
}

impl Record {
    /// How everyone who has played kept to the rules beside the game, by number.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn manners(&self) -> Result<Vec<Manners>, RecordError> {
        let ask = || {
            let sql = "SELECT entrant, count(*), sum(leftovers), sum(leftovers > 0), sum(ignored), sum(ignored > 0), \
                       total(network), coalesce(sum(network > 0), 0), max(tasks) \
                       FROM seats GROUP BY entrant ORDER BY entrant";
            let mut all: Vec<Manners> =
                self.db().prepare(sql)?.query_map([], of_row)?.collect::<Result<_, _>>()?;
            let sql = "SELECT entrant, called, count(*) AS games FROM seats WHERE called IS NOT NULL \
                       GROUP BY entrant, called ORDER BY entrant, games DESC, called";
            let mut select = self.db().prepare(sql)?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                let entrant = EntrantId(row.get(0)?);
                let Ok(at) = all.binary_search_by_key(&entrant, |manners| manners.entrant) else { continue };
                let manners = &mut all[at];
                manners.names += 1;
                if manners.called.len() < MOST_NAMES {
                    manners.called.push((text(row, 1)?, row.get(2)?));
                }
            }
            Ok(all)
        };
        ask().map_err(|error| RecordError::of(self.path(), "reading how entrants behaved", error))
    }
}

fn of_row(row: &Row) -> rusqlite::Result<Manners> {
    let times = |from: usize| -> rusqlite::Result<Times> {
        Ok(Times { all: row.get::<_, i64>(from)?.cast_unsigned(), games: row.get(from + 1)? })
    };
    Ok(Manners {
        entrant: EntrantId(row.get(0)?),
        games: row.get(1)?,
        leftovers: times(2)?,
        ignored: times(4)?,
        // A total is no whole number, whatever it is of.
        network: Times { all: row.get::<_, f64>(6)? as u64, games: row.get(7)? },
        tasks: row.get(8)?,
        called: Vec::new(),
        names: 0,
    })
}
