//! Opponents: the ladder of bots of each game, and templates for bots in other languages.
//!
//! A bot is an idea, and an idea is a function from a turn to a move. The ideas of a game live in that
//! game's folder, one file each; `src/bin/GAME/NAME.rs` makes each a program of its own, as an entrant
//! would write it; and the game's [`Ladder`] lists them for `bots` and for `@name` on the command line.
//!
//! To add a bot to Boxing: write `src/games/boxing/NAME.rs` with a `choose` function and its five-line program,
//! then name it in [`games::boxing::IDEAS`], in [`games::boxing::LADDER`] and in `Cargo.toml`; to Go the same, and to
//! rock-paper-scissors with a `start` function. Tests hold these lists together.
//!
//! A bot's id is its own in all games, so that `@name` needs no game. Where a plain name is taken or would not
//! say of which game it is, the game's id goes before it: `random` boxes, `rps-random` shows hands.
//!
//! ```
//! use cornerman::games::boxing::{Arena, Square};
//! use reference_bots::games::boxing::{Turn, greedy};
//!
//! let turn = Turn { arena: Arena::open(), mark: b'A', replies: Vec::new() };
//! assert_eq!(greedy::choose(&turn), Square { row: 0, col: 0, size: 16 });
//! ```

pub mod games;
mod lines;
mod templates;

pub use templates::{BadName, Filled, Template};

/// What a game has to play against and to begin from.
#[derive(Clone, Copy, Debug)]
pub struct Ladder {
    /// Its reference bots.
    pub bots: &'static [ReferenceBot],
    /// Its templates, a language each, the usual one first.
    pub templates: &'static [Template],
    /// The arguments of the command to try first with a bot made from a template, `{dir}` for its folder.
    pub try_first: &'static str,
}

/// A reference bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceBot {
    /// What it is called, in all games: `greedy`, on the command line `@greedy`.
    pub id: &'static str,
    /// Its idea in one line.
    pub about: &'static str,
    /// What it is.
    pub program: Program,
}

/// What a reference bot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// One of this package's binaries: `boxing-greedy`, its game before its id.
    Binary(&'static str),
    /// A source file, built and run as its language is.
    Source {
        /// Its name, whose extension says the language.
        file: &'static str,
        /// What it says.
        text: &'static str,
    },
}
