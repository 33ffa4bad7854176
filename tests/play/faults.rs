//! Bots that misbehave: the game goes on or ends by forfeit, the message names the fault and its rule, the exit code is
//! 0, and no process or file of the bots remains.

use super::record::Record;
use crate::support::leftovers::{wait_until_gone, wait_until_nothing_is_left};
use crate::support::{Ran, Scratch, THOROUGH_LEVELS, marks, small_arena, trial};
use libtest_mimic::Trial;
use std::path::Path;

/// A bot's name and script, the kind of its fault, and words that the message must have.
const FAULTS: [(&str, &str, &str, &str); 12] = [
    ("answers_nothing_new", "cat", "none", "nothing was marked though 4 spots are vacant"),
    ("answers_nothing", "cat >/dev/null", "length", "nothing was written"),
    ("answers_with_another_mark", "mark=% && move", "mark", "its first argument, is"),
    ("answers_with_two_spots", "move | move", "square", "a rectangle 2 wide and 1 tall"),
    ("answers_with_carriage_returns", "move | awk '{ printf \"%s\\r\\n\", $0 }'", "line-ending", "(B6)"),
    ("talks_after_the_arena", "move; echo done", "trail", "(B6)"),
    ("talks_before_the_arena", "echo thinking; move", "lead", "(B6)"),
    ("crashes", "echo I broke >&2; kill -SEGV $$", "died", "signal 11 (SIGSEGV: "),
    ("never_answers", "while :; do sleep 1; done", "timeout", "no answer within 2.0 s (B10)"),
    ("answers_and_never_ends", "move; exec sleep 600", "timeout", "no answer within 2.0 s (B10)"),
    ("writes_without_end", "while :; do cat /proc/self/maps; done", "too-much", "wrote too much"),
    ("wants_a_missing_program", "exec no-such-interpreter", "length", "nothing was written"),
];

/// What a bot does besides making its moves, and the remark on it.
const REMARKS: [(&str, &str, &str); 4] = [
    ("exits_with_a_status", "move; exit 3", "exit status 3 (B5)"),
    ("leaves_a_process", "\"$0\" linger >/dev/null 2>&1 </dev/null & move", "left a process running (B9)"),
    ("leaves_a_process_with_its_output", "\"$0\" linger & move", "left a process running (B9)"),
    (
        "leaves_a_process_of_another_session",
        // If the sandbox refuses to let the process leave its group, it is ended with the group.
        "s=setsid; setsid true 2>/dev/null || s=; $s \"$0\" linger & move",
        "left a process running (B9)",
    ),
];

/// What a bot leaves besides its state file where each bot has its own folders, and the remark on it.
const FILES: [(&str, &str, &str); 3] = [
    ("leaves_a_file", "touch /tmp/notes; move", "left a file or folder besides its state file (B9)"),
    (
        "leaves_files",
        "ln -s / /tmp/a; touch \"$HOME/b\"; move",
        "left 2 files or folders besides its state file (B9)",
    ),
    (
        "leaves_a_link_for_its_state",
        "ln -s / \"/tmp/arena.$mark\"; move",
        "put a link, folder or pipe in the place of its state file (B9)",
    ),
];

pub fn trials() -> Vec<Trial> {
    let faults = FAULTS.iter().map(|&(name, body, kind, words)| {
        trial(&format!("play::faults::a_bot_forfeits_that_{name}"), &["awk"], move || {
            check(name, body, kind, words);
        })
    });
    let remarks = REMARKS.iter().map(|&(name, body, remark)| {
        trial(&format!("play::faults::a_bot_plays_on_that_{name}"), &["awk", "setsid"], move || {
            for level in &THOROUGH_LEVELS {
                check_remark(name, body, remark, level);
            }
        })
    });
    let files = FILES.iter().map(|&(name, body, remark)| {
        trial(&format!("play::faults::a_bot_plays_on_that_{name}"), &["awk"], move || {
            check_remark(name, body, remark, "namespaced");
        })
    });
    let others = [
        trial!(a_flood_of_standard_error_is_cut, ["awk"]),
        trial!(standard_error_is_shown_with_the_fault),
        trial!(with_three_the_other_two_play_on),
        trial!(the_folder_of_a_bot_is_gone_afterwards, ["awk"]),
    ];
    faults.chain(remarks).chain(files).chain(others).collect()
}

/// A folder with the bot `name` and an arena.
fn corner(name: &str, body: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.script(name, body);
    scratch.file("small.arena", small_arena(4));
    scratch
}

/// The output of a game of `bots` on the small arena, in this format. Checks that no process or file of it remains.
fn run(scratch: &Scratch, bots: &[&str], format: &str) -> String {
    let marks = marks(bots.len());
    let options = ["--board", "small.arena", "--marks", &marks, "--format", format];
    let text = Ran::from_command(scratch.cornerman([&["play"], bots, &options].concat())).fine();
    wait_until_nothing_is_left(scratch, &marks);
    text
}

fn check(name: &str, body: &str, kind: &str, words: &str) {
    let scratch = corner(name, body);
    let record = Record::replayed(&run(&scratch, &[name, "@greedy"], "json"));
    let fault = record.only("faulted");
    assert_eq!((&fault["seat"], &fault["kind"]), (&1.into(), &kind.into()), "{fault}");
    let detail = fault["detail"].as_str().unwrap();
    assert!(detail.contains(words) && detail.contains("(B"), "{detail}");
    let end = record.only("game-ended");
    assert_eq!((&end["end"], end["places"].to_string().as_str()), (&"forfeited".into(), "[2,1]"));
    assert_eq!(record.only("match-ended")["entrants"][0]["forfeits"], 1);
    let text = run(&scratch, &[name, "@greedy"], "text");
    let line = text.lines().find(|line| line.contains(&format!("{name} forfeits: "))).expect("a line about it");
    assert!(line.contains(words), "{line}");
    assert!(text.contains("@greedy is the last one left and wins with 0 marks"), "{text}");
}

fn check_remark(name: &str, body: &str, remark: &str, level: &str) {
    let scratch = corner(name, body);
    let marks = marks(2);
    let game =
        ["play", name, "@greedy", "--board", "small.arena", "--marks", &marks, "--isolation-at-most", level];
    let told = |format| Ran::from_command(scratch.cornerman([&game[..], &["--format", format]].concat())).fine();
    let record = Record::replayed(&told("json"));
    assert_eq!(record.only("game-ended")["end"], "played");
    let of_bot = |event: &&&serde_json::Value| event["seat"] == 1;
    let moves: Vec<_> = record.named("moved");
    assert_eq!(moves.iter().filter(of_bot).count(), 2);
    for moved in moves.iter().filter(of_bot) {
        assert_eq!(moved["remarks"], serde_json::json!([remark]), "{moved}");
    }
    assert!(told("text").contains(&format!("; {remark}\n")));
    wait_until_nothing_is_left(&scratch, &marks);
}

fn a_flood_of_standard_error_is_cut() {
    let scratch = corner("loud", "head -c 10000000 /dev/zero | tr '\\0' x >&2; move");
    let record = Record::replayed(&run(&scratch, &["loud", "@greedy"], "json"));
    assert_eq!(record.only("game-ended")["end"], "played");
    let said = record.named("moved")[0]["stderr"].as_str().unwrap();
    assert!(said.starts_with("xxxx") && said.len() <= 64 * 1024, "{} bytes", said.len());
}

fn standard_error_is_shown_with_the_fault() {
    let scratch = corner("sorry", "echo one >&2; printf 'two \\033[31m red\\n' >&2");
    let text = run(&scratch, &["sorry", "@greedy"], "text");
    let shown = "      standard error: one\n      standard error: two \\u{1b}[31m red\n";
    assert!(text.contains(shown), "{text}");
}

fn with_three_the_other_two_play_on() {
    let scratch = corner("lazy", "cat");
    let record = Record::replayed(&run(&scratch, &["@greedy", "lazy", "@smallest"], "json"));
    assert_eq!(record.only("faulted")["seat"], 2);
    let end = record.only("game-ended");
    assert_eq!((&end["end"], &end["moves"]), (&"played".into(), &4.into()));
}

fn the_folder_of_a_bot_is_gone_afterwards() {
    let scratch = corner("homely", "echo note > \"$HOME/note\"; echo \"$HOME\" >&2; move");
    let record = Record::replayed(&run(&scratch, &["homely", "@greedy"], "json"));
    let home = record.named("moved")[0]["stderr"].as_str().unwrap().trim_end();
    assert!(home.starts_with('/') && home.len() > 1, "{home}");
    wait_until_gone(Path::new(home));
}
