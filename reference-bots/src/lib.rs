//! Reference bots to play against, and templates of bots in several languages.
//!
//! The core of a bot is its strategy: a function from a turn to a move, in a file of its game's folder.
//! `src/bin/GAME/NAME.rs` makes it a program, as an entrant would write it; and the game's [`Ladder`] lists it for the
//! `bots` command and for `@name` on the command line.
//!
//! To add a bot to Boxing, write its function and its program, then add it to [`games::boxing::STRATEGIES`], or
//! [`games::boxing::THINKERS`] if it calculates, to [`games::boxing::LADDER`] and to `Cargo.toml`. Go works the same
//! way; in rock-paper-scissors the function starts a strategy for a game. Tests compare these lists.
//!
//! The ids of bots are unique across games, so `@name` needs no game. Where a plain name is taken or says too little,
//! the game's id goes before it: `random` plays Boxing, `rps-random` rock-paper-scissors.
//!
//! ```
//! use cornerman::games::boxing::{Arena, Square};
//! use reference_bots::games::boxing::{BoxingTurn, greedy};
//!
//! let turn = BoxingTurn { arena: Arena::open(), mark: b'A', replies: Vec::new() };
//! assert_eq!(greedy(&turn), Square { row: 0, col: 0, size: 16 });
//! ```

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

/// The [`ReferenceBot`] of one of this package's binaries, not marked as one that thinks: from its game, its name
/// there, its id if that differs from the name, and its strategy in one line.
macro_rules! binary {
    ($game:literal, $name:literal, $about:literal) => {
        binary!($game, $name, $name, $about)
    };
    ($game:literal, $name:literal, $id:literal, $about:literal) => {
        $crate::ReferenceBot {
            id: $id,
            about: $about,
            program: $crate::ReferenceProgram::Binary(concat!($game, "-", $name)),
            thinks: false,
        }
    };
}

/// The reference bots of each built-in game.
pub mod games {
    pub mod boxing;
    pub mod go;
    pub mod rps;
}
mod lines;
mod templates;

pub use templates::{BadName, Filled, Template};

/// The reference bots and templates of a game.
#[derive(Clone, Copy, Debug)]
pub struct Ladder {
    /// Its reference bots.
    pub bots: &'static [ReferenceBot],
    /// Its templates, one for each language, the default first.
    pub templates: &'static [Template],
}

/// A reference bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceBot {
    /// Its id, unique across games: `greedy`, on the command line `@greedy`.
    pub id: &'static str,
    /// Its strategy in one line.
    pub about: &'static str,
    /// Its program.
    pub program: ReferenceProgram,
    /// Whether it calculates for long, whatever its time limit. Such bots are left out where games are not played to
    /// find the stronger bot, as for the snapshot of a ruleset. A bot that thinks less once its time is used up is not
    /// such a bot.
    pub thinks: bool,
}

impl ReferenceBot {
    /// The same bot, marked as one that thinks.
    const fn thinking(self) -> ReferenceBot {
        ReferenceBot { thinks: true, ..self }
    }
}

impl Ladder {
    /// The bots that do not think.
    pub fn quick_bots(&self) -> impl Iterator<Item = &'static ReferenceBot> {
        self.bots.iter().filter(|bot| !bot.thinks)
    }
}

/// The program of a reference bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceProgram {
    /// One of this package's binaries, named after the game and its file in `src/bin/GAME/`: `boxing-greedy`.
    Binary(&'static str),
    /// A source file, built and run like any bot in its language.
    Source {
        /// The name of the file; its extension decides the language.
        file: &'static str,
        /// The contents of the file.
        text: &'static str,
    },
}
