//! Running bots: finding and building them, the sandbox, players and the referee.
//!
//! A bot's fault is data here, never an error: the referee cannot fail because a bot did.
//!
//! ```no_run
//! use cornerman::game::Setup;
//! use cornerman_harness::bot::Bot;
//! use cornerman_harness::player::Player;
//! use cornerman_harness::player::arena_pipe::{self, ArenaPipe};
//! use cornerman_harness::sandbox::{self, Conditions};
//! use cornerman_harness::referee;
//! use std::path::Path;
//!
//! sandbox::serve_if_asked(); // first in main: this program is also its own sandbox server
//! let bots = [Bot::load(Path::new("./mybot.py"))?, Bot::load(Path::new("./other.c"))?];
//! let setup = Setup { seats: 2, seed: 1, ..Setup::default() };
//! let table = || (cornerman::games::find("boxing").unwrap().open)(&setup).unwrap();
//! let mut players: Vec<Box<dyn Player>> = Vec::new();
//! for (bot, mark) in bots.iter().zip(*b"AB") {
//!     players.push(Box::new(ArenaPipe::open(bot, mark, Conditions::default())?));
//! }
//! let mut seated = arena_pipe::seat(players, b"AB")?;
//! let outcome = referee::play(&table, &setup, &mut seated.players, &mut |event| println!("{event:?}"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod bot;
mod bot_file;
pub mod contest_file;
pub mod doctor;
pub mod host;
pub mod nearest;
pub mod player;
pub mod record;
pub mod referee;
pub mod ruleset;
pub mod sandbox;
pub mod toml_file;
pub mod toolchain;
pub mod tournament;
mod tree;
