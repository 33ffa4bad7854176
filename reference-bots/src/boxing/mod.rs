//! The Boxing Match's ladder: what a bot sees at its turn, and one idea a file.
//!
//! The ideas know nothing of pipes and files. [`play`] makes a program of one; [`bout`] plays several
//! against each other within one process, which is how they are tested and measured.

mod bout;
pub mod first_fit;
pub mod greedy;
mod memory;
pub mod mirror;
pub mod parity;
mod play;
pub mod random;
pub mod smallest;

pub use bout::{Bout, bout};
pub use memory::{Memory, Recollection, replies};
pub use play::{play, play_remembering};

use cornerman::games::boxing::{Arena, Square};

/// What a bot knows when it is to move. The arena has at least one vacant spot.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The arena as it stands.
    pub arena: Arena,
    /// The bot's own mark (B5).
    pub mark: u8,
    /// What the others took since this bot's last move, a square each; empty at its first move, and
    /// always for a bot that does not remember.
    pub replies: Vec<Square>,
}

/// An idea: the square to take, which must be vacant (B2).
pub type Choose = fn(&Turn) -> Square;

/// The ideas by the bots' ids, in the order of [`BOTS`](crate::BOTS), for games within one process.
pub const LADDER: &[(&str, Choose)] = &[
    ("first-fit", first_fit::choose),
    ("smallest", smallest::choose),
    ("random", random::choose),
    ("mirror", mirror::choose),
    ("greedy", greedy::choose),
    ("parity", parity::choose),
];

/// A number that stands for `bytes`: equal for equal bytes, most likely different for others. For seeds
/// and for noticing damage, not for keeping anybody out.
fn fingerprint(bytes: &[u8]) -> u64 {
    // FNV-1a's step (Fowler, Noll and Vo), on eight bytes at once: memories can be many megabytes. The
    // rotation brings high bits down again, which a multiplication alone never does.
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
}
