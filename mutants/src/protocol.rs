//! Faults that a bot of any game in lines can have, because they are faults of the protocol. Each is a set of steps
//! with which the bots of all these games are made.

use crate::lines::{
    abort_if, brief_process, end_the_helper, exit_if, flush_at_the_end, fork_at_the_end, have_a_helper, kept_back,
    kept_back_if, leave, read, read_in_a_thread, read_once, remember, scratch, sleep_if, stay, write, write_aside,
};
use crate::process::{asset, home};
use crate::{MutantKind, kinds_of};
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

/// The kinds of the game in lines with this id.
pub fn kinds(game: &str) -> Vec<MutantKind> {
    kinds_of(game, include_str!("../kinds/lines.txt"), &format!("{game}-"))
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
