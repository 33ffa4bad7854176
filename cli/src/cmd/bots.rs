//! `bots`: lists the reference bots.

use crate::options::PlayFormat;
use crate::show::{self, NAME};
use crate::{CliError, Exit, GameEntry, Registry};
use clap::Args;
use reference_bots::ReferenceBot;
use std::io::Write;

#[derive(Args)]
pub(crate) struct BotsArgs {
    /// List only the bots of this game: {games}
    #[arg(long)]
    pub game: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// Prints the list.
pub(crate) fn run(args: BotsArgs, games: &Registry) -> Result<Exit, CliError> {
    let game = args.game.as_deref().map(|game| games.named(game).map(GameEntry::id)).transpose()?;
    let bots: Vec<_> = games.references().filter(|(own, _)| game.is_none_or(|game| own.id() == game)).collect();
    let mut out = anstream::stdout();
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
