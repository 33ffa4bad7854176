//! The file in which a bot may remember its game (B9), as the mutants with a memory write and read it.

use super::bot::Turn;
use cornerman::games::boxing::{ARENA_BYTES, Arena, all_spots};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const HEAD: &[u8] = b"memory of a mutant\n";

/// What a bot wrote down after its last move.
pub struct Memory {
    /// How many moves it had made in this game.
    pub moves: u8,
    /// The arena as it left it.
    pub arena: Arena,
}

impl Memory {
    /// What is in the file of `mark`, if a mutant wrote it; what else might be there counts as nothing.
    pub fn read(mark: u8) -> Option<Memory> {
        let text = fs::read(state_file(mark)).ok()?;
        let (arena, tail) = text.strip_prefix(HEAD)?.split_at_checked(ARENA_BYTES)?;
        let moves = str::from_utf8(tail.get(..3)?).ok()?.parse().ok()?;
        let memory = Memory { moves, arena: Arena::parse(arena).ok()? };
        (memory.to_bytes() == text).then_some(memory)
    }

    /// What is in the file, if it is of the game that `turn` belongs to: nothing that was taken then is
    /// otherwise now, and the bot has the spots it had.
    pub fn of_this_game(turn: &Turn) -> Option<Memory> {
        Memory::read(turn.mark).filter(|memory| {
            let still =
                |spot| memory.arena.vacant().contains(spot) || memory.arena.at(spot) == turn.arena.at(spot);
            all_spots().all(still) && memory.arena.count(turn.mark) == turn.arena.count(turn.mark)
        })
    }

    /// Writes it down for `mark`. A mark that makes no file name (`/`) leaves the bot without a memory.
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
