//! Running bots: finding and building them, players and the referee. The sandbox is a crate of its own.
//!
//! A bot's fault is data here, never an error: the referee cannot fail because a bot did.
//!
//! ```no_run
//! use cornerman::game::{Seat, Setup};
//! use cornerman_harness::bot::Bot;
//! use cornerman_harness::player::seating::{self, Seated};
//! use cornerman_harness::sandbox::{self, Conditions};
//! use cornerman_harness::{games::boxing, kit::AnyKit, referee};
//! use std::path::Path;
//!
//! sandbox::serve_if_asked(); // first in main: this program is also its own sandbox server
//! let rules = boxing::KIT.usual();
//! let setup = Setup { seats: 2, marks: b"AB".to_vec(), seed: 1, ..Setup::default() };
//! let mut table = rules.open(&setup)?;
//! let mut players = Vec::new();
//! for (seat, path) in [(Seat(0), "./mybot.py"), (Seat(1), "./other.c")] {
//!     players.push(seating::open(&Bot::load(Path::new(path))?, &rules, seat, Conditions::default())?);
//! }
//! let mut seated = Seated::new(players, &setup.marks)?;
//! let outcome = referee::play(&mut *table, &setup, &mut seated.players, &mut |event| println!("{event:?}"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bot;
mod bot_file;
pub mod contest_file;
pub mod doctor;
pub mod engine;
mod entry_files;
pub mod games;
pub mod kit;
mod names;
pub mod nearest;
mod pattern;
pub mod plain;
pub mod player;
pub mod record;
pub mod referee;
pub mod ruleset;
pub mod signal;
pub mod style;
pub mod toml_file;
pub mod toolchain;
pub mod tournament;

pub use cornerman_sandbox as sandbox;

/// Readers of what strangers hand in that only fuzzing calls from outside.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::bot_file::parse as bot_file;
}
