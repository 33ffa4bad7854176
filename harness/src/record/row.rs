//! A game as one row of the table `games`: summary columns and two documents. The column `seats` says how the game
//! ended for each seat and how the seat behaved; the column `log` has the moves and the forfeits.
//!
//! What the bot in a seat wrote to standard error is a row of the table `logs`, and the document `seats` has its hash.
//! So the seal of an extract without that row can still be computed. The row contains random digits (a salt), so that
//! nobody can guess a text and confirm the guess by the hash.
//!
//! The documents are JSON, in which a seat, a move or a forfeit is a list of values in the order of the columns of the
//! views `seats`, `moves` and `faults`, through which people can query them. A log is compressed if that makes it
//! shorter.

use super::schema::Domain;
use super::stored::{BytesText, compressed, salt, uncompressed};
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

/// The columns of a game between its number and its link, in the order of the table.
pub(super) const COLUMNS: &str = "stage, round, tbl, game, attempt, board, seed, ending, moves, faults, host, \
                                  started_ms, wall_us, seats, size, log";

/// The largest size of a value or a row, in bytes. The contest file of 65535 entrants is smaller.
pub(super) const LARGEST_VALUE: usize = 16 << 20;

/// The longest name, in bytes.
pub(super) const NAME: usize = 1024;

/// The most bytes of other texts: notations, messages, reasons, names that bots give themselves, and what they write to
/// standard error.
pub(super) const TEXT: usize = 1 << 16;

const SEAT: Domain = Domain::Number(0, MAX_SEATS as i64 - 1);
const PLACE: Domain = Domain::Number(1, MAX_SEATS as i64);
const U16: Domain = Domain::Number(0, u16::MAX as i64);
const U32: Domain = Domain::Number(0, u32::MAX as i64);
/// A count in one game, small enough that sums over all games fit into 64 bits.
const COUNT: Domain = Domain::Number(0, 1 << 30);
/// Points in one game: sums over eight million games fit.
const POINTS: Domain = Domain::Number(-(1 << 40), 1 << 40);
const BYTES: Domain = Domain::Number(0, 1 << 50);
/// Three years in microseconds.
const MICROS: Domain = Domain::Number(0, 100_000_000_000_000);
/// Until the end of the year 9999.
const MILLIS: Domain = Domain::Number(0, 253_402_300_799_999);

/// What is wrong with a row, such as `seats.place should be a whole number from 1 to 8`.
pub(super) type Wrong = String;

/// The message that the value at `place`, a table and column, is not allowed.
pub(super) fn should_be(place: &str, what: impl std::fmt::Display) -> Wrong {
    format!("{place} should be {what}")
}

/// Checks a number of a document.
fn number(place: &str, value: i64, domain: &Domain) -> Result<i64, Wrong> {
    match domain {
        Domain::Number(from, to) if (*from..=*to).contains(&value) => Ok(value),
        _ => Err(should_be(place, domain)),
    }
}

/// Checks that a `seat` of a document is one of the game, which has `seats` of them.
fn seat(place: &str, seat: i64, seats: usize) -> Result<Seat, Wrong> {
    number(place, seat, &SEAT)?;
    if seat < seats as i64 { Ok(Seat(seat as u8)) } else { Err(should_be(place, "a seat of the game")) }
}

/// Checks the outcome that a decision gives to a game with this number of `seats`.
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

/// What the documents of games refer to by number.
#[derive(Debug, Default)]
pub(super) struct DocumentReferences {
    /// The isolations of the record: levels and what was refused, by their numbers.
    pub isolations: BTreeMap<i64, (Option<Level>, String)>,
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

impl SeatRow {
    /// Adds the seat to a game that has all seats before it.
    fn put_into(self, game: &mut GameRecord, known: &DocumentReferences) -> Result<(), Wrong> {
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
        ) = self;
        log_hash.map_or(Ok(String::new()), |hash| text("seats.log_sha256", hash, 64))?;
        let entrant = number("seats.entrant", who, &U16)?;
        if entrant >= known.entrants as i64 {
            return Err(should_be("every row of seats", "of a row that entrants has"));
        }
        game.pairing.seats.push(EntrantId(entrant as u16));
        game.setup.marks.extend(mark);
        game.outcome.places.push(number("seats.place", place, &PLACE)? as u8);
        game.outcome.points.push(number("seats.points", points, &POINTS)?);
        game.outcome.territory.push(number("seats.territory", territory, &U32)? as u32);
        let none = (None, String::new());
        let isolation = isolation.map_or(Some(&none), |id| known.isolations.get(&id));
        let Some((level, refused)) = isolation else {
            return Err(should_be("every row of seats", "of a row that isolations has"));
        };
        let count = |place, value| Ok::<u32, Wrong>(number(place, value, &COUNT)? as u32);
        game.seats.push(SeatRecord {
            level: *level,
            refused: refused.clone(),
            asked: count("seats.asked", asked)?,
            slowest: duration("seats.slowest_us", slowest)?,
            cpu: duration("seats.cpu_us", cpu)?,
            peak_memory: number("seats.peak_memory", memory, &BYTES)?.cast_unsigned(),
            leftovers: count("seats.leftovers", left)?,
            ignored: count("seats.ignored", ignored)?,
            tasks: count("seats.tasks", tasks)?,
            called: called.map(|name| text("seats.called", name, TEXT)).transpose()?,
            ..SeatRecord::default()
        });
        Ok(())
    }
}

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
    /// Random digits, so that nobody can confirm a guess of the log by its hash.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    salt: Cow<'a, str>,
    /// The end of the whole text.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    end: Cow<'a, str>,
    /// The end of what it wrote at each of its forfeits.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultLogRow<'a>>,
    /// The text by move.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    said: Vec<SaidRow<'a>>,
}

/// The place of a forfeit among those of the game, from 0, and the end of what the bot wrote at it.
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

    /// Move `number` of a game with this many seats.
    fn into_record(self, number: u32, seats: usize) -> Result<MoveRecord, Wrong> {
        let MoveRow(by, notation, wall, cpu, lag, remarks) = self;
        for remark in remarks.iter() {
            text("moves.remarks", remark.rule(), NAME)?;
        }
        Ok(MoveRecord {
            number,
            used: time_used(["moves.wall_us", "moves.cpu_us", "moves.lag_us"], [wall, cpu, lag])?,
            notation: text("moves.notation", notation, TEXT)?.into_owned(),
            seat: seat("moves.seat", by, seats)?,
            remarks: remarks.into_owned(),
        })
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

    /// The forfeit in a game with this many seats.
    fn into_record(self, seats: usize) -> Result<FaultRecord, Wrong> {
        let FaultRow(by, nth, kind, detail, view, answer, wall, cpu, lag) = self;
        Ok(FaultRecord {
            used: time_used(["faults.wall_us", "faults.cpu_us", "faults.lag_us"], [wall, cpu, lag])?,
            number: number("faults.number", nth, &COUNT)? as u32,
            seat: seat("faults.seat", by, seats)?,
            kind: text("faults.kind", kind, NAME)?.into_owned(),
            detail: text("faults.detail", detail, TEXT)?.into_owned(),
            view: view.into_bytes("faults.view")?,
            answer: answer.into_bytes("faults.answer")?,
            stderr: String::new(),
        })
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

    /// Adds the log of `seat` to a game that has its seats and faults.
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
    /// The size of the document in bytes before it was compressed.
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

fn time_used([wall, cpu, lag]: [&str; 3], used: [i64; 3]) -> Result<TimeUsed, Wrong> {
    Ok(TimeUsed { wall: duration(wall, used[0])?, cpu: duration(cpu, used[1])?, lag: duration(lag, used[2])? })
}

fn json(document: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(document).expect("lists of numbers and texts are JSON")
}

/// The documents of a game.
#[derive(Debug)]
pub(super) struct Documents {
    /// How it ended for each seat, and how the seat behaved.
    seats: Vec<u8>,
    /// The size of the log before it was compressed.
    size: usize,
    log: Vec<u8>,
    /// The rows of `logs`; empty if they were not read.
    pub logs: Vec<LogRow>,
}

impl Documents {
    /// The documents of `game`. `isolations` has the number of each seat's isolation, by seat.
    pub(super) fn from_game(game: &GameRecord, isolations: &[Option<i64>]) -> Documents {
        let outcome = &game.outcome;
        let mut logs = Vec::new();
        let seat = |(at, conduct): (usize, &SeatRecord)| {
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
        let log = json(&Log {
            moves: game.moves.iter().map(MoveRow::new).collect(),
            faults: game.faults.iter().map(FaultRow::new).collect(),
        });
        Documents { seats: json(&seats), size: log.len(), log: compressed(log), logs }
    }
}

/// The values of [`COLUMNS`] of a game with these documents.
pub(super) fn values(game: &GameRecord, documents: Documents) -> [Value; 16] {
    let GameId { stage, round, table, game: number, attempt } = game.pairing.id;
    let ending = match game.outcome.end {
        End::Played => "played",
        End::Forfeited => "forfeited",
    };
    [
        Value::Integer(stage.into()),
        Value::Integer(round.into()),
        Value::Integer(table.into()),
        Value::Integer(number.into()),
        Value::Integer(attempt.into()),
        Value::Integer(game.pairing.board.into()),
        Value::Integer(game.setup.seed.cast_signed()),
        Value::Text(ending.to_string()),
        Value::Integer(game.moves.len() as i64),
        Value::Integer(game.faults.len() as i64),
        Value::Text(game.host.clone()),
        Value::Integer(game.started_ms.cast_signed()),
        Value::Integer(micros(game.wall)),
        Value::Text(String::from_utf8(documents.seats).expect("JSON is UTF-8")),
        Value::Integer(documents.size as i64),
        Value::Blob(documents.log),
    ]
}

/// A game's row, with the text of its board.
#[derive(Debug)]
pub(super) struct GameRow {
    /// The game without what is in its documents: without seats, moves and forfeits.
    game: GameRecord,
    moves: usize,
    faults: usize,
    pub documents: Documents,
}

impl GameRow {
    /// Reads [`COLUMNS`], followed by the text of the board.
    pub(super) fn read(row: &Row) -> rusqlite::Result<GameRow> {
        let end = if row.get_ref(7)?.as_bytes()? == b"forfeited" { End::Forfeited } else { End::Played };
        let bytes = |column| -> rusqlite::Result<Vec<u8>> {
            Ok(row.get_ref(column)?.as_bytes_or_null()?.unwrap_or_default().to_vec())
        };
        let mut game = without_documents(game_id(row, 0)?, end);
        game.pairing.board = row.get(5)?;
        game.setup.board = bytes(16)?;
        game.setup.seed = row.get::<_, i64>(6)?.cast_unsigned();
        game.host = row.get(10)?;
        game.started_ms = row.get::<_, i64>(11)?.cast_unsigned();
        game.wall = Duration::from_micros(row.get::<_, i64>(12)?.cast_unsigned());
        let size = row.get::<_, i64>(14)? as usize;
        let documents = Documents { seats: bytes(13)?, size, log: bytes(15)?, logs: Vec::new() };
        let [moves, faults] = [row.get::<_, u32>(8)? as usize, row.get::<_, u32>(9)? as usize];
        Ok(GameRow { game, moves, faults, documents })
    }

    /// The size of its documents, in bytes, with the logs uncompressed.
    pub(super) fn len(&self) -> usize {
        let Documents { seats, size, logs, .. } = &self.documents;
        seats.len() + size + logs.iter().map(|log| log.size).sum::<usize>()
    }

    /// The game without its moves.
    pub(super) fn into_summary(mut self, known: &DocumentReferences) -> Result<GameSummary, Wrong> {
        self.add_seats(known)?;
        Ok(GameSummary { moves: self.moves as u32, ..self.game.into() })
    }

    /// Adds the seats to the game, from their document.
    fn add_seats(&mut self, known: &DocumentReferences) -> Result<(), Wrong> {
        let rows: Vec<SeatRow> = serde_json::from_slice(&self.documents.seats)
            .map_err(|error| format!("games.seats should have the values of the view seats: {error}"))?;
        if rows.is_empty() {
            return Err(should_be("games.id", "a game with seats"));
        }
        number("seats.seat", rows.len() as i64 - 1, &SEAT)?;
        self.game.setup.seats = rows.len() as u8;
        rows.into_iter().try_for_each(|row| row.put_into(&mut self.game, known))
    }

    /// The game with its moves, its forfeits and, if they were read, its logs.
    pub(super) fn into_game(mut self, known: &DocumentReferences) -> Result<GameRecord, Wrong> {
        self.add_seats(known)?;
        let GameRow { mut game, documents, .. } = self;
        let log = uncompressed(documents.log, documents.size)?;
        let Log { moves, faults } = serde_json::from_slice(&log)
            .map_err(|error| format!("games.log should have the values of the views moves and faults: {error}"))?;
        for (place, recorded, found) in [("moves", self.moves, moves.len()), ("faults", self.faults, faults.len())]
        {
            if recorded != found {
                let what = format!("the number of rows that the game has in the view {place}");
                return Err(should_be(&format!("games.{place}"), what));
            }
        }
        let seats = game.seats.len();
        let moves = (1..).zip(moves).map(|(number, row)| row.into_record(number, seats));
        game.moves = moves.collect::<Result<_, Wrong>>()?;
        game.faults = faults.into_iter().map(|row| row.into_record(seats)).collect::<Result<_, Wrong>>()?;
        for LogRow { seat, size, log } in documents.logs {
            let log = uncompressed(log, size)?;
            let log: SeatLog = serde_json::from_slice(&log).map_err(|error| {
                format!("logs.log should have the values of the views said, seats and faults: {error}")
            })?;
            log.put_into(&mut game, seat)?;
        }
        Ok(game)
    }
}

/// A game with this id and end, and nothing else yet.
fn without_documents(id: GameId, end: End) -> GameRecord {
    let mut game = GameRecord::begun(Pairing { id, seats: Vec::new(), board: 0 }, Setup::default());
    game.outcome.end = end;
    game
}

/// Reads a game's id from five columns, of which `from` is the first.
pub(super) fn game_id(row: &Row, from: usize) -> rusqlite::Result<GameId> {
    Ok(GameId {
        stage: row.get(from)?,
        round: row.get(from + 1)?,
        table: row.get(from + 2)?,
        game: row.get(from + 3)?,
        attempt: row.get(from + 4)?,
    })
}

impl GameRecord {
    /// Why this game cannot be recorded: what in it would make a reader refuse the record. `None` if it can be
    /// recorded.
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
            let documents = Documents::from_game(self, &vec![None; seats]);
            let own = [("games.seats", documents.seats.len()), ("games.log", documents.log.len())];
            let logs = documents.logs.iter().map(|it| ("logs.log", it.log.len()));
            for (column, length) in own.into_iter().chain(logs) {
                if length > LARGEST_VALUE {
                    return Err(should_be(column, Domain::Bytes(LARGEST_VALUE)));
                }
            }
            let game = without_documents(self.pairing.id, outcome.end);
            GameRow { game, moves: self.moves.len(), faults: self.faults.len(), documents }
                .into_game(&known)
                .map(drop)
        };
        check().err()
    }
}
