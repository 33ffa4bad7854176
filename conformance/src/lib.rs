//! The conformance suite of Cornerman: it checks whether bots follow the protocol and the rules of their game.
//!
//! [`check`] puts a bot through the checks of its game's [`Catalogue`] and returns a [`BotReport`], which
//! `cornerman-report` turns into text, JSON or JUnit XML.
//!
//! ```no_run
//! use cornerman_conformance::{Options, check, exit_code, games};
//! use cornerman_harness::sandbox;
//!
//! sandbox::serve_if_asked(); // First in `main`: the program is its own sandbox server.
//! let bots: Vec<cornerman_harness::bot::Bot> = todo!("the bots to be checked");
//! let options = Options { games: vec![&games::boxing::Boxing], ..Options::default() };
//! let mut reports = Vec::new();
//! for bot in &bots {
//!     let report = check(bot, &bot.name, &options, &mut |_, _| ()).unwrap();
//!     println!("{}: {}", bot.name, if report.passes(false) { "may play" } else { "may not play" });
//!     reports.push(report);
//! }
//! std::process::exit(exit_code(&reports, false).into());
//! ```
//!
//! Each game has a [`Suite`], which turns checks into [jobs](jobs::Job). In games with one process per move, such as
//! [`games::boxing`], jobs make [runs](protocol::filter); in games in lines, such as [`games::go`], they hold
//! [dialogues](lines). Games without checks of their own use the suites of [`protocol`]. Each [`Finding`] is then
//! [attributed](attribution) to the most specific check.

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

mod attribution;
mod bot_report;
mod budget;
mod catalog;
mod check;
mod conduct;
mod error;
pub mod files;
pub mod finding;
pub mod games;
mod jobs;
pub mod judges;
mod language;
pub mod protocol;
mod recognize;
mod runner;
pub mod select;
mod start_error;
mod verdict_cache;

pub use bot_report::{BotReport, exit_code};
pub use catalog::{Catalogue, Check, Severity};
pub use check::{DEFAULT_FILES, DEFAULT_SEED, Options, check, speaks_as_its_game};
pub use error::{SelectionError, SuiteError};
pub use finding::{
    CheckResult, Emphasis, Evidence, Finding, LeftOut, LeftOutReason, Outcome, PICTURE_COLUMNS, PictureLine,
};
pub use games::{Suite, Suites};
pub use protocol::lines;
pub use recognize::{Recognized, recognize};
pub use verdict_cache::VerdictCache;
