//! The seal of a record: a chain of hashes over the games in the order in which they were recorded.
//!
//! The chain begins with a hash of the contest and its entrants. Each further link is the hash of the link before
//! it and of all rows of one game. The links are in the table `seals`, so that a run that resumes continues the
//! chain. The seal itself is the hash of the last link and of the contest file. A published seal shows whether
//! anything in the record was changed afterwards, even if the changed record is consistent in itself.
//! `docs/record.md` says exactly what is hashed.

use super::{Record, RecordError};
use cornerman::format::GameId;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Params, Row, Statement, params};
use sha2::{Digest, Sha256};
use std::fmt;

/// The rows that the first link covers.
const CONTEST: [&str; 4] = [
    "SELECT key, value FROM meta WHERE key NOT IN ('contest_file', 'contest_json', 'contest_sha256') ORDER BY key",
    "SELECT number, name, kind FROM stages ORDER BY number",
    "SELECT stage, nth, entrant FROM seed_programs ORDER BY stage, nth",
    "SELECT number, name, author, spec, role, grp, entered, source_sha256, program_sha256, toolchain, verdict, out \
     FROM entrants ORDER BY number",
];

/// The rows of a game that its link covers; its number in the table `games` is the parameter.
const GAME: [&str; 5] = [
    "SELECT stage, round, tbl, game, board, seed, ending, moves, host, started_ms, wall_us FROM games WHERE id = ?",
    "SELECT text FROM boards JOIN games ON number = board WHERE id = ?",
    "SELECT seat, entrant, mark, place, points, territory, level, refused, asked, slowest_us, cpu_us, peak_memory, \
     leftovers, stderr, called, ignored, tasks FROM seats LEFT JOIN isolations ON id = isolation \
     WHERE game = ? ORDER BY seat",
    "SELECT number, seat, notation, wall_us, cpu_us, lag_us, remarks FROM moves WHERE game = ? ORDER BY number",
    "SELECT nth, seat, number, kind, detail, view, answer, wall_us, cpu_us, lag_us, stderr FROM faults \
     WHERE game = ? ORDER BY nth",
];

/// The rows that the seal covers beside the last link. They may change while a contest is under way.
const FILES: &str = "SELECT key, value FROM meta WHERE key IN ('contest_file', 'contest_json') ORDER BY key";

/// A hash of SHA-256: a link of the chain, or the seal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seal([u8; 32]);

impl fmt::Display for Seal {
    /// 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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
        let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
        let bytes: Vec<u8> =
            digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
        (digits.len() == 64).then(|| Seal(bytes.try_into().expect("64 digits are 32 bytes")))
    }
}

/// How the links in the record differ from those of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokenSeal {
    /// The contest or its entrants were changed.
    Contest,
    /// The game of this number in the table `games` was changed, or one before it was removed, added or moved.
    Game(i64),
}

/// The first link: the hash of the contest and its entrants.
fn first_link(db: &Connection) -> rusqlite::Result<Seal> {
    let mut hash = Sha256::new();
    CONTEST.iter().try_for_each(|sql| add_rows(&mut hash, &mut *db.prepare_cached(sql)?, []))?;
    Ok(Seal(hash.finalize().into()))
}

/// The link of `game`, a number in the table `games`, after the link `before`.
fn next_link(db: &Connection, before: Seal, game: i64) -> rusqlite::Result<Seal> {
    let mut hash = Sha256::new();
    hash.update(before.0);
    GAME.iter().try_for_each(|sql| add_rows(&mut hash, &mut *db.prepare_cached(sql)?, [game]))?;
    Ok(Seal(hash.finalize().into()))
}

/// The hash of the contest file, which every seal covers.
fn files(db: &Connection) -> rusqlite::Result<[u8; 32]> {
    let mut hash = Sha256::new();
    add_rows(&mut hash, &mut *db.prepare_cached(FILES)?, [])?;
    Ok(hash.finalize().into())
}

/// The seal after `link`.
fn sealed(link: Seal, files: [u8; 32]) -> Seal {
    Seal(Sha256::new_with_prefix(link.0).chain_update(files).finalize().into())
}

/// Adds all rows of a query: a `T` for the table; for each row an `R`, and for each value its type (`N`, `I`, `F`,
/// `S`, `B`) and then nothing, 8 bytes (little endian), or the length in 8 bytes and the bytes.
fn add_rows(hash: &mut Sha256, select: &mut Statement, key: impl Params) -> rusqlite::Result<()> {
    hash.update(b"T");
    let columns = select.column_count();
    let mut rows = select.query(key)?;
    while let Some(row) = rows.next()? {
        hash.update(b"R");
        for column in 0..columns {
            let (kind, bytes): (u8, &[u8]) = match row.get_ref(column)? {
                ValueRef::Null => {
                    hash.update(b"N");
                    continue;
                }
                ValueRef::Integer(value) => {
                    hash.update(b"I");
                    hash.update(value.to_le_bytes());
                    continue;
                }
                ValueRef::Real(value) => {
                    hash.update(b"F");
                    hash.update(value.to_le_bytes());
                    continue;
                }
                ValueRef::Text(text) => (b'S', text),
                ValueRef::Blob(blob) => (b'B', blob),
            };
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
    }
    Ok(())
}

/// Adds the links of games that were just recorded.
pub(super) fn extend(db: &Connection) -> rusqlite::Result<()> {
    let last = db
        .prepare_cached("SELECT game, link FROM seals ORDER BY game DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)));
    let last = last.optional()?;
    let mut select = db.prepare_cached("SELECT id FROM games WHERE id > ? ORDER BY id")?;
    let from = last.as_ref().map_or(0, |(game, _)| *game);
    let new: Vec<i64> = select.query_map([from], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut insert = db.prepare_cached("INSERT INTO seals VALUES (?, ?)")?;
    let mut link = last.map(|(_, link)| Seal::parse(&link).unwrap_or(Seal([0; 32])));
    for game in new {
        let before = match link {
            Some(link) => link,
            None => {
                let first = first_link(db)?;
                insert.execute(params![0, first.to_string()])?;
                first
            }
        };
        let next = next_link(db, before, game)?;
        insert.execute(params![game, next.to_string()])?;
        link = Some(next);
    }
    Ok(())
}

impl Record {
    /// The head of the chain: its last link; `None` if no game has been recorded.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn head(&self) -> Result<Option<Seal>, RecordError> {
        self.query("reading the head of the chain", |db| {
            let sql = "SELECT link FROM seals WHERE game = (SELECT max(id) FROM games)";
            let link: Option<String> = db.query_row(sql, [], |row| row.get(0)).optional()?;
            Ok(link.and_then(|link| Seal::parse(&link)))
        })
    }

    /// The seal of the games so far; `None` if no game has been recorded.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn seal(&self) -> Result<Option<Seal>, RecordError> {
        let head = self.head()?;
        self.query("reading the seal", |db| {
            let files = files(db)?;
            Ok(head.map(|link| sealed(link, files)))
        })
    }

    /// The game of this number in the table `games`; `None` if there is none.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn id_of_row(&self, row: i64) -> Result<Option<GameId>, RecordError> {
        self.query("reading a game", |db| {
            let sql = "SELECT stage, round, tbl, game FROM games WHERE id = ?";
            let id = |row: &Row| {
                Ok(GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? })
            };
            db.query_row(sql, [row], id).optional()
        })
    }

    /// Computes all links anew, compares them with those in the record, and calls `each` with each seal on the
    /// way, those that runs printed when they ended, and its link. Returns the first difference.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn check_seals(&self, each: &mut dyn FnMut(Seal, Seal)) -> Result<Option<BrokenSeal>, RecordError> {
        self.query("computing the seal", |db| {
            let files = files(db)?;
            let mut select = db.prepare("SELECT coalesce(id, s.game), s.link FROM seals s LEFT JOIN games ON id = s.game \
                                         UNION SELECT id, link FROM games LEFT JOIN seals s ON s.game = id ORDER BY 1")?;
            let mut rows = select.query([])?;
            let mut link = None;
            while let Some(row) = rows.next()? {
                let (game, stored): (i64, Option<String>) = (row.get(0)?, row.get(1)?);
                let computed = match link {
                    None if game == 0 => first_link(db)?,
                    None => return Ok(Some(BrokenSeal::Contest)),
                    Some(before) => next_link(db, before, game)?,
                };
                if stored != Some(computed.to_string()) {
                    return Ok(Some(if game == 0 { BrokenSeal::Contest } else { BrokenSeal::Game(game) }));
                }
                link = Some(computed);
                each(sealed(computed, files), computed);
            }
            Ok(None)
        })
    }
}
