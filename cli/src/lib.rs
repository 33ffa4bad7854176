//! The command line as a library: it parses the arguments, runs the command and returns the exit code.
//!
//! The program `cornerman` is [`main`] with the [built-in games](games::all). To add a game, an organizer writes a
//! program that passes it as well:
//!
//! ```no_run
//! # let mine: cornerman_cli::GameEntry = unimplemented!();
//! # fn call(mine: cornerman_cli::GameEntry) -> std::process::ExitCode {
//! cornerman_cli::main(cornerman_cli::games::all().into_iter().chain([mine]))
//! # }
//! ```
//!
//! `docs/own-game.md` explains how to write such a game.

#![warn(unreachable_pub)]
#![warn(clippy::disallowed_macros)]
#![forbid(unsafe_code)]

#[macro_use]
mod show;
#[macro_use]
mod exit;

mod bots;
mod cmd;
mod contest;
pub mod games;
mod intake;
mod isolation;
mod options;
mod output;
mod own;
mod registry;
mod rules;
mod seal_log;
mod snapshot;

pub(crate) use exit::{CliError, Exit};
pub use registry::GameEntry;
pub(crate) use registry::Registry;

use clap::FromArgMatches;
use cmd::Command;
use cornerman_harness::judge::JudgeFailure;
use std::io::{self, IsTerminal};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// The version, the commit, and whether the sources differ from it: `0.1.0+039a2ca41c6e`, or
/// `0.1.0+039a2ca41c6e.dirty`. Built without git, it is `0.1.0+unknown`.
pub const VERSION: &str = env!("CORNERMAN_VERSION");

/// All commands and options of the program with the built-in games, for pages of documentation.
pub fn command() -> clap::Command {
    let games: &'static Registry = Box::leak(Box::new(Registry::new(games::all())));
    cmd::command(games).name("cornerman")
}

/// The text of a page of `docs/` with `cornerman` in place of `cargo xtask`, as `help` shows it.
pub fn page(text: &str) -> String {
    cmd::help::as_called(text, "cornerman")
}

/// Runs the command that the program's arguments name, with these games. The first one is used where nothing says which
/// game is meant.
pub fn main(games: impl IntoIterator<Item = GameEntry>) -> ExitCode {
    cornerman_harness::sandbox::serve_if_asked();
    cornerman_harness::version::set(VERSION);
    let games: &'static Registry = Box::leak(Box::new(Registry::new(games)));
    let parsed = cmd::command(games).try_get_matches().and_then(|matches| Command::from_arg_matches(&matches));
    let command = match parsed {
        Ok(command) => command,
        Err(error) => return exit::refuse(&error),
    };
    if let Err(error) = begin_log() {
        return exit::report(Err(error));
    }
    let done = panic::catch_unwind(AssertUnwindSafe(|| cmd::run(command, games))).unwrap_or_else(|cause| {
        match cause.downcast::<JudgeFailure>() {
            Ok(failure) => Err(CliError::Internal((*failure).into())),
            Err(other) => panic::resume_unwind(other),
        }
    });
    if let Some(legend) = own::legend().filter(|_| io::stdout().is_terminal()) {
        note!("{}", show::paint(show::DIM, legend));
    }
    exit::report(done)
}

/// Writes to standard error what `CORNERMAN_LOG` asks for: a level such as `debug`, or levels of parts of the program.
fn begin_log() -> Result<(), CliError> {
    let Some(wanted) = std::env::var_os("CORNERMAN_LOG").filter(|wanted| !wanted.is_empty()) else {
        return Ok(());
    };
    let wanted = wanted.to_string_lossy();
    let targets: Targets = wanted
        .parse()
        .map_err(|error| usage!("CORNERMAN_LOG: `{wanted}`: {error}; name a level, such as `debug`"))?;
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).log_internal_errors(false);
    tracing_subscriber::registry().with(lines).with(targets).init();
    Ok(())
}
