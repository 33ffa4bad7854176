//! Does a bot keep to the protocol? The conformance suite of Cornerman: catalogue, cases, checks, reports.
//!
//! [`check`] puts bots through every check of [`catalog::Catalogue`] and returns a [`BotReport`] each; the
//! modules of [`report`] show it to people and to programs.
//!
//! ```no_run
//! use cornerman_conformance::{Options, check, exit_code, report};
//! use cornerman_harness::sandbox;
//!
//! sandbox::serve_if_asked(); // First in `main`: the program is its own sandbox server.
//! let bots: Vec<cornerman_harness::bot::Bot> = todo!("the bots to be checked");
//! let reports = check(&bots, &Options::default(), &mut |_| ()).unwrap();
//! for bot in &reports {
//!     print!("{}", report::human(bot, &report::Style::plain()));
//! }
//! std::process::exit(exit_code(&reports, false).into());
//! ```
//!
//! Every game is a [`games::Suite`]: The Boxing Match, a process a move, is in [`games::boxing`]; games that are
//! spoken in lines share [`lines`], where a bot is held in dialogue.

#![forbid(unsafe_code)]

mod budget;
pub mod catalog;
pub mod files;
pub mod finding;
pub mod games;
pub mod kept;
pub mod lines;
mod machine;
mod pool;
pub mod report;
pub mod select;
pub mod suite;
mod trespass;
mod words;

pub use catalog::{Catalogue, Check, Severity, explain, list};
pub use finding::{BotReport, CheckResult, Evidence, Finding, LeftOut, Outcome, Reason, exit_code};
pub use games::boxing::{case, verdict};
pub use kept::Verdicts;
pub use select::SelectionError;
pub use suite::{DEFAULT_BUDGET, DEFAULT_FILES, DEFAULT_SEED, Options, Progress, SuiteError, check, check_one};
