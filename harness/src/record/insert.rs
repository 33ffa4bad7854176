//! Inserts the rows of a game and of a remark.

use super::schema::{TextOrBlob, micros, none_if_empty, times};
use super::{FaultRecord, GameRecord, SeatRecord};
use cornerman::format::{EntrantId, Remark};
use cornerman::game::End;
use rusqlite::{OptionalExtension, Transaction, params};

/// Adds a game with its seats, moves and faults.
pub(super) fn insert_game(db: &Transaction, game: &GameRecord) -> rusqlite::Result<()> {
    let id = &game.pairing.id;
    db.prepare_cached("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?.execute(params![
        id.stage,
        id.round,
        id.table,
        id.game,
        game.pairing.board,
        game.setup.seed.cast_signed(),
        match game.outcome.end {
            End::Played => "played",
            End::Forfeited => "forfeited",
        },
        game.moves.len() as i64,
        game.host,
        game.started_ms.cast_signed(),
        micros(game.wall)
    ])?;
    let row = db.last_insert_rowid();
    for (seat, (entrant, conduct)) in game.pairing.seats.iter().zip(&game.seats).enumerate() {
        insert_seat(db, row, seat, *entrant, game, conduct)?;
    }
    let mut insert = db.prepare_cached("INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    for m in &game.moves {
        let [wall, cpu, lag] = times(m.used);
        let remarks = none_if_empty(&m.remarks);
        insert.execute(params![row, m.number, m.seat.0, m.notation, wall, cpu, lag, remarks])?;
    }
    for (nth, fault) in game.faults.iter().enumerate() {
        insert_fault(db, row, nth, fault)?;
    }
    Ok(())
}

fn insert_seat(
    db: &Transaction,
    row: i64,
    seat: usize,
    entrant: EntrantId,
    game: &GameRecord,
    conduct: &SeatRecord,
) -> rusqlite::Result<()> {
    let isolation = match conduct.level {
        Some(level) => Some(isolation_id(db, level.name(), &conduct.refused)?),
        None => None,
    };
    let outcome = &game.outcome;
    db.prepare_cached("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
        .execute(params![
            row,
            seat as i64,
            entrant.0,
            game.setup.marks.get(seat..=seat).map(TextOrBlob),
            outcome.places[seat],
            outcome.points[seat],
            outcome.territory[seat],
            isolation,
            conduct.asked,
            micros(conduct.slowest),
            micros(conduct.cpu),
            conduct.peak_memory.cast_signed(),
            conduct.leftovers,
            none_if_empty(&conduct.stderr),
            conduct.called,
            conduct.ignored,
            conduct.tasks
        ])
        .map(drop)
}

/// The id of the row for an isolation. The bots of a run usually share one, so it is written once.
fn isolation_id(db: &Transaction, level: &str, refused: &str) -> rusqlite::Result<i64> {
    let mut find = db.prepare_cached("SELECT id FROM isolations WHERE level = ? AND refused = ?")?;
    if let Some(id) = find.query_row([level, refused], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    db.execute("INSERT INTO isolations VALUES (NULL, ?, ?)", [level, refused])?;
    Ok(db.last_insert_rowid())
}

fn insert_fault(db: &Transaction, row: i64, nth: usize, fault: &FaultRecord) -> rusqlite::Result<()> {
    let [wall, cpu, lag] = times(fault.used);
    db.prepare_cached("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
        .execute(params![
            row,
            nth as i64,
            fault.seat.0,
            fault.number,
            fault.kind,
            fault.detail,
            TextOrBlob(&fault.view),
            TextOrBlob(&fault.answer),
            wall,
            cpu,
            lag,
            none_if_empty(&fault.stderr)
        ])
        .map(drop)
}

/// Adds the `nth` remark of a stage, both from 0.
pub(super) fn insert_remark(db: &Transaction, stage: u8, nth: i64, remark: &Remark) -> rusqlite::Result<()> {
    let (kind, round, text, entrants) = match remark {
        Remark::Bye { round, entrant } => ("bye", Some(*round), None, vec![*entrant]),
        Remark::Repeat { round, pair } => ("repeat", Some(*round), None, vec![pair.0, pair.1]),
        Remark::Filler { round, entrant } => ("filler", Some(*round), None, vec![*entrant]),
        Remark::Lot { about, order } => ("lot", None, Some(about), order.clone()),
        Remark::Note(text) => ("note", None, Some(text), Vec::new()),
    };
    db.prepare_cached("INSERT INTO remarks VALUES (?, ?, ?, ?, ?)")?
        .execute(params![stage, nth, kind, round, text])?;
    let mut insert = db.prepare_cached("INSERT INTO remark_entrants VALUES (?, ?, ?, ?)")?;
    for (place, entrant) in entrants.iter().enumerate() {
        insert.execute(params![stage, nth, place as i64, entrant.0])?;
    }
    Ok(())
}
