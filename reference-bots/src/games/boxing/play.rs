//! A bot as a program: the mark from the first argument, the arena from standard input, one move, the arena
//! to standard output (B5, B6).
//!
//! Whatever it is given, a bot answers or declines; it never waits for more than the 528 bytes of an
//! arena, and it neither panics nor dies by a signal when its reader goes away.

use super::{Choose, Memory, Turn};
use cornerman::games::boxing::{ARENA_BYTES, Arena, Square, is_mark};
use std::env;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

/// Plays one move of a bot that starts afresh every turn.
///
/// Exit status 0: the move is on standard output, or the full arena unchanged (B7). 1: standard output
/// did not take it. 2: the mark or the arena was not as B5 and B6 have them. The reason is on standard
/// error.
pub fn play(choose: Choose) -> ExitCode {
    conclude(answer(None, |turn, _notes| choose(turn)))
}

/// Plays one move of the bot called `bot`, which remembers (B9): it learns what the others took since its
/// last move, and its notes are as it left them then, or empty if this game has not seen it yet. What it
/// leaves in them is there the next time.
///
/// Exit status as for [`play`]. A memory that cannot be read or written costs the bot its memory, not the
/// game.
pub fn play_remembering(bot: &str, choose: impl FnOnce(&Turn, &mut Vec<u8>) -> Square) -> ExitCode {
    conclude(answer(Some(bot), choose))
}

/// Why there is no answer.
struct Declined {
    status: u8,
    reason: String,
}

fn bad_input(reason: String) -> Declined {
    Declined { status: 2, reason }
}

fn answer(remembers: Option<&str>, choose: impl FnOnce(&Turn, &mut Vec<u8>) -> Square) -> Result<(), Declined> {
    let mark = mark()?;
    let arena = arena()?;
    let memory = remembers.map(|bot| Memory::of(mark, bot));
    let after = if arena.vacant().is_empty() { arena } else { moved(arena, mark, memory.as_ref(), choose) };
    // Before the answer: where bots are piped into one another, this one's next move may be under way as
    // soon as the answer is out.
    if let Some(memory) = memory.filter(|_| after.vacant().is_empty()) {
        memory.forget();
    }
    write(&after)
}

/// The arena after the bot's move.
fn moved(
    arena: Arena,
    mark: u8,
    memory: Option<&Memory>,
    choose: impl FnOnce(&Turn, &mut Vec<u8>) -> Square,
) -> Arena {
    let recalled = memory.and_then(|memory| memory.recall(&arena, mark)).unwrap_or_default();
    let mut turn = Turn { arena, mark, replies: recalled.replies };
    let mut notes = recalled.notes;
    let square = choose(&turn, &mut notes);
    debug_assert!(turn.arena.vacant().fits(square), "chose {square}, which is not vacant");
    turn.arena.fill(square, mark);
    if let Some(memory) = memory {
        // The move counts without it.
        let _ = memory.keep(&turn.arena, &notes);
    }
    turn.arena
}

fn mark() -> Result<u8, Declined> {
    let argument = env::args_os().nth(1).ok_or_else(|| {
        bad_input("no mark: the first argument is the character to mark squares with".to_string())
    })?;
    match argument.as_bytes() {
        [mark] if is_mark(*mark) => Ok(*mark),
        other => {
            let shown = other.get(..40).unwrap_or(other).escape_ascii();
            let what = "one printable character other than `-` and `o`";
            Err(bad_input(format!("`{shown}` cannot be a mark: the first argument must be {what}")))
        }
    }
}

/// Reads an arena and not a byte more, so that input left open, or longer than it should be, is no matter.
fn arena() -> Result<Arena, Declined> {
    let mut text = Vec::with_capacity(ARENA_BYTES);
    io::stdin()
        .lock()
        .take(ARENA_BYTES as u64)
        .read_to_end(&mut text)
        .map_err(|error| bad_input(format!("cannot read the arena from standard input: {error}")))?;
    Arena::parse(&text).map_err(|violation| {
        bad_input(format!("standard input is not an arena of 16 lines of 32: {}", violation.detail))
    })
}

/// Writes the arena at once: no reader ever sees half of it.
fn write(arena: &Arena) -> Result<(), Declined> {
    let mut out = io::stdout().lock();
    out.write_all(&arena.to_bytes()).and_then(|()| out.flush()).map_err(|error| Declined {
        status: 1,
        reason: format!("cannot write the arena to standard output: {error}"),
    })
}

fn conclude(answer: Result<(), Declined>) -> ExitCode {
    let Err(Declined { status, reason }) = answer else { return ExitCode::SUCCESS };
    // Not `eprintln!`, which panics where standard error is closed as well.
    let _ = writeln!(io::stderr(), "error: {reason}");
    ExitCode::from(status)
}
