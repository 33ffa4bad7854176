//! A game as one row of the table `games`: summary columns, and two documents. One says how it ended for each seat and how
//! the seat behaved, the other (the log) has the moves and the forfeits. What a seat's bot wrote to standard error is a row of
//! `logs`, and its hash is in the first document: so an extract without it can be compared with the seal. A random salt in it
//! keeps that hash from confirming guesses.
//!
//! The documents are JSON, in which lists have the order of the columns of the views `seats`, `moves` and `faults`, so
//! that people can query them. A log is compressed if that makes it shorter.

mod stored;

use super::schema::{Domain, text_of};
use super::{FaultRecord, GameRecord, GameSummary, MoveRecord, SaidRecord, SeatRecord, TimeUsed};
use crate::player::Remark;
use crate::sandbox::Level;
use crate::text::sha256;
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{End, MAX_SEATS, Outcome, Seat, Setup};
use rusqlite::Row;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;
pub(super) use stored::uncompressed;
use stored::{BytesText, compressed, salt};

/// The columns of a game between its number and its link, in the order of the table.
pub(super) const COLUMNS: &str = "stage, round, tbl, game, attempt, board, seed, ending, moves, faults, host, \
                                  started_ms, wall_us, seats, size, log";

/// The largest size of a value or a row, in bytes. The contest file of 65535 entrants is smaller.
pub(super) const LARGEST_VALUE: usize = 16 << 20;

/// The longest name, in bytes.
pub(super) const NAME: usize = 1024;

/// The longest text that is neither a name nor a file, in bytes.
pub(super) const TEXT: usize = 1 << 16;

const SEAT: Domain = Domain::Number(0, MAX_SEATS as i64 - 1);
const PLACE: Domain = Domain::Number(1, MAX_SEATS as i64);
const U16: Domain = Domain::Number(0, u16::MAX as i64);
const U32: Domain = Domain::Number(0, u32::MAX as i64);
/// A count in one game, small enough that sums over all games fit.
const COUNT: Domain = Domain::Number(0, 1 << 30);
/// Points in one game, likewise.
const POINTS: Domain = Domain::Number(-(1 << 40), 1 << 40);
const BYTES: Domain = Domain::Number(0, 1 << 50);
/// Three years in microseconds.
const MICROS: Domain = Domain::Number(0, 100_000_000_000_000);
/// Until the end of the year 9999.
const MILLIS: Domain = Domain::Number(0, 253_402_300_799_999);

/// What is wrong with a row, such as `seats.place should be a whole number from 1 to 8`.
pub(super) type Wrong = String;

fn should_be(place: &str, what: impl std::fmt::Display) -> Wrong {
    format!("{place} should be {what}")
}

/// Checks a number of a document.
fn number(place: &str, value: i64, domain: &Domain) -> Result<i64, Wrong> {
    match domain {
        Domain::Number(from, to) if (*from..=*to).contains(&value) => Ok(value),
        _ => Err(should_be(place, domain)),
    }
}

/// Checks the outcome of a game of this many seats that was not played.
pub(super) fn check_outcome(outcome: &Outcome, seats: usize) -> Result<(), Wrong> {
    let lists = [outcome.places.len(), outcome.points.len(), outcome.territory.len()];
    if lists != [seats; 3] {
        return Err(should_be("forfeits", format!("those of games of {seats}")));
    }
    for (place, points) in outcome.places.iter().zip(&outcome.points) {
        number("place", (*place).into(), &PLACE)?;
        number("points", *points, &POINTS)?;
    }
    Ok(())
}

/// Checks the length of a text of a document.
fn text<T: AsRef<str>>(place: &str, value: T, most: usize) -> Result<T, Wrong> {
    if value.as_ref().len() <= most { Ok(value) } else { Err(should_be(place, Domain::Text(most))) }
}

/// What the documents of games refer to.
#[derive(Debug, Default)]
pub(super) struct DocumentReferences {
    /// The isolations of the record: levels and what was refused, by their numbers.
    pub isolations: BTreeMap<i64, (Option<Level>, String)>,
    /// The number of entrants.
    pub entrants: usize,
}

/// How a game ended for a seat, and how the seat behaved: the view `seats` without its first two columns.
#[derive(Serialize, Deserialize)]
struct SeatRow(
    i64,
    Option<u8>,
    i64,
    i64,
    i64,
    Option<i64>,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<String>,
);

/// The moves, and the forfeits if there are any.
#[derive(Serialize, Deserialize)]
struct Log<'a> {
    #[serde(borrow)]
    moves: Vec<MoveRow<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultRow<'a>>,
}

/// What a seat's bot wrote to standard error.
#[derive(Default, Serialize, Deserialize)]
struct SeatLog<'a> {
    /// Random digits, so that the hash of a log confirms no guess of what it says.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    salt: Cow<'a, str>,
    /// The end of it.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    end: Cow<'a, str>,
    /// The end of what it wrote at its forfeits, with their places among the forfeits of the game.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultLogRow<'a>>,
    /// It by move.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    said: Vec<SaidRow<'a>>,
}

#[derive(Serialize, Deserialize)]
struct FaultLogRow<'a>(u32, #[serde(borrow)] Cow<'a, str>);

/// The view `moves` without its first two columns.
#[derive(Serialize, Deserialize)]
struct MoveRow<'a>(
    i64,
    #[serde(borrow)] Cow<'a, str>,
    i64,
    i64,
    i64,
    #[serde(default, skip_serializing_if = "<[Remark]>::is_empty")] Cow<'a, [Remark]>,
);

impl<'a> MoveRow<'a> {
    fn new(made: &'a MoveRecord) -> MoveRow<'a> {
        let [wall, cpu, lag] = times(made.used);
        MoveRow(made.seat.0.into(), (&*made.notation).into(), wall, cpu, lag, (&*made.remarks).into())
    }
}

/// The view `faults` without its first two columns and `stderr`.
#[derive(Serialize, Deserialize)]
struct FaultRow<'a>(
    i64,
    i64,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] BytesText<'a>,
    #[serde(borrow)] BytesText<'a>,
    i64,
    i64,
    i64,
);

impl<'a> FaultRow<'a> {
    fn new(fault: &'a FaultRecord) -> FaultRow<'a> {
        let [wall, cpu, lag] = times(fault.used);
        let view = BytesText::new(&fault.view);
        let answer = BytesText::new(&fault.answer);
        let [kind, detail] = [&*fault.kind, &fault.detail].map(Cow::Borrowed);
        FaultRow(fault.seat.0.into(), fault.number.into(), kind, detail, view, answer, wall, cpu, lag)
    }
}

/// The view `said` without its first two columns.
#[derive(Serialize, Deserialize)]
struct SaidRow<'a>(i64, #[serde(borrow)] Cow<'a, str>, i64);

impl<'a> SaidRow<'a> {
    fn new(said: &'a SaidRecord) -> SaidRow<'a> {
        SaidRow(said.number.into(), (&*said.text).into(), said.left_out.cast_signed())
    }
}

impl<'a> SeatLog<'a> {
    /// The log of this seat of `game`; `None` if its bot wrote nothing.
    fn new(game: &'a GameRecord, seat: usize) -> Option<SeatLog<'a>> {
        let faults = (0..).zip(&game.faults).filter(|(_, fault)| fault.seat.index() == seat);
        let faults = faults.filter(|(_, fault)| !fault.stderr.is_empty());
        let log = SeatLog {
            salt: salt().into(),
            end: (&*game.seats[seat].stderr).into(),
            faults: faults.map(|(nth, fault)| FaultLogRow(nth, (&*fault.stderr).into())).collect(),
            said: game.seats[seat].said.iter().map(SaidRow::new).collect(),
        };
        let is_empty = log.end.is_empty() && log.faults.is_empty() && log.said.is_empty();
        (!is_empty).then_some(log)
    }

    /// Adds it to a game that has its seats and faults.
    fn put_into(self, game: &mut GameRecord, seat: u8) -> Result<(), Wrong> {
        let at = usize::from(seat);
        let conduct = game.seats.get_mut(at).ok_or_else(|| should_be("logs.seat", "a seat of the game"))?;
        conduct.stderr = text("stderr_ends.stderr", self.end, TEXT)?.into_owned();
        for SaidRow(nth, said, left_out) in self.said {
            conduct.said.push(SaidRecord {
                number: number("said.number", nth, &COUNT)? as u32,
                text: text("said.text", said, TEXT)?.into_owned(),
                left_out: number("said.left_out", left_out, &BYTES)?.cast_unsigned(),
            });
        }
        for FaultLogRow(nth, stderr) in self.faults {
            let fault = game.faults.get_mut(nth as usize).filter(|fault| fault.seat == Seat(seat));
            let fault = fault.ok_or_else(|| should_be("logs.log", "about forfeits of its seat"))?;
            fault.stderr = text("faults.stderr", stderr, TEXT)?.into_owned();
        }
        Ok(())
    }
}

/// What a seat's bot wrote to standard error, as the table `logs` has it.
#[derive(Debug)]
pub(super) struct LogRow {
    pub seat: u8,
    /// Of the document, before it was compressed.
    pub size: usize,
    pub log: Vec<u8>,
}

impl LogRow {
    /// Reads the columns `seat`, `size` and `log` from the column `from` on.
    pub(super) fn read(row: &Row, from: usize) -> rusqlite::Result<LogRow> {
        Ok(LogRow { seat: row.get(from)?, size: row.get::<_, i64>(from + 1)? as usize, log: row.get(from + 2)? })
    }
}

/// A duration in whole microseconds, as the record stores it.
fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn times(used: TimeUsed) -> [i64; 3] {
    [used.wall, used.cpu, used.lag].map(micros)
}

fn duration(place: &str, value: i64) -> Result<Duration, Wrong> {
    Ok(Duration::from_micros(number(place, value, &MICROS)?.cast_unsigned()))
}

fn json(document: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(document).expect("lists of numbers and texts are JSON")
}

/// A game's row, with the text of its board.
#[derive(Debug)]
pub(super) struct GameRow {
    id: GameId,
    board: (u32, Vec<u8>),
    seed: u64,
    end: End,
    moves: usize,
    faults: usize,
    host: String,
    started_ms: u64,
    wall: Duration,
    seats: Vec<u8>,
    size: usize,
    log: Vec<u8>,
    /// The rows of `logs`, if they were read.
    pub logs: Vec<LogRow>,
}

impl GameRow {
    /// The row of a game whose seats have the isolations of these numbers, without its board's text.
    pub(super) fn from_game(game: &GameRecord, isolations: &[Option<i64>]) -> GameRow {
        let outcome = &game.outcome;
        let mut logs = Vec::new();
        let seat = |(at, conduct): (usize, &'_ SeatRecord)| {
            let log = SeatLog::new(game, at).map(|log| json(&log));
            let log_hash = log.as_ref().map(sha256);
            logs.extend(log.map(|log| LogRow { seat: at as u8, size: log.len(), log: compressed(log) }));
            SeatRow(
                game.pairing.seats[at].0.into(),
                game.setup.marks.get(at).copied(),
                outcome.places[at].into(),
                outcome.points[at],
                outcome.territory[at].into(),
                isolations[at],
                conduct.asked.into(),
                micros(conduct.slowest),
                micros(conduct.cpu),
                conduct.peak_memory.cast_signed(),
                conduct.leftovers.into(),
                conduct.ignored.into(),
                conduct.tasks.into(),
                conduct.called.clone(),
                log_hash,
            )
        };
        let seats: Vec<SeatRow> = game.seats.iter().enumerate().map(seat).collect();
        let log = Log {
            moves: game.moves.iter().map(MoveRow::new).collect(),
            faults: game.faults.iter().map(FaultRow::new).collect(),
        };
        let log = json(&log);
        GameRow {
            id: game.pairing.id,
            board: (game.pairing.board, Vec::new()),
            seed: game.setup.seed,
            end: outcome.end,
            moves: game.moves.len(),
            faults: game.faults.len(),
            host: game.host.clone(),
            started_ms: game.started_ms,
            wall: game.wall,
            seats: json(&seats),
            size: log.len(),
            log: compressed(log),
            logs,
        }
    }

    /// The values of [`COLUMNS`].
    pub(super) fn into_values(self) -> [Value; 16] {
        let ending = match self.end {
            End::Played => "played",
            End::Forfeited => "forfeited",
        };
        [
            Value::Integer(self.id.stage.into()),
            Value::Integer(self.id.round.into()),
            Value::Integer(self.id.table.into()),
            Value::Integer(self.id.game.into()),
            Value::Integer(self.id.attempt.into()),
            Value::Integer(self.board.0.into()),
            Value::Integer(self.seed.cast_signed()),
            Value::Text(ending.to_string()),
            Value::Integer(self.moves as i64),
            Value::Integer(self.faults as i64),
            Value::Text(self.host),
            Value::Integer(self.started_ms.cast_signed()),
            Value::Integer(micros(self.wall)),
            Value::Text(String::from_utf8(self.seats).expect("JSON is UTF-8")),
            Value::Integer(self.size as i64),
            Value::Blob(self.log),
        ]
    }

    /// The size of its documents, in bytes.
    pub(super) fn len(&self) -> usize {
        self.seats.len() + self.size + self.logs.iter().map(|log| log.size).sum::<usize>()
    }

    /// Reads [`COLUMNS`], followed by the text of the board.
    pub(super) fn read(row: &Row) -> rusqlite::Result<GameRow> {
        let end = if row.get_ref(7)?.as_bytes()? == b"forfeited" { End::Forfeited } else { End::Played };
        let bytes = |column| -> rusqlite::Result<Vec<u8>> {
            Ok(row.get_ref(column)?.as_bytes_or_null()?.unwrap_or_default().to_vec())
        };
        Ok(GameRow {
            id: game_id(row, 0)?,
            board: (row.get(5)?, bytes(16)?),
            seed: row.get::<_, i64>(6)?.cast_unsigned(),
            end,
            moves: row.get::<_, u32>(8)? as usize,
            faults: row.get::<_, u32>(9)? as usize,
            host: row.get(10)?,
            started_ms: row.get::<_, i64>(11)?.cast_unsigned(),
            wall: Duration::from_micros(row.get::<_, i64>(12)?.cast_unsigned()),
            seats: bytes(13)?,
            size: row.get::<_, i64>(14)? as usize,
            log: bytes(15)?,
            logs: Vec::new(),
        })
    }

    /// The game without its moves, what its setup says of the seats, and how they behaved.
    pub(super) fn into_summary(self, known: &DocumentReferences) -> Result<SeatedGame, Wrong> {
        let rows: Vec<SeatRow> = serde_json::from_slice(&self.seats)
            .map_err(|error| format!("games.seats should have the values of the view seats: {error}"))?;
        if rows.is_empty() {
            return Err(should_be("games.id", "a game with seats"));
        }
        number("seats.seat", rows.len() as i64 - 1, &SEAT)?;
        let pairing = Pairing { id: self.id, seats: Vec::new(), board: self.board.0 };
        let outcome = Outcome { places: Vec::new(), points: Vec::new(), territory: Vec::new(), end: self.end };
        let summary = GameSummary {
            pairing,
            outcome,
            moves: self.moves as u32,
            started_ms: self.started_ms,
            wall: self.wall,
            host: self.host,
        };
        let setup = Setup { seats: rows.len() as u8, board: self.board.1, marks: Vec::new(), seed: self.seed };
        let mut seated = SeatedGame { summary, setup, seats: Vec::with_capacity(rows.len()) };
        for row in rows {
            seated.add(row, known)?;
        }
        Ok(seated)
    }

    /// The whole game.
    pub(super) fn into_game(mut self, known: &DocumentReferences) -> Result<GameRecord, Wrong> {
        let log = std::mem::take(&mut self.log);
        let log = uncompressed(log, self.size)?;
        let log: Log = serde_json::from_slice(&log)
            .map_err(|error| format!("games.log should have the values of the views moves and faults: {error}"))?;
        let Log { moves, faults } = log;
        let counts = (self.moves, self.faults);
        let logs = std::mem::take(&mut self.logs);
        let SeatedGame { summary, setup, seats } = self.into_summary(known)?;
        let seat = |place: &str, seat: i64| {
            number(place, seat, &SEAT)?;
            let is_known = seat < seats.len() as i64;
            if is_known { Ok(Seat(seat as u8)) } else { Err(should_be(place, "a seat of the game")) }
        };
        for (place, recorded, found) in [("moves", counts.0, moves.len()), ("faults", counts.1, faults.len())] {
            if recorded != found {
                let what = format!("the number of rows that the game has in the view {place}");
                return Err(should_be(&format!("games.{place}"), what));
            }
        }
        let made = |(number, row): (u32, MoveRow)| {
            let MoveRow(by, notation, wall, cpu, lag, remarks) = row;
            let wall = duration("moves.wall_us", wall)?;
            let used = TimeUsed { wall, cpu: duration("moves.cpu_us", cpu)?, lag: duration("moves.lag_us", lag)? };
            let notation = text("moves.notation", notation, TEXT)?.into_owned();
            for remark in remarks.iter() {
                text("moves.remarks", remark.rule(), NAME)?;
            }
            Ok(MoveRecord { number, seat: seat("moves.seat", by)?, notation, used, remarks: remarks.into_owned() })
        };
        let fault = |row: FaultRow| {
            let FaultRow(by, nth, kind, detail, view, answer, wall, cpu, lag) = row;
            let wall = duration("faults.wall_us", wall)?;
            let used =
                TimeUsed { wall, cpu: duration("faults.cpu_us", cpu)?, lag: duration("faults.lag_us", lag)? };
            Ok(FaultRecord {
                number: number("faults.number", nth, &COUNT)? as u32,
                seat: seat("faults.seat", by)?,
                kind: text("faults.kind", kind, NAME)?.into_owned(),
                detail: text("faults.detail", detail, TEXT)?.into_owned(),
                view: view.into_bytes("faults.view")?,
                answer: answer.into_bytes("faults.answer")?,
                used,
                stderr: String::new(),
            })
        };
        let mut game = GameRecord {
            moves: (1..).zip(moves).map(made).collect::<Result<_, Wrong>>()?,
            faults: faults.into_iter().map(fault).collect::<Result<_, Wrong>>()?,
            pairing: summary.pairing,
            setup,
            outcome: summary.outcome,
            started_ms: summary.started_ms,
            wall: summary.wall,
            host: summary.host,
            seats,
        };
        for LogRow { seat, size, log } in logs {
            let log = uncompressed(log, size)?;
            let log: SeatLog = serde_json::from_slice(&log).map_err(|error| {
                format!("logs.log should have the values of the views said, seats and faults: {error}")
            })?;
            log.put_into(&mut game, seat)?;
        }
        Ok(game)
    }
}

/// The game that five columns name.
pub(super) fn game_id(row: &Row, from: usize) -> rusqlite::Result<GameId> {
    Ok(GameId {
        stage: row.get(from)?,
        round: row.get(from + 1)?,
        table: row.get(from + 2)?,
        game: row.get(from + 3)?,
        attempt: row.get(from + 4)?,
    })
}

/// A game without its moves, and how its seats behaved.
#[derive(Debug)]
pub(super) struct SeatedGame {
    pub summary: GameSummary,
    setup: Setup,
    pub seats: Vec<SeatRecord>,
}

impl SeatedGame {
    fn add(&mut self, row: SeatRow, known: &DocumentReferences) -> Result<(), Wrong> {
        let SeatRow(
            who,
            mark,
            place,
            points,
            territory,
            isolation,
            asked,
            slowest,
            cpu,
            memory,
            left,
            ignored,
            tasks,
            called,
            log_hash,
        ) = row;
        log_hash.map_or(Ok(String::new()), |hash| text("seats.log_sha256", hash, 64))?;
        let entrant = number("seats.entrant", who, &U16)?;
        if entrant >= known.entrants as i64 {
            return Err(should_be("every row of seats", "of a row that entrants has"));
        }
        self.summary.pairing.seats.push(EntrantId(entrant as u16));
        self.setup.marks.extend(mark);
        let outcome = &mut self.summary.outcome;
        outcome.places.push(number("seats.place", place, &PLACE)? as u8);
        outcome.points.push(number("seats.points", points, &POINTS)?);
        outcome.territory.push(number("seats.territory", territory, &U32)? as u32);
        let none = (None, String::new());
        let isolation = match isolation {
            None => Some(&none),
            Some(id) => known.isolations.get(&id),
        };
        let Some((level, refused)) = isolation else {
            return Err(should_be("every row of seats", "of a row that isolations has"));
        };
        let count = |place, value| Ok::<u32, Wrong>(number(place, value, &COUNT)? as u32);
        self.seats.push(SeatRecord {
            level: *level,
            refused: refused.clone(),
            asked: count("seats.asked", asked)?,
            slowest: duration("seats.slowest_us", slowest)?,
            cpu: duration("seats.cpu_us", cpu)?,
            peak_memory: number("seats.peak_memory", memory, &BYTES)?.cast_unsigned(),
            leftovers: count("seats.leftovers", left)?,
            ignored: count("seats.ignored", ignored)?,
            tasks: count("seats.tasks", tasks)?,
            said: Vec::new(),
            called: called.map(|name| text("seats.called", name, TEXT)).transpose()?,
            stderr: String::new(),
        });
        Ok(())
    }
}

impl GameRecord {
    /// What cannot be recorded of this game, because a record with it would be refused when it is read; `None` if all of
    /// it can.
    pub fn unrecordable(&self) -> Option<String> {
        let check = || -> Result<(), Wrong> {
            number("games.started_ms", self.started_ms.cast_signed(), &MILLIS)?;
            number("games.wall_us", micros(self.wall), &MICROS)?;
            text("games.host", &self.host, NAME)?;
            for seat in &self.seats {
                text("isolations.refused", &seat.refused, TEXT)?;
            }
            if (1..).zip(&self.moves).any(|(number, made)| made.number != number) {
                return Err(should_be("moves.number", "from 1 without gaps"));
            }
            let seats = self.pairing.seats.len();
            let outcome = &self.outcome;
            let lists = [self.seats.len(), outcome.places.len(), outcome.points.len(), outcome.territory.len()];
            if lists.iter().any(|list| *list != seats) {
                return Err(should_be("seats", "as many as there are entrants in the game"));
            }
            let known =
                DocumentReferences { entrants: usize::from(u16::MAX) + 1, ..DocumentReferences::default() };
            let row = GameRow::from_game(self, &vec![None; seats]);
            let own = [("games.seats", row.seats.len()), ("games.log", row.log.len())];
            for (column, length) in own.into_iter().chain(row.logs.iter().map(|it| ("logs.log", it.log.len()))) {
                if length > LARGEST_VALUE {
                    return Err(should_be(column, Domain::Bytes(LARGEST_VALUE)));
                }
            }
            row.into_game(&known).map(drop)
        };
        check().err()
    }
}
