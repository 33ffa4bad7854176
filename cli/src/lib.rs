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
#![forbid(unsafe_code)]

#[macro_use]
mod exit;

mod bots;
mod cli;
mod cmd;
mod contest;
pub mod games;
mod intake;
mod isolation;
mod output;
mod own;
mod registry;
mod rules;
mod seal_log;
mod show;
mod snapshot;

pub use registry::GameEntry;

use clap::FromArgMatches;
use cli::{Cli, Command};
use cornerman_harness::judge::JudgeFailure;
use exit::{CliError, Exit};
use registry::Registry;
use std::io::{self, IsTerminal};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// The version, the commit, and whether the sources differ from it: `0.1.0+039a2ca41c6e`, or `0.1.0+039a2ca41c6e.dirty`.
/// Built without git, it is `0.1.0+unknown`.
pub const VERSION: &str = env!("CORNERMAN_VERSION");

/// All commands and options of the program with the built-in games, for pages of documentation.
pub fn command() -> clap::Command {
    let games: &'static Registry = Box::leak(Box::new(Registry::new(games::all())));
    cli::command(games).name("cornerman")
}

/// Runs the command that the program's arguments name, with these games. The first one is used where nothing says which
/// game is meant.
pub fn main(games: impl IntoIterator<Item = GameEntry>) -> ExitCode {
    cornerman_harness::sandbox::serve_if_asked();
    cornerman_harness::version::set(VERSION);
    let games: &'static Registry = Box::leak(Box::new(Registry::new(games)));
    let parsed = cli::command(games).try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return exit::refuse(&error),
    };
    if let Err(error) = begin_log() {
        return exit::report(Err(error));
    }
    let command = cli.command;
    let done = panic::catch_unwind(AssertUnwindSafe(|| run(command, games))).unwrap_or_else(|cause| {
        match cause.downcast::<JudgeFailure>() {
            Ok(failure) => Err(CliError::Internal((*failure).into())),
            Err(other) => panic::resume_unwind(other),
        }
    });
    if let Some(legend) = own::legend().filter(|_| io::stdout().is_terminal()) {
        anstream::eprintln!("{}", show::paint(show::DIM, legend));
    }
    exit::report(done)
}

/// Runs the command. A judge that fails where no game is lost by it unwinds out of here.
fn run(command: Command, games: &'static Registry) -> Result<Exit, CliError> {
    match command {
        Command::Check(args) => cmd::check::run(args, games),
        Command::Play(args) => cmd::play::run(args, games),
        Command::Compare(args) => cmd::compare::run(args, games),
        Command::Spar(args) => cmd::spar::run(args, games),
        Command::Tournament(args) => cmd::tournament::run(args, games),
        Command::Worker(args) => cmd::worker::run(args, games),
        Command::NatsConfig(args) => cmd::nats_config::run(&args),
        Command::Decide(args) => cmd::decide::run(args, games),
        Command::Decisions(args) => cmd::decide::list(&args, games),
        Command::Standings(args) => cmd::standings::run(args, games),
        Command::Rules(args) => cmd::rules::run(args, games),
        Command::Verify(args) => cmd::verify::run(args, games),
        Command::Rejudge(args) => cmd::rejudge::run(args, games),
        Command::Games(args) => cmd::games::run(args, games),
        Command::Why(args) => cmd::why::run(args, games),
        Command::Audit(args) => cmd::audit::run(args, games),
        Command::Export(args) => cmd::export::run(args, games),
        Command::Replay(args) => cmd::replay::run(args, games),
        Command::Report(args) => cmd::report::run(args, games),
        Command::New(args) => cmd::new::run(args, games),
        Command::NewGame(args) => cmd::new_game::run(args),
        Command::Judge(args) => cmd::judge::run(args, games),
        Command::Arena(args) => cmd::arena::run(args, games),
        Command::Bots(args) => cmd::bots::run(args, games),
        Command::Run(args) => cmd::run::run(args, games),
        Command::GtpBridge(args) => games::gtp_bridge(args, games),
        Command::Schema(args) => cmd::schema::run(&args),
        Command::Doctor(args) => cmd::doctor::run(args, games),
        Command::Completions(args) => cmd::completions::run(args, games),
        Command::Help(args) => cmd::help::run(&args, games),
    }
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
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    tracing_subscriber::registry().with(lines).with(targets).init();
    Ok(())
}
