//! A bot as a program: it takes its mark as the first argument, reads the arena from standard input, makes one move,
//! and writes the arena to standard output (B5, B6).
//!
//! A bot always answers or reports an error. It never waits for more than the 528 bytes of an arena, and if its output
//! is closed, it neither panics nor dies by a signal.

use super::{BoxingTurn, ChooseSquare, POSITIONS, StateMemory, Think};
use crate::lines::{self, Stopped, not_understood};
use cornerman::games::boxing::{ARENA_BYTES, Arena, Square, is_mark};
use std::env;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

/// Plays one move of a bot without a memory.
///
/// The exit status is 0 if the arena was written, unchanged if it was full (B7); 1 if standard output cannot be
/// written; 2 if the mark or the arena does not follow B5 and B6. The reason is printed to standard error.
pub fn play(choose: ChooseSquare) -> ExitCode {
    lines::exit(answer(None, |turn, _notes| choose(turn)))
}

/// Plays one move of the bot called `bot`, which has a memory (B9). `choose` gets the turn with the others' replies,
/// and the notes from the bot's last move, empty at its first; changes to the notes are kept for its next move.
///
/// The exit status is as for [`play`]. A memory that cannot be read or written is not an error.
pub fn play_remembering(bot: &str, choose: impl FnOnce(&BoxingTurn, &mut Vec<u8>) -> Square) -> ExitCode {
    lines::exit(answer(Some(bot), choose))
}

/// Plays one move of the bot called `bot`, which calculates and has a memory. A second argument sets the number of
/// positions that it looks at, for those who want it stronger or faster than [`POSITIONS`] makes it.
///
/// The exit status is as for [`play`], and 2 also if the second argument is not a number.
pub fn play_thinking(bot: &str, choose: Think) -> ExitCode {
    let mut positions = POSITIONS;
    if let Some(given) = env::args_os().nth(2) {
        let Some(number) = given.to_str().and_then(|text| text.parse().ok()) else {
            let reason = "the second argument is how many positions to look at, a number".to_string();
            return lines::exit(Err(not_understood(reason)));
        };
        positions = number;
    }
    play_remembering(bot, |turn, notes| choose(turn, notes, positions))
}

/// Reads the arena, makes a move if there is a vacant spot, and writes the arena. The bot has a memory if its name is
/// given.
fn answer(
    remembering_bot: Option<&str>,
    choose: impl FnOnce(&BoxingTurn, &mut Vec<u8>) -> Square,
) -> Result<(), Stopped> {
    let mark = read_mark()?;
    let arena = read_arena()?;
    let memory = remembering_bot.map(|bot| StateMemory::for_bot(mark, bot));
    let after = if arena.vacant().is_empty() { arena } else { make_move(arena, mark, memory.as_ref(), choose) };
    // Before the answer is written: if bots are piped into one another, this bot's next move may begin as soon as the
    // answer is out.
    if let Some(memory) = memory.filter(|_| after.vacant().is_empty()) {
        memory.forget();
    }
    write_arena(&after)
}

/// The arena after the bot's move, which is saved in its `memory`, if it has one.
fn make_move(
    arena: Arena,
    mark: u8,
    memory: Option<&StateMemory>,
    choose: impl FnOnce(&BoxingTurn, &mut Vec<u8>) -> Square,
) -> Arena {
    let recalled = memory.and_then(|memory| memory.recall(&arena, mark)).unwrap_or_default();
    let mut turn = BoxingTurn { arena, mark, replies: recalled.replies };
    let mut notes = recalled.notes;
    let square = choose(&turn, &mut notes);
    debug_assert!(turn.arena.vacant().fits(square), "chose {square}, which is not vacant");
    turn.arena.fill(square, mark);
    if let Some(memory) = memory {
        // The move counts even if the memory cannot be saved.
        let _ = memory.keep(&turn.arena, &notes);
    }
    turn.arena
}

/// The bot's mark, from the first argument.
fn read_mark() -> Result<u8, Stopped> {
    let argument = env::args_os().nth(1).ok_or_else(|| {
        not_understood("no mark: the first argument is the character to mark squares with".to_string())
    })?;
    match argument.as_bytes() {
        [mark] if is_mark(*mark) => Ok(*mark),
        other => {
            let shown = other.get(..40).unwrap_or(other).escape_ascii();
            let what = "one printable character other than `-` and `o`";
            Err(not_understood(format!("`{shown}` cannot be a mark: the first argument must be {what}")))
        }
    }
}

/// Reads an arena and not a byte more, so that input may stay open or be too long.
fn read_arena() -> Result<Arena, Stopped> {
    let mut text = Vec::with_capacity(ARENA_BYTES);
    io::stdin()
        .lock()
        .take(ARENA_BYTES as u64)
        .read_to_end(&mut text)
        .map_err(|error| not_understood(format!("cannot read the arena from standard input: {error}")))?;
    Arena::parse(&text).map_err(|violation| {
        not_understood(format!("standard input is not an arena of 16 lines of 32: {}", violation.detail))
    })
}

/// Writes the arena with one call, so that no reader sees a part of it.
fn write_arena(arena: &Arena) -> Result<(), Stopped> {
    let mut out = io::stdout().lock();
    out.write_all(&arena.to_bytes()).and_then(|()| out.flush()).map_err(|error| Stopped {
        status: 1,
        reason: format!("cannot write the arena to standard output: {error}"),
    })
}
