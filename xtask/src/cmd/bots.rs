//! `bots`: lists the reference bots.

use crate::cli::{self, PlayFormat};
use crate::exit::{CliError, Exit};
use crate::registry::{GameEntry, Registry};
use crate::show::{self, NAME};
use std::io::Write;

/// Prints the list.
pub fn run(args: cli::Bots, games: &Registry) -> Result<Exit, CliError> {
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
            let width = bots.iter().map(|(_, bot)| bot.id.len()).max().unwrap_or(0);
            for (game, bot) in bots {
                let padding = " ".repeat(width - bot.id.len());
                writeln!(
                    out,
                    "{}{padding}  {}  {}",
                    show::paint(NAME, format!("@{}", bot.id)),
                    game.id(),
                    bot.about
                )?;
            }
        }
    }
    Ok(Exit::Fine)
}
