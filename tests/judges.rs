//! Judges: games whose rules are a program. One game goes through all commands, the transcripts on the page are played, and
//! for each check of `judge` there is a judge with one fault.

mod everything;
mod hostile;
mod killed;

use crate::schema::{fits, schema};
use crate::support::{Scratch, checkout, trial};
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial!(a_game_of_ones_own_goes_through_all_commands, ["python3"]),
        trial!(the_transcripts_on_the_page_are_played, ["python3"]),
        trial!(a_judge_that_fails_loses_the_game_for_no_one, ["python3"]),
        trial!(a_slow_judge_ends_the_check_of_a_bot, ["python3"]),
        trial!(a_failure_is_shown_again_with_the_rules, ["python3"]),
        trial!(what_repeats_or_falls_to_lots_is_said_before_a_contest, ["python3"]),
        trial!(the_right_judge_passes, ["python3"]),
        trial!(the_finals_of_an_example_are_played, ["python3", "cc"]),
        trial!(versions_are_compared_in_games_of_three, ["python3"]),
        trial!(who_wins_is_said_of_the_bots_beside_a_judge, ["python3"]),
        trial!(moves_at_the_same_time_are_shown_once, ["python3"]),
        trial!(bots_that_close_their_output_take_no_time_of_another, ["python3"]),
        trial!(a_bot_of_a_filter_may_read_its_input_to_the_end, ["python3"]),
        trial!(a_change_of_forfeits_is_a_change_of_the_rules, ["python3"]),
        trial!(mistakes_are_named, ["python3"]),
    ];
    trials.extend(BROKEN.iter().map(|&(id, from, to)| {
        let name = format!("judges::{}::{}", id.to_lowercase(), name_of(from, to));
        trial(&name, &["python3"], move || check(id, from, to))
    }));
    trials.extend(everything::trials());
    trials.extend(hostile::trials());
    trials.extend(killed::trials());
    trials
}

/// A number that makes the name of a broken judge's trial unique.
fn name_of(from: &str, to: &str) -> usize {
    BROKEN.iter().position(|broken| (broken.1, broken.2) == (from, to)).unwrap_or(0)
}

/// The right judge.
const RIGHT: &str = include_str!("judges/pick.py");

/// The check that a judge fails if this part of the right one is replaced.
const BROKEN: &[(&str, &str, &str)] = &[
    ("JD-START", "flush=True", "flush=False"),
    ("JD-HELLO", "\"seats\": [2, 3]", "\"seats\": [3, 2]"),
    ("JD-HELLO", "\"game\": \"pick\"", "\"game\": \"Pick!\""),
    ("JD-RULES", "\"default\": 4", "\"default\": 9"),
    ("JD-RULES", "    hand = list(", "    assert q[\"rules\"][\"cards\"] < 6\n    hand = list("),
    ("JD-JSON", "    return move(q)\n", "    print(\"a move\")\n    return move(q)\n"),
    ("JD-FIELD", "\"territory\"", "\"teritory\""),
    ("JD-FORM", "return {\"illegal\": illegal}", "return {\"error\": \"illegal\"}"),
    ("JD-SIZE", "\"view\": text, \"territory\"", "\"view\": text * 9999, \"territory\""),
    (
        "JD-TIME",
        "    return move(q)\n",
        "    if q[\"state\"][\"won\"][0] == 2 and None not in q[\"moves\"]: time.sleep(9)\n    return move(q)\n",
    ),
    (
        "JD-EXIT",
        "            card = int(text)\n",
        "            card = int(text)\n            if state[\"won\"][seat] == 2: sys.exit(1)\n",
    ),
    ("JD-EOF", "flush=True)\n", "flush=True)\nsys.exit(3)\n"),
    (
        "JD-SAME",
        "    return position(q, state)\n",
        "    time.asked = getattr(time, \"asked\", 0) + 1\n    return {**position(q, state), \"words\": str(time.asked)}\n",
    ),
    (
        "JD-FRESH",
        "    return position(q, state)\n",
        "    return {**position(q, state), \"words\": \" \".join({\"one\", \"two\", \"three\", \"four\", \"five\"})}\n",
    ),
    ("JD-BOARD", "            return {\"error\": \"a board", "            raise {\"error\": \"a board"),
    (
        "JD-ERROR",
        "    hand = list(",
        "    if q[\"seats\"] == 3: return {\"error\": \"not for three\"}\n    hand = list(",
    ),
    ("JD-TURN", "\"turn\": turn,", "\"turn\": turn[::-1],"),
    ("JD-VIEW", "\"view\": text, \"territory\"", "\"territory\""),
    ("JD-OUTCOME", "\"points\": state[\"won\"]", "\"points\": state[\"won\"][1:]"),
    ("JD-OUT", "turn = [seat for seat in left if", "turn = [seat for seat in range(seats) if"),
    (
        "JD-FORFEIT",
        "    state, shown = q[\"state\"], {}\n",
        "    state, shown = q[\"state\"], {}\n    assert None not in q[\"moves\"]\n",
    ),
    ("JD-ILLEGAL", "return {\"illegal\": illegal}", "return {\"illegal\": [it for it in illegal if it]}"),
    ("JD-GARBAGE", "    if text is not None and text.strip()", "    if text is not None and str(int(text))"),
    (
        "JD-APART",
        "    illegal = [",
        "    if None in q[\"moves\"]: return position(q, q[\"state\"])\n    illegal = [",
    ),
    ("JD-LEGAL", "in q[\"state\"][\"hands\"][q[\"seat\"]]]}", "in [*q[\"state\"][\"hands\"][q[\"seat\"]], 77]]}"),
    (
        "JD-NOTATION",
        "    return position(q, state)\n",
        "    return {**position(q, state), \"moves\": [text and \"0\" + text.strip() for text in q[\"moves\"]]}\n",
    ),
    ("JD-ENDLESS", "[other for other in state[\"hands\"][seat] if other != card]", "state[\"hands\"][seat]"),
    ("JD-PICTURE", "</text>", "<script/></text>"),
    ("JD-NEWER", "    return position(q, state)\n", "    return {**position(q, state), \"words\": str(len(q))}\n"),
    ("JD-SEEDED", "random.Random(q[\"seed\"])", "random.Random(1)"),
    (
        "JD-STDERR",
        "        return start(q)\n",
        "        print(\"starts\", file=sys.stderr)\n        return start(q)\n",
    ),
];

const RULESET: &str = r#"
id = "pick"
title = "Pick"
version = 1
date = 2024-01-01

[judge]
source = "judge.py"
answer_ms = 900

[limits]
soft_ms = 1000
hard_ms = 2000
memory_mib = 512
"#;

/// The command with these arguments, in the scratch folder.
fn command(scratch: &Scratch, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cornerman"));
    command.args(args).current_dir(scratch.path()).env("XDG_CACHE_HOME", scratch.path().join("cache"));
    command
}

/// The standard output and the standard error of the command, which ends with this exit code.
#[track_caller]
fn ran(scratch: &Scratch, args: &[&str], code: i32) -> (String, String) {
    let Output { status, stdout, stderr } = command(scratch, args).output().expect("it runs");
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    assert_eq!(status.code(), Some(code), "{args:?}: {stdout}{stderr}");
    (stdout, stderr)
}

/// The ids of the checks that the judge fails.
fn failed(scratch: &Scratch, code: i32) -> BTreeSet<String> {
    let (report, _) = ran(scratch, &["judge", ".", "--format", "json", "--budget", "1s", "--strict"], code);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let checks = report["checks"].as_array().expect("a list").iter();
    let failed = checks.filter(|check| check["outcome"] == "failed");
    failed.map(|check| check["id"].as_str().expect("a text").to_string()).collect()
}

/// A judge in which `from` is replaced by `to` fails `id` and no other check.
#[track_caller]
fn check(id: &str, from: &str, to: &str) {
    assert!(RIGHT.contains(from), "{from}");
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT.replacen(from, to, 1));
    scratch.file("pick.toml", RULESET);
    assert_eq!(failed(&scratch, 1), BTreeSet::from([id.to_string()]), "{from} -> {to}");
}

fn the_right_judge_passes() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT);
    scratch.file("pick.toml", RULESET);
    assert_eq!(failed(&scratch, 0), BTreeSet::new());
    let catalogue = ran(&scratch, &["judge", "--list"], 0).0;
    for id in catalogue.lines().filter_map(|line| line.split_whitespace().next()) {
        assert!(BROKEN.iter().any(|(broken, ..)| *broken == id), "no judge fails {id}");
        assert!(ran(&scratch, &["judge", "--explain", id], 0).0.contains("hint: "));
    }
    let json = |args: &[&str]| -> Value {
        let printed = ran(&scratch, &[&["judge", "--format", "json"], args].concat(), 0).0;
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
    };
    assert_eq!(json(&["--list"])["checks"].as_array().map(Vec::len), Some(catalogue.lines().count()));
    assert_eq!(json(&["--explain", "jd-start"])["id"], "JD-START");
}

fn a_game_of_ones_own_goes_through_all_commands() {
    let scratch = Scratch::new();
    let fine = |args: &[&str]| ran(&scratch, args, 0).0;
    assert!(fine(&["new-game", "dots"]).trim_end().ends_with("judge dots"));
    let rules = ["--rules", "dots/dots.toml"];
    let with_rules = |args: &[&str]| fine(&[args, &rules].concat());
    assert!(fine(&["judge", "dots", "--budget", "1s"]).contains("the judge of dots: passes"));
    assert!(
        with_rules(&["play", "dots/bots/greedy.py", "dots/bots/first.py", "--seed", "3"])
            .contains(" wins with 1 point")
    );
    assert!(with_rules(&["check", "dots/bots/greedy.py", "--budget", "0"]).contains(" checks pass"));
    fine(&["tournament", "dots/cup.toml"]);
    assert!(fine(&["verify", "cup.db"]).contains("follow from the contest and its rules"));
    assert!(fine(&["games", "cup.db"]).contains("6 of 6 games"));
    assert!(fine(&["replay", "cup.db", "s1/r1/m1/g1"]).contains("the start"));
    let by = ["dots/bots/greedy.py"; 4].join(",");
    let why = fine(&["why", "cup.db", "s1/r1/m1/g3", "--by", &by]);
    assert!(why.contains("played on up to 12 times by greedy, greedy, greedy, greedy"), "{why}");
    assert!(why.contains("move 3: falls from 100 % to 0 % (± 23 %) by `1 1`"), "{why}");
    let error = ran(&scratch, &["why", "cup.db", "s1/r1/m1/g3", "--by", "@greedy"], 2).1;
    assert!(error.contains("@greedy plays boxing, not dots"), "{error}");
    assert!(fine(&["rejudge", "cup.db", "--set", "most=20"]).contains("unknown"));
    assert!(fine(&["rules", "keys", "--rules", "dots/dots.toml"]).contains("objects of a heap"));
    for args in [&["standings", "cup.db"][..], &["audit", "cup.db"], &["export", "cup.db"], &["report", "cup.db"]]
    {
        fine(args);
    }
    fine(&["rules", "diff", "dots/dots.toml", "dots/dots.toml"]);
    let wrong =
        fs::read_to_string(scratch.path().join("dots/dots.toml")).unwrap().replace("heaps = 4", "heap = 4");
    scratch.file("dots/wrong.toml", &wrong);
    let error = ran(&scratch, &["play", "dots/bots/greedy.py", "human", "--rules", "dots/wrong.toml"], 2).1;
    assert!(error.contains("the judge has no rule `heap` (did you mean `heaps`?)"), "{error}");
}

fn the_finals_of_an_example_are_played() {
    let scratch = Scratch::new();
    let contest = checkout("contests/pahtum-finals.toml").display().to_string();
    ran(&scratch, &["tournament", &contest, "--db", "finals.db"], 0);
    assert!(ran(&scratch, &["verify", "finals.db"], 0).0.contains("follow from the contest and its rules"));
}

/// In a game of three, copies of the old version sit beside the new one. The seat that shows other cards than the two that
/// show the same wins all rounds.
fn versions_are_compared_in_games_of_three() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT.replace("\"seats\": [2, 3]", "\"seats\": [3, 3]"));
    scratch.file("pick.toml", RULESET);
    let shows = |cards: &str| {
        format!(
            "import sys\nfor at, line in enumerate(sys.stdin):\n    first = int(line.split()[-1])\n    \
             print(({cards})[(at + first) % 4], flush=True)\n"
        )
    };
    scratch.file("bots/down.py", shows("4, 3, 2, 1"));
    scratch.file("up.py", shows("1, 2, 3, 4"));
    scratch.file("quits.py", "import sys\nsys.exit(3)\n");
    let rules = ["--rules", "pick.toml", "--seed", "5", "--elo1", "300"];
    let compare = |bots: &[&str], code| ran(&scratch, &[&["compare"], bots, &rules[..]].concat(), code).0;

    let better = compare(&["up.py", "bots/down.py"], 0);
    assert!(better.contains("up is stronger than down: at least +") && better.contains(" boards "), "{better}");
    let verified = ran(&scratch, &["verify", "compare.db"], 0).0;
    assert!(verified.contains("follow from the contest and its rules"), "{verified}");
    // Between the moves of one turn, games are played out as well.
    assert!(ran(&scratch, &["why", "compare.db", "--bot", "down"], 0).0.contains("played out at random"));
    let worse = compare(&["quits.py", "bots/down.py"], 1);
    assert!(worse.contains("quits is not stronger than down by 300: at most "), "{worse}");
    assert!(worse.contains("; down: none") && worse.contains(" boards          0.000 "), "{worse}");
    // Copies of the old version forfeit in every game, and are counted.
    let other = compare(&["bots/down.py", "quits.py", "--format", "json"], 0);
    let other: Value = serde_json::from_str(&other).expect("JSON");
    let forfeits = format!("{} left", 2 * other["games"].as_u64().expect("a number"));
    assert_eq!(other["forfeits"][1]["forfeits"].as_str(), Some(&*forfeits), "{other}");

    // Among the same opponents, which are one bot that sits twice.
    let among = compare(&["up.py", "quits.py", "--against", "bots/down.py", "--format", "json"], 0);
    let among: Value = serde_json::from_str(&among).expect("JSON");
    assert_eq!(
        among["verdict"].as_str().expect("a text").split(':').next(),
        Some("up is stronger than quits against down")
    );
    assert_eq!(
        (among["counts"][0]["score"].as_str(), among["games"].as_u64()),
        (Some("+3.00"), among["pairs"].as_u64().map(|pairs| 6 * pairs))
    );

    let spar = ["spar", "up.py", "--rules", "pick.toml", "--seed", "5", "--format", "json"];
    let spar: Value = serde_json::from_str(&ran(&scratch, &spar, 0).0).expect("JSON");
    let rung = &spar["rungs"][0];
    assert_eq!((rung["name"].as_str(), rung["grade"].as_str()), (Some("down"), Some("above")), "{spar}");
    assert_eq!(rung["score"].as_f64(), Some(1.0), "{spar}");

    let alone = RIGHT.replace("\"seats\": [2, 3]", "\"seats\": [1, 1]");
    scratch.file("judge.py", alone.replace("len(left) < 2 or ", ""));
    let (_, error) = ran(&scratch, &["spar", "up.py", "--rules", "pick.toml"], 2);
    assert!(error.contains("a game of this ruleset has one seat"), "{error}");
}

fn a_judge_that_fails_loses_the_game_for_no_one() {
    let scratch = Scratch::new();
    scratch.file(
        "judge.py",
        RIGHT.replace(
            "    state, shown = ",
            "    if sum(q[\"state\"][\"won\"]) == 2: raise ValueError(\"two\")\n    state, shown = ",
        ),
    );
    scratch.file("pick.toml", RULESET);
    scratch.file("bot.py", "import sys\nfor at, line in enumerate(sys.stdin): print(at % 4 + 1, flush=True)\n");
    scratch.file("other.py", "import sys\nfor at, line in enumerate(sys.stdin): print(4 - at % 4, flush=True)\n");
    let (_, error) = ran(&scratch, &["play", "bot.py", "other.py", "--rules", "pick.toml"], 3);
    for words in ["JD-EXIT", "ValueError: two", "\"ask\":\"move\"", ".jsonl", "No bot is to blame"] {
        assert!(error.contains(words), "{words}: {error}");
    }
    scratch.file(
        "cup.toml",
        "name = \"cup\"\nruleset = \"pick.toml\"\n[[entrants]]\npath = \"bot.py\"\n[[entrants]]\npath = \"other.py\"\n\
         [[stages]]\nkind = \"all-play-all\"\n",
    );
    let (_, error) = ran(&scratch, &["tournament", "cup.toml", "--no-check"], 3);
    assert!(error.contains("JD-EXIT"), "{error}");
    assert_eq!(error.matches("ValueError: two").count(), 1, "{error}");
    // While entries are checked, as many at a time as there are processors.
    for name in ["third.py", "fourth.py"] {
        scratch.file(name, "import sys\nfor at, line in enumerate(sys.stdin): print(at % 3 + 1, flush=True)\n");
    }
    let bots = ["bot.py", "other.py", "third.py", "fourth.py"];
    let (_, error) = ran(&scratch, &[&["check"], &bots[..], &["--rules", "pick.toml"]].concat(), 3);
    assert!(error.contains("JD-EXIT"), "{error}");
    // A wrong answer; then the fresh process, which is asked nothing but `hello` before, gives none.
    let twice = "for at, line in enumerate(sys.stdin):\n    q = json.loads(line)\n    \
                 if q[\"ask\"] == \"move\" and at == 1: sys.exit(5)\n    \
                 print(\"[]\" if q[\"ask\"] == \"move\" else json.dumps(answer(q)), flush=True)\n";
    scratch.file("judge.py", RIGHT.split("for line in sys.stdin:").next().unwrap().to_string() + twice);
    let (_, error) = ran(&scratch, &["play", "bot.py", "other.py", "--rules", "pick.toml"], 3);
    assert!(error.contains("exit status 5 (JD-EXIT)") && !error.contains("  answered "), "{error}");
}

/// If the judge alone spends the budget of a check, only the first game is played, and the report says that it is slow.
fn a_slow_judge_ends_the_check_of_a_bot() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT.replace("    return move(q)\n", "    time.sleep(0.7)\n    return move(q)\n"));
    scratch.file("pick.toml", RULESET);
    scratch.file("bot.py", "import sys\nfor at, line in enumerate(sys.stdin): print(at % 4 + 1, flush=True)\n");
    let (out, _) = ran(&scratch, &["check", "bot.py", "--rules", "pick.toml", "--budget", "1s"], 0);
    assert!(out.contains("(1 of ") && out.contains("the game's judge is slow: 1 run took "), "{out}");
}

fn what_repeats_or_falls_to_lots_is_said_before_a_contest() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT.replace("\"game\": \"pick\"", "\"game\": \"pick\", \"seeded\": False"));
    scratch.file("pick.toml", RULESET);
    for name in ["bot.py", "other.py"] {
        scratch.file(name, format!("import sys\nfor line in sys.stdin: print(\"{name}\", flush=True)\n"));
    }
    for (stage, told) in [
        ("kind = \"all-play-all\"\nboards = [1, 2, 3]", "each game is played 3 times from the same beginning"),
        ("kind = \"knockout\"", "a tie is played again from the same beginning"),
    ] {
        let head = "name = \"cup\"\nruleset = \"pick.toml\"\nentrants = [\"bot.py\", \"other.py\"]";
        scratch.file("cup.toml", format!("{head}\n[[stages]]\n{stage}\n"));
        let (out, _) = ran(&scratch, &["tournament", "cup.toml", "--no-check", "--dry-run"], 0);
        assert!(out.split_whitespace().collect::<Vec<_>>().join(" ").contains(told), "{out}");
    }
}

/// A bot that shows these cards in turn.
fn shows(cards: &str) -> String {
    format!("import sys\nfor at, line in enumerate(sys.stdin): print(({cards})[at % 4], flush=True)\n")
}

/// A judge that gives the loser's points to the winner is right by all other checks.
fn who_wins_is_said_of_the_bots_beside_a_judge() {
    let points = "\"points\": state[\"won\"]";
    for (judge, told) in [
        (RIGHT.to_string(), "good won 10 of 10 games against bad\n"),
        (RIGHT.replace(points, "\"points\": state[\"won\"][::-1]"), "good won 0 of 10 games against bad\n"),
    ] {
        let scratch = Scratch::new();
        scratch.file("judge.py", judge.replace("\"seats\": [2, 3]", "\"seats\": [2, 2]"));
        scratch.file("pick.toml", RULESET);
        scratch.file("bots/bad.py", shows("4, 1, 2, 3"));
        scratch.file("bots/good.py", shows("1, 2, 3, 4"));
        let (out, _) = ran(&scratch, &["judge", ".", "--budget", "1s"], 0);
        assert!(out.contains(told), "{out}");
    }
}

/// The board is drawn and the judge's words are said once for all who act at the same time, a refused answer is quoted, and
/// games of more than two have a result beside their forfeits.
fn moves_at_the_same_time_are_shown_once() {
    let scratch = Scratch::new();
    let words = "\"territory\": state[\"won\"], \"value\": state[\"won\"], \"words\": \"a round\"}";
    scratch.file("judge.py", RIGHT.replace("\"territory\": state[\"won\"]}", words));
    scratch.file("pick.toml", RULESET);
    for (name, cards) in [("up.py", "1, 2, 3, 4"), ("down.py", "2, 3, 4, 1"), ("odd.py", "1, 'my card', 1, 1")] {
        scratch.file(name, shows(cards));
    }
    let bots = ["up.py", "down.py", "odd.py"];
    let play = [&["play"], &bots[..], &["--rules", "pick.toml", "--seed", "5", "--db", "odd.db"]].concat();
    let (out, _) = ran(&scratch, &play, 0);
    assert!(
        out.contains("forfeits: show a card that you have") && out.contains("\n      its answer: my card\n"),
        "{out}"
    );
    assert_eq!(out.matches("0 0 0 bonus").count(), 1, "{out}");
    let (replay, _) = ran(&scratch, &["replay", "odd.db", "s1/r1/m1/g1"], 0);
    assert_eq!((replay.matches("a round").count(), replay.matches(" bonus ").count()), (3, 5), "{replay}");
    let (games, _) = ran(&scratch, &["games", "odd.db"], 0);
    assert!(games.contains("down wins with 3 points; odd forfeits at move 6: illegal"), "{games}");
    let (why, _) = ran(&scratch, &["why", "odd.db", "s1/r1/m1/g1", "--bot", "up"], 0);
    assert!(why.contains("minus that of the best other seat"), "{why}");
}

/// Each of five bots that do not end after they closed their output is ended by force after half a second.
fn bots_that_close_their_output_take_no_time_of_another() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT.replace("\"seats\": [2, 3]", "\"seats\": [2, 6]"));
    scratch.file("pick.toml", RULESET);
    scratch.file("shows.py", shows("1, 2, 3, 4"));
    scratch.file("closes.py", "import os, time\ninput()\nos.close(1)\ntime.sleep(9)\n");
    let closers = ["closes.py"; 5];
    for bots in [[&["shows.py"][..], &closers[..]].concat(), [&closers[..], &["shows.py"][..]].concat()] {
        let play = [&["play"], &bots[..], &["--rules", "pick.toml", "--db", "closed.db"]].concat();
        ran(&scratch, &play, 0);
        let db = scratch.path().join("closed.db");
        let record = Record::open(&db).expect("a record");
        let head = record.games().expect("games").remove(0);
        let game = record.game(head.pairing.id).expect("it can be read").expect("it was played");
        let spent = &game.moves[0].used;
        // Python's start is a part of it.
        assert!(spent.wall.saturating_sub(spent.lag) < Duration::from_secs(1), "{bots:?}: {spent:?}");
        fs::remove_file(db).expect("it is there");
    }
}

/// The input of a judge's filter has no known length, so its end is all that a bot can wait for.
fn a_bot_of_a_filter_may_read_its_input_to_the_end() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT.replace("\"game\": \"pick\"", "\"game\": \"pick\", \"protocol\": \"filter\""));
    scratch.file("pick.toml", RULESET);
    let checked = ran(&scratch, &["check", "--list", "--rules", "pick.toml"], 0).0;
    assert!(checked.contains("PICK-CHUNK") && !checked.contains("PICK-OPEN"), "{checked}");
}

fn a_change_of_forfeits_is_a_change_of_the_rules() {
    let scratch = Scratch::new();
    let over = "    if len(left) < 2 or not turn:\n";
    let lost = "        state[\"won\"] = [won * (seat in left) for seat, won in enumerate(state[\"won\"])]\n";
    for (name, judge) in
        [("judge.py", RIGHT.to_string()), ("other.py", RIGHT.replace(over, &format!("{over}{lost}")))]
    {
        scratch.file(name, judge);
    }
    scratch.file("pick.toml", RULESET);
    scratch.file("other.toml", RULESET.replace("judge.py", "other.py"));
    ran(&scratch, &["rules", "diff", "pick.toml", "pick.toml"], 0);
    let (out, _) = ran(&scratch, &["rules", "diff", "pick.toml", "other.toml"], 1);
    assert!(out.contains("Games with forfeits") && !out.contains("Games of random moves"), "{out}");
}

fn mistakes_are_named() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT);
    scratch.file("pick.toml", RULESET);
    for name in ["a.py", "b.py", "c.py"] {
        scratch.file(name, shows("1, 2, 3, 4"));
    }
    ran(&scratch, &["play", "a.py", "b.py", "--rules", "pick.toml", "--db", "r.db", "--quiet"], 0);
    let is_record = "r.db is a record, which `standings` shows; a ruleset is a TOML file";
    for args in
        [&["play", "a.py", "b.py", "--rules", "r.db"][..], &["judge", "r.db"], &["rules", "snapshot", "r.db"]]
    {
        let (_, error) = ran(&scratch, args, 2);
        assert!(error.contains(is_record), "{error}");
    }
    let seats = "seats: expected a number from 1 to 8, or the fewest and the most, such as [2, 4]";
    scratch.file("nine.toml", RULESET.replace("answer_ms = 900", "seats = 9"));
    let (_, error) = ran(&scratch, &["judge", "nine.toml"], 2);
    assert!(error.contains(seats), "{error}");
    for (stage, told) in [
        ("kind = \"pair-swiss\"\ngames = 4", "cup.toml:6: games: 4 is out of range: 1 to 2"),
        (
            "kind = \"gauntlet\"\nseats = 3\nchallengers = 2",
            "3 entrants are too few for 2 challengers, each of which plays 2",
        ),
    ] {
        let head = "name = \"cup\"\nruleset = \"pick.toml\"\nentrants = [\"a.py\", \"b.py\", \"c.py\"]";
        scratch.file("cup.toml", format!("{head}\n[[stages]]\n{stage}\n"));
        let (_, error) = ran(&scratch, &["tournament", "cup.toml", "--no-check", "--dry-run"], 2);
        assert!(error.split_whitespace().collect::<Vec<_>>().join(" ").contains(told), "{error}");
    }
}

fn a_failure_is_shown_again_with_the_rules() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT);
    scratch.file("pick.toml", RULESET);
    scratch.file("bot.py", "import sys\nfor line in sys.stdin: print(\"what?\", flush=True)\n");
    let (out, _) = ran(&scratch, &["check", "bot.py", "--rules", "pick.toml"], 1);
    let again = out.lines().find_map(|line| line.split_once("check bot.py --run "));
    assert!(again.is_some_and(|(_, options)| options.contains(" --rules pick.toml")), "{out}");
}

/// Asks the judge of Nim on the page the questions of the page's transcripts, and compares the answers.
fn the_transcripts_on_the_page_are_played() {
    let page = fs::read_to_string(checkout("docs/judge.md")).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    let asked = lines.iter().filter_map(|line| line.strip_prefix("→ "));
    let answered = lines.iter().filter_map(|line| line.strip_prefix("← "));
    let scratch = Scratch::new();
    scratch.file("nim.py", include_str!("judges/nim.py"));
    let mut judge = Command::new("python3")
        .arg(scratch.path().join("nim.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut questions = judge.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(judge.stdout.take().expect("a pipe")).lines();
    let [questions_are, hello_is, answers_are] =
        ["judge-question", "judge-hello", "judge-answer"].map(|name| schema(&scratch, name));
    let mut count = 0;
    for (question, expected) in asked.zip(answered) {
        writeln!(questions, "{question}").unwrap();
        let answer = answers.next().expect("an answer").unwrap();
        let [answer, expected]: [Value; 2] =
            [&*answer, expected].map(|text| serde_json::from_str(text).expect(text));
        assert_eq!(answer, expected, "{question}");
        let asked = serde_json::from_str(question).expect("JSON");
        let answer_is = if count == 0 { &hello_is } else { &answers_are };
        for (schema, value) in [(&questions_are, &asked), (answer_is, &answer)] {
            fits(schema, schema, value).unwrap_or_else(|why| panic!("{value}: {why}"));
        }
        count += 1;
    }
    assert!(count >= 8, "the page has {count} questions");
    drop(questions);
    assert!(judge.wait().unwrap().success());
    // The same judge and the complete one of the page are right.
    let complete = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a judge");
    for (file, source) in [("nim", include_str!("judges/nim.py")), ("page", complete)] {
        scratch.file("judge.py", source);
        scratch.file("pick.toml", RULESET.replace("pick", file));
        assert_eq!(failed(&scratch, 0), BTreeSet::new(), "{file}");
    }
}
