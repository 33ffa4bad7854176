//! `bots`: the reference bots, with a line about each.

use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::show::{self, NAME};
use reference_bots::BOTS;
use std::io::Write;

/// Prints the list.
pub fn run(args: cli::Bots) -> Result<Exit, Failure> {
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => {
            let list: Vec<_> = BOTS
                .iter()
                .map(|bot| serde_json::json!({ "id": bot.id, "game": bot.game, "about": bot.about }))
                .collect();
            writeln!(out, "{}", serde_json::Value::from(list))?;
        }
        PlayFormat::Text => {
            let width = BOTS.iter().map(|bot| bot.id.len()).max().unwrap_or(0);
            for bot in BOTS {
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
