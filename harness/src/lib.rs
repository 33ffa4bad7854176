//! Runs bots: finds and builds them, referees games between them, runs contests and keeps their records.
//!
//! | to | use |
//! |---|---|
//! | load a bot from a file or folder, building it if needed | [`bot`], [`toolchain`] |
//! | play one game | [`player`], [`referee`] |
//! | choose the rules | [`games`], [`kit`], [`ruleset`] |
//! | run a contest and read its record | [`contest_spec`], [`contest_file`], [`run`], [`record`] |
//!
//! Every bot runs in a [`sandbox`], which is a crate of its own. What a bot does wrong is data
//! ([`Fault`](player::Fault)), never an error: the referee cannot fail because a bot did.
//!
//! ```no_run
//! use cornerman::game::{Seat, Setup};
//! use cornerman_harness::bot::Bot;
//! use cornerman_harness::player::seating::{self, Seated};
//! use cornerman_harness::sandbox::{self, Conditions};
//! use cornerman_harness::{games::boxing, kit::AnyKit, referee};
//! use std::path::Path;
//!
//! sandbox::serve_if_asked(); // must come first in `main`: this program also serves as the sandbox's server
//! let rules = boxing::KIT.default_ruleset();
//! let setup = Setup { seats: 2, marks: b"AB".to_vec(), seed: 1, ..Setup::default() };
//! let mut game = rules.open(&setup)?;
//! let mut players = Vec::new();
//! for (seat, path) in [(Seat(0), "./mybot.py"), (Seat(1), "./other.c")] {
//!     let bot = Bot::load(Path::new(path))?;
//!     players.push(seating::seat(&bot, &rules, seat, bot.sandbox(Conditions::default())?)?);
//! }
//! let mut seated = Seated::new(players, &setup.marks)?;
//! let outcome = referee::play_unseen(&mut *game, &setup, &mut seated.players, &mut |event| println!("{event:?}"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(unreachable_pub)]
#![warn(clippy::disallowed_macros)]
#![forbid(unsafe_code)]

pub mod bot;
mod bot_file;
pub mod contest_file;
pub mod contest_spec;
pub mod doctor;
mod entry_files;
pub mod judge;
pub mod kit;
pub mod machine;
pub mod names;
pub mod nearest;
pub mod pattern;
pub mod player;
pub mod pool;
pub mod record;
pub mod referee;
pub mod rejudge;
pub mod replay;
pub mod ruleset;
pub mod run;
pub mod text;
pub mod toml_file;
pub mod toolchain;
pub mod verify;

pub use cornerman_sandbox as sandbox;

/// The version of the program that runs, which records, pages and messages name.
pub mod version {
    use std::sync::OnceLock;

    static PROGRAM: OnceLock<&'static str> = OnceLock::new();

    /// Sets the program's version, with its commit. Only the program itself knows the commit, because libraries are not
    /// built anew for each one. Only the first call counts.
    pub fn set(version: &'static str) {
        PROGRAM.get_or_init(|| version);
    }

    /// The version that the program has [set], such as `0.1.0+039a2ca41c6e`, or else that of this library, without a
    /// commit.
    pub fn get() -> &'static str {
        PROGRAM.get().unwrap_or(&env!("CARGO_PKG_VERSION"))
    }
}

/// The kits of the built-in games: what is needed to run each of them.
pub mod games {
    pub mod boxing;
    pub mod go;
    pub mod rps;

    /// All built-in games, for tests.
    #[cfg(test)]
    pub fn all() -> crate::kit::Games {
        let kits: [&'static dyn crate::kit::AnyKit; 3] = [&boxing::KIT, &rps::KIT, &go::KIT];
        crate::kit::Games::new(kits)
    }
}

/// Parsers of untrusted files, public only so that the fuzz tests can call them.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::bot_file::parse as bot_file;
}
