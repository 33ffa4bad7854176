//! Changes of a record after it was written are found: by deriving everything again, or by its seal.

use crate::support::Scratch;
use crate::unpacked;
use cornerman_harness::kit::Games;
use cornerman_harness::record::{Record, RecordError, Seal};
use cornerman_harness::verify::{SealCheck, Verdict, check_seal, verify};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// Deletes a game with all its rows.
const DELETE: &str = "DELETE FROM moves WHERE game = IT; DELETE FROM faults WHERE game = IT; \
    DELETE FROM seats WHERE game = IT; DELETE FROM logs WHERE game = IT; DELETE FROM games WHERE id = IT;";

/// What is changed, and the SQL that changes it. `IT` is a game in the middle of the record, `LAST` the one that was recorded
/// last. A change is skipped if the record has no row for it.
const CHANGES: &[(&str, &str)] = &[
    (
        "the winner",
        "UPDATE seats SET place = 3 - place WHERE game = IT AND place < 3 AND 2 = (SELECT count(*) FROM seats s WHERE s.game = IT AND s.place < 3)",
    ),
    ("a place", "UPDATE seats SET place = place + 1 WHERE game = LAST AND seat = 0"),
    ("a seat's points", "UPDATE seats SET points = points + 1 WHERE game = IT AND seat = 0"),
    ("all points", "UPDATE seats SET points = points + 100 WHERE game = LAST"),
    ("territory", "UPDATE seats SET territory = territory + 1 WHERE game = IT AND seat = 1"),
    (
        "how a game ended",
        "UPDATE games SET ending = CASE ending WHEN 'played' THEN 'forfeited' ELSE 'played' END WHERE id = IT",
    ),
    (
        "who sat where",
        "UPDATE seats SET entrant = (SELECT sum(entrant) FROM seats s WHERE s.game = IT AND s.seat < 2) - entrant WHERE game = IT AND seat < 2",
    ),
    (
        "who played",
        "UPDATE seats SET entrant = (SELECT max(number) FROM entrants WHERE out IS NULL) - entrant WHERE game = LAST",
    ),
    ("who moved", "UPDATE moves SET seat = 1 - seat WHERE game = IT AND number = 1 AND seat < 2"),
    (
        "no last move",
        "DELETE FROM moves WHERE game = IT AND number = (SELECT max(number) FROM moves WHERE game = IT); UPDATE games SET moves = (SELECT count(*) FROM moves WHERE game = IT) WHERE id = IT",
    ),
    (
        "no first move",
        "DELETE FROM moves WHERE game = IT AND number = 1; UPDATE games SET moves = (SELECT count(*) FROM moves WHERE game = IT) WHERE id = IT",
    ),
    ("a move that does not exist", "UPDATE moves SET notation = 'nowhere' WHERE game = IT AND number = 2"),
    (
        "a move made again",
        "UPDATE moves SET notation = (SELECT notation FROM moves m WHERE m.game = IT AND m.number = 1) WHERE game = IT AND number = 3",
    ),
    ("the count of moves", "UPDATE games SET moves = moves + 1 WHERE id = IT"),
    ("a game's seed", "UPDATE games SET seed = seed + 1 WHERE id = IT"),
    ("a mark", "UPDATE seats SET mark = 'Q' WHERE game = IT AND seat = 0"),
    (
        "a board",
        "UPDATE boards SET text = replace(text, 'o', '-') WHERE instr(text, 'o') AND number = (SELECT board FROM games WHERE id = IT)",
    ),
    ("the number of a board", "UPDATE games SET board = (SELECT max(number) - board FROM boards) WHERE id = IT"),
    (
        "the kind of a forfeit",
        "UPDATE faults SET kind = 'square' WHERE nth = 0 AND kind IN ('vacant', 'length', 'rows', 'mark', 'token', 'ko', 'occupied')",
    ),
    ("no forfeits", "DELETE FROM faults"),
    ("the ruleset", "UPDATE meta SET value = value || '# changed' WHERE key = 'ruleset_file'"),
    ("the contest file", "UPDATE meta SET value = value || '# changed' WHERE key = 'contest_file'"),
    ("the contest's seed", "UPDATE meta SET value = value + 1 WHERE key = 'seed'"),
    (
        "the resolved contest",
        "UPDATE meta SET value = replace(value, '\"scoring\": \"wins\"', '\"scoring\": \"won-minus-lost\"') WHERE key = 'contest_json'",
    ),
    (
        "a lot",
        "UPDATE remark_entrants SET entrant = (SELECT entrant FROM remark_entrants r WHERE r.stage = remark_entrants.stage AND r.nth = remark_entrants.nth AND r.place = 1 - remark_entrants.place) WHERE place < 2 AND EXISTS (SELECT 1 FROM remark_entrants r WHERE r.stage = remark_entrants.stage AND r.nth = remark_entrants.nth AND r.place = 1)",
    ),
    ("no remarks", "DELETE FROM remark_entrants; DELETE FROM remarks"),
    ("a name", "UPDATE entrants SET name = 'somebody else' WHERE number = 0"),
    (
        "two names",
        "UPDATE entrants SET name = (SELECT name FROM entrants e WHERE e.number = 1 - entrants.number) WHERE number < 2",
    ),
    ("an author", "UPDATE entrants SET author = 'somebody else' WHERE number = 1"),
    ("a program", "UPDATE entrants SET program_sha256 = 'ab' WHERE number = 0"),
    ("a verdict", "UPDATE entrants SET verdict = 'passed!' WHERE number = 0"),
    ("the name of a stage", "UPDATE stages SET name = 'Grand final' WHERE number = 0"),
    ("a move's time", "UPDATE moves SET wall_us = wall_us + 1 WHERE game = IT AND number = 1"),
    ("a remark on a move", "UPDATE moves SET remarks = '[{\"slow\":\"B10\"}]' WHERE game = IT AND number = 1"),
    ("a machine", "UPDATE games SET host = 'elsewhere' WHERE id = LAST"),
    ("a game less at the end", "CREATE TEMP TABLE it AS SELECT LAST AS id; DELETE"),
    ("a game less in the middle", "CREATE TEMP TABLE it AS SELECT IT AS id; DELETE"),
    (
        "a game twice",
        "CREATE TEMP TABLE it AS SELECT IT AS id; INSERT INTO games SELECT NULL, stage, round, tbl + 90, game, attempt, board, seed, ending, moves, faults, host, started_ms, wall_us, seats, size, log, link FROM games WHERE id = (SELECT id FROM it); INSERT INTO seats SELECT LAST, seat, entrant, mark, place, points, territory, isolation, asked, slowest_us, cpu_us, peak_memory, leftovers, ignored, tasks, called, log_sha256, stderr FROM seats WHERE game = (SELECT id FROM it); INSERT INTO logs SELECT LAST, seat, size, log FROM logs WHERE game = (SELECT id FROM it); INSERT INTO moves SELECT LAST, number, seat, notation, wall_us, cpu_us, lag_us, remarks FROM moves WHERE game = (SELECT id FROM it)",
    ),
    ("another attempt", "UPDATE games SET attempt = 1 WHERE id = LAST"),
    ("a game in another place", "UPDATE games SET tbl = tbl + 900 WHERE id = LAST"),
    (
        "no game",
        "DELETE FROM moves; DELETE FROM faults; DELETE FROM seats; DELETE FROM logs; DELETE FROM games; DELETE FROM left_out",
    ),
    ("what a bot said", "UPDATE said SET text = text || '!'"),
    ("the end of what a bot wrote", "UPDATE seats SET stderr = 'nothing' WHERE stderr <> ''"),
    ("what a bot wrote when it forfeited", "UPDATE faults SET stderr = 'nothing' WHERE stderr <> ''"),
    ("no log", "DELETE FROM logs"),
    ("the log of another seat", "UPDATE OR IGNORE logs SET seat = 1 - seat WHERE seat < 2"),
    ("a log of its own", "INSERT OR IGNORE INTO logs SELECT IT, 0, 2, CAST('{}' AS BLOB)"),
    (
        "the hash of a log",
        "UPDATE seats SET log_sha256 = printf('%064d', 0) WHERE log_sha256 <> '' AND game = LAST",
    ),
    ("an isolation", "UPDATE isolations SET refused = 'restricted: nothing'"),
    (
        "the hash of a game that was left out",
        "UPDATE left_out SET sha256 = zeroblob(32) WHERE id = (SELECT max(id) FROM left_out)",
    ),
    (
        "the link of a game that was left out",
        "UPDATE left_out SET link = zeroblob(32) WHERE id = (SELECT min(id) FROM left_out)",
    ),
    ("a game that was left out less", "DELETE FROM left_out WHERE id = (SELECT min(id) FROM left_out)"),
    (
        "a game that was left out more",
        "INSERT INTO left_out SELECT id + 1, sha256, link FROM left_out WHERE id = (SELECT max(id) FROM left_out) AND id > LAST",
    ),
    (
        "two games that were left out",
        "UPDATE left_out SET (sha256, link) = (SELECT o.sha256, o.link FROM left_out o WHERE o.id = (SELECT min(id) + max(id) FROM left_out) - left_out.id) WHERE (SELECT max(id) > min(id) FROM left_out) AND id IN (SELECT min(id) FROM left_out UNION ALL SELECT max(id) FROM left_out)",
    ),
    ("a link", "UPDATE games SET link = zeroblob(32) WHERE id = IT"),
    ("no first link", "DELETE FROM meta WHERE key = 'link'"),
];

/// The SQL of a change, with the games that it is about.
fn sql(change: &str) -> String {
    let deleted = DELETE.replace("IT", "(SELECT id FROM it)");
    let change = match change.strip_suffix("; DELETE") {
        Some(begin) => format!("{begin}; {deleted}"),
        None => change.to_string(),
    };
    let it = "(SELECT id FROM games ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM games))";
    change.replace("LAST", "(SELECT max(id) FROM games)").replace(" IT", &format!(" {it}"))
}

/// Applies every change to the record at `path`, and to an extract of it, which must be found out each time. `SHOW_CHANGES=1`
/// prints how.
pub fn every_change_is_found(path: &Path) {
    let scratch = Scratch::new();
    let sealed = scratch.file("sealed.db", fs::read(path).expect("a record"));
    let record = Record::open(&sealed).unwrap();
    // A record without a game has no seal.
    let Some(seal) = record.seal().unwrap() else { return };
    let games = record.games().unwrap();
    let extract = scratch.path().join("extract.db");
    record.extract_to(&extract, games[games.len() / 2].pairing.seats[0]).unwrap();
    drop(record);
    for record in [sealed, extract] {
        every_change_of(&record, seal, &scratch);
    }
}

fn every_change_of(sealed: &Path, seal: Seal, scratch: &Scratch) {
    let games = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let find = |path: &Path, published: Option<Seal>| -> Result<Option<String>, RecordError> {
        let record = Record::open_any(path)?;
        Ok(match (verify(&record, &games)?, check_seal(&record, &[], published)?) {
            (Verdict::Different(difference), _) => Some(format!("derivation: {difference}")),
            (_, SealCheck::Broken(difference)) => Some(format!("seal: {difference}")),
            (Verdict::Consistent(_), _) => None,
        })
    };
    assert_eq!(find(sealed, Some(seal)).unwrap(), None, "before any change");
    let record = Record::open_any(sealed).unwrap();
    let unfinished =
        !matches!(verify(&record, &games).unwrap(), Verdict::Consistent(totals) if totals.is_finished);
    drop(record);
    for (what, change) in CHANGES {
        let changed = scratch.path().join("changed.db");
        fs::copy(sealed, &changed).unwrap();
        let db = Connection::open(&changed).unwrap();
        db.pragma_update(None, "foreign_keys", false).unwrap();
        let is_different = unpacked::change(&db, &sql(change)).unwrap_or_else(|error| panic!("{what}: {error}"));
        drop(db);
        if !is_different {
            continue;
        }
        let found = match find(&changed, Some(seal)) {
            Ok(found) => found,
            Err(refused) => Some(format!("refused: {refused}")),
        };
        if found.is_none() && *what == "no remarks" && unfinished {
            continue; // A run that is killed leaves such a record.
        }
        let found = found.unwrap_or_else(|| panic!("{what}: not found"));
        if std::env::var_os("SHOW_CHANGES").is_some() {
            eprintln!("{}: {what}: {found}", sealed.file_stem().unwrap().to_string_lossy());
        }
    }
}
