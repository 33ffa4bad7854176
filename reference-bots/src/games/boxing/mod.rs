//! Boxing's reference bots: what a bot knows at its turn, and the strategies.
//!
//! Strategies do no input or output. [`play`] makes a program of one; [`bout`] plays several against each other within
//! one process, which is how they are tested and measured.

mod calculating;
mod memory;
mod play;
mod simple;

pub use calculating::{champion, solver, tree};
pub use memory::{Recollection, StateMemory, replies};
pub use play::{play, play_remembering, play_thinking};
pub use simple::{first_fit, greedy, mirror, parity, random, smallest};

use crate::Ladder;
use crate::templates::templates;
use cornerman::game::{Action, Game, Seat, Setup, Violation};
use cornerman::games::boxing::{Arena, Boxing, Square};

/// What a bot knows at its turn. The arena has at least one vacant spot.
#[derive(Clone, Debug)]
pub struct BoxingTurn {
    /// The current arena.
    pub arena: Arena,
    /// The bot's mark (B5).
    pub mark: u8,
    /// The squares that the others took since this bot's last move, at most one each; empty at its first move, and
    /// always in a program without a memory.
    pub replies: Vec<Square>,
}

/// A strategy: returns the square to take, which must be vacant (B2).
pub type ChooseSquare = fn(&BoxingTurn) -> Square;

/// A strategy that calculates: returns the square to take after looking at about `positions` positions or fewer.
/// `notes` are those of its last move, empty at its first; its changes to them are kept for its next move.
pub type Think = fn(&BoxingTurn, notes: &mut Vec<u8>, positions: u64) -> Square;

/// The most positions that a bot that calculates looks at for a move by default, which takes about a tenth of a second.
pub const POSITIONS: u64 = 200_000;

/// The game's bots, the weakest first.
pub const LADDER: Ladder = Ladder {
    bots: &[
        binary!("boxing", "first-fit", "the first vacant spot, and the largest square with its corner there"),
        binary!("boxing", "smallest", "the first vacant spot, alone"),
        binary!("boxing", "random", "any legal square, each as likely as any other, drawn from the arena itself"),
        binary!(
            "boxing",
            "mirror",
            "the opponent's last square, mirrored at the centre; remembers the arena between moves"
        ),
        binary!("boxing", "greedy", "the largest square"),
        binary!("boxing", "parity", "looks two moves ahead: leaves single spots only, and an even number of them"),
        binary!("boxing", "solver", "the largest square, until it can calculate exactly who wins").thinking(),
        binary!("boxing", "tree", "calculates, and keeps the arena difficult until it knows how to win")
            .thinking(),
        binary!("boxing", "champion", "calculates, remembers what it found out, and verifies what it plays")
            .thinking(),
    ],
    templates: templates!("boxing"),
};

/// The strategies of the bots that do not calculate, by the bots' ids, in the order of [`LADDER`], for games within one
/// process.
pub const STRATEGIES: &[(&str, ChooseSquare)] = &[
    ("first-fit", first_fit),
    ("smallest", smallest),
    ("random", random),
    ("mirror", mirror),
    ("greedy", greedy),
    ("parity", parity),
];

/// The strategies of the bots that calculate, which come last in [`LADDER`].
pub const THINKERS: &[(&str, Think)] = &[("solver", solver), ("tree", tree), ("champion", champion)];

/// A hash of `bytes`, for seeds and checksums. It is not secure against deliberate changes.
fn fingerprint(bytes: &[u8]) -> u64 {
    // The step of FNV-1a (Fowler, Noll and Vo), on eight bytes at once because notes can have many megabytes. The
    // rotation moves high bits down, which a multiplication alone never does.
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
}

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// The seat that took the last spot, from 0.
    pub winner: usize,
    /// The number of moves of all seats.
    pub moves: usize,
}

/// Plays one game from `start`. Moves are judged as a bot's answers would be. Every seat gets the others' replies, and
/// no memory files are used.
///
/// # Errors
/// The violation, if a strategy breaks the rules.
///
/// # Panics
/// When there are not 2 to 8 seats (B4), or `start` has no vacant spot.
pub fn bout<F: FnMut(&BoxingTurn) -> Square>(start: &Arena, seats: &mut [F]) -> Result<Bout, Violation> {
    let boxing = Boxing::default();
    let setup = Setup { seats: seats.len() as u8, board: start.to_bytes().to_vec(), ..Setup::default() };
    let mut state = boxing.start(&setup).expect("2 to 8 seats and a vacant spot");
    let mut last: Vec<Option<Square>> = vec![None; seats.len()];
    let mut moves = 0;
    while let Some(seat) = boxing.to_act(&state).iter().next() {
        let turn = BoxingTurn {
            arena: state.arena().clone(),
            mark: state.mark(seat),
            replies: replies_since(&last, seat),
        };
        let mut answer = turn.arena.clone();
        answer.fill(seats[seat.index()](&turn), turn.mark);
        let square = boxing.read(&state, seat, &answer.to_bytes())?;
        boxing.apply(&mut state, &[(seat, Action::Move(square))]);
        last[seat.index()] = Some(square);
        moves += 1;
    }
    let outcome = boxing.outcome(&state).expect("the game is over");
    let winner = outcome.winners().next().expect("some seat took the last spot");
    Ok(Bout { winner: winner.index(), moves })
}

/// The squares that the others took since the last move of `seat`, in order.
fn replies_since(last: &[Option<Square>], seat: Seat) -> Vec<Square> {
    if last[seat.index()].is_none() {
        return Vec::new();
    }
    let before = &last[..seat.index()];
    let after = &last[seat.index() + 1..];
    after.iter().chain(before).copied().flatten().collect()
}
