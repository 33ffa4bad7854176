//! The one binary, `cornerman`: what was asked for, done, and an exit code.

#![forbid(unsafe_code)]

mod bots;
mod cli;
mod cmd;
mod exit;
mod games;
mod intake;
mod show;
mod tidy;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    cornerman_harness::sandbox::serve_if_asked();
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Check(args) => cmd::check::run(args),
        Command::Play(args) => cmd::play::run(args),
        Command::Tournament(args) => cmd::tournament::run(args),
        Command::Standings(args) => cmd::standings::run(args),
        Command::Export(args) => cmd::export::run(args),
        Command::Replay(args) => cmd::replay::run(args),
        Command::Report(args) => cmd::report::run(args),
        Command::New(args) => cmd::new::run(args),
        Command::Bots(args) => cmd::bots::run(args),
        Command::GtpBridge(args) => cmd::gtp_bridge::run(args),
        Command::Doctor(args) => cmd::doctor::run(args),
        Command::Tidy => cmd::tidy::run(),
        Command::Completions(args) => cmd::completions::run(args),
    };
    exit::report(done)
}
