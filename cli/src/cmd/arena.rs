//! `arena`: prints a board that a game starts from, made from a seed as for a contest.

use super::play::any_seed;
use crate::options::whole_number;
use crate::{CliError, Exit, Registry, rules};
use clap::Args;
use cornerman_harness::kit::SeedUse;
use cornerman_harness::sandbox::Conditions;
use std::io::Write;

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

/// Prints the board.
pub(crate) fn run(args: ArenaArgs, games: &Registry) -> Result<Exit, CliError> {
    let game = match &args.rules {
        None => Some(args.game.as_deref().unwrap_or(games.usual().id())),
        Some(_) => args.game.as_deref(),
    };
    let ruleset = rules::rules(game, args.rules.as_deref(), &[], games, Conditions::default())?;
    let SeedUse::Board(what) = ruleset.kit().facts().seed_use else {
        return Err(usage!("{}: a game does not start from a board", ruleset.title));
    };
    let seed = args.seed.unwrap_or_else(any_seed);
    if args.seed.is_none() {
        eprintln!("the {what} of --seed {seed}");
    }
    std::io::stdout().write_all(&ruleset.board(seed))?;
    Ok(Exit::Fine)
}
