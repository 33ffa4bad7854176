//! `completions SHELL`: prints the script with which a shell completes the command line.

use crate::cli;
use crate::exit::{CliError, Exit};
use crate::registry::Registry;

/// Prints the script.
pub fn run(args: cli::Completions, games: &Registry) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    let mut command = cli::command(games);
    let name = command.get_name().to_string();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Exit::Fine)
}
