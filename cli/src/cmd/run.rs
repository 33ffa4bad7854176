//! `run BOT`: builds a bot from its sources, as they are now, and becomes its program, for trying it by hand.

use crate::bots;
use crate::cli;
use crate::exit::{CliError, Exit};
use crate::registry::Registry;
use anyhow::Context;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Runs the bot in place of this program, with its standard input and output.
pub(crate) fn run(args: cli::RunArgs, games: &Registry) -> Result<Exit, CliError> {
    let languages = args.languages.read()?;
    let bot = bots::load_with(&args.bot, &args.with_files.with, args.isolation.loader(&languages, games))?;
    let program = bot.program;
    let (first, words) =
        program.argv.split_first().context("the bot has no command").map_err(CliError::of_machine)?;
    let mut command = Command::new(first);
    command.args(words).args(args.args).current_dir(args.cwd.unwrap_or(program.folder));
    if args.no_env {
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    }
    Err(usage!("cannot start {}: {}", args.bot, command.exec()))
}
