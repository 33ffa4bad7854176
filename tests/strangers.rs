//! Input from strangers: records that are made to do harm, and names with control characters.

use crate::support::{Ran, Scratch, trial};
use crate::unpacked;
use libtest_mimic::Trial;
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::OnceLock;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_record_with_another_schema_is_refused),
        trial!(a_record_with_impossible_values_is_refused),
        trial!(a_contest_that_cannot_be_held_in_memory_is_refused),
        trial!(a_damaged_file_is_refused),
        trial!(only_regular_files_are_accepted),
        trial!(a_journal_that_names_another_file_is_refused),
        trial!(names_do_nothing_to_a_terminal),
        trial!(errors_do_nothing_to_a_terminal),
    ]
}

/// The commands that read a record, with `DB` for its path.
const READERS: [&[&str]; 5] = [
    &["standings", "DB"],
    &["standings", "DB", "--format", "json"],
    &["report", "DB", "--out", "page.html"],
    &["export", "DB"],
    &["replay", "DB", "s1/r1/m1/g1"],
];

/// SQL that gives numbers from 10 on as `n.i`; their count is appended.
const NUMBERS: &str = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT";

/// The record of a small tournament, played once for all trials.
fn record() -> &'static [u8] {
    static RECORD: OnceLock<Vec<u8>> = OnceLock::new();
    RECORD.get_or_init(|| {
        let scratch = Scratch::new();
        let head = "name = \"Small\"\ngame = \"rps\"\nruleset = \"rps-published\"\n";
        let rest = "entrants = [\"@rock\", \"@beat-last\"]\n[[stages]]\nkind = \"pair-swiss\"\n";
        scratch.file("c.toml", [head, rest].concat());
        let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        fs::read(scratch.path().join("c.db")).expect("the record")
    })
}

/// A folder with the record `c.db`, changed by SQL.
fn changed(sql: &str) -> Scratch {
    let scratch = Scratch::new();
    let path = scratch.file("c.db", record());
    let db = Connection::open(path).expect("it is a database");
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON").expect("a pragma");
    db.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    drop(db);
    scratch
}

/// A folder with the record `c.db`, changed by SQL in which the parts of its games are rows.
fn changed_rows(sql: &str) -> Scratch {
    let scratch = changed("");
    let db = Connection::open(scratch.path().join("c.db")).expect("it is a database");
    db.execute_batch("PRAGMA foreign_keys = OFF").expect("a pragma");
    unpacked::change(&db, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    scratch
}

/// Checks that every command refuses `c.db` with this message.
#[track_caller]
fn refused(scratch: &Scratch, words: &str, attack: &str) {
    for args in READERS {
        let args = args.iter().map(|arg| if *arg == "DB" { "c.db" } else { arg });
        let ran = Ran::from_command(scratch.cornerman(args.clone()));
        let all = (ran.code, ran.stderr.as_str(), ran.stdout.as_str());
        assert_eq!(all, (Some(2), format!("error: c.db: {words}\n").as_str(), ""), "{attack}: {args:?}");
    }
}

fn a_record_with_another_schema_is_refused() {
    let check = |sql: &str, words: &str| {
        refused(&changed(sql), &format!("not the record of a tournament: {words}"), sql);
    };
    let endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    check("DROP VIEW standings_wins", "it has no view `standings_wins`");
    check(
        "DROP VIEW standings_wins; CREATE VIEW standings_wins AS SELECT 0 AS stage, '@smallest' AS name, 99 AS wins",
        "its view `standings_wins` differs from the view `standings_wins` of a record",
    );
    check(
        &format!("DROP TABLE builds; CREATE VIEW builds (host) AS {endless}"),
        "its view `builds` differs from the table `builds` of a record",
    );
    check(&format!("CREATE VIEW endless AS {endless}"), "it has the view `endless`, which a record does not have");
    check(
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM moves; END",
        "it has the trigger `t`, which a record does not have",
    );
    check("CREATE INDEX i ON games (host)", "it has the index `i`, which a record does not have");
    let generated = "host TEXT AS (hex(zeroblob(400000000)))";
    check(
        &format!("UPDATE sqlite_schema SET sql = replace(sql, 'host       TEXT NOT NULL', '{generated}')"),
        "its table `games` differs from the table `games` of a record",
    );
    check("DROP TABLE builds", "it has no table `builds`");
    let kit = cornerman_cli::VERSION;
    let words = format!(
        "the record has format version 2, and this kit ({kit}) reads and resumes version 1: use the kit that wrote it"
    );
    refused(&changed("PRAGMA user_version = 2"), &words, "version");
}

fn a_record_with_impossible_values_is_refused() {
    let check = |sql: &str, words: &str| {
        refused(&changed_rows(sql), &format!("the record is damaged, or not written by this kit: {words}"), sql);
    };
    let boards =
        "meta.boards should be the number of boards that the contest file gives, which are in the table boards";
    check("UPDATE meta SET value = 4294967295 WHERE key = 'boards'", boards);
    let boards = "meta.boards should be a whole number from 0 to 4294967295";
    check("UPDATE meta SET value = -1 WHERE key = 'boards'", boards);
    check("DELETE FROM meta", "meta.kit should be text of at most 1024 bytes");
    check(
        "UPDATE meta SET value = x'00' WHERE key = 'seed'",
        &format!("meta.seed should be a whole number from {} to {}", i64::MIN, i64::MAX),
    );
    let name = "entrants.name should be text of at most 1024 bytes";
    check("UPDATE entrants SET name = replace(hex(zeroblob(1500000)), '0', 'x')", name);
    check("UPDATE entrants SET name = x'ff'", name);
    let entrant = "i, 'n' || i, NULL, '@rock', 'entry', NULL, i, NULL, NULL, NULL, NULL, NULL";
    check(
        &format!("INSERT INTO entrants {NUMBERS} 1000000) SELECT {entrant} FROM n"),
        "entrants.number should be a whole number from 0 to 65535",
    );
    check("UPDATE entrants SET number = 9 WHERE number = 1", "entrants.number should be from 0 without gaps");
    check(
        "UPDATE seats SET entrant = 9 WHERE seat = 1",
        "every row of seats should be of a row that entrants has",
    );
    check(
        &format!("INSERT INTO entrants {NUMBERS} 3) SELECT {entrant} FROM n"),
        "entrants.number should be from 0 without gaps",
    );
    let seat = "i, 0, NULL, 1, 0, 0, NULL, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL";
    check(
        &format!("INSERT INTO seats {NUMBERS} 300) SELECT 1, {seat} FROM n"),
        "seats.seat should be a whole number from 0 to 7",
    );
    check("DELETE FROM seats WHERE game = 1", "games.id should be a game with seats");
    check("UPDATE seats SET place = 0", "seats.place should be a whole number from 1 to 8");
    check(
        "UPDATE seats SET points = -9223372036854775808",
        "seats.points should be a whole number from -1099511627776 to 1099511627776",
    );
    check("UPDATE games SET round = 65536", "games.round should be a whole number from 0 to 65535");
    check("UPDATE games SET stage = 99", "every row of games should be of a row that stages has");
    check("UPDATE games SET board = 4294967295", "every row of games should be of a row that boards has");
    check(
        "UPDATE games SET moves = 7",
        "games.moves should be the number of rows that the game has in the view moves",
    );
    check("UPDATE games SET ending = 'x'", "games.ending should be one of 'played', 'forfeited'");
    check("UPDATE moves SET seat = 200", "moves.seat should be a whole number from 0 to 7");
    check("UPDATE moves SET seat = 2", "moves.seat should be a seat of the game");
    check(
        "INSERT INTO faults SELECT id, 0, 5, 1, 'timeout', 'd', '', '', 1, 1, 1, '' FROM games",
        "faults.seat should be a seat of the game",
    );
    let micros = "moves.wall_us should be a whole number from 0 to 100000000000000";
    check("UPDATE moves SET wall_us = -1", micros);
    let documents = "games.log should have the values of the views moves and faults: ";
    check(
        "UPDATE moves SET wall_us = 'x' WHERE game = 1 AND number = 1",
        &format!("{documents}invalid type: string \"x\", expected i64 at line 1 column 20"),
    );
    check(
        "UPDATE seats SET log_sha256 = hex(zeroblob(33))",
        "seats.log_sha256 should be text of at most 64 bytes",
    );
    let log = "CAST('{}' AS BLOB)";
    check(
        &format!("INSERT INTO logs SELECT id, 7, 2, {log} FROM games"),
        "logs.seat should be a seat of the game",
    );
    let log = "CAST('{\"faults\":[[9,\"\"]]}' AS BLOB)";
    let log = format!("INSERT INTO logs SELECT id, 0, octet_length({log}), {log} FROM games");
    let words = "the record is damaged, or not written by this kit: logs.log should be about forfeits of its seat";
    refused(&changed(&log), words, &log);
    check("UPDATE games SET link = x'00'", "games.link should be a blob of 32 bytes");
    check(
        "INSERT INTO left_out VALUES (99, zeroblob(32), zeroblob(32))",
        "left_out.id should be a number that no game and no decision has, in an extract",
    );
    check("INSERT INTO meta VALUES ('extract', 9)", "meta.extract should be a number that entrants has");
    check("UPDATE games SET seats = '[]'", "games.id should be a game with seats");
    check("UPDATE games SET seats = '[1'", "games.seats should be JSON of at most 1048576 bytes");
    check("UPDATE games SET size = size + 1", "games.log should be a log of games.size bytes");
    check("UPDATE stages SET programs = '[70000]'", "stages.programs should be a list of numbers of entrants");
}

/// The contest file in the record is input from outside as well, and bounded like everything else.
fn a_contest_that_cannot_be_held_in_memory_is_refused() {
    let entrant = "i - 8, 'n' || i, NULL, '@rock', 'entry', NULL, i, NULL, NULL, NULL, NULL, NULL";
    let name = "json_extract(value, '$.stages[0].name')";
    let settings = "'kind', 'all-play-all', 'boards', json('[1]'), 'games_per_order', 3, 'who', 'all'";
    let stage = format!("json_object('name', {name}, {settings})");
    let often =
        format!("UPDATE meta SET value = json_set(value, '$.stages[0]', {stage}) WHERE key = 'contest_json'");
    let scratch = changed(&format!("{often}; INSERT INTO entrants {NUMBERS} 60000) SELECT {entrant} FROM n"));
    let ran = Ran::from_command(scratch.cornerman(["standings", "c.db"]));
    let words = "matches of 6 games are more than 4000000 games: lower `boards` or `games_per_order`, or let fewer take part";
    assert!(ran.code == Some(2) && ran.stderr.contains(words), "{ran:?}");
    // More nested brackets than a reader of TOML or JSON accepts.
    let brackets = "replace(hex(zeroblob(500000)), '0', '[')";
    let ruleset = format!("UPDATE meta SET value = 'a=' || {brackets} WHERE key = 'ruleset_file'");
    let json = format!("UPDATE meta SET value = {brackets} WHERE key = 'contest_json'");
    for deep in [ruleset, json] {
        let ran = Ran::from_command(changed(&deep).cornerman(["standings", "c.db"]));
        assert!(ran.code == Some(2) && ran.stderr.contains("the contest in the record is invalid"), "{ran:?}");
    }
}

fn a_damaged_file_is_refused() {
    let check = |damage: fn(&mut Vec<u8>), words: &str| {
        let scratch = Scratch::new();
        let mut bytes = record().to_vec();
        damage(&mut bytes);
        scratch.file("c.db", bytes);
        let ran = Ran::from_command(scratch.cornerman(["standings", "c.db"]));
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{words}: {ran:?}");
    };
    let damaged = "c.db: the record is damaged, or not written by this kit: ";
    check(|bytes| bytes.truncate(3000), damaged);
    check(|bytes| bytes[100] = 7, damaged);
    check(|bytes| bytes[5 * 4096..].fill(0), damaged);
    // Pages that refer to each other in a circle: an interior page of the table `entrants` that is its own child.
    check(
        |bytes| {
            let at = bytes.windows(4).position(|four| four == b"rock").expect("an entrant") / 4096 * 4096;
            bytes[at] = 5;
            let page = (at / 4096 + 1) as u32;
            bytes[at + 8..at + 12].copy_from_slice(&page.to_be_bytes());
        },
        damaged,
    );
    check(|bytes| bytes.clear(), "c.db: not the record of a tournament: it is empty");
    check(|bytes| bytes[..16].fill(b'x'), "c.db: not the record of a tournament: it is not an SQLite file");
}

fn only_regular_files_are_accepted() {
    let words = |what: &str| format!("not the record of a tournament: {what} is not a regular file");
    let scratch = Scratch::new();
    let fifo = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(scratch.path().join(name)).status();
        assert!(made.expect("mkfifo can be run").success());
    };
    fifo("c.db");
    refused(&scratch, &words("it"), "FIFO");
    fs::rename(scratch.path().join("c.db"), scratch.path().join("pipe")).expect("a name");
    for target in ["pipe", "/dev/zero", "/dev/full"] {
        symlink(target, scratch.path().join("c.db")).expect("a link");
        refused(&scratch, &words("it"), target);
        fs::remove_file(scratch.path().join("c.db")).expect("it is there");
    }
    scratch.file("c.db", record());
    for beside in ["c.db-wal", "c.db-shm", "c.db-journal", "c.db.lock"] {
        fifo(beside);
        refused(&scratch, &words(beside), beside);
        fs::remove_file(scratch.path().join(beside)).expect("it is there");
    }
}

/// A journal of SQLite's can name another file, as that of a transaction over several databases. Some versions of
/// SQLite remove that file.
fn a_journal_that_names_another_file_is_refused() {
    let scratch = Scratch::new();
    scratch.file("c.db", record());
    let victim = scratch.file("victim", "precious");
    let name = victim.to_str().expect("it is UTF-8").as_bytes();
    let magic = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let mut journal = magic.to_vec();
    for number in [0, 0, (record().len() / 4096) as u32, 512, 4096] {
        journal.extend(u32::to_be_bytes(number));
    }
    journal.resize(512, 0);
    journal.extend((0x4000_0000_u32 / 4096 + 1).to_be_bytes());
    journal.extend(name);
    journal.extend((name.len() as u32).to_be_bytes());
    journal.extend(name.iter().map(|&byte| u32::from(byte)).sum::<u32>().to_be_bytes());
    journal.extend(magic);
    scratch.file("c.db-journal", journal);
    let words = "not the record of a tournament: c.db-journal names another file: move it away";
    refused(&scratch, words, "journal");
    assert_eq!(fs::read(victim).expect("it is there"), b"precious");
}

/// A name with control characters of each kind: C0, C1, and ones that change the direction of writing.
const NAME: &str = "g\x1b[2J\u{9b}2J\u{61c}\u{200e}\u{202e}llu\u{2066}\u{2069}";

/// Checks that `text` has no control characters except line feeds.
#[track_caller]
fn harmless(text: &str, what: &str) {
    let acts = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\r'))
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    if let Some(at) = text.find(acts) {
        let from = text[..at].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
        panic!("{what}: {:?}", text[from..].chars().take(90).collect::<String>());
    }
}

/// Runs the command, and checks that its output has no control characters.
#[track_caller]
fn run(scratch: &Scratch, args: &str) -> Ran {
    let ran = Ran::from_command(scratch.cornerman(args.split_whitespace()));
    harmless(&ran.stdout, args);
    harmless(&ran.stderr, args);
    ran
}

fn names_do_nothing_to_a_terminal() {
    let scratch = Scratch::new();
    let escaped: String = NAME.chars().map(|c| format!("\\u{:04X}", u32::from(c))).collect();
    // The bot writes the name to standard error at every move, and its first answers are wrong.
    let words: String = NAME.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let bots = [("good", "move"), ("bad", &format!("printf '{words}' >&2; printf '{words}'"))];
    for (folder, answer) in bots {
        scratch.script(&format!("{folder}/bot.sh"), &format!("printf '{words}\\n' >&2; {answer}"));
        scratch.file(&format!("{folder}/bot.toml"), "run = [\"./bot.sh\"]\n");
    }
    let contest = format!(
        "name = \"{escaped}\"\nentrants = [{{ path = \"good\", name = \"good{escaped}\" }}, \
         {{ path = \"bad\", name = \"bad{escaped}\", author = \"{escaped}\" }}]\n\
         [[stages]]\nname = \"{escaped}\"\nkind = \"all-play-all\"\nboards = [1]\n"
    );
    scratch.file("c.toml", contest);
    let shown = "\\u{1b}[2J\\u{9b}2J";
    let json = "\\u001b[2J\\u009b2J\\u061c\\u200e\\u202ellu\\u2066\\u2069";
    for (args, wanted) in [
        ("play good bad --marks XY", shown),
        ("play good bad --marks XY --format json", json),
        ("check bad --game boxing", shown),
        ("check bad --game boxing --format json", "\"bot\":\"bad\""),
        ("check bad --game boxing --format junit", shown),
        ("tournament c.toml --no-check --dry-run", shown),
        ("tournament c.toml --no-check", shown),
        ("standings c.db", shown),
        ("standings c.db --format json", json),
        ("standings c.db --format md", "\\u{9b}2J"),
        ("replay c.db s1/r1/m1/g1", shown),
        ("replay c.db s1/r1/m1/g1 --format json", json),
        ("replay c.db s1/r1/m1/g1 --at 1 --feed 1 bad", shown),
        ("export c.db", json),
        ("report c.db", "c.html"),
        ("report c.db --out pages/", "pages"),
    ] {
        let ran = run(&scratch, args);
        let said = ran.stdout + &ran.stderr;
        assert!(matches!(ran.code, Some(0 | 1)), "{args}: {said}");
        assert!(said.contains(wanted), "{args}: {said}");
    }
    let mut pages = 0;
    for (path, content) in scratch.listing() {
        if path.extension().is_some_and(|end| end == "html" || end == "js") {
            harmless(&String::from_utf8(content).expect("pages are UTF-8"), &path.display().to_string());
            pages += 1;
        }
    }
    assert!(pages > 4, "{pages} pages");
}

fn errors_do_nothing_to_a_terminal() {
    let scratch = Scratch::new();
    let said = |args: &[&str], code: i32| {
        let ran = Ran::from_command(scratch.cornerman(args));
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        harmless(&(ran.stdout + &ran.stderr), &format!("{args:?}"));
    };
    let check = |args: &[&str]| said(args, 2);
    let [db, toml, folder] = ["db", "toml", "d"].map(|end| format!("{NAME}.{end}"));
    for command in ["standings", "export", "report"] {
        check(&[command, &db]);
    }
    scratch.file(&db, NAME);
    check(&["standings", &db]);
    check(&["tournament", &toml]);
    scratch.file(&toml, format!("entrants = [\"{NAME}\"]\n{NAME} = 1"));
    check(&["tournament", &toml]);
    scratch.file(&toml, format!("name = \"x\"\nentrants = ['{}']\n", &NAME.replace('\x1b', "")));
    check(&["tournament", &toml]);
    check(&["check", &folder]);
    check(&["play", &folder, &folder]);
    scratch.file(&format!("{folder}/bot.toml"), NAME);
    said(&["check", &folder], 1);
    scratch.file(&format!("{folder}/bot.toml"), format!("source = '{}'", &NAME.replace('\x1b', "")));
    check(&["play", &folder, &folder]);
}
