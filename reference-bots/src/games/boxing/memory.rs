//! The memory of a bot between its moves, in `/tmp/arena.MARK` (B9): the arena after its last move, and its notes.
//!
//! A bot may have only that one file, so it cannot write another and rename it. Instead, the file contains the length
//! of the notes and a checksum, and an incomplete file is ignored. The content cannot be trusted either: an earlier
//! game, another program with the same mark, or an opponent may have left it. A memory counts only if it is this bot's,
//! and the arena differs from the one in it, by at most one square of each opponent. Only a regular file is read;
//! whatever has that name is removed if possible, never written to.

use super::fingerprint;
use cornerman::game::Spot;
use cornerman::games::boxing::{ARENA_BYTES, Arena, BLOCKED, SpotSet, Square, VACANT, all_spots};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

/// The most bytes of notes that are read back: about what a bot can read in its second (B10).
const MOST_NOTES: u64 = 256 << 20;

/// The state file of one bot with one mark.
#[derive(Debug)]
pub struct StateMemory {
    path: PathBuf,
    bot: String,
}

/// What a bot remembers at its turn; empty if it remembers nothing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Recollection {
    /// The squares that the others took since its last move, at most one each.
    pub replies: Vec<Square>,
    /// The notes that it left then.
    pub notes: Vec<u8>,
}

impl StateMemory {
    /// The memory of the bot called `bot` when it plays with `mark`: `/tmp/arena.MARK` (B9).
    pub fn for_bot(mark: u8, bot: &str) -> StateMemory {
        let name = [b"arena.".as_slice(), &[mark]].concat();
        StateMemory { path: PathBuf::from("/tmp").join(OsStr::from_bytes(&name)), bot: bot.to_string() }
    }

    /// What this bot, with the mark `mark`, remembers of the game whose arena is `now`; `None` if there is no memory,
    /// or it is damaged, another bot's or from another game.
    pub fn recall(&self, now: &Arena, mark: u8) -> Option<Recollection> {
        let mut file = self.open_regular().ok()?;
        let label = self.label();
        let mut header = vec![0; label.len() + ARENA_BYTES + 16];
        file.read_exact(&mut header).ok()?;
        let (arena, seal) = header.strip_prefix(label.as_bytes())?.split_at(ARENA_BYTES);
        let replies = replies(&Arena::parse(arena).ok()?, now, mark)?;

        let length = u64::from_le_bytes(seal[..8].try_into().ok()?);
        if length > MOST_NOTES || file.metadata().ok()?.len() != header.len() as u64 + length {
            return None;
        }
        let mut notes = vec![0; length as usize];
        file.read_exact(&mut notes).ok()?;
        (seal == sealed(arena, &notes)).then_some(Recollection { replies, notes })
    }

    /// Saves the arena after this bot's move, and its `notes`.
    ///
    /// # Errors
    /// When the file cannot be written, for example because a directory has its name.
    pub fn keep(&self, after: &Arena, notes: &[u8]) -> io::Result<()> {
        // Removing the file and creating a new one follows no link and opens no pipe, even if another program puts
        // something there in between.
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let arena = after.to_bytes();
        let header = [self.label().as_bytes(), &arena, &sealed(&arena, notes)].concat();
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.path)?;
        file.write_all(&header)?;
        file.write_all(notes)
    }

    /// Removes the file at the end of a game, since nothing may be kept for the next one.
    pub fn forget(&self) {
        // A bot can do nothing about a file that cannot be removed.
        let _ = fs::remove_file(&self.path);
    }

    /// The first line of the file: the version of its format, and the bot it belongs to.
    fn label(&self) -> String {
        format!("cornerman boxing memory 1 of {}\n", self.bot)
    }

    /// Opens the file for reading if it is a regular one.
    fn open_regular(&self) -> io::Result<File> {
        // The type is checked before opening, because opening a pipe would block, and the identity after it, in case
        // the file was replaced in between.
        let seen = fs::symlink_metadata(&self.path)?;
        if !seen.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let file = File::open(&self.path)?;
        let opened = file.metadata()?;
        let same = (seen.dev(), seen.ino()) == (opened.dev(), opened.ino());
        if same { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }
}

/// The length of the notes and a checksum of everything, 8 bytes each.
fn sealed(arena: &[u8], notes: &[u8]) -> [u8; 16] {
    let mut seal = [0; 16];
    seal[..8].copy_from_slice(&(notes.len() as u64).to_le_bytes());
    seal[8..].copy_from_slice(&(fingerprint(arena) ^ fingerprint(notes).rotate_left(1)).to_le_bytes());
    seal
}

/// The squares that seats other than `mark` took between `left` and `now`, one each, in the order of their marks.
/// `None` if such squares do not explain the difference, or there is no difference: then `now` is not the next turn of
/// that game.
pub fn replies(left: &Arena, now: &Arena, mark: u8) -> Option<Vec<Square>> {
    let changed: Vec<Spot> = all_spots().filter(|&spot| left.at(spot) != now.at(spot)).collect();
    let mut takers: Vec<u8> = changed.iter().map(|&spot| now.at(spot)).collect();
    takers.sort_unstable();
    takers.dedup();
    let were_vacant = changed.iter().all(|&spot| left.at(spot) == VACANT);
    if takers.is_empty() || !were_vacant || takers.contains(&mark) || takers.contains(&BLOCKED) {
        return None;
    }
    takers.iter().map(|&taker| square_of(changed.iter().copied().filter(|&spot| now.at(spot) == taker))).collect()
}

/// The square that consists of exactly these spots, if there is one.
fn square_of(spots: impl Iterator<Item = Spot>) -> Option<Square> {
    let set: SpotSet = spots.collect();
    let corner = set.spots().next()?;
    let square = Square { row: corner.row, col: corner.col, size: set.count().isqrt() as u8 };
    (set.fits(square) && set.without(square).is_empty()).then_some(square)
}

#[cfg(test)]
mod tests;
