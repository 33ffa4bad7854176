//! `play` and people: a human in a seat, colours where they are wanted, pictures on a terminal.

use super::record::Record;
use crate::support::{PROGRAM, Ran, Scratch, cornerman, marks, small_arena, trial};
use libtest_mimic::Trial;
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(two_humans_play_a_whole_game),
        trial!(a_human_is_asked_until_the_move_is_legal),
        trial!(a_human_may_give_up_or_go_away),
        trial!(a_pipe_gets_no_escape_codes),
        trial!(colours_can_be_forced),
        trial!(a_terminal_gets_pictures_in_place, ["script"]),
        trial!(no_line_of_a_picture_is_wider_than_the_terminal, ["script", "stty"]),
        trial!(no_color_is_obeyed_on_a_terminal, ["script"]),
    ]
}

/// Plays a game of `bots` on an arena of 3 vacant spots, in which the humans type `typed`. Returns its record, and what
/// the humans were shown.
#[track_caller]
fn check(bots: [&str; 2], typed: &str) -> (Record, String) {
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(3));
    let options = ["--board", "small.arena", "--format", "json", "--marks", &marks(2)];
    let mut command = scratch.cornerman([&["play"], &bots[..], &options].concat());
    command.write_stdin(typed);
    let ran = Ran::from_command(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (Record::replayed(&ran.stdout), ran.stderr)
}

fn two_humans_play_a_whole_game() {
    let (record, _) = check(["human", "human"], "1 1 1\n1 3 1\n1 2 1\n");
    assert_eq!(record.only("game-ended")["places"], serde_json::json!([1, 2]));
    assert_eq!(record.only("game-ended")["end"], "played");
}

fn a_human_is_asked_until_the_move_is_legal() {
    let (record, told) = check(["human", "@greedy"], "what?\n1 1 17\n9 9 1\n16 32 2\n\n1 1 1\n1 3 1\n");
    assert_eq!(record.only("game-ended")["end"], "played");
    for words in [
        "expected three numbers from 1 up",
        "squares have sides of at most 16",
        "row 9, column 9 is not vacant",
        "is not wholly inside the arena, which has 16 rows and 32 columns",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

fn a_human_may_give_up_or_go_away() {
    for typed in ["1 1 1\nq\n", "1 1 1\nquit\n", "1 1 1\n", "1 1 1\n1 3"] {
        let (record, _) = check(["human", "@greedy"], typed);
        let fault = record.only("faulted");
        assert_eq!((&fault["kind"], &fault["detail"]), (&"resigned".into(), &"gave up".into()), "{typed}");
        assert_eq!(record.only("game-ended")["places"], serde_json::json!([2, 1]));
    }
}

fn a_pipe_gets_no_escape_codes() {
    for options in [&[][..], &["-q"], &["--match"]] {
        let marks = marks(2);
        let args = [&["play", "@greedy", "@parity", "--seed", "2", "--marks", &marks], options].concat();
        let text = Ran::from_command(cornerman(args)).fine();
        assert!(text.contains(" wins with ") && !text.contains('\x1b'), "{text}");
    }
}

fn colours_can_be_forced() {
    let mut command = cornerman(["play", "@greedy", "@parity", "--seed", "2", "-q", "--marks", &marks(2)]);
    command.env("CLICOLOR_FORCE", "1");
    let text = Ran::from_command(command).fine();
    assert!(text.contains("\x1b[34m"), "{text}");
    assert!(!text.contains("\x1b[18A"), "a pipe has no picture to draw over: {text}");
}

/// The output of a small game to a terminal of this size, with this value of `NO_COLOR`.
fn on_a_terminal(columns: u32, lines: u32, no_color: &str) -> String {
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(3));
    let size = format!("stty columns {columns} rows {lines}");
    let game =
        format!("{size}; {PROGRAM} play @greedy @parity --board small.arena --delay 0 --marks {}", marks(2));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &game, "/dev/null"]).current_dir(scratch.path());
    command.env("NO_COLOR", no_color).env("TERM", "xterm").env_remove("CLICOLOR").stdin(Stdio::null());
    let output = command.output().expect("script runs");
    let text = String::from_utf8(output.stdout).expect("the command prints UTF-8");
    assert!(output.status.success() && text.contains("fills the last spot"), "{text}");
    text
}

fn a_terminal_gets_pictures_in_place() {
    let text = on_a_terminal(80, 24, "");
    assert_eq!(
        text.matches("\x1b[18A\x1b[J").count(),
        3,
        "a picture for each move, each over the last one: {text}"
    );
    assert!(text.contains("\x1b[34m"), "{text}");
}

fn no_line_of_a_picture_is_wider_than_the_terminal() {
    let text = on_a_terminal(36, 24, "1");
    let pictures = text.split("\n        5   10").skip(1);
    let moves: Vec<&str> = pictures.map(|picture| picture.lines().nth(17).expect("the line below it")).collect();
    assert_eq!(moves.len(), 4, "{text}");
    assert!(moves[1..].iter().all(|line| line.trim_end().len() == 36), "{moves:?}");
    assert!(!on_a_terminal(35, 24, "").contains("\x1b[18A"), "the arena itself is too wide to be drawn over");
    assert!(!on_a_terminal(80, 18, "").contains("\x1b[18A"), "the arena itself is too tall to be drawn over");
}

fn no_color_is_obeyed_on_a_terminal() {
    let text = on_a_terminal(80, 24, "1");
    assert!(!text.contains("\x1b["), "{text}");
}
