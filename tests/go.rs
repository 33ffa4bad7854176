//! Go: contests with engines, and bots behind `gtp-bridge`.

use crate::support::{PROGRAM, Ran, Scratch, checkout, trial};
use cornerman::game::Outcome;
use cornerman_harness::bot::Bot;
use cornerman_harness::games::go::GTP;
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};

/// GNU Go with a fixed seed, which always plays the same moves.
pub const GNUGO: &str =
    "gtp:gnugo --mode gtp --level 0 --seed 1 --chinese-rules --capture-all-dead --positional-superko";

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_bot_behind_the_bridge_plays_as_it_does_itself),
        trial!(the_bridge_beside_gnu_go_plays_to_the_end, if gnugo_is_there),
        trial!(the_bridge_in_a_sandbox_says_what_it_needs),
        trial!(the_bridge_speaks_gtp),
        trial!(a_fault_behind_the_bridge_is_reported),
        trial!(bots_that_cannot_be_bridged_are_refused),
        trial!(engines_that_are_missing_are_named),
        trial!(the_command_of_an_engine_comes_back_from_a_record),
        trial!(the_contests_of_the_kit_can_be_played, if gnugo_is_there),
    ]
}

/// Whether GNU Go can play on this machine.
///
/// # Errors
/// The reason against it.
pub fn gnugo_is_there() -> Result<(), String> {
    Bot::engine(GTP, "gnugo", Path::new("")).map(drop).map_err(|missing| missing.to_string())
}

/// Writes `c.toml`: all play all twice on a board of size five, with `entrants` as a contest file lists them.
pub fn contest(scratch: &Scratch, entrants: &[String]) {
    let rules = std::fs::read_to_string(checkout("rulesets/go-9x9.toml")).expect("a built-in ruleset");
    scratch.file("small.toml", rules.replace("size = 9", "size = 5"));
    let text = "name = \"Go\"\nruleset = \"small.toml\"\nseed = 7\n";
    let list = entrants.join(",\n");
    scratch.file("c.toml", format!("{text}entrants = [\n{list}\n]\n[[stages]]\nkind = \"pair-swiss\"\n"));
}

/// The program of a reference bot.
fn program(name: &str) -> PathBuf {
    Path::new(PROGRAM).with_file_name(name)
}

/// An entrant that is a reference bot's program behind `gtp-bridge`.
fn bridged(program_name: &str, options: &str) -> String {
    let bot = program(program_name);
    format!("{{ path = \"gtp:'{PROGRAM}' gtp-bridge {options} '{}'\", name = \"bridged\" }}", bot.display())
}

/// Options with which a bot can start a sandbox of its own.
const NESTED: [&str; 4] = ["--isolation", "restricted", "--isolation-at-most", "restricted"];

type Game = (Vec<usize>, Outcome, Vec<String>, Vec<String>);

/// Plays the contest with these options. Returns for each game its seats, its end, its moves, and the details of faults.
#[track_caller]
fn played(scratch: &Scratch, options: &[&str]) -> Vec<Game> {
    let ran = Ran::from_command(scratch.cornerman([&["tournament", "c.toml"], options].concat()));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let heads = record.games().expect("the games can be read").into_iter();
    let games = heads.map(|head| {
        let game = record.game(head.pairing.id).expect("it can be read").expect("it is in the list");
        let seats = game.pairing.seats.iter().map(|entrant| entrant.index()).collect();
        let moves = game.moves.into_iter().map(|made| made.notation).collect();
        let faults = game.faults.into_iter().map(|fault| format!("{}: {}", fault.detail, fault.stderr)).collect();
        (seats, game.outcome, moves, faults)
    });
    games.collect()
}

fn a_bot_behind_the_bridge_plays_as_it_does_itself() {
    let scratch = Scratch::new();
    contest(&scratch, &["\"@go-random\"".into(), "\"@capture\"".into(), bridged("go-capture", "")]);
    let games = played(&scratch, &NESTED);
    for seats in [[0, 1], [1, 0]] {
        let of = |seats: [usize; 2]| games.iter().find(|game| game.0 == seats).expect("everyone meets everyone");
        let itself = of(seats);
        let behind = of(seats.map(|seat| if seat == 1 { 2 } else { 0 }));
        assert!(itself.2.len() > 10 && itself.3.is_empty(), "{itself:?}");
        assert_eq!((&itself.1, &itself.2, &itself.3), (&behind.1, &behind.2, &behind.3));
    }
}

fn the_bridge_in_a_sandbox_says_what_it_needs() {
    let scratch = Scratch::new();
    contest(&scratch, &["\"@go-random\"".into(), bridged("go-capture", "")]);
    for (_, _, _, faults) in played(&scratch, &["--isolation-at-most", "scoped"]) {
        assert!(
            faults.iter().any(|fault| fault.contains("in a sandbox, in which it can start none")),
            "{faults:?}"
        );
    }
}

fn the_bridge_beside_gnu_go_plays_to_the_end() {
    let scratch = Scratch::new();
    contest(&scratch, &[format!("\"{GNUGO}\""), bridged("go-random", "--isolation-at-most plain")]);
    for (_, outcome, moves, faults) in played(&scratch, &NESTED) {
        assert!(moves.len() > 10 && faults.is_empty(), "{outcome:?}, {moves:?}, {faults:?}");
    }
}

/// The output of `gtp-bridge` with `bot` for these commands, one per line.
#[track_caller]
fn check(bot: &Path, commands: &str, said: &str) {
    let mut command = crate::support::cornerman(["gtp-bridge".as_ref(), bot.as_os_str()]);
    command.write_stdin(commands);
    let answers = Ran::from_command(command).fine();
    // Every response ends with a blank line.
    assert!(answers.ends_with("\n\n"), "{answers}");
    assert_eq!(answers.replace("\n\n", "\n"), said);
}

fn the_bridge_speaks_gtp() {
    let scratch = Scratch::new();
    let passes =
        scratch.executable("passes", "#!/bin/sh\n[ $1 = black ] && echo pass\nwhile read x; do echo pass; done\n");
    check(
        &passes,
        "protocol_version\n1 name\n# nothing\n2 known_command genmove\nknown_command undo\nundo\nfrobnicate\n7 komi\n",
        "= 2\n=1 passes\n=2 true\n= false\n? cannot undo: in the bot's protocol, moves cannot be taken back\n\
         ? unknown command\n?7 syntax error\n",
    );
    check(
        &passes,
        "boardsize 26\nboardsize 5\nkomi 0.25\nkomi 5.5\nplay b c3\ngenmove w\nplay b pass\nfinal_score\ngenmove b\nquit\nname\n",
        "? unacceptable size\n= \n? komi is a number of whole or half points\n= \n= \n= pass\n= \n= B+19.5\n\
         ? the game is over\n= \n",
    );
    check(
        &passes,
        "boardsize 5\ngenmove b\nplay b c3\nplay w c3\nplay b c4\ngenmove w\nclear_board\nplay b a1\nplay w a1\nplay w z9\n\
         play w a2\ngenmove b\nshowboard\nfinal_score\n",
        "= \n= pass\n? illegal move: the bot plays black and makes its own moves\n= \n\
         ? illegal move: the bot plays black and makes its own moves\n\
         ? it is black's turn, and the colours must take turns in the bot's protocol\n= \n= \n\
         ? illegal move: A1 is occupied by a black stone, the opponent's, since move 1\n\
         ? invalid color or coordinate\n= \n? the bot can only be started at the first move of its colour\n\
         = \n      A B C D E\n   5  + + + + +  5\n   4  + + + + +  4\n   3  + + + + +  3\n   2 (O)+ + + +  2\n\
         \u{20}  1  @ + + + +  1\n      A B C D E\n= W+6.5\n",
    );
}

fn a_fault_behind_the_bridge_is_reported() {
    let scratch = Scratch::new();
    let silent = scratch.executable("silent", "#!/bin/sh\ncat >/dev/null\n");
    check(
        &silent,
        "time_settings 0 1 1\ntime_left w 1 1\ntime_settings 1 0\nplay b c3\ngenmove w\n",
        "= \n= \n? syntax error\n= \n? silent forfeits: waits for input and has written nothing: does it flush its output? (G3)\n",
    );
    let dies = scratch.executable("dies", "#!/bin/sh\nread x\nexit 4\n");
    check(
        &dies,
        "play b c3\ngenmove w\ngenmove w\nclear_board\nplay b c3\n",
        "= \n? dies forfeits: ended with exit status 4 while its answer was due (G9)\n\
         ? dies forfeits: ended with exit status 4 while its answer was due (G9)\n= \n= \n",
    );
    let cheats = scratch.executable("cheats", "#!/bin/sh\nread x\necho $x\ncat\n");
    check(
        &cheats,
        "play b c3\ngenmove w\n",
        "= \n? cheats forfeits: C3 is occupied by a black stone, the opponent's, since move 1 (G6)\n",
    );
}

#[track_caller]
fn check_refused(args: &[&str], words: &str) {
    let ran = Ran::from_command(crate::support::cornerman(args));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

fn bots_that_cannot_be_bridged_are_refused() {
    check_refused(&["gtp-bridge", "@greedy"], "@greedy plays boxing, and the game here is go");
    check_refused(&["gtp-bridge", "gtp:sh"], "gtp:sh already speaks GTP and needs no bridge");
    check_refused(&["gtp-bridge", "@capture", "--size", "4"], "5..=25");
    check_refused(&["play", "@capture", "@greedy"], "@greedy plays boxing, not go");
    check_refused(&["play", "gtp:sh 'x", "@greedy"], "a quotation mark is not closed");
}

fn engines_that_are_missing_are_named() {
    check_refused(&["check", "gtp:./no-such/engine --book a/b.dat"], "no such bot: ./no-such/engine");
    let scratch = Scratch::new();
    contest(&scratch, &["\"gtp:no-such-engine --gtp\"".into(), "\"@greedy\"".into(), "\"@go-random\"".into()]);
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml"]));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("`no-such-engine` is not on this machine, and the engine needs it"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("@greedy plays boxing, and the game here is go"), "{}", ran.stderr);
}

/// An engine that always passes.
const PASSES: &str = r#"#!/bin/sh
while read -r word rest; do
  case $word in genmove) printf '= pass\n\n' ;; *) printf '=\n\n' ;; esac
done
"#;

/// The record has the whole command of each entry, even of one that does not play, in a new run and in a resumed one, and
/// with that command the engine can be asked for its moves again.
fn the_command_of_an_engine_comes_back_from_a_record() {
    let scratch = Scratch::new();
    scratch.executable("engines/mine", PASSES);
    let commands = ["gtp:./engines/mine --book 'a b/c.dat'", "gtp:sh engines/mine d/e.dat", "gtp:sh engines/mine"];
    let entry = |author: &str, command: &str| format!("{{ path = \"{command}\", author = \"{author}\" }}");
    // A later entry of the same author replaces an earlier one.
    let replaced = "gtp:sh engines/mine f/g.dat";
    let entries = [("Ann", replaced), ("Bob", commands[0]), ("Cy", commands[1]), ("Ann", commands[2])];
    contest(&scratch, &entries.map(|(author, command)| entry(author, command)));
    for resumed in [false, true] {
        let games = played(&scratch, &[]);
        let record = Record::open(&scratch.path().join("c.db")).expect("a record");
        let entrants = record.entrants().expect("entrants");
        let specs: Vec<&str> = entrants.iter().map(|entrant| entrant.spec.as_str()).collect();
        assert_eq!(specs, [&commands[..], &[replaced]].concat(), "resumed: {resumed}");
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["mine", "sh (mine d/e.dat)", "sh (mine)", "sh (mine f/g.dat)"], "resumed: {resumed}");
        assert!(games.len() == 6 && games.iter().all(|game| game.2 == ["pass", "pass"]), "{games:?}");
    }
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let game = &record.games().expect("games")[0];
    for (seat, entrant) in (1..).zip(game.pairing.seats.iter()) {
        let spec = &record.entrants().expect("entrants")[entrant.index()].spec;
        let id = game.pairing.id.to_string();
        let seat = seat.to_string();
        let fed =
            Ran::from_command(scratch.cornerman(["replay", "c.db", &id, "--feed", &seat, spec, "--at", &seat]))
                .fine();
        assert!(fed.contains("pass, legal, as recorded"), "{spec}: {fed}");
    }
}

fn the_contests_of_the_kit_can_be_played() {
    let scratch = Scratch::new();
    for name in ["go", "go-usenix"] {
        let file = checkout(&format!("contests/{name}.toml"));
        let shown = Ran::from_command(scratch.cornerman([
            "tournament".as_ref(),
            file.as_os_str(),
            "--dry-run".as_ref(),
            "--no-check".as_ref(),
        ]))
        .fine();
        assert!(shown.contains("20 games"), "{shown}");
    }
}
