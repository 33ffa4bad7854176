//! `completions SHELL`: the script that lets a shell complete our commands.

use crate::cli::{self, Cli};
use crate::exit::{Exit, Failure};
use clap::CommandFactory;

/// Prints the script.
pub fn run(args: cli::Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cornerman", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Exit::Fine)
}
