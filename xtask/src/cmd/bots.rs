//! `bots`: the reference bots, with a line about each.

use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::show::{self, NAME};
use cornerman_harness::nearest::did_you_mean;
use reference_bots::{BOTS, ReferenceBot};
use std::io::Write;

/// Prints the list.
pub fn run(args: cli::Bots) -> Result<Exit, Failure> {
    let bots = of_game(args.game.as_deref())?;
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => {
            let list: Vec<_> = bots
                .iter()
                .map(|bot| serde_json::json!({ "id": bot.id, "game": bot.game, "about": bot.about }))
                .collect();
            writeln!(out, "{}", serde_json::Value::from(list))?;
        }
        PlayFormat::Text => {
            let width = bots.iter().map(|bot| bot.id.len()).max().unwrap_or(0);
            for bot in bots {
                let padding = " ".repeat(width - bot.id.len());
                writeln!(
                    out,
                    "{}{padding}  {}  {}",
                    show::paint(NAME, format!("@{}", bot.id)),
                    bot.game,
                    bot.about
                )?;
            }
        }
    }
    Ok(Exit::Fine)
}

/// The bots of a game, or all.
fn of_game(game: Option<&str>) -> Result<Vec<&'static ReferenceBot>, Failure> {
    let bots: Vec<_> = BOTS.iter().filter(|bot| game.is_none_or(|game| bot.game == game)).collect();
    match game {
        Some(game) if bots.is_empty() => {
            let hint = did_you_mean(game, BOTS.iter().map(|bot| bot.game));
            Err(Failure::usage(format!("no reference bots for the game `{game}`{hint}")))
        }
        _ => Ok(bots),
    }
}
