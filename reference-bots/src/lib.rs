//! Opponents: the ladder of bots of each game, and templates for bots in other languages.
//!
//! A bot is an idea, and an idea is a function from a turn to a move. The ideas of a game live in that
//! game's module, one file each; `src/bin/GAME/NAME.rs` makes each a program of its own, as an entrant
//! would write it; and [`BOTS`] lists them for `cargo xtask bots` and for `@name` on the command line.
//!
//! To add a bot to Boxing: write `src/boxing/NAME.rs` with a `choose` function and its five-line program,
//! then name it in [`boxing::LADDER`], in [`BOTS`] and in `Cargo.toml`; to Go the same in `src/go/` with
//! [`go::LADDER`], and to rock-paper-scissors in `src/rps/` with a `start` function and [`rps::LADDER`]. Tests hold
//! these lists together.
//!
//! A bot's id is its own in all games, so that `@name` needs no game. Where a plain name is taken or would not
//! say of which game it is, the game's id goes before it: `random` boxes, `rps-random` shows hands.
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
pub mod go;
pub mod rps;
mod templates;

pub use templates::{BadName, Filled, TEMPLATES, Template};

/// A bot of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceBot {
    /// What it is called, in all games: `greedy`, on the command line `@greedy`.
    pub id: &'static str,
    /// The game it plays: `boxing`.
    pub game: &'static str,
    /// Its program among this package's binaries: `boxing-greedy`, its game before its id.
    pub binary: &'static str,
    /// Its idea in one line.
    pub about: &'static str,
}

/// Every bot of this crate, game by game. In Boxing all but the last are within a coin flip of each other,
/// as the ladder bench shows; `parity` beats each of them. In rock-paper-scissors `hydra` beats each that can be
/// beaten, and in Go each beats those before it.
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
    ReferenceBot { id: "rock", game: "rps", binary: "rps-rock", about: "always rock" },
    ReferenceBot {
        id: "rps-random",
        game: "rps",
        binary: "rps-random",
        about: "each hand as likely as any other, drawn from the seed",
    },
    ReferenceBot {
        id: "rotate",
        game: "rps",
        binary: "rps-rotate",
        about: "rock, paper, scissors and round again",
    },
    ReferenceBot {
        id: "beat-last",
        game: "rps",
        binary: "rps-beat-last",
        about: "what beats the opponent's last hand",
    },
    ReferenceBot {
        id: "frequency",
        game: "rps",
        binary: "rps-frequency",
        about: "what beats the opponent's most frequent hand",
    },
    ReferenceBot {
        id: "markov",
        game: "rps",
        binary: "rps-markov",
        about: "what beats the hand that most often followed a round like the last",
    },
    ReferenceBot {
        id: "hydra",
        game: "rps",
        binary: "rps-hydra",
        about: "many expectations of both sides, of which the one that was right of late is followed",
    },
    ReferenceBot {
        id: "go-random",
        game: "go",
        binary: "go-random",
        about: "any point that is none of its own eyes, drawn from the position itself",
    },
    ReferenceBot {
        id: "capture",
        game: "go",
        binary: "go-capture",
        about: "takes what is in atari, saves its own, puts others into it, else plays anywhere safe",
    },
    ReferenceBot {
        id: "monte",
        game: "go",
        binary: "go-monte",
        about: "plays thousands of games to their ends, more often where that has gone well (UCT with RAVE)",
    },
];

/// The bot called `id`.
pub fn find(id: &str) -> Option<&'static ReferenceBot> {
    BOTS.iter().find(|bot| bot.id == id)
}
