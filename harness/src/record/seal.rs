//! The seal of a record: a chain of hashes over the games and decisions in the order in which they were recorded.
//!
//! The first link is a hash of the contest and its entrants. Each further link is the hash of the link before it and of
//! the hash of one game or decision. It is recorded beside that game or decision, so that a run that resumes continues
//! the chain. The seal itself is the hash of the last link and of the contest file.
//!
//! What bots wrote to standard error (their logs) enters a game's hash only by a hash of its own. An extract has the
//! hashes of the games and logs that it leaves out, and therefore the seal of the whole record.
//!
//! A published seal shows whether anything in the record was changed afterwards, even if the changed record is
//! consistent in itself. `docs/record.md` says exactly what is hashed, and `docs/seal.py` computes it too.

use super::decisions;
use super::row::{COLUMNS, LogRow, game_id};
use super::stored::uncompressed;
use super::{Record, RecordError};
use crate::text::{from_hex, hex, sha256};
use cornerman::format::GameId;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params};
use sha2::{Digest, Sha256};
use std::fmt;

/// The rows that the first link covers.
const CONTEST: [&str; 3] = [
    "SELECT key, value FROM meta WHERE key NOT IN ('contest_file', 'contest_json', 'contest_sha256', 'link', 'extract') \
     ORDER BY key",
    "SELECT * FROM stages ORDER BY number",
    "SELECT * FROM entrants WHERE number NOT IN (SELECT coalesce(json_extract(action, '$.admit.entrant'), \
     json_extract(action, '$.replace.version'), -1) FROM decisions) ORDER BY number",
];

/// The rows that the hash of a game covers beside its own row, given its column `seats`: the isolations that its bots
/// had.
const ISOLATIONS: &str = "SELECT level, refused FROM isolations \
                          WHERE id IN (SELECT json_extract(value, '$[5]') FROM json_each(?1)) ORDER BY id";

/// The place of the column `seats` among those of a game.
const SEATS: usize = 13;

/// The numbers of all games and decisions, also of the games that are not in an extract, with their tables.
const STEPS: &str = "SELECT id, 'games' FROM games UNION ALL SELECT id, 'decisions' FROM decisions \
                     UNION ALL SELECT id, 'left_out' FROM left_out ORDER BY id";

/// The rows that the link of a decision covers beside its own, given its action: the bot or the version that it adds.
const ADDED: &str = "SELECT * FROM entrants WHERE number = \
                     coalesce(json_extract(?1, '$.admit.entrant'), json_extract(?1, '$.replace.version'))";

/// The rows that the seal covers beside the last link. They may change while a contest is under way.
const FILES: &str = "SELECT key, value FROM meta WHERE key IN ('contest_file', 'contest_json') ORDER BY key";

/// A hash of SHA-256: a link of the chain, or the seal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seal(pub(super) [u8; 32]);

impl fmt::Display for Seal {
    /// 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Seal {
    /// Parses what [`Display`](fmt::Display) printed.
    pub fn parse(text: &str) -> Option<Seal> {
        from_hex(text)?.try_into().ok().map(Seal)
    }
}

/// The end of the chain.
pub(super) struct SealChain {
    /// The number of the last game or decision; 0 if there is none.
    pub place: i64,
    link: Seal,
}

/// The number and the link of the last game or decision; `None` if there is none.
fn last(db: &Connection) -> rusqlite::Result<Option<(i64, Seal)>> {
    let links = ["games", "decisions", "left_out"].map(|table| format!("SELECT id, link FROM {table}"));
    let last = links.join(" UNION ALL ") + " ORDER BY id DESC LIMIT 1";
    db.prepare_cached(&last)?.query_row([], |row| Ok((row.get(0)?, Seal(row.get(1)?)))).optional()
}

impl SealChain {
    /// The end of the chain of a record. If there is no game or decision yet, this computes and records the first link.
    pub(super) fn end_of(db: &Connection) -> rusqlite::Result<SealChain> {
        if let Some((place, link)) = last(db)? {
            return Ok(SealChain { place, link });
        }
        let first = hash_of_queries(db, &CONTEST)?;
        db.execute("INSERT OR REPLACE INTO meta VALUES ('link', ?)", [first.to_string()])?;
        Ok(SealChain { place: 0, link: first })
    }

    /// Adds the game or decision with the hash `step`. Returns its link.
    pub(super) fn add(&mut self, step: Seal) -> [u8; 32] {
        self.place += 1;
        self.link = hash_of_both(self.link, step);
        self.link.0
    }
}

/// The link after `link`, if `next` is the hash of a game or decision; the seal, if it is that of the contest file.
fn hash_of_both(link: Seal, next: Seal) -> Seal {
    Seal(Sha256::new_with_prefix(link.0).chain_update(next.0).finalize().into())
}

/// The hash of a game: of its board, of the isolations of its bots, which `db` must have already, and of its row.
pub(super) fn hash_of_game(db: &Connection, board: ValueRef, columns: &[ValueRef]) -> rusqlite::Result<Seal> {
    let mut hash = RowsHash(Sha256::new());
    hash.add([board]);
    hash.add_query(db, ISOLATIONS, [ToSqlOutput::Borrowed(columns[SEATS])])?;
    hash.add(columns.iter().copied());
    Ok(hash.finish())
}

/// The hash of a decision: of its row, and of the bot or version that it adds, which `db` must have already.
pub(super) fn hash_of_decision(db: &Connection, columns: &[Value; 3]) -> rusqlite::Result<Seal> {
    let mut hash = RowsHash(Sha256::new());
    hash.add(columns.iter().map(ValueRef::from));
    let [_, action, _] = columns;
    hash.add_query(db, ADDED, [action])?;
    Ok(hash.finish())
}

/// A hash over rows: for each an `R`, and for each value its type (`N`, `I`, `F`, `S`, `B`) and then nothing, 8 bytes
/// (little endian), or the length in 8 bytes and the bytes.
struct RowsHash(Sha256);

impl RowsHash {
    fn add<'a>(&mut self, values: impl IntoIterator<Item = ValueRef<'a>>) {
        let RowsHash(hash) = self;
        hash.update(b"R");
        for value in values {
            let (kind, number, bytes): (&[u8], [u8; 8], &[u8]) = match value {
                ValueRef::Null => {
                    hash.update(b"N");
                    continue;
                }
                ValueRef::Integer(number) => (b"I", number.to_le_bytes(), &[]),
                ValueRef::Real(number) => (b"F", number.to_le_bytes(), &[]),
                ValueRef::Text(text) => (b"S", (text.len() as u64).to_le_bytes(), text),
                ValueRef::Blob(blob) => (b"B", (blob.len() as u64).to_le_bytes(), blob),
            };
            hash.update(kind);
            hash.update(number);
            hash.update(bytes);
        }
    }

    /// Adds all rows of a query.
    fn add_query(&mut self, db: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<()> {
        let mut select = db.prepare_cached(sql)?;
        let columns = select.column_count();
        let mut rows = select.query(params)?;
        while let Some(row) = rows.next()? {
            self.add((0..columns).map(|column| row.get_ref_unwrap(column)));
        }
        Ok(())
    }

    fn finish(self) -> Seal {
        Seal(self.0.finalize().into())
    }
}

/// The hash of all rows of these queries.
fn hash_of_queries(db: &Connection, queries: &[&str]) -> rusqlite::Result<Seal> {
    let mut hash = RowsHash(Sha256::new());
    queries.iter().try_for_each(|sql| hash.add_query(db, sql, []))?;
    Ok(hash.finish())
}

impl Record {
    /// The head of the chain: its last link; `None` if no game and no decision has been recorded.
    pub fn head(&self) -> Result<Option<Seal>, RecordError> {
        self.query("reading the head of the chain", |db| Ok(last(db)?.map(|(_, link)| link)))
    }

    /// The number of links in the chain without the first one: of games and decisions.
    pub fn links(&self) -> Result<u64, RecordError> {
        self.query("counting games and decisions", |db| {
            db.query_row(&format!("SELECT count(*) FROM ({STEPS})"), [], |row| row.get(0).map(i64::cast_unsigned))
        })
    }

    /// The seal of the games and decisions so far; `None` if there are none.
    pub fn seal(&self) -> Result<Option<Seal>, RecordError> {
        let head = self.head()?;
        self.query("reading the seal", |db| {
            let files = hash_of_queries(db, &[FILES])?;
            Ok(head.map(|link| hash_of_both(link, files)))
        })
    }

    /// Computes all links anew and compares them with those in the record. Calls `each` with every link and the seal
    /// that the record had at that link with its present contest file, which a run may have printed when it ended.
    /// Stops at the first difference and returns it, in words.
    pub(crate) fn check_seals(&self, each: &mut dyn FnMut(Seal, Seal)) -> Result<Option<String>, RecordError> {
        let first: Option<String> = self.fact("link")?;
        let own = self.extract()?.map(|of| of.bot.0);
        self.query("computing the seal", |db| {
            if last(db)?.is_none() {
                return Ok(first.map(|_| "its games and decisions were removed".to_string()));
            }
            let files = hash_of_queries(db, &[FILES])?;
            let mut link = hash_of_queries(db, &CONTEST)?;
            if first != Some(link.to_string()) {
                return Ok(Some("the contest or its entrants were changed".to_string()));
            }
            each(hash_of_both(link, files), link);
            let mut decisions = 0;
            let mut select = db.prepare(STEPS)?;
            let mut steps = select.query([])?;
            while let Some(step) = steps.next()? {
                let id: i64 = step.get(0)?;
                let table = step.get_ref(1)?.as_str()?;
                let [hash, recorded] = match table {
                    "games" => game(db, id)?,
                    "decisions" => {
                        decisions += 1;
                        decision(db, id)?
                    }
                    _ => left_out(db, id)?,
                };
                link = hash_of_both(link, hash);
                each(hash_of_both(link, files), link);
                if link != recorded {
                    let (what, others) = match table {
                        "games" => (format!("game {}", name_of_game(db, id)?), ""),
                        "decisions" => (format!("decision {decisions}"), ""),
                        _ => (format!("the hash of a game that was left out, number {id},"), "changed, "),
                    };
                    return Ok(Some(format!(
                        "{what} was changed, or a game or decision before it was {others}added or removed"
                    )));
                }
                if table == "games"
                    && let Some(seat) = other_log(db, id, own)?
                {
                    let log = format!("what the bot in seat {} wrote in game {}", seat + 1, name_of_game(db, id)?);
                    return Ok(Some(format!("{log} was changed, added or removed")));
                }
            }
            Ok(None)
        })
    }
}

/// The hash and the recorded link of the game with this number among games and decisions.
pub(super) fn game(db: &Connection, id: i64) -> rusqlite::Result<[Seal; 2]> {
    let sql = format!("SELECT text, link, {COLUMNS} FROM games JOIN boards ON number = board WHERE id = ?");
    db.prepare_cached(&sql)?.query_row([id], |row| {
        let columns: Vec<ValueRef> = (2..row.as_ref().column_count()).map(|at| row.get_ref_unwrap(at)).collect();
        Ok([hash_of_game(db, row.get_ref(0)?, &columns)?, Seal(row.get(1)?)])
    })
}

/// The hash and the recorded link of the decision with this number.
fn decision(db: &Connection, id: i64) -> rusqlite::Result<[Seal; 2]> {
    let sql = format!("SELECT {}, link FROM decisions WHERE id = ?", decisions::COLUMNS);
    db.prepare_cached(&sql)?.query_row([id], |row| {
        Ok([hash_of_decision(db, &[row.get(0)?, row.get(1)?, row.get(2)?])?, Seal(row.get(3)?)])
    })
}

/// The hash and the recorded link of the game with this number that an extract left out.
fn left_out(db: &Connection, id: i64) -> rusqlite::Result<[Seal; 2]> {
    let mut select = db.prepare_cached("SELECT sha256, link FROM left_out WHERE id = ?")?;
    select.query_row([id], |row| Ok([Seal(row.get(0)?), Seal(row.get(1)?)]))
}

fn name_of_game(db: &Connection, id: i64) -> rusqlite::Result<GameId> {
    let sql = "SELECT stage, round, tbl, game, attempt FROM games WHERE id = ?";
    db.query_row(sql, [id], |row| game_id(row, 0))
}

/// The first seat of a game whose log does not have the hash that the game has for it. An extract for the bot `own` may
/// lack the logs of other bots.
fn other_log(db: &Connection, id: i64, own: Option<u16>) -> rusqlite::Result<Option<u8>> {
    let sql = "SELECT json_extract(s.value, '$[14]'), json_extract(s.value, '$[0]'), s.key, l.size, l.log \
               FROM games g, json_each(g.seats) s LEFT JOIN logs l ON l.game = g.id AND l.seat = s.key WHERE g.id = ?";
    let mut select = db.prepare_cached(sql)?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        let wanted: Option<String> = row.get(0)?;
        let bot: u16 = row.get(1)?;
        let found = match row.get_ref(3)? {
            ValueRef::Null => None,
            _ => {
                let LogRow { size, log, .. } = LogRow::read(row, 2)?;
                uncompressed(log, size).ok().map(sha256)
            }
        };
        let is_left_out = found.is_none() && own.is_some_and(|own| own != bot);
        if wanted != found && !is_left_out {
            return row.get(2).map(Some);
        }
    }
    Ok(None)
}
