//! The seal of a record: a chain of hashes over the games and decisions in the order in which they were recorded.
//!
//! The chain begins with a hash of the contest and its entrants. Each further link is the hash of the link before it and
//! of one game or decision. They have their links beside them, so that a run that resumes continues the chain. The seal itself is the
//! hash of the last link and of the contest file. A published seal shows whether anything in the record was changed
//! afterwards, even if the changed record is consistent in itself. `docs/record.md` says exactly what is hashed, and
//! `docs/seal.py` computes it too.

use super::row::{COLUMNS, game_id};
use super::schema::TextOrBlob;
use super::{Record, RecordError};
use cornerman::format::GameId;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params, Row, ToSql};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// The rows that the first link covers.
const CONTEST: [&str; 3] = [
    "SELECT key, value FROM meta WHERE key NOT IN ('contest_file', 'contest_json', 'contest_sha256', 'link') ORDER BY key",
    "SELECT * FROM stages ORDER BY number",
    "SELECT * FROM entrants WHERE number NOT IN (SELECT coalesce(json_extract(action, '$.admit.entrant'), \
     json_extract(action, '$.replace.version'), -1) FROM decisions) ORDER BY number",
];

/// The rows that the link of a decision covers beside its own, given its action: the bot or the version that it adds.
const ADDED: &str = "SELECT * FROM entrants WHERE number = \
                     coalesce(json_extract(?1, '$.admit.entrant'), json_extract(?1, '$.replace.version'))";

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
    /// There was a game, and there is none.
    NoGame,
    /// This game was changed, or a game or decision before it was removed, added or moved.
    Game(GameId),
    /// The decision with this number was, likewise.
    Decision(u32),
}

/// Where the chain has come to.
pub(super) struct SealChain {
    /// The number of the last game or decision; 0 if there is none.
    pub place: i64,
    link: Seal,
}

/// The number and the link of the last game or decision; `None` if there is none.
fn last(db: &Connection) -> rusqlite::Result<Option<(i64, Seal)>> {
    let of = |table: &str| {
        let mut select = db.prepare_cached(&format!("SELECT id, link FROM {table} ORDER BY id DESC LIMIT 1"))?;
        select.query_row([], |row| Ok((row.get(0)?, Seal(row.get(1)?)))).optional()
    };
    Ok(of("games")?.into_iter().chain(of("decisions")?).max_by_key(|(place, _)| *place))
}

impl SealChain {
    /// The end of the chain of a record. If it has only begun, the first link is computed and recorded.
    pub(super) fn end_of(db: &Connection) -> rusqlite::Result<SealChain> {
        if let Some((place, link)) = last(db)? {
            return Ok(SealChain { place, link });
        }
        let first = first_link(db)?;
        db.execute("INSERT OR REPLACE INTO meta VALUES ('link', ?)", [first.to_string()])?;
        Ok(SealChain { place: 0, link: first })
    }

    /// Adds a game: the text of its board, the isolations that no game before it had, and its columns. Returns its link.
    pub(super) fn add(&mut self, board: &[u8], isolations: &[SealedIsolation], columns: &[Value]) -> [u8; 32] {
        let mut hash = RowsHash(Sha256::new_with_prefix(self.link.0));
        hash.add_board(board);
        hash.add_isolations(isolations);
        hash.add(columns.iter().map(ValueRef::from));
        self.follow(hash)
    }

    /// Adds a decision: its columns, and the bot or the version that it adds, which `db` has already. Returns its link.
    pub(super) fn add_decision(&mut self, db: &Connection, columns: &[Value; 3]) -> rusqlite::Result<[u8; 32]> {
        let mut hash = RowsHash(Sha256::new_with_prefix(self.link.0));
        hash.add_decision(db, columns)?;
        Ok(self.follow(hash))
    }

    fn follow(&mut self, hash: RowsHash) -> [u8; 32] {
        self.place += 1;
        self.link = hash.finish();
        self.link.0
    }
}

/// The name of a level, and what was refused.
pub(super) type SealedIsolation = (String, String);

/// A hash over rows: for each an `R`, and for each value its type (`N`, `I`, `F`, `S`, `B`) and then nothing, 8 bytes
/// (little endian), or the length in 8 bytes and the bytes.
struct RowsHash(Sha256);

impl RowsHash {
    fn add<'a>(&mut self, values: impl IntoIterator<Item = ValueRef<'a>>) {
        let RowsHash(hash) = self;
        hash.update(b"R");
        for value in values {
            let (kind, bytes): (u8, &[u8]) = match value {
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

    fn add_board(&mut self, board: &[u8]) {
        if let Ok(ToSqlOutput::Borrowed(value)) = TextOrBlob(board).to_sql() {
            self.add([value]);
        }
    }

    fn add_isolations(&mut self, isolations: &[SealedIsolation]) {
        for (level, refused) in isolations {
            self.add([level, refused].map(|text| ValueRef::Text(text.as_bytes())));
        }
    }

    fn add_decision(&mut self, db: &Connection, columns: &[Value; 3]) -> rusqlite::Result<()> {
        self.add(columns.iter().map(ValueRef::from));
        let [_, action, _] = columns;
        self.add_query(db, ADDED, [action])
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

/// The first link: the hash of the contest and its entrants.
fn first_link(db: &Connection) -> rusqlite::Result<Seal> {
    let mut hash = RowsHash(Sha256::new());
    CONTEST.iter().try_for_each(|sql| hash.add_query(db, sql, []))?;
    Ok(hash.finish())
}

/// The hash of the contest file, which every seal covers.
fn files(db: &Connection) -> rusqlite::Result<Seal> {
    let mut hash = RowsHash(Sha256::new());
    hash.add_query(db, FILES, [])?;
    Ok(hash.finish())
}

/// The seal after `link`.
fn sealed(link: Seal, files: Seal) -> Seal {
    Seal(Sha256::new_with_prefix(link.0).chain_update(files.0).finalize().into())
}

impl Record {
    /// The head of the chain: its last link; `None` if no game and no decision has been recorded.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn head(&self) -> Result<Option<Seal>, RecordError> {
        self.query("reading the head of the chain", |db| Ok(last(db)?.map(|(_, link)| link)))
    }

    /// The number of links in the chain without the first one: of games and decisions.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn links(&self) -> Result<u64, RecordError> {
        let sql = "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM decisions)";
        self.query("counting games and decisions", |db| {
            db.query_row(sql, [], |row| row.get(0).map(i64::cast_unsigned))
        })
    }

    /// The seal of the games and decisions so far; `None` if there are none.
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

    /// Computes all links anew, compares them with those in the record, and calls `each` with each seal on the
    /// way, those that runs printed when they ended, and its link. Returns the first difference.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn check_seals(&self, each: &mut dyn FnMut(Seal, Seal)) -> Result<Option<BrokenSeal>, RecordError> {
        let first: Option<String> = self.fact("link")?;
        let mut isolations: BTreeMap<i64, Vec<SealedIsolation>> = BTreeMap::new();
        self.list("SELECT game, level, refused FROM isolations ORDER BY id", |row| {
            isolations.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?));
            Ok(())
        })?;
        self.query("computing the seal", |db| {
            if last(db)?.is_none() {
                return Ok(first.is_some().then_some(BrokenSeal::NoGame));
            }
            let files = files(db)?;
            let mut link = first_link(db)?;
            if first != Some(link.to_string()) {
                return Ok(Some(BrokenSeal::Contest));
            }
            each(sealed(link, files), link);
            let mut follow = |link: &mut Seal, hash: RowsHash, recorded: &[u8]| {
                *link = hash.finish();
                each(sealed(*link, files), *link);
                recorded == link.0
            };
            let mut decisions = (1..).zip(decisions(db)?).peekable();
            let mut select = db.prepare(&format!(
                "SELECT text, id, link, {COLUMNS} FROM games JOIN boards ON number = board ORDER BY id"
            ))?;
            let columns = select.column_count();
            let mut rows = select.query([])?;
            loop {
                let game = rows.next()?;
                let id: Option<i64> = game.map(|row| row.get(1)).transpose()?;
                let is_before = |place: i64| id.is_none_or(|game| place < game);
                while let Some((number, taken)) = decisions.next_if(|(_, it)| is_before(it.place)) {
                    let mut hash = RowsHash(Sha256::new_with_prefix(link.0));
                    hash.add_decision(db, &taken.columns)?;
                    if !follow(&mut link, hash, &taken.link) {
                        return Ok(Some(BrokenSeal::Decision(number)));
                    }
                }
                let (Some(row), Some(id)) = (game, id) else { return Ok(None) };
                let mut hash = RowsHash(Sha256::new_with_prefix(link.0));
                hash.add([row.get_ref(0)?]);
                hash.add_isolations(isolations.get(&id).map_or(&[], Vec::as_slice));
                hash.add((3..columns).map(|column| row.get_ref_unwrap(column)));
                if !follow(&mut link, hash, row.get_ref(2)?.as_blob()?) {
                    return Ok(Some(BrokenSeal::Game(game_id(row, 3)?)));
                }
            }
        })
    }
}

/// A decision as the chain has it.
struct SealedDecision {
    place: i64,
    link: Vec<u8>,
    columns: [Value; 3],
}

fn decisions(db: &Connection) -> rusqlite::Result<Vec<SealedDecision>> {
    let mut select =
        db.prepare(&format!("SELECT id, link, {} FROM decisions ORDER BY id", super::decisions::COLUMNS))?;
    let taken = |row: &Row| {
        Ok(SealedDecision {
            place: row.get(0)?,
            link: row.get(1)?,
            columns: [row.get(2)?, row.get(3)?, row.get(4)?],
        })
    };
    select.query_map([], taken)?.collect()
}
