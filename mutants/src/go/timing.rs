//! Faults of single turns: a move too many, a line kept back, or words at the end (G2, G5, G9).

use super::GoSteps;
use super::steps::written;
use crate::lines::{flush_at_the_end, kept_back, write};
use std::io;
use std::process::{ExitCode, abort};
use std::sync::Mutex;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-two-moves-late" => GoSteps {
            render: |game, m| written(game, m).repeat(if game.own_moves() == 30 { 2 } else { 1 }),
            ..sound
        },
        "go-moves-when-it-passes" => {
            GoSteps { render: |game, m| written(game, m) + if m.is_none() { "pass\n" } else { "" }, ..sound }
        }
        "go-farewell" => GoSteps { end: |_, _| write("good game\n"), ..sound },
        "go-farewell-at-eof" => GoSteps { finish: || at_eof(|| write("bye\n")), ..sound },
        "go-dies-at-the-end" => GoSteps { end: |_, _| abort(), ..sound },
        "go-flushes-only-early" => {
            GoSteps { write: |text| flushed_when(text, |count| count <= 35), finish: flush_at_the_end, ..sound }
        }
        _ => return None,
    })
}

/// Waits for the end of the input, and then does something.
fn at_eof(then: fn()) -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    then();
    ExitCode::SUCCESS
}

/// Writes the text that was kept back and this one, if it is the move of such a number; otherwise keeps it back, until
/// the program ends.
fn flushed_when(text: &str, flushed: fn(usize) -> bool) {
    static COUNT: Mutex<usize> = Mutex::new(0);
    let mut count = COUNT.lock().expect("no thread panics while it has the lock");
    *count += 1;
    kept_back(Some(text));
    if flushed(*count) {
        kept_back(None);
    }
}
