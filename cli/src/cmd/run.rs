//! Commands to try bots by hand: `bots` lists the reference bots, `run BOT` builds a bot and becomes its program, and
//! `arena` prints a board to send to a bot.

use super::play::any_seed;
use crate::options::{IsolationArgs, LanguagesArgs, PlayFormat, WithFiles, whole_number};
use crate::show::{self, NAME};
use crate::{CliError, Exit, GameEntry, Registry, bots, rules};
use anyhow::Context;
use clap::Args;
use cornerman_harness::kit::SeedUse;
use cornerman_harness::sandbox::Conditions;
use reference_bots::ReferenceBot;
use std::ffi::OsString;
use std::io::Write;
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

#[derive(Args)]
pub(crate) struct ArenaArgs {
    /// Seed of the board [default: another one each time, which is shown]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The game: {games} [default: {usual}]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
}

/// Prints a board that a game starts from, made from a seed as for a contest.
pub(crate) fn print_board(args: ArenaArgs, games: &Registry) -> Result<Exit, CliError> {
    let game = args.game.as_deref();
    let ruleset = rules::rules(game, args.rules.as_deref(), &[], games, Conditions::default())?;
    let SeedUse::Board(what) = ruleset.kit().facts().seed_use else {
        return Err(usage!("{}: a game does not start from a board", ruleset.title));
    };
    let seed = args.seed.unwrap_or_else(any_seed);
    if args.seed.is_none() {
        note!("the {what} of --seed {seed}");
    }
    show::raw_stdout().write_all(&ruleset.board(seed))?;
    Ok(Exit::Fine)
}

#[derive(Args)]
pub(crate) struct BotsArgs {
    /// List only the bots of this game: {games}
    #[arg(long)]
    pub game: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// Prints the list of reference bots.
pub(crate) fn list_bots(args: BotsArgs, games: &Registry) -> Result<Exit, CliError> {
    let game = args.game.as_deref().map(|game| games.named(game).map(GameEntry::id)).transpose()?;
    let bots: Vec<_> = games.references().filter(|(own, _)| game.is_none_or(|game| own.id() == game)).collect();
    let mut out = show::stdout();
    match args.format {
        PlayFormat::Json => {
            let list: Vec<_> = bots
                .iter()
                .map(|(game, bot)| serde_json::json!({ "id": bot.id, "game": game.id(), "about": bot.about }))
                .collect();
            writeln!(out, "{}", serde_json::Value::from(list))?;
        }
        PlayFormat::Text => {
            let width = |of: fn(&(&GameEntry, &ReferenceBot)) -> usize| bots.iter().map(of).max().unwrap_or(0);
            let names = width(|(_, bot)| bot.id.len() + 1);
            let ids = width(|(game, _)| game.id().len());
            for (game, bot) in &bots {
                let name = format!("{:names$}", format!("@{}", bot.id));
                let line = format!("{}  {:ids$}  {}", show::paint(NAME, name), game.id(), bot.about);
                writeln!(out, "{}", show::folded(&line, names + ids + 4))?;
            }
        }
    }
    Ok(Exit::Fine)
}
