//! Changes a record by SQL in which the parts of its games are rows again, as a stranger could with more effort.

use flate2::read::ZlibDecoder;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use std::collections::BTreeMap;
use std::io::Read;

/// The views over documents, which become tables of these names for a while.
const VIEWS: [&str; 6] = ["seats", "moves", "faults", "said", "seed_programs", "remark_entrants"];

/// The documents as they are made from these tables: the table and the column of each, and a query for its rows' keys
/// and documents. A log is never compressed.
const DOCUMENTS: [(&str, &str, &str); 5] = [
    (
        "games",
        "seats",
        "SELECT id, (SELECT json_group_array(json(row)) FROM (SELECT json_array(entrant, unicode(mark), place, points, \
         territory, isolation, asked, slowest_us, cpu_us, peak_memory, leftovers, ignored, tasks, called, log_sha256) AS row \
         FROM temp.seats AS it WHERE it.game = games.id ORDER BY seat)) FROM games",
    ),
    (
        "games",
        "log",
        "SELECT id, json_object('moves', json((SELECT json_group_array(json(row)) FROM (SELECT json_array(seat, notation, \
         wall_us, cpu_us, lag_us, json(coalesce(remarks, '[]'))) AS row FROM temp.moves AS it \
         WHERE it.game = games.id ORDER BY number))), \
         'faults', json((SELECT json_group_array(json(row)) FROM (SELECT json_array(seat, number, kind, detail, \
         CASE WHEN view LIKE '[\"%' THEN json(view) ELSE view END, \
         CASE WHEN answer LIKE '[\"%' THEN json(answer) ELSE answer END, wall_us, cpu_us, lag_us) AS row \
         FROM temp.faults AS it WHERE it.game = games.id ORDER BY nth)))) FROM games",
    ),
    (
        "logs",
        "log",
        "SELECT game || ' ' || seat, json_object('end', coalesce((SELECT stderr FROM temp.seats AS it \
         WHERE (it.game, it.seat) = (logs.game, logs.seat)), ''), \
         'faults', json((SELECT json_group_array(json(row)) FROM (SELECT json_array(nth, stderr) AS row \
         FROM temp.faults AS it WHERE (it.game, it.seat) = (logs.game, logs.seat) AND stderr <> '' ORDER BY nth))), \
         'said', json((SELECT json_group_array(json(row)) FROM (SELECT json_array(number, text, left_out) AS row \
         FROM temp.said AS it WHERE (it.game, it.seat) = (logs.game, logs.seat))))) FROM logs",
    ),
    (
        "stages",
        "programs",
        "SELECT rowid, (SELECT json_group_array(entrant) FROM (SELECT entrant FROM temp.seed_programs AS it \
         WHERE it.stage = stages.number ORDER BY nth)) FROM stages",
    ),
    (
        "remarks",
        "entrants",
        "SELECT stage || ' ' || nth, (SELECT json_group_array(entrant) FROM (SELECT entrant FROM temp.remark_entrants AS it \
         WHERE (it.stage, it.nth) = (remarks.stage, remarks.nth) ORDER BY place)) FROM remarks",
    ),
];

/// Makes the views that read logs, such as `moves` and `said`, readable through this connection: adds the function with
/// which the `sqlite3` program reads logs.
pub fn add_view_functions(db: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    db.create_scalar_function("sqlar_uncompress", 2, flags, |args| {
        let log = args.get::<Vec<u8>>(0)?;
        let mut whole = Vec::new();
        if log.len() == args.get::<u32>(1)? as usize {
            return Ok(log);
        }
        ZlibDecoder::new(&*log).read_to_end(&mut whole).expect("a log");
        Ok(whole)
    })
}

/// Changes the record by `sql`. Returns whether anything is different.
///
/// # Errors
/// Those of the SQL.
pub fn change(db: &Connection, sql: &str) -> rusqlite::Result<bool> {
    add_view_functions(db)?;
    for view in VIEWS {
        let more = if view == "seats" { " NATURAL LEFT JOIN main.stderr_ends" } else { "" };
        db.execute_batch(&format!("CREATE TEMP TABLE {view} AS SELECT * FROM main.{view}{more}"))?;
    }
    let documents_before = documents(db)?;
    let rows_before = rows(db)?;
    let changed = db.execute_batch(sql);
    let mut is_different = rows(db)? != rows_before;
    for ((table, column, _), (before, now)) in DOCUMENTS.iter().zip(documents_before.iter().zip(documents(db)?)) {
        let key = match *table {
            "remarks" => "stage || ' ' || nth",
            "logs" => "game || ' ' || seat",
            _ => "rowid",
        };
        let more = match (*table, *column) {
            ("games", "log") => ", size = octet_length(?1), faults = json_array_length(?1, '$.faults')",
            ("logs", _) => ", size = octet_length(?1)",
            _ => "",
        };
        let value = if *column == "log" { "CAST(?1 AS BLOB)" } else { "?1" };
        let update = format!("UPDATE main.{table} SET {column} = {value}{more} WHERE {key} = ?2");
        for (key, document) in now.iter().filter(|(key, document)| before.get(*key) != Some(document)) {
            db.execute(&update, [document, key])?;
            is_different = true;
        }
    }
    for view in VIEWS {
        db.execute_batch(&format!("DROP TABLE temp.{view}"))?;
    }
    changed.map(|()| is_different)
}

/// The documents that the tables make, by the keys of their rows.
fn documents(db: &Connection) -> rusqlite::Result<Vec<BTreeMap<String, String>>> {
    let documents = |(.., sql): &(&str, &str, &str)| {
        let mut select = db.prepare(&sql.replacen("SELECT ", "SELECT '' || ", 1))?;
        select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    DOCUMENTS.iter().map(documents).collect()
}

/// All rows of the record's own tables.
fn rows(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut all = Vec::new();
    for table in [
        "meta",
        "stages",
        "entrants",
        "boards",
        "games",
        "logs",
        "left_out",
        "isolations",
        "remarks",
        "unplayed",
        "machines",
        "builds",
    ] {
        let mut select = db.prepare(&format!("SELECT * FROM main.{table}"))?;
        let columns = select.column_count();
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            all.push((0..columns).map(|at| format!("{:?} ", row.get_ref_unwrap(at))).collect());
        }
    }
    Ok(all)
}
