//! Opponents: the ladder of bots of each game, and templates for bots in other languages.
//!
//! A bot is an idea, and an idea is a function from a turn to a move. The ideas of a game live in that
//! game's module, one file each; `src/bin/GAME/NAME.rs` makes each a program of its own, as an entrant
//! would write it; and [`BOTS`] lists them for `cargo xtask bots` and for `@name` on the command line.
//!
//! To add a bot to Boxing: write `src/boxing/NAME.rs` with a `choose` function and its five-line program,
//! then name it in [`boxing::LADDER`], in [`BOTS`] and in `Cargo.toml`. Tests hold these lists together.
//!
//! ```
//! use cornerman::games::boxing::{Arena, Square};
//! use reference_bots::boxing::{Turn, greedy};
//!
//! let turn = Turn { arena: Arena::open(), mark: b'A', replies: Vec::new() };
//! assert_eq!(greedy::choose(&turn), Square { row: 0, col: 0, size: 16 });
//! ```

#![forbid(unsafe_code)]

pub mod boxing;
mod templates;

pub use templates::{BadName, Filled, TEMPLATES, Template};

/// A bot of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceBot {
    /// What it is called within its game: `greedy`, on the command line `@greedy`.
    pub id: &'static str,
    /// The game it plays: `boxing`.
    pub game: &'static str,
    /// Its program among this package's binaries: `boxing-greedy`.
    pub binary: &'static str,
    /// Its idea in one line.
    pub about: &'static str,
}

/// Every bot of this crate, game by game. In Boxing all but the last are within a coin flip of each other,
/// as the ladder bench shows; `parity` beats each of them.
pub const BOTS: &[ReferenceBot] = &[
    ReferenceBot {
        id: "first-fit",
        game: "boxing",
        binary: "boxing-first-fit",
        about: "the first vacant spot, and the largest square that has it as its corner",
    },
    ReferenceBot {
        id: "smallest",
        game: "boxing",
        binary: "boxing-smallest",
        about: "the first vacant spot, alone",
    },
    ReferenceBot {
        id: "random",
        game: "boxing",
        binary: "boxing-random",
        about: "any legal square, each as likely as any other, drawn from the arena itself",
    },
    ReferenceBot {
        id: "mirror",
        game: "boxing",
        binary: "boxing-mirror",
        about: "the opponent's last square turned about the centre; remembers the arena between moves",
    },
    ReferenceBot { id: "greedy", game: "boxing", binary: "boxing-greedy", about: "the largest square there is" },
    ReferenceBot {
        id: "parity",
        game: "boxing",
        binary: "boxing-parity",
        about: "looks two moves ahead: leaves single spots only, and an even number of them",
    },
];

/// The bot called `id` that plays `game`.
pub fn find(game: &str, id: &str) -> Option<&'static ReferenceBot> {
    BOTS.iter().find(|bot| bot.game == game && bot.id == id)
}
