//! The state file (B9) of the mutants with a memory.

use super::bot::Turn;
use cornerman::games::boxing::{ARENA_BYTES, Arena, all_spots};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const HEAD: &[u8] = b"memory of a mutant\n";

/// What a bot saved after its last move.
pub struct Memory {
    /// The number of moves that it had made in this game.
    pub moves: u8,
    /// The arena after its move.
    pub arena: Arena,
}

impl Memory {
    /// The memory in the file of `mark`; `None` unless a mutant wrote the file.
    pub fn read(mark: u8) -> Option<Memory> {
        let text = fs::read(state_file(mark)).ok()?;
        let (arena, tail) = text.strip_prefix(HEAD)?.split_at_checked(ARENA_BYTES)?;
        let moves = str::from_utf8(tail.get(..3)?).ok()?.parse().ok()?;
        let memory = Memory { moves, arena: Arena::parse(arena).ok()? };
        (memory.to_bytes() == text).then_some(memory)
    }

    /// The memory in the file, if it is of the game that `turn` belongs to: all spots taken then are unchanged, and the
    /// bot has as many spots as then.
    pub fn of_this_game(turn: &Turn) -> Option<Memory> {
        Memory::read(turn.mark).filter(|memory| {
            let still =
                |spot| memory.arena.vacant().contains(spot) || memory.arena.at(spot) == turn.arena.at(spot);
            all_spots().all(still) && memory.arena.count(turn.mark) == turn.arena.count(turn.mark)
        })
    }

    /// Saves it for `mark`. The mark `/` cannot be in a file name, so a bot with it has no memory.
    pub fn keep(&self, mark: u8) {
        _ = fs::write(state_file(mark), self.to_bytes());
    }

    fn to_bytes(&self) -> Vec<u8> {
        let text = [HEAD, &self.arena.to_bytes()[..]].concat();
        let sum: u32 = text.iter().map(|&byte| u32::from(byte)).sum();
        let tail = format!("{:03} {sum}\n", self.moves);
        [&text, tail.as_bytes()].concat()
    }
}

/// `/tmp/arena.MARK`.
pub fn state_file(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}
