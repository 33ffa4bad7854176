//! `replay`: games of small tournaments step by step, and bots that are fed a seat's part of them.

use crate::support::{Ran, Scratch, cornerman, small_arena, trial};
use crate::unpacked::add_view_functions;
use cornerman_harness::record::{GameRecord, MoveRecord, Record};
use libtest_mimic::Trial;
use rusqlite::Connection;
use serde_json::{Value, json};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_game_of_go_is_shown_board_by_board),
        trial!(a_game_of_rps_is_shown_round_by_round),
        trial!(a_boxing_game_marks_what_is_new),
        trial!(json_of_a_game_has_every_step),
        trial!(a_bot_that_is_fed_its_own_game_plays_it_again),
        trial!(another_bot_differs_and_is_judged),
        trial!(a_fed_bot_that_fails_is_reported),
        trial!(a_forfeit_has_its_answer_and_its_standard_error),
        trial!(what_a_bot_of_a_whole_game_says_is_kept_by_move, ["python3"], || {
            says_its_moves("go", "go-9x9", STONES, |nth, _, _| format!("own move {nth}\x1b[2J\n"));
        }),
        trial!(what_a_bot_of_one_move_says_is_kept_by_move, ["awk"], || {
            says_its_moves("boxing", "boxing-1994", FILLER, |_, game, number| {
                format!("vacant {}\n", vacant(game, number))
            });
        }),
        trial!(what_is_said_before_the_first_question_is_kept, ["python3"]),
        trial!(a_log_is_bounded_and_its_end_is_kept, ["python3"]),
        trial!(a_hostile_log_is_text_everywhere, ["python3"]),
        trial!(a_fed_bot_has_the_notes_of_its_earlier_moves, ["awk"]),
        trial!(wrong_requests_are_refused),
    ]
}

/// A bot that says what it does before it answers, and greets.
const TALKER: &str = "#!/usr/bin/env python3\nimport sys\nprint('hello\\x1b[2J', file=sys.stderr, flush=True)\n\
                      print('Talker', flush=True)\nsys.stdin.readline()\nfor n in range(int(sys.stdin.readline())):\n    \
                      print('own move', n + 1, file=sys.stderr, flush=True)\n    print(n % 3, flush=True)\n    \
                      sys.stdin.readline()\n";

/// A bot that plays where nothing is near, and says how often it has played.
const STONES: &str = r#"#!/usr/bin/env python3
import sys

taken = set()
if sys.argv[1] == "white":
    taken.add(sys.stdin.readline().strip())
for nth in range(1, 99):
    free = [
        (col, row)
        for col in range(9)
        for row in range(1, 10)
        if not taken & {f"{'ABCDEFGHJ'[c]}{r}" for c in range(max(col - 1, 0), min(col + 2, 9)) for r in range(row - 1, row + 2)}
    ]
    move = f"{'ABCDEFGHJ'[free[0][0]]}{free[0][1]}" if free else "pass"
    print(f"own move {nth}\x1b[2J", file=sys.stderr, flush=True)
    print(move, flush=True)
    theirs = sys.stdin.readline().strip()
    if not theirs or move == theirs == "pass":
        break
    taken |= {move, theirs}
"#;

/// A bot that fills the first vacant spot, and says how many are vacant.
const FILLER: &str = "#!/bin/sh\nexport LC_ALL=C mark=\"$1\"\nawk '{\n    at = index($0, \"-\"); left += gsub(/-/, \"-\")\n    \
                      if (at && !done) { $0 = substr($0, 1, at - 1) ENVIRON[\"mark\"] substr($0, at + 1); done = 1 }\n    \
                      print\n} END { print \"vacant\", left >\"/dev/stderr\" }'\n";

/// What the trials replay: the first game of each record.
const GAME: &str = "s1/r1/m1/g1";

/// A folder with the record `c.db` of a small tournament between these two bots.
fn played(game: &str, ruleset: &str, entrants: [&str; 2]) -> Scratch {
    let scratch = Scratch::new();
    let head = format!("name = \"Small\"\ngame = \"{game}\"\nruleset = \"{ruleset}\"\nseed = 5\n");
    scratch.file("c.toml", format!("{head}entrants = {entrants:?}\n[[stages]]\nkind = \"pair-swiss\"\n"));
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    scratch
}

fn go() -> Scratch {
    played("go", "go-9x9", ["@go-random", "@capture"])
}

fn rps() -> Scratch {
    played("rps", "rps-published", ["@rock", "@beat-last"])
}

/// The first game of the record, and the names of its seats with their marks.
fn recorded(scratch: &Scratch) -> (GameRecord, [String; 2]) {
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let id = record.games().expect("games")[0].pairing.id;
    assert_eq!(id.to_string(), GAME);
    let game = record.game(id).expect("it can be read").expect("it is there");
    let entrants = record.entrants().expect("entrants");
    let name = |seat: usize| {
        let name = &entrants[game.pairing.seats[seat].index()].name;
        game.setup.marks.get(seat).map_or(name.clone(), |&mark| format!("{} {name}", char::from(mark)))
    };
    let names = [name(0), name(1)];
    (game, names)
}

fn replay(scratch: &Scratch, options: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman([&["replay", "c.db", GAME], options].concat()))
}

/// The record of a bot that says something at each move, against a reference bot.
fn talking(game: &str, ruleset: &str, bot: &str, head: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.executable("talker/talker", bot);
    scratch.file("small.arena", small_arena(40));
    scratch.file("talker/bot.toml", format!("game = \"{game}\"\nrun = [\"./talker\"]\n"));
    let opponent = match game {
        "rps" => "@rotate",
        "go" => "@go-random",
        _ => "@smallest",
    };
    let head = format!("name = \"Small\"\ngame = \"{game}\"\nruleset = \"{ruleset}\"\nseed = 5\n{head}");
    let text = format!("{head}entrants = [\"talker\", \"{opponent}\"]\n[[stages]]\nkind = \"pair-swiss\"\n");
    scratch.file("c.toml", text);
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    scratch
}

fn says_its_moves(game: &str, ruleset: &str, bot: &str, wanted: fn(usize, &GameRecord, u32) -> String) {
    let small = if game == "boxing" { "boards = [\"small.arena\"]\n" } else { "" };
    let scratch = talking(game, ruleset, bot, small);
    let (played, names) = recorded(&scratch);
    let seat = names.iter().position(|name| name.contains("talker")).expect("it plays");
    let own: Vec<&MoveRecord> = played.moves.iter().filter(|made| made.seat.index() == seat).collect();
    assert!(own.len() > 3, "{own:?}");
    let said = &played.seats[seat].said;
    assert_eq!(said.len(), own.len(), "{said:?}");
    for (nth, (made, said)) in (1..).zip(own.iter().zip(said)) {
        let wanted = wanted(nth, &played, made.number);
        // Black makes its first move in Go without being asked, perhaps before it could have been.
        assert_eq!((said.number.max(1), &said.text, said.left_out), (made.number, &wanted, 0));
    }
    // A bot's log is for its author: it is shown only if it is asked for.
    let number = (seat + 1).to_string();
    let other = (2 - seat).to_string();
    let words = said[0].text.trim_end();
    let words = words.strip_suffix("\x1b[2J").unwrap_or(words);
    let line = format!("      {} wrote: {words}", names[seat]);
    let text = replay(&scratch, &["--log", &number]).fine();
    assert!(text.contains(&line) && !text.contains('\x1b'), "{line}: {text}");
    assert!(replay(&scratch, &["--log", "all"]).fine().contains(&line));
    for options in [&[][..], &["--log", &other]] {
        assert!(!replay(&scratch, options).fine().contains("wrote"), "{options:?}");
    }
    let json = |options: &[&str]| -> Value {
        serde_json::from_str(&replay(&scratch, &[&["--format", "json"], options].concat()).fine()).expect("JSON")
    };
    let step = |steps: &Value| {
        steps["steps"]
            .as_array()
            .unwrap()
            .iter()
            .find(|step| step["move"] == own[1].number && step["seat"] == seat + 1)
            .unwrap()["said"]
            .clone()
    };
    assert_eq!(step(&json(&["--log", &number])), said[1].text.as_str());
    assert_eq!(step(&json(&[])), Value::Null);
    let export = |options: &[&str]| {
        Ran::from_command(scratch.cornerman([&["export", "c.db", GAME], options].concat())).fine()
    };
    assert!(!export(&[]).contains("said"));
    let exported: Value = serde_json::from_str(&export(&["--logs", "all"])).expect("JSON");
    assert_eq!(exported["seats"][seat]["said"].as_array().unwrap().len(), said.len());
    let named = |seat: usize| names[seat].split_once(' ').map_or(&*names[seat], |(_, name)| name);
    let whose = [
        (&[][..], false),
        (&["--logs", "all"], true),
        (&["--for", named(seat)], true),
        (&["--for", named(1 - seat)], false),
    ];
    let page_has = |options: &[&str], is_there: bool| {
        let ran =
            Ran::from_command(scratch.cornerman([&["report", "c.db", "--out", "page.html"], options].concat()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let page = std::fs::read_to_string(scratch.path().join("page.html")).expect("a page");
        assert_eq!(page.contains(words), is_there, "{options:?}");
    };
    for (options, is_there) in whose {
        page_has(options, is_there);
    }
    // The organizer shows everyone's logs after the contest.
    let file = std::fs::read_to_string(scratch.path().join("c.toml")).expect("the contest");
    scratch.file("c.toml", format!("{file}[publish]\nlogs = true\n"));
    let amend = ["decide", "c.db", "amend", "c.toml", "--why", "it is over", "--yes"];
    assert_eq!(Ran::from_command(scratch.cornerman(amend)).code, Some(0));
    page_has(&[], true);
    page_has(&["--logs", "none"], false);
    assert!(export(&[]).contains("said") && !export(&["--logs", "none"]).contains("said"));
    Ran::from_command(scratch.cornerman(["verify", "c.db"])).fine();
    let ran = replay(&scratch, &["--log", "3"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("a number from 1 to 2, or `all`"), "{ran:?}");
}

fn what_is_said_before_the_first_question_is_kept() {
    let scratch = talking("rps", "rps-published", TALKER, "");
    let (played, names) = recorded(&scratch);
    let seat = names.iter().position(|name| name.contains("Talker")).expect("it plays");
    let said = &played.seats[seat].said;
    assert_eq!((said[0].number, &*said[0].text), (0, "hello\x1b[2J\n"));
    let own: Vec<u32> =
        played.moves.iter().filter(|made| made.seat.index() == seat).map(|made| made.number).collect();
    let numbers: Vec<u32> = said[1..].iter().map(|said| said.number).collect();
    assert_eq!(numbers, own);
    for (nth, said) in (1..).zip(&said[1..]) {
        assert_eq!(said.text, format!("own move {nth}\n"));
    }
}

/// How many spots are vacant before move `number`.
fn vacant(game: &GameRecord, number: u32) -> usize {
    let all = game.setup.board.iter().filter(|&&spot| spot == b'-').count();
    let taken = game.moves.iter().take_while(|made| made.number < number).map(|made| {
        let side: usize = made.notation.split('x').next().and_then(|side| side.parse().ok()).expect("a square");
        side * side
    });
    all - taken.sum::<usize>()
}

fn a_log_is_bounded_and_its_end_is_kept() {
    let bot = TALKER.replace("file=sys.stderr", "*['x' * 99] * 99, file=sys.stderr");
    let scratch = talking("rps", "rps-published", &bot, "");
    let (played, names) = recorded(&scratch);
    let seat = names.iter().position(|name| name.to_lowercase().contains("talker")).expect("it plays");
    let said = &played.seats[seat].said;
    let kept: usize = said.iter().map(|said| said.text.len()).sum();
    let left_out: u64 = said.iter().map(|said| said.left_out).sum();
    assert!(kept <= 64 << 10 && said.iter().all(|said| said.text.len() <= 1 << 10), "{kept}");
    let written = |said: &str| said.len() + 99 * 100;
    let all: usize =
        (1..=50).map(|n| written(&format!("own move {n}\n"))).sum::<usize>() + written("hello\x1b[2J\n");
    assert_eq!(kept as u64 + left_out, all as u64);
    assert_eq!(
        said.last().map(|said| said.number),
        played.moves.iter().rev().find(|made| made.seat.index() == seat).map(|made| made.number)
    );
}

/// What a hostile bot writes at each move, as Python: codes for a terminal, bytes that are not UTF-8, a character that
/// reverses the direction of text, markup, SQL, notes of which only one has a number, and invalid drawings.
const HOSTILE: &str = r"b'\x1b[2J\x1b]0;title\x07\xff\xfe\xe2\x80\xae<script>alert(1)</script>\'); DROP TABLE games;--\n@note lie=NaN\n@note <b>=1\n@note depth=7\n@draw spot 1e9/NaN\n@draw text 1/1 <img src=x onerror=alert(2)>\n\x00\n'";

fn a_hostile_log_is_text_everywhere() {
    let each = format!("sys.stderr.buffer.write({HOSTILE}); sys.stderr.flush()");
    let bot = TALKER.replace("print('own move', n + 1, file=sys.stderr, flush=True)", &each);
    // Before its name, for which it has the most time.
    let million = "sys.stderr.write('@note n=1\\n@draw spot 1/1 red\\n' * 10 ** 6); sys.stderr.flush()";
    let bot = bot.replace("print('Talker'", &format!("{million}; print('Talker'"));
    let scratch = talking("rps", "rps-published", &bot, "");
    let (played, names) = recorded(&scratch);
    let seat = names.iter().position(|name| name.to_lowercase().contains("talker")).expect("it plays");
    let said = &played.seats[seat].said;
    let moves = played.moves.iter().filter(|made| made.seat.index() == seat).count();
    assert_eq!(said.len(), moves + 1, "the greeting, and each move");
    let [greeting, first] = [&said[0], &said[1]];
    let replaced = "\u{fffd}\u{fffd}\u{202e}<script>alert(1)</script>'); DROP TABLE games;--\n@note lie=NaN\n";
    assert!(first.text.starts_with(&format!("\x1b[2J\x1b]0;title\x07{replaced}")), "{:?}", first.text);
    assert!(first.text.ends_with("\n\0\n"));
    assert!(greeting.text.len() <= 1 << 10 && greeting.left_out > 28_000_000, "{}", greeting.left_out);

    // In a terminal: no control characters.
    let text = replay(&scratch, &["--log", "all"]).fine();
    assert!(text.contains("<script>alert(1)</script>'); DROP TABLE games;--"), "{text}");
    let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert_eq!(text.chars().find(|c| obeyed(*c)), None);
    // As JSON: the same text.
    let step = |step: &&Value| step["seat"] == seat + 1 && step["move"] == first.number;
    let json: Value =
        serde_json::from_str(&replay(&scratch, &["--log", "all", "--format", "json"]).fine()).expect("JSON");
    assert_eq!(json["steps"].as_array().unwrap().iter().find(step).unwrap()["said"], first.text.as_str());
    let exported = Ran::from_command(scratch.cornerman(["export", "c.db", GAME, "--logs", "all"])).fine();
    let exported: Value = serde_json::from_str(&exported).expect("JSON");
    assert_eq!(exported["seats"][seat]["said"][1]["text"], first.text.as_str());
    // On the page: data in which no `<` occurs.
    Ran::from_command(scratch.cornerman(["report", "c.db", "--logs", "all", "--out", "page.html"]));
    let page = std::fs::read_to_string(scratch.path().join("page.html")).expect("a page");
    assert!(page.contains(r"\u003cscript>alert(1)\u003c/script>"));
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x"));
    // By SQL: the same text, and only the notes that have a name and a number.
    let db = Connection::open(scratch.path().join("c.db")).expect("a record");
    add_view_functions(&db).expect("functions");
    let ask = |sql: &str| -> String { db.query_row(sql, [], |row| row.get(0)).expect(sql) };
    assert_eq!(
        ask(&format!("SELECT text FROM said WHERE seat = {seat} AND number = {}", first.number)),
        first.text.replace('\0', "\u{fffd}")
    );
    let notes = "SELECT group_concat(DISTINCT key || '=' || value) FROM notes WHERE seat =";
    assert_eq!(ask(&format!("{notes} {seat} AND number > 0")), "depth=7.0");
    assert_eq!(ask(&format!("{notes} {seat} AND number = 0")), "n=1.0");
    Ran::from_command(scratch.cornerman(["verify", "c.db"])).fine();
}

fn a_game_of_go_is_shown_board_by_board() {
    let scratch = go();
    let (game, names) = recorded(&scratch);
    let text = replay(&scratch, &[]).fine();
    let boards: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(boards.len(), game.moves.len() + 1, "a board for each move, and one for the start");
    for (board, made) in boards[1..].iter().zip(&game.moves) {
        let line = format!("{:>4}. {} {}", made.number, names[made.seat.index()], made.notation);
        assert!(board.contains(&line), "{line}: {board}");
        let stone = if made.seat.index() == 0 { "(X)" } else { "(O)" };
        let picture = board.lines().skip(3).take(9).collect::<String>();
        assert_eq!(picture.contains(stone), made.notation != "pass", "{board}");
    }
    assert!(boards[0].contains("    A B C D E F G H J\n  9 . . ."), "{text}");
    assert!(text.contains(", captures "), "@capture captures something");
    assert!(boards.last().unwrap().contains(" wins by "), "{text}");
    let fifth = replay(&scratch, &["--at", "5"]).fine();
    assert_eq!(fifth.trim_end(), boards[5]);
    assert!(replay(&scratch, &["--at", "0"]).fine().contains("\nthe start\n"));
}

fn a_game_of_rps_is_shown_round_by_round() {
    let scratch = rps();
    let (game, names) = recorded(&scratch);
    let text = replay(&scratch, &[]).fine();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), game.moves.len()), (52, 100), "{text}");
    let mut margin: i32 = 0;
    for (round, (line, moves)) in lines[1..].iter().zip(game.moves.chunks(2)).enumerate() {
        let [a, b] = [0, 1].map(|seat| moves[seat].notation.parse::<i32>().expect("a number"));
        margin += [0, 1, -1][(a - b).rem_euclid(3) as usize];
        let shown = if margin == 0 { "0".to_string() } else { format!("{margin:+}") };
        let [a, b] = [a, b].map(|hand| ["rock", "paper", "scissors"][hand as usize]);
        assert_eq!(*line, format!("{:>5}. {} {a}   {} {b}   {shown}", round + 1, names[0], names[1]));
    }
    assert_eq!(lines[51].rsplit_once(" wins by ").map(|(_, by)| by), Some(&*format!("{} rounds", margin.abs())));
    // Move 40 is the second seat's of round 20.
    assert_eq!(replay(&scratch, &["--at", "40"]).fine().lines().nth(1), Some(lines[20]));
}

fn a_boxing_game_marks_what_is_new() {
    let scratch = played("boxing", "boxing-1994", ["@greedy", "@smallest"]);
    let (game, _) = recorded(&scratch);
    let text = replay(&scratch, &["--at", "1"]).fine();
    let (words, mark) = text.trim_end().rsplit_once(" is a new ").expect("a legend");
    assert_eq!(mark.as_bytes(), &game.setup.marks[..1]);
    let sign = words.chars().last().expect("a sign");
    let side: usize = game.moves[0].notation.split('x').next().unwrap().parse().expect("the side of a square");
    let marked = words.lines().skip(3).take(16).flat_map(|row| row[4..].chars()).filter(|&spot| spot == sign);
    assert_eq!(marked.count(), side * side, "{text}");
    // In colour they are reversed.
    let mut coloured = scratch.cornerman(["replay", "c.db", GAME, "--at", "1"]);
    coloured.env("CLICOLOR_FORCE", "1");
    let text = Ran::from_command(coloured).fine();
    assert!(text.contains("\x1b[7m") && !text.contains(" is a new "), "{text}");
}

fn json_of_a_game_has_every_step() {
    let check = |scratch: Scratch, member: &str, rows: usize| {
        let (game, _) = recorded(&scratch);
        let read = |options: &[&str]| -> Value {
            serde_json::from_str(&replay(&scratch, options).fine()).expect("an object")
        };
        let whole = read(&["--format", "json"]);
        let steps = whole["steps"].as_array().expect("steps");
        let told: Vec<&Value> = steps.iter().map(|step| &step["notation"]).collect();
        assert_eq!(json!(told), json!(game.moves.iter().map(|made| &made.notation).collect::<Vec<_>>()));
        assert!(steps.iter().all(|step| step["board"].as_array().map(Vec::len) == Some(rows)), "{whole}");
        assert!(steps.iter().all(|step| step[member].is_i64()), "{whole}");
        // The number that `--feed` takes.
        let seats: Vec<&Value> = steps.iter().map(|step| &step["seat"]).collect();
        assert_eq!(json!(seats), json!(game.moves.iter().map(|made| made.seat.0 + 1).collect::<Vec<_>>()));
        let one = read(&["--format", "json", "--at", "3"]);
        assert_eq!(one["steps"], json!([steps[2]]));
    };
    check(go(), "captured", 9);
    check(rps(), "margin", 0);
}

fn a_bot_that_is_fed_its_own_game_plays_it_again() {
    // Which seat `bot` had, and a late move of it.
    let check = |scratch: Scratch, bot: &str| {
        let (game, names) = recorded(&scratch);
        let seat = names.iter().position(|name| name.ends_with(bot)).expect("it played");
        let late = game.moves.iter().rfind(|made| made.seat.index() == seat).expect("it moved");
        let earlier = game.moves.iter().filter(|made| made.seat.index() == seat).count() - 1;
        let at = late.number.to_string();
        let seat = (seat + 1).to_string();
        let said = replay(&scratch, &["--at", &at, "--feed", &seat, bot]).fine();
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[..2], [&*format!("{earlier} answers before move {at} as recorded"), &*late.notation]);
        assert!(lines[2].starts_with(&format!("{}, legal, as recorded, after ", late.notation)), "{said}");
    };
    check(go(), "@capture");
    check(rps(), "@beat-last");
}

fn another_bot_differs_and_is_judged() {
    let scratch = rps();
    let (_, names) = recorded(&scratch);
    let seat = (names.iter().position(|name| name.ends_with("@rock")).expect("it played") + 1).to_string();
    let (first, at) = if seat == "1" { ("1", "5") } else { ("2", "6") };
    scratch.executable("paper", "#!/bin/sh\necho paper\nread s\nread n\nwhile echo 1; do read x || exit; done\n");
    let said = replay(&scratch, &["--at", at, "--feed", &seat, "./paper"]).fine();
    let differs =
        format!("its answers differ from the record from move {first} on: 1 instead of 0\n1\n1, legal, after ");
    assert!(said.starts_with(&differs) && said.ends_with("; the record has 0\n"), "{said}");
    scratch
        .executable("well", "#!/bin/sh\necho well\nread s\nread n\necho 0\nread x\necho 0\nread x\necho well\n");
    let ran = replay(&scratch, &["--at", at, "--feed", &seat, "./well"]);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""));
    let words = format!("2 answers before move {at} as recorded\nwell\nnot legal: ");
    assert!(ran.stdout.starts_with(&words), "{}", ran.stdout);
}

fn a_fed_bot_that_fails_is_reported() {
    let scratch = go();
    scratch.executable("dies", "#!/bin/sh\necho tired >&2\nexit 4\n");
    let ran = replay(&scratch, &["--at", "5", "--feed", "1", "./dies"]);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""));
    let words = "move 1: the bot forfeits: ended with exit status 4 while its answer was due (G9)\n";
    assert_eq!(ran.stdout, format!("{words}standard error:\ntired\n"));
}

fn a_forfeit_has_its_answer_and_its_standard_error() {
    let scratch = Scratch::new();
    scratch.script("wild", "echo one; echo two; echo three; echo oops >&2");
    let head = "name = \"Small\"\nentrants = [\"./wild\", \"@greedy\"]\n";
    scratch.file("c.toml", format!("{head}[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n"));
    assert_eq!(Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"])).code, Some(0));
    let text = replay(&scratch, &[]).fine();
    let evidence = "      its answer:\n        one\n        two\n        three\n      its standard error: oops\n";
    let (before, _) = text.split_once(evidence).unwrap_or_else(|| panic!("{text}"));
    assert!(before.lines().last().is_some_and(|line| line.contains("wild forfeits: ")), "{text}");
    let json: Value = serde_json::from_str(&replay(&scratch, &["--format", "json"]).fine()).expect("JSON");
    let steps = json["steps"].as_array().expect("steps");
    let forfeit = &steps.last().expect("a step")["forfeit"];
    assert_eq!((&forfeit["answer"], &forfeit["stderr"]), (&json!("one\ntwo\nthree\n"), &json!("oops\n")));
}

/// The bot counts its moves in its file of notes (B9), and says the count on standard error.
fn a_fed_bot_has_the_notes_of_its_earlier_moves() {
    let scratch = played("boxing", "boxing-1994", ["@greedy", "@smallest"]);
    let (game, names) = recorded(&scratch);
    let seat = names.iter().position(|name| name.ends_with("@smallest")).expect("it played");
    let at = game.moves.iter().filter(|made| made.seat.index() == seat).nth(4).expect("five moves").number;
    scratch.script("counts", "echo move >>/tmp/arena.$mark; wc -l </tmp/arena.$mark >&2; move");
    let said = replay(&scratch, &["--at", &at.to_string(), "--feed", &(seat + 1).to_string(), "./counts"]).fine();
    assert!(said.starts_with(&format!("4 answers before move {at} as recorded\n")), "{said}");
    assert!(said.ends_with("standard error:\n5\n"), "{said}");
}

fn wrong_requests_are_refused() {
    let go = go();
    let rps = rps();
    let check = |scratch: &Scratch, options: &[&str], words: &str| {
        let ran = replay(scratch, options);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    };
    check(&rps, &["--at", "101"], "game s1/r1/m1/g1 has no move 101: choose 1 to 100");
    check(&rps, &["--at", "101", "--format", "json"], "has no move 101");
    check(&rps, &["--at", "2", "--feed", "1", "@rock"], "move 2 of game s1/r1/m1/g1 belongs to seat");
    check(&go, &["--feed", "1", "@capture"], "--feed needs --at");
    check(
        &go,
        &["--feed", "1", "@capture", "--format", "json"],
        "'--feed <SEAT> <BOT>' cannot be used with '--format",
    );
    check(&go, &["--at", "1", "--feed", "3", "@capture"], "--feed: the seat must be a number from 1 to 2");
    check(&go, &["--at", "1", "--feed", "1", "@rock"], "@rock plays rps, not go");
    let ran = Ran::from_command(cornerman(["replay", "no-such.db", GAME]));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}
