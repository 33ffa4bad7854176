//! Faults that a bot of every game in lines can have, as they are faults of the protocol: each is one list of steps, with
//! which the bots of all these games are made.

use crate::lines::{
    abort_if, brief_process, end_the_helper, exit_if, flush_at_the_end, fork_at_the_end, have_a_helper, kept_back,
    kept_back_if, leave, read, read_in_a_thread, read_once, remember, scratch, sleep_if, stay, write, write_aside,
};
use crate::process::{asset, home};
use crate::{MutantKind, kind};
use std::io::{self, Write};
use std::process::{ExitCode, abort};
use std::thread::sleep;
use std::time::Duration;

/// The steps of a bot that no game decides.
pub struct Steps {
    /// Runs before anything is written; an error ends the bot.
    pub prepare: fn() -> Result<(), String>,
    /// Reads the next line, without its line feed; `None` at the end of input.
    pub read: fn() -> Option<String>,
    /// Runs before the answer of each turn is chosen. Turns are counted from 1.
    pub heed: fn(usize),
    /// Returns what is written in a turn, in place of a line with the answer.
    pub answer: fn(usize, &str) -> String,
    /// Writes text to standard output.
    pub write: fn(&str),
    /// Runs when the input or the game has ended, and returns the exit status.
    pub finish: fn() -> ExitCode,
}

/// The bot without a fault.
impl Default for Steps {
    fn default() -> Steps {
        Steps { prepare: || Ok(()), read, heed: |_| (), answer: |_, line| line.to_string(), write, finish: leave }
    }
}

impl Steps {
    /// Runs a bot; `play` is what it does between the first step and the last.
    pub fn run(&self, play: impl FnOnce()) -> ExitCode {
        if let Err(why) = (self.prepare)() {
            // Not `eprintln!`, which panics if standard error is closed.
            _ = writeln!(io::stderr(), "error: {why}");
            return ExitCode::FAILURE;
        }
        play();
        (self.finish)()
    }
}

/// The beginnings of the names of kinds, by game.
const PREFIXES: [&str; 3] = ["rps-", "go-", "nim-"];

/// What [`Row`] has for a game for which a fault is no fault of its own, or one that a kind of that game has.
const NOT: &str = "not";

/// A name, a fault, and the check that fails in each of [`PREFIXES`]; empty where the bot passes, and [`NOT`] where there is
/// no such bot.
type Row = (&'static str, &'static str, [&'static str; 3]);

/// Every kind of fault.
const ROWS: &[Row] = &[
    ("none", "no fault", ["", "", ""]),
    ("near-chatter", "writes a few lines to standard error", ["", "", ""]),
    ("near-dribble", "writes letter by letter", ["", "", ""]),
    ("near-blanks", "writes blanks and CR around its answers", ["", "", ""]),
    ("near-late-start", "takes 0.3 seconds to start", ["", "", ""]),
    ("near-status", "ends with status 7 when the game is over", ["", "", ""]),
    ("near-thread", "reads in a second thread", [NOT, "", ""]),
    ("near-last-words", "writes a line when its input has ended", ["", NOT, ""]),
    ("gives-up", "ends before it writes anything", ["RP-NAME", "GO-TURN", "NM-START"]),
    ("reads-first", "reads a line more than it is sent before it answers", ["RP-TIME", "GO-TURN", "NM-START"]),
    ("leaves", "leaves in its third turn", ["RP-ROUNDS", "GO-LONG", "NM-START"]),
    ("answers-on-standard-error", "writes all to standard error", ["RP-NAME", "GO-TURN", "NM-START"]),
    ("banner-first", "writes a line before anything else", ["RP-QUIET", "GO-QUIET", "NM-ORDER"]),
    ("prompt", "writes words before each answer", ["RP-QUIET", "GO-COORD", "NM-ONE"]),
    ("debug-line", "writes how it chose", ["RP-QUIET", "GO-QUIET", "NM-ONE"]),
    ("echoes", "writes each line that it reads", ["RP-QUIET", "GO-ONE", "NM-ONE"]),
    ("no-lf", "writes answers without a line feed", ["RP-LF", "GO-LF", "NM-LF"]),
    ("no-lf-once", "forgets the line feed in its second turn", ["RP-LF", "GO-LF", "NM-LF"]),
    ("cr-only", "ends answers with CR", ["RP-LF", "GO-LF", "NM-LF"]),
    ("two-lines", "writes each answer twice", ["RP-ONE", "GO-ONE", "NM-ONE"]),
    ("two-lines-once", "writes its answer twice in its second turn", ["RP-ONE", "GO-ONE", "NM-ONE"]),
    ("blank-line", "writes an empty line after each answer", ["RP-ONE", "GO-QUIET", "NM-ONE"]),
    ("buffered", "flushes its output only at the end", ["RP-FLUSH", "GO-FLUSH", "NM-FLUSH"]),
    ("flushes-every-second", "flushes its output in every second turn", ["RP-FLUSH", "GO-FLUSH", "NM-FLUSH"]),
    ("holds-one-back", "does not flush its output in its second turn", ["RP-FLUSH", "GO-FLUSH", "NM-FLUSH"]),
    ("sleeps", "sleeps for five seconds before each answer", ["RP-TIME", NOT, "NM-TIME"]),
    ("slow-once", "takes 0.7 seconds for its second answer", ["RP-TIME", NOT, "NM-TIME"]),
    ("read-once", "takes the result of one read for whole lines", ["RP-CHUNK", "GO-CHUNK", "NM-CHUNK"]),
    ("needs-home", "does not play without HOME", ["RP-ENV", "GO-ENV", "NM-ENV"]),
    ("relative-asset", "looks for a file beside it in the working directory", ["RP-ENV", "GO-ENV", "NM-ENV"]),
    ("saves", "keeps a file in /tmp", ["RP-FRESH", "GO-FRESH", "NM-FRESH"]),
    ("saves-in-folder", "keeps a file in its folder", ["RP-FRESH", "GO-FRESH", "NM-FRESH"]),
    ("saves-at-the-end", "keeps a file in /tmp when its input has ended", ["RP-FRESH", "GO-FRESH", "NM-FRESH"]),
    ("scratch-files", "makes files and removes them when it starts", ["RP-FRESH", "GO-FRESH", "NM-FRESH"]),
    ("leaves-process", "leaves a process behind", ["RP-ORPHAN", "GO-ORPHAN", "NM-ORPHAN"]),
    ("has-a-helper", "has a second process while it plays", ["RP-THREADS", "GO-FORK", NOT]),
    ("brief-process", "has a second process for a moment in its third turn", ["RP-THREADS", "GO-FORK", NOT]),
    ("segv", "dies by a signal in its third turn", ["RP-SIGNAL", "GO-SIGNAL", "NM-SIGNAL"]),
    ("floods-stderr", "writes 128 KiB to standard error", ["RP-STDERR", NOT, "NM-STDERR"]),
    ("ignores-eof", "keeps running when its input has ended", [NOT, "GO-EOF", "NM-EOF"]),
    ("dies-at-eof", "dies by a signal when its input has ended", [NOT, "GO-EOF", "NM-EOF"]),
    ("nonsense", "writes a word that is no answer in its second turn", ["RP-TOKEN", "GO-PASS", "NM-MOVE"]),
];

/// The kinds of the game with this id: those with these faults, and its `own`.
pub fn kinds(game: &str, own: &[MutantKind]) -> Vec<MutantKind> {
    let prefix = format!("{game}-");
    let game = PREFIXES.iter().position(|other| *other == prefix).expect("it is a game in lines");
    let of_game = |(name, fault, fails): &Row| {
        let expect: &'static [&'static str] = match fails[game] {
            NOT => return None,
            "" => &[],
            check => vec![check].leak(),
        };
        Some(kind(format!("{prefix}{name}").leak(), fault, expect))
    };
    ROWS.iter().filter_map(of_game).chain(own.iter().cloned()).collect()
}

/// The steps of the bot with the fault `name`, if it is one of these.
pub fn steps(name: &str) -> Option<Steps> {
    let groups = [preparing, heeding, answering, ending, reading_or_writing];
    groups.into_iter().find_map(|group| group(name))
}

/// What happens before anything is written.
fn preparing(name: &str) -> Option<Steps> {
    let prepare: fn() -> Result<(), String> = match name {
        "none" => || Ok(()),
        "near-late-start" => || {
            sleep(Duration::from_millis(300));
            Ok(())
        },
        "gives-up" => || Err("it does not feel like it".to_string()),
        "banner-first" => || {
            write("Welcome!\n");
            Ok(())
        },
        "needs-home" => home,
        "relative-asset" => asset,
        "saves" => || remember("/tmp"),
        "saves-in-folder" => || remember("."),
        "scratch-files" => scratch,
        "floods-stderr" => || {
            _ = io::stderr().write_all(&[b'x'; 128 << 10]);
            Ok(())
        },
        _ => return None,
    };
    Some(Steps { prepare, ..Steps::default() })
}

/// What happens before the answer of a turn is chosen.
fn heeding(name: &str) -> Option<Steps> {
    let heed: fn(usize) = match name {
        "near-chatter" => |turn| {
            if turn < 4 {
                eprintln!("turn {turn}");
            }
        },
        "reads-first" => |turn| exit_if(turn == 1 && read().is_none(), 0),
        "leaves" => |turn| exit_if(turn == 3, 0),
        "sleeps" => |_| sleep(Duration::from_secs(5)),
        "slow-once" => |turn| sleep_if(turn == 2, 700),
        "brief-process" => |turn| {
            if turn == 3 {
                brief_process();
            }
        },
        "segv" => |turn| abort_if(turn == 3),
        _ => return None,
    };
    Some(Steps { heed, ..Steps::default() })
}

/// What is written in place of a line with the answer.
fn answering(name: &str) -> Option<Steps> {
    let answer: fn(usize, &str) -> String = match name {
        "near-blanks" => |_, line| format!(" \t{} \r\n", line.trim_end()),
        "prompt" => |_, line| format!("my move: {line}"),
        "debug-line" => |_, line| format!("{line}chosen by lot\n"),
        "no-lf" => |_, line| line.trim_end().to_string(),
        "no-lf-once" => |turn, line| if turn == 2 { line.trim_end() } else { line }.to_string(),
        "cr-only" => |_, line| line.replace('\n', "\r"),
        "two-lines" => |_, line| line.repeat(2),
        "two-lines-once" => |turn, line| line.repeat(if turn == 2 { 2 } else { 1 }),
        "blank-line" => |_, line| format!("{line}\n"),
        "nonsense" => |turn, line| if turn == 2 { "nonsense\n" } else { line }.to_string(),
        _ => return None,
    };
    Some(Steps { answer, ..Steps::default() })
}

/// What happens when the input or the game has ended.
fn ending(name: &str) -> Option<Steps> {
    let finish: fn() -> ExitCode = match name {
        "near-status" => || ExitCode::from(7),
        "near-last-words" => || {
            leave();
            write("the input has ended\n");
            ExitCode::SUCCESS
        },
        "saves-at-the-end" => || {
            leave();
            _ = remember("/tmp");
            ExitCode::SUCCESS
        },
        "leaves-process" => fork_at_the_end,
        "ignores-eof" => stay,
        "dies-at-eof" => || {
            leave();
            abort()
        },
        _ => return None,
    };
    Some(Steps { finish, ..Steps::default() })
}

/// Faults of reading and writing, and those of several steps.
fn reading_or_writing(name: &str) -> Option<Steps> {
    let sound = Steps::default();
    Some(match name {
        "near-dribble" => Steps {
            write: |text| {
                for letter in text.chars() {
                    write(&letter.to_string());
                    std::thread::yield_now();
                }
            },
            ..sound
        },
        "near-thread" => Steps { read: read_in_a_thread, ..sound },
        "read-once" => Steps { read: read_once, ..sound },
        "echoes" => Steps { read: || read().inspect(|line| write(&format!("{line}\n"))), ..sound },
        "answers-on-standard-error" => Steps { write: write_aside, ..sound },
        "buffered" => Steps { write: |text| kept_back(Some(text)), finish: flush_at_the_end, ..sound },
        "flushes-every-second" => {
            Steps { write: |text| kept_back_if(text, |line| line % 2 == 1), finish: flush_at_the_end, ..sound }
        }
        "holds-one-back" => {
            Steps { write: |text| kept_back_if(text, |line| line == 1), finish: flush_at_the_end, ..sound }
        }
        "has-a-helper" => Steps { prepare: have_a_helper, finish: end_the_helper, ..sound },
        _ => return None,
    })
}
