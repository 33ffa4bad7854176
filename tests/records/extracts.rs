//! Extracts of a record for the author of a bot: what is in them, what is not, and which commands take them.

use super::tampering;
use crate::support::{Ran, Scratch, trial};
use crate::unpacked::add_view_functions;
use libtest_mimic::Trial;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(an_extract_has_the_games_and_logs_of_one_bot_alone),
        trial!(the_hash_of_a_log_confirms_no_guess),
        trial!(an_extract_is_verified_with_the_seal_of_the_record),
        trial!(an_extract_is_shown_without_what_follows_from_all_games),
        trial!(what_needs_the_whole_record_refuses_an_extract),
        trial!(an_extract_replaces_only_an_older_one),
        trial!(every_change_of_logs_is_found),
        trial!(a_page_and_an_export_have_only_the_logs_that_are_asked_for),
    ]
}

/// The record `c.db` of four bots of rock-paper-scissors of which three write to standard error, and one of these
/// forfeits; and `left.db`, its extract for one of them.
fn extracted() -> Scratch {
    let scratch = Scratch::new();
    for (name, rest) in [("left", ""), ("right", ""), ("dies", "[ $rounds -gt 30 ] || exit 1; ")] {
        let program = format!(
            "#!/bin/sh\necho {name} begins >&2\necho {name}\nread -r other\nread -r rounds\n\
             while [ \"$rounds\" -gt 0 ]; do\n    {rest}echo \"{name} has $rounds to go\" >&2\n    echo 1\n    \
             read -r theirs || exit\n    rounds=$((rounds - 1))\ndone\n"
        );
        scratch.executable(&format!("{name}/bot"), &program);
        scratch.file(&format!("{name}/bot.toml"), "game = \"rps\"\nrun = [\"./bot\"]\n");
    }
    let head = "name = \"Talk\"\ngame = \"rps\"\nruleset = \"rps-published\"\nseed = 5\n";
    let entrants = "entrants = [\"left\", \"right\", \"dies\", \"@rock\"]\n";
    scratch.file("c.toml", format!("{head}{entrants}[[stages]]\nkind = \"all-play-all\"\n"));
    run(&scratch, "tournament c.toml --no-check");
    let ran = run(&scratch, "export c.db --for left --out left.db");
    assert_eq!(ran.stderr, "wrote left.db with 6 of 12 games\n");
    scratch
}

/// Runs the command with these arguments, which must succeed.
fn run(scratch: &Scratch, args: &str) -> Ran {
    let ran = Ran::from_command(scratch.cornerman(args.split(' ')));
    assert_eq!(ran.code, Some(0), "{args}: {} {}", ran.stdout, ran.stderr);
    ran
}

fn open(scratch: &Scratch, name: &str) -> Connection {
    let db = Connection::open(scratch.path().join(name)).unwrap();
    add_view_functions(&db).unwrap();
    db
}

/// The bots whose logs a record has, and how many games it has.
fn logs_and_games(db: &Connection) -> (Vec<String>, u32) {
    let sql = "SELECT DISTINCT e.name FROM logs JOIN seats s USING (game, seat) JOIN entrants e ON e.number = s.entrant ORDER BY 1";
    let mut names = db.prepare(sql).unwrap();
    let names = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    (names, db.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn an_extract_has_the_games_and_logs_of_one_bot_alone() {
    let scratch = extracted();
    let whole = open(&scratch, "c.db");
    assert_eq!(logs_and_games(&whole), (["dies", "left", "right"].map(String::from).to_vec(), 12));
    assert_eq!(logs_and_games(&open(&scratch, "left.db")), (vec!["left".to_string()], 6));
    // Logs are compressed, so the test looks for their bytes, in parts that fit into a page of the file.
    let sql =
        "SELECT l.log, e.name FROM logs l JOIN seats s USING (game, seat) JOIN entrants e ON e.number = s.entrant";
    let mut select = whole.prepare(sql).unwrap();
    let logs = select.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, String>(1)?))).unwrap();
    let logs: Vec<(Vec<u8>, String)> = logs.map(Result::unwrap).collect();
    let [of_whole, of_extract] = ["c.db", "left.db"].map(|name| fs::read(scratch.path().join(name)).unwrap());
    for (log, name) in &logs {
        let parts = || log.chunks_exact(40).skip(1);
        assert!(
            parts().count() > 0 && parts().all(|part| contains(&of_whole, part)),
            "{name}: {} bytes",
            log.len()
        );
        assert_eq!(parts().any(|part| contains(&of_extract, part)), name == "left", "{name}");
    }
    for text in ["right has", "right begins", "dies has", "dies begins"] {
        assert!(!contains(&of_extract, text.as_bytes()), "{text}");
    }
    let exported = run(&scratch, "export left.db --logs all").stdout;
    assert!(exported.contains("left has 4 to go") && !exported.contains("right has"), "{exported}");
}

fn the_hash_of_a_log_confirms_no_guess() {
    let whole = open(&extracted(), "c.db");
    let sql = "SELECT count(*), count(DISTINCT said), count(DISTINCT log_sha256) FROM (
        SELECT (SELECT group_concat(text) FROM said WHERE (game, seat) = (s.game, s.seat)) AS said, log_sha256
        FROM seats s JOIN entrants e ON e.number = s.entrant WHERE e.name = 'left')";
    let counts: [u32; 3] = whole.query_row(sql, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?])).unwrap();
    // One of its opponents forfeits, so that two of its games are short.
    assert_eq!(counts, [6, 2, 6], "games, texts, hashes");
}

fn an_extract_is_verified_with_the_seal_of_the_record() {
    let scratch = extracted();
    let whole = run(&scratch, "verify c.db").stdout;
    let seal = whole.lines().last().and_then(|line| line.strip_prefix("seal ")).expect("a seal");
    let shown = run(&scratch, &format!("verify left.db --seal {seal}")).stdout.replace("\n  ", " ");
    assert!(shown.starts_with("left.db: an extract for the author of left: 6 of 12 games and "), "{shown}");
    assert!(
        shown.contains("left out, with their hashes in the chain: 6 games and 4 logs of other bots\n"),
        "{shown}"
    );
    assert!(shown.ends_with(&format!("seal {seal}\n")), "{shown}");
    let told: Value = serde_json::from_str(&run(&scratch, "verify left.db --format json").stdout).unwrap();
    assert_eq!(told["extract"], json!({"bot": "left", "games_left_out": 6, "logs_left_out": 4}));
    assert_eq!(
        (&told["consistent"], &told["finished"], &told["seal"]),
        (&json!(true), &Value::Null, &json!(seal))
    );
    // The log of seals is that of the whole record.
    assert!(run(&scratch, "verify left.db --seal-log c.heads").stdout.contains("of c.heads in its chain"));
}

fn an_extract_is_shown_without_what_follows_from_all_games() {
    let scratch = extracted();
    let listed = run(&scratch, "games left.db --format json").stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let games = listed["games"].as_array().expect("games");
    assert_eq!(games.len(), 6);
    for game in games {
        let id = game["game"].as_str().or(game["id"].as_str()).expect("a name");
        for seat in ["1", "2"] {
            let [whole, extract] =
                ["c.db", "left.db"].map(|db| run(&scratch, &format!("replay {db} {id} --log {seat}")));
            assert_eq!(whole.stderr, "");
            let is_own = extract.stderr.is_empty();
            assert_eq!(is_own, extract.stdout.contains("left has"), "{}", extract.stdout);
            let note = "note: this is an extract for the author of left: it has no logs of other bots\n";
            assert!(is_own || extract.stderr == note, "{}", extract.stderr);
            // What a bot wrote to standard error when it forfeited is always shown.
            let is_same = whole.stdout.contains(" dies ") || extract.stdout == whole.stdout;
            assert!(!is_own || is_same, "{} and {}", extract.stdout, whole.stdout);
        }
    }
    assert_eq!(run(&scratch, "report left.db").stderr, "wrote left.html\n");
    let page = fs::read_to_string(scratch.path().join("left.html")).unwrap();
    assert_eq!(page.matches("id=\"game:").count(), 6);
    for (words, has) in [
        ("Extract for the author of", true),
        ("It has 6 of 12 games of the contest", true),
        ("left has 4 to go", true),
        ("right has", false),
        ("dies has", false),
        ("Winner", false),
        ("id=\"stage-1\"", false),
        ("id=\"ratings\"", false),
    ] {
        assert_eq!(page.contains(words), has, "{words}");
    }
    run(&scratch, "report left.db --site site");
}

fn what_needs_the_whole_record_refuses_an_extract() {
    let scratch = extracted();
    for args in [
        "standings left.db",
        "audit left.db",
        "rejudge left.db --set hard_ms=2000",
        "decide left.db withdraw left --why gone",
        "tournament c.toml --no-check --db left.db",
        "export left.db --for left --out more.db",
    ] {
        let ran = Ran::from_command(scratch.cornerman(args.split(' ')));
        let words =
            "left.db: it is an extract with 6 of 12 games, for the author of left; this needs the whole record";
        assert!(ran.code == Some(2) && ran.stderr.replace("\n  ", " ").contains(words), "{args}: {ran:?}");
    }
}

fn an_extract_replaces_only_an_older_one() {
    let scratch = extracted();
    run(&scratch, "export c.db --for left --out left.db");
    for (args, words) in [
        ("export c.db --for right --out left.db", "it exists and has other games of this record"),
        ("export c.db --backup left.db", "it exists and has other games of this record"),
        ("export c.db --for left --out c.db", "it is the record itself"),
        ("export c.db --for left --out c.toml", "it exists and is not a copy of this record"),
        ("export c.db --for nobody", "no entrant is called `nobody`"),
        ("export c.db --for left --logs all", "cannot be used with"),
    ] {
        let ran = Ran::from_command(scratch.cornerman(args.split(' ')));
        assert!(ran.code == Some(2) && ran.stderr.replace("\n  ", " ").contains(words), "{args}: {ran:?}");
    }
    assert_eq!(run(&scratch, "export c.db --for right").stderr, "wrote c-for-2.db with 6 of 12 games\n");
}

fn every_change_of_logs_is_found() {
    tampering::every_change_is_found(&extracted().path().join("c.db"));
}

fn a_page_and_an_export_have_only_the_logs_that_are_asked_for() {
    let scratch = extracted();
    let last_words = ["left has 1 to go", "right has 1 to go", "dies has 31 to go"];
    for (args, wanted) in [
        ("report c.db", [false; 3]),
        ("report c.db --for left", [true, false, false]),
        ("report c.db --logs all", [true; 3]),
        ("export c.db", [false; 3]),
        ("export c.db --logs all", [true; 3]),
    ] {
        run(&scratch, &format!("{args} --out shown"));
        let shown = fs::read_to_string(scratch.path().join("shown")).expect("it was written");
        fs::remove_file(scratch.path().join("shown")).expect("it was there");
        assert_eq!(last_words.map(|words| shown.contains(words)), wanted, "{args}");
    }
}
