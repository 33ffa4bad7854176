//! `run BOT`: builds a bot from its sources, as they are now, and becomes its program, for trying it by hand.

use crate::options::{IsolationArgs, LanguagesArgs, WithFiles};
use crate::{CliError, Exit, Registry, bots};
use anyhow::Context;
use clap::Args;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The bot
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// Arguments for its program, such as its mark
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<OsString>,
    #[command(flatten)]
    pub with_files: WithFiles,
    /// Start it in this folder [default: its own]
    #[arg(long, value_name = "FOLDER")]
    pub cwd: Option<PathBuf>,
    /// Start it with no environment variable except PATH
    #[arg(long)]
    pub no_env: bool,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Runs the bot in place of this program, with its standard input and output.
pub(crate) fn run(args: RunArgs, games: &Registry) -> Result<Exit, CliError> {
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
