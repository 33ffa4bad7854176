//! `rejudge`: what other rules would have made of recorded games, and how these count in another contest.

use crate::support::{Ran, Scratch, checkout, small_arena, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(kept_records_are_judged_as_reviewed),
        trial!(what_is_known_is_what_bots_play_by_these_rules),
        trial!(a_new_record_says_where_it_comes_from),
        trial!(a_late_move_is_a_forfeit_in_the_new_record),
        trial!(a_contest_takes_the_games_that_it_has),
        trial!(a_counted_contest_is_a_record),
        trial!(the_page_has_what_the_text_has),
        trial!(a_stage_counts_by_what_decides_its_games),
        trial!(games_of_other_seats_are_unknown),
        trial!(wrong_requests_are_refused),
    ]
}

fn run(scratch: &Scratch, args: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman(args))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Copies a kept record.
fn keep(scratch: &Scratch, db: &str) {
    let from = checkout("tests/data/records").join(db);
    fs::copy(&from, scratch.path().join(db)).expect("a record");
}

/// Rules that differ from those of a record: the record, and the changed values.
const CHANGES: [(&str, &[&str]); 8] = [
    // A shorter time: moves that took longer are forfeits.
    ("boxing-full", &["soft_ms=1", "hard_ms=5"]),
    // A longer time: what the bots that were stopped would have answered is unknown.
    ("forfeits-boxing", &["hard_ms=1000"]),
    ("samurai", &["max_square=3"]),
    ("go-swiss", &["komi=-20.5"]),
    ("go-swiss", &["move_cap=20"]),
    ("forfeits-go", &["superko=false", "clock_s=1"]),
    ("forfeits-rps", &["soft_ms=1", "hard_ms=5"]),
    // The number of rounds is sent to the bots.
    ("rps", &["rounds=5"]),
];

fn kept_records_are_judged_as_reviewed() {
    let scratch = Scratch::new();
    for (name, set) in CHANGES {
        let db = format!("{name}.db");
        keep(&scratch, &db);
        let before = fs::read(scratch.path().join(&db)).expect("the record");
        let mut args = vec!["rejudge", &db];
        for set in set {
            args.extend(["--set", set]);
        }
        let text = run(&scratch, &args).fine();
        assert_eq!(fs::read(scratch.path().join(&db)).expect("the record"), before, "{db} was changed");
        args.extend(["--format", "md"]);
        let markdown = run(&scratch, &args).fine();
        args.truncate(args.len() - 1);
        args.push("json");
        let value = json(&run(&scratch, &args).fine());
        // The three forms have the same figures.
        let of = |key: &str| value[key].as_u64().expect(key);
        let games = of("same") + of("other_result") + of("diverge");
        let first = format!("{} of {games} games end as they did, {} otherwise", of("same"), of("other_result"));
        assert!(text.replace('\n', " ").contains(&first) && markdown.contains(&first), "{first}: {text}");
        let listed = value["games"].as_array().expect("a list").len() as u64;
        assert_eq!(listed, of("other_result") + of("diverge"));
        insta::with_settings!({ omit_expression => true, description => format!("rejudge {db} --set {}", set.join(" --set ")) }, {
            insta::assert_snapshot!(format!("{name}, {}", set.join(", ").replace('=', " ")), text);
        });
    }
}

/// The time in which every bot answers, also on a busy machine.
const GENEROUS: [&str; 2] = ["soft_ms=30000", "hard_ms=60000"];

/// Contests of bots that always play alike, and changes of their rules.
const PLAYED: [(&str, &str, &[&str]); 7] = [
    ("boxing-1994", r#""@greedy", "@mirror", "@parity""#, &["max_square=12"]),
    ("boxing-1994", r#""@greedy", "@mirror", "@parity""#, &["max_square=15", "soft_ms=29999"]),
    ("go-9x9", r#""@go-random", "@capture""#, &["komi=60.5"]),
    ("go-9x9", r#""@go-random", "@capture""#, &["superko=false", "move_cap=40"]),
    ("go-9x9", r#""@go-random", "@capture""#, &["clock_s=3600"]),
    ("rps-published", r#""@rotate", "@markov", "@frequency""#, &["hard_ms=90000"]),
    ("rps-published", r#""@rotate", "@markov", "@frequency""#, &["rounds=7"]),
];

fn what_is_known_is_what_bots_play_by_these_rules() {
    let mut known = 0;
    let mut other = 0;
    let mut unknown = 0;
    let scratch = Scratch::new();
    for (ruleset, bots, set) in PLAYED {
        // Played once for all changes of the ruleset.
        let then = format!("{ruleset}.db");
        fs::remove_file(scratch.path().join("now.db")).ok();
        let file = fs::read_to_string(checkout("rulesets").join(format!("{ruleset}.toml"))).expect("a ruleset");
        let with = |file: &str, set: &[&str]| {
            set.iter().fold(file.to_string(), |text, set| {
                let (key, value) = set.split_once('=').expect("KEY=VALUE");
                let line = |line: &str| match line.split_once('=') {
                    Some((its, _)) if its.trim() == key => format!("{key} = {value}\n"),
                    _ => format!("{line}\n"),
                };
                text.lines().map(line).collect()
            })
        };
        let rules = with(&file, &GENEROUS);
        scratch.file("changed.toml", with(&rules, set));
        scratch.file(&format!("{ruleset}-rules.toml"), rules);
        let contest = |ruleset: &str| {
            format!(
                "name = \"Tried\"\nseed = 5\nruleset = \"{ruleset}\"\nentrants = [{bots}]\n\n[[stages]]\nkind = \"all-play-all\"\nboards = [1, 2]\n"
            )
        };
        scratch.file(&format!("{ruleset}.toml"), contest(&format!("{ruleset}-rules.toml")));
        scratch.file("now.toml", contest("changed.toml"));
        for db in [then.as_str(), "now.db"].into_iter().filter(|db| !scratch.path().join(db).exists()) {
            let ran = run(&scratch, &["tournament", &db.replace(".db", ".toml"), "--no-check"]);
            assert_eq!(ran.code, Some(0), "{set:?}: {}", ran.stderr);
        }
        let mut args = vec!["rejudge", &then, "--format", "json"];
        for set in set {
            args.extend(["--set", set]);
        }
        let value = json(&run(&scratch, &args).fine());
        let by_file = run(&scratch, &["rejudge", &then, "--format", "json", "--rules", "changed.toml"]).fine();
        assert_eq!(json(&by_file)["games"], value["games"], "{set:?}: by the file and by the settings");
        let games = value["games"].as_array().expect("a list");
        let differing: BTreeMap<&str, &Value> =
            games.iter().map(|game| (game["game"].as_str().expect("a name"), game)).collect();
        let then = exported(&scratch, &then);
        let now = exported(&scratch, "now.db");
        assert_eq!(then.len(), now.len());
        for (id, then) in &then {
            let now = &now[id];
            let is_same_until = |move_number: u64| {
                let before = |game: &Value| {
                    let moves = game["moves"].as_array().expect("a list");
                    let moves = moves.iter().take_while(|made| made["number"].as_u64() < Some(move_number));
                    moves.map(|made| made["move"].clone()).collect::<Vec<_>>()
                };
                assert_eq!(before(then), before(now), "{set:?}: {id}");
            };
            let results = |game: &Value| {
                let seats = game["seats"].as_array().expect("a list");
                seats.iter().map(|seat| (seat["place"].clone(), seat["points"].clone())).collect::<Vec<_>>()
            };
            match differing.get(id.as_str()) {
                None => {
                    known += 1;
                    is_same_until(u64::MAX);
                    assert_eq!(results(now), results(then), "{set:?}: {id}");
                }
                Some(game) if game["judgement"] == "other result" => {
                    other += 1;
                    let after = &game["after"];
                    let list = |key: &str| after[key].as_array().expect("a list").clone();
                    let judged: Vec<_> = list("places").into_iter().zip(list("points")).collect();
                    assert_eq!(results(now), judged, "{set:?}: {id}");
                    let last = game["over_after_move"].as_u64().expect("a number");
                    is_same_until(last + 1);
                    assert_eq!(now["moves"].as_array().map(Vec::len), Some(last as usize), "{set:?}: {id}");
                }
                Some(game) => {
                    unknown += 1;
                    is_same_until(game["at_move"].as_u64().expect("a number"));
                }
            }
        }
    }
    assert!(known > 40 && other > 2 && unknown > 5, "{known} known, {other} other, {unknown} unknown");
}

/// The games of a record by name.
fn exported(scratch: &Scratch, db: &str) -> BTreeMap<String, Value> {
    let lines = run(scratch, &["export", db]).fine();
    let games = lines.lines().map(json);
    games.map(|game| (game["id"].as_str().expect("a name").to_string(), game)).collect()
}

fn a_new_record_says_where_it_comes_from() {
    let scratch = Scratch::new();
    keep(&scratch, "go-swiss.db");
    let rejudge = ["rejudge", "go-swiss.db", "--set", "komi=-20.5", "--into", "new.db"];
    let ran = run(&scratch, &rejudge);
    assert!(ran.code == Some(0) && ran.stderr.starts_with("wrote new.db with "), "{}", ran.stderr);
    let standings = run(&scratch, &["standings", "new.db"]).fine();
    for words in
        ["the games of go-swiss.db with the seal ", "played by go-5x5", "judged by go-5x5 with komi=-20.5"]
    {
        assert!(standings.replace('\n', " ").contains(words), "{words}: {standings}");
    }
    let value = json(&run(&scratch, &["standings", "new.db", "--format", "json"]).fine());
    let origin = value["origin"].as_str().expect("a text");
    let markdown = run(&scratch, &["standings", "new.db", "--format", "md"]).fine();
    assert!(markdown.contains("as judged by go-5x5 with komi=-20.5."), "{markdown}");
    let verified = run(&scratch, &["verify", "new.db"]).fine();
    assert!(verified.contains("follow from the contest and its rules"), "{verified}");
    assert_eq!(run(&scratch, &["report", "new.db"]).code, Some(0));
    let page = fs::read_to_string(scratch.path().join("new.html")).expect("a page");
    assert!(page.contains(origin), "{origin} is not on the page");
    // By its own rules nothing changes, and by the old ones all games are again as they were.
    let same = json(&run(&scratch, &["rejudge", "new.db", "--set", "komi=-20.5", "--format", "json"]).fine());
    assert_eq!((same["other_result"].as_u64(), same["diverge"].as_u64()), (Some(0), Some(0)));
    let back = run(&scratch, &["rejudge", "new.db", "--set", "komi=0.5", "--into", "back.db"]);
    assert_eq!(back.code, Some(0), "{}", back.stderr);
    // Nothing is overwritten, and nothing is left beside it.
    let before = fs::read(scratch.path().join("new.db")).expect("the record");
    let again = run(&scratch, &rejudge);
    assert!(again.code == Some(2) && again.stderr.contains("new.db"), "{}", again.stderr);
    assert_eq!(fs::read(scratch.path().join("new.db")).expect("the record"), before);
    let names: Vec<String> = scratch.listing().iter().map(|(path, _)| path.display().to_string()).collect();
    assert_eq!(names, ["back.db", "go-swiss.db", "new.db", "new.html"]);
}

fn a_late_move_is_a_forfeit_in_the_new_record() {
    let scratch = Scratch::new();
    keep(&scratch, "boxing-full.db");
    let set = ["--set", "soft_ms=1", "--set", "hard_ms=5"];
    let args: Vec<&str> =
        ["rejudge", "boxing-full.db", "--into", "new.db", "--format", "json"].into_iter().chain(set).collect();
    let ran = run(&scratch, &args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let value = json(&ran.stdout);
    let late =
        value["games"].as_array().and_then(|games| games.iter().find(|game| game["forfeits"][0].is_string()));
    let late = late.expect("a game with a late move");
    let id = late["game"].as_str().expect("a name");
    let forfeit = late["forfeits"][0].as_str().expect("words");
    assert_eq!(run(&scratch, &["verify", "new.db"]).code, Some(0));
    let game = &exported(&scratch, "new.db")[id];
    let fault = &game["faults"][0];
    assert_eq!((fault["kind"].as_str(), fault["detail"].as_str()), (Some("timeout"), Some(forfeit)));
    assert!(fault["view"].as_str().is_some_and(|view| view.starts_with("oooooooo")), "{fault}");
    assert_eq!(fault["number"], late["over_after_move"]);
    run(&scratch, &["replay", "new.db", id]).fine();
}

/// The rules of contests in boxing on three small boards, which it makes.
fn small_boxing(scratch: &Scratch) -> String {
    let boards = [60, 70, 80].map(|vacant| (format!("{vacant}.arena"), small_arena(vacant)));
    let files = boards.map(|(file, arena)| {
        scratch.file(&file, arena);
        file
    });
    format!("ruleset = \"boxing-1994\"\nboards = {files:?}")
}

fn a_contest_takes_the_games_that_it_has() {
    let scratch = Scratch::new();
    let boxing = small_boxing(&scratch);
    let contest_of = |rules: &str, name: &str, entrants: &str, stage: &str| {
        let file =
            format!("name = \"{name}\"\nseed = 5\n{rules}\nentrants = [{entrants}]\n\n[[stages]]\n{stage}\n");
        scratch.file(&format!("{name}.toml"), file);
    };
    let contest = |name: &str, entrants: &str, stage: &str| contest_of(&boxing, name, entrants, stage);
    let four = r#""@greedy", "@mirror", "@parity", "@first-fit""#;
    contest("league", four, "kind = \"all-play-all\"");
    contest("bonus", four, "kind = \"all-play-all\"\nscoring = \"bonus\"");
    contest("short", four, "kind = \"all-play-all\"\nboards = [1]");
    contest("cup", four, "kind = \"knockout\"");
    contest("wider", r#""@greedy", "@mirror", "@parity", "@smallest""#, "kind = \"all-play-all\"");
    contest("others", r#""@random", "@smallest""#, "kind = \"all-play-all\"");
    contest_of("ruleset = \"rps-polyglot\"", "hands", r#""@rock", "@rotate""#, "kind = \"all-play-all\"");
    let ran = run(&scratch, &["tournament", "league.toml", "--no-check"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let counted =
        |file: &str| json(&run(&scratch, &["rejudge", "league.db", "--contest", file, "--format", "json"]).fine());
    let order = |value: &Value| -> Vec<String> {
        let standings = value["standings"].as_array().expect("a list");
        standings.iter().map(|standing| standing["name"].as_str().expect("a name").to_string()).collect()
    };
    let missing = |value: &Value| value["missing"].as_array().map(Vec::len);
    // As the contest that it is, everything is as it was.
    let same = counted("league.toml");
    assert_eq!(
        (missing(&same), same["counted"].as_u64(), same["on_other_boards"].as_u64()),
        (Some(0), Some(36), Some(0))
    );
    let ran = run(&scratch, &["rejudge", "league.db", "--set", "max_square=16", "--into", "same.db"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let seal = run(&scratch, &["verify", "league.db"]).fine();
    let seal = seal.lines().find(|line| line.starts_with("seal ")).expect("a seal").to_string();
    let origin = json(&run(&scratch, &["standings", "same.db", "--format", "json"]).fine())["origin"].clone();
    assert!(origin.as_str().is_some_and(|origin| origin.contains(&seal)), "{origin}");
    let moved = same["standings"].as_array().expect("a list").iter().find(|it| it["place"] != it["place_before"]);
    assert_eq!(moved, None);
    // On one board of three, these games are what a run of that contest gives.
    let short = counted("short.toml");
    assert_eq!(
        (missing(&short), short["counted"].as_u64(), short["on_other_boards"].as_u64()),
        (Some(0), Some(12), Some(0))
    );
    let ran = run(&scratch, &["tournament", "short.toml", "--no-check", "--format", "json"]);
    let played: Vec<Value> = json(&ran.stdout)["final"]["standings"].as_array().expect("a list").clone();
    let names: Vec<&str> = played.iter().filter_map(|standing| standing["name"].as_str()).collect();
    assert_eq!(order(&short), names);
    for file in ["bonus.toml", "cup.toml"] {
        let value = counted(file);
        assert_eq!(missing(&value), Some(0), "{file}: {value}");
        assert_eq!(value["standings"].as_array().map(Vec::len), Some(4));
    }
    // An entrant that was not there has all its games to play.
    let wider = counted("wider.toml");
    assert_eq!((missing(&wider), wider["counted"].as_u64()), (Some(18), Some(18)));
    let text = run(&scratch, &["rejudge", "league.db", "--contest", "wider.toml"]).fine();
    for words in [
        "Missing games",
        "@smallest, @greedy",
        "Standings as far as they are known",
        "18 of 36 recorded games count",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for (file, words) in [
        (
            "others.toml",
            "others.toml has no two entrants whose games are in the record; those of the record are @greedy",
        ),
        ("hands.toml", "hands.toml is a contest of rps, but these games are of boxing"),
        ("leage.toml", "no such contest: leage.toml (did you mean `league.toml`?)"),
    ] {
        let ran = run(&scratch, &["rejudge", "league.db", "--contest", file]);
        assert!(ran.code == Some(2) && ran.stderr.replace('\n', " ").contains(words), "{words}: {}", ran.stderr);
    }
}

/// Games that count in another contest are a record of it, which `verify` takes and `tournament` goes on with.
fn a_counted_contest_is_a_record() {
    let scratch = Scratch::new();
    let contest = |name: &str, rules: &str, entrants: &str, stages: &str| {
        let head = format!("name = \"{name}\"\nseed = 5\n{rules}\nentrants = [{entrants}]\n");
        scratch.file(&format!("{name}.toml"), head + stages);
    };
    let league = "[[stages]]\nkind = \"all-play-all\"\n";
    let cup = "[[stages]]\nkind = \"knockout\"\nboards = [1]\n";
    let boxing = small_boxing(&scratch);
    let hands = "ruleset = \"rps-polyglot\"";
    for (game, rules, entrants, fewer) in [
        (
            "boxing",
            boxing.as_str(),
            r#""@greedy", "@mirror", "@parity", "@first-fit""#,
            r#""@greedy", "@parity", "@first-fit""#,
        ),
        ("rps", hands, r#""@rock", "@rotate", "@beat-last""#, r#""@rotate", "@beat-last""#),
    ] {
        contest("league", rules, entrants, league);
        contest("cup", rules, entrants, cup);
        contest("fewer", rules, fewer, league);
        let ran = run(&scratch, &["tournament", "league.toml", "--no-check", "--force-new"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        for name in ["cup", "fewer"] {
            let file = format!("{name}.toml");
            let db = format!("{game}-{name}.db");
            let counted = ["rejudge", "league.db", "--contest", &file, "--into", &db, "--format", "json"];
            let ran = run(&scratch, &counted);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let counted = json(&ran.stdout);
            // The league does not have the games by which ties in a match are played off.
            let missing = if (game, name) == ("rps", "cup") { 2 } else { 0 };
            assert_eq!(counted["missing"].as_array().map(Vec::len), Some(missing), "{counted}");
            let verified = run(&scratch, &["verify", &db]).fine();
            assert_eq!(verified.contains("the contest is finished"), missing == 0, "{verified}");
            let shown = json(&run(&scratch, &["standings", &db, "--format", "json"]).fine());
            let names = |list: &Value| -> Vec<Value> {
                list.as_array().expect("standings").iter().map(|it| it["name"].clone()).collect()
            };
            assert_eq!(names(&shown["final"]["standings"]), names(&counted["standings"]));
            let origin = shown["origin"].as_str().expect("an origin");
            assert!(origin.contains(&format!("counted as those of {name} ({file})")), "{origin}");
            // A run plays what is missing.
            let again = run(&scratch, &["tournament", &file, "--no-check", "--db", &db]);
            assert_eq!(again.code, Some(0), "{}", again.stderr);
            let verified = run(&scratch, &["verify", &db]).fine();
            assert!(verified.contains("the contest is finished"), "{verified}");
        }
    }
    // The games of arenas that this contest does not have cannot be its games.
    let boxing = "ruleset = \"boxing-1994\"";
    contest("league", boxing, r#""@greedy", "@mirror""#, league);
    contest("boards", boxing, r#""@greedy", "@mirror""#, "[[stages]]\nkind = \"all-play-all\"\nboards = [9]\n");
    assert_eq!(run(&scratch, &["tournament", "league.toml", "--no-check", "--force-new"]).code, Some(0));
    let ran = run(&scratch, &["rejudge", "league.db", "--contest", "boards.toml", "--into", "boards.db"]);
    let words = "boards.db: 2 of the games that count were played on other boards than this contest gives them";
    assert!(ran.code == Some(2) && ran.stderr.replace('\n', " ").contains(words), "{}", ran.stderr);
    assert!(!scratch.path().join("boards.db").exists());
}

/// In a Swiss of four, territory decides (S3), whoever wins a game by its own rules.
fn a_stage_counts_by_what_decides_its_games() {
    let scratch = Scratch::new();
    keep(&scratch, "samurai.db");
    let value =
        json(&run(&scratch, &["rejudge", "samurai.db", "--set", "max_square=3", "--format", "json"]).fine());
    let games = json(&run(&scratch, &["standings", "samurai.db", "--format", "json"]).fine());
    let same = value["matrix"].as_array().expect("a list").iter();
    let moved = same.filter(|it| it["before"] != it["after"] && it["after"] != "unknown");
    assert_eq!(moved.count(), 0, "no game has another result: {}", value["matrix"]);
    let before: u64 =
        value["matrix"].as_array().expect("a list").iter().filter_map(|it| it["games"].as_u64()).sum();
    assert_eq!(Some(before), games["games"].as_u64());
    for game in value["games"].as_array().expect("a list") {
        let points = game["before"]["points"].as_array().expect("a list");
        let sum: i64 = points.iter().filter_map(Value::as_i64).sum();
        assert_eq!(sum, 12, "the points of a Swiss of four (S3): {game}");
    }
    let listed = run(&scratch, &["games", "samurai.db"]).fine();
    assert!(listed.contains("@greedy wins by territory") && !listed.contains("marks"), "{listed}");
    let orders = value["lots"].as_array().expect("a list");
    assert_eq!(orders.len(), 2, "{orders:?}");
    assert_eq!(
        (orders[0]["stage"].as_u64(), orders[0]["about"].as_str()),
        (Some(1), Some("the order of round 1"))
    );
    let text = run(&scratch, &["rejudge", "samurai.db", "--set", "max_square=3"]).fine();
    let first = orders[1]["order"][0]["name"].as_str().expect("a name");
    assert!(text.contains(&format!("the order of round 1  {first}, ")), "{text}");
}

fn the_page_has_what_the_text_has() {
    let scratch = Scratch::new();
    keep(&scratch, "samurai.db");
    let args = ["rejudge", "samurai.db", "--set", "max_square=3", "--report", "rules.html"];
    let ran = run(&scratch, &args);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "wrote rules.html\n"));
    let page = fs::read_to_string(scratch.path().join("rules.html")).expect("a page");
    for line in ran.stdout.lines().filter(|line| line.contains(" replay samurai.db ")) {
        let replay = line.rsplit("  ").next().expect("a column").trim();
        assert!(page.contains(replay), "{replay}");
    }
    for title in ["Results", "Standings as far as they are known", "Games that differ"] {
        assert!(page.contains(title) && ran.stdout.contains(title), "{title}");
    }
    // It replaces an older page, and nothing else.
    assert_eq!(run(&scratch, &args).code, Some(0));
    scratch.file("mine.html", "mine");
    let ran = run(&scratch, &["rejudge", "samurai.db", "--set", "max_square=3", "--report", "mine.html"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("mine.html exists and is not a report"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

/// Pairs cannot have met by rules for three and more: each game says so.
fn games_of_other_seats_are_unknown() {
    let scratch = Scratch::new();
    keep(&scratch, "mini.db");
    let rules = fs::read_to_string(checkout("rulesets/boxing-1994.toml")).expect("a ruleset");
    scratch.file("seats.toml", rules.replace("seats = [2, 8]", "seats = [3, 8]"));
    let text = run(&scratch, &["rejudge", "mini.db", "--rules", "seats.toml"]).fine();
    let why = "2 seats, but the ruleset boxing-1994 allows 3 to 8";
    assert_eq!((text.matches(why).count(), text.matches("of 6 nobody knows").count()), (6, 1), "{text}");
}

fn wrong_requests_are_refused() {
    let scratch = Scratch::new();
    keep(&scratch, "mini.db");
    // A Swiss of four.
    keep(&scratch, "samurai.db");
    scratch.file(
        "seats.toml",
        fs::read_to_string(checkout("rulesets/boxing-1994.toml"))
            .expect("it")
            .replace("seats = [2, 8]", "seats = [2, 3]")
            .replace("\"ABCDEFGH\"", "\"ABC\""),
    );
    for (args, words) in [
        (&["mini.db"][..], "--set"),
        (&["mini.db", "--set", "max_squar=8"], "has no key `max_squar` (did you mean `max_square`?)"),
        (&["mini.db", "--set", "max_square"], "expected a key and a value, such as max_square=8"),
        (&["mini.db", "--set", "max_square=17"], "--set max_square=17: "),
        (&["mini.db", "--set", "hard_ms=20"], "hard_ms = 20 is less than soft_ms"),
        (
            &["mini.db", "--rules", "rps-polyglot"],
            "the ruleset rps-polyglot is for the game rps, but these games are of boxing",
        ),
        (&["mini.db", "--rules", "boxing-1995"], "(did you mean `boxing-1994`?)"),
        (&["samurai.db", "--rules", "seats.toml"], "the contest in the record cannot be played by boxing-1994: "),
        (&["mini.db", "--set", "max_square=8", "--contest", "c.toml"], "cannot be used with"),
        (&["mini.db", "--set", "max_square=8", "--into", "none/new.db"], "no such folder: none"),
        (&["min.db", "--set", "max_square=8"], "no such record: min.db (did you mean `mini.db`?)"),
    ] {
        let args: Vec<&str> = ["rejudge"].iter().chain(args).copied().collect();
        let ran = run(&scratch, &args);
        assert!(
            ran.code == Some(2) && ran.stderr.replace('\n', " ").contains(words),
            "{args:?}: {words}: {}",
            ran.stderr
        );
    }
}
