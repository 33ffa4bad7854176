//! Which game a command line means, and by which rules: what was asked for, else what the bots say of themselves.

use crate::exit::Failure;
use cornerman::games::{self, GAMES};
use cornerman_harness::bot::Bot;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::ruleset::Ruleset;
use std::path::Path;

/// The rules to play by: those asked for, else the usual ones of the game that was asked for or that the bots play.
/// Where nobody says which game it is, it is the usual one, and that is said on standard error.
///
/// # Errors
/// When there is no such game or ruleset, or bots of several games are to meet.
pub fn rules(game: Option<&str>, rules: Option<&str>, bots: &[Bot]) -> Result<Ruleset, Failure> {
    let game = game.map(named).transpose()?;
    if let Some(rules) = rules {
        let ruleset = Ruleset::find(rules, Path::new("")).map_err(Failure::usage)?;
        if let Some(game) = game.filter(|game| *game != ruleset.game()) {
            let of = ruleset.game();
            return Err(Failure::usage(format!("the ruleset {rules} is one of the game {of}, not of {game}")));
        }
        agree(ruleset.game(), bots)?;
        return Ok(ruleset);
    }
    let known = bots.iter().find_map(|bot| bot.game.as_deref());
    let game = match (game, known) {
        (Some(game), _) => game,
        (None, Some(game)) => named(game)?,
        (None, None) => {
            let usual = &GAMES[0];
            if !bots.is_empty() {
                eprintln!("no bot says which game it plays: taken for {} (--game chooses)", usual.title);
            }
            usual.id
        }
    };
    agree(game, bots)?;
    Ruleset::find(Ruleset::usual_id(game), Path::new("")).map_err(Failure::usage)
}

/// The id of the game called `name`.
///
/// # Errors
/// When there is none, with the nearest.
pub fn named(name: &str) -> Result<&'static str, Failure> {
    games::find(name).map(|game| game.id).ok_or_else(|| {
        let ids: Vec<&str> = GAMES.iter().map(|game| game.id).collect();
        let hint = did_you_mean(name, ids.iter().copied());
        Failure::usage(format!("there is no game `{name}`; the games are {}{hint}", ids.join(", ")))
    })
}

/// Bots that say so play `game`.
///
/// # Errors
/// When one of them plays another.
pub fn agree(game: &str, bots: &[Bot]) -> Result<(), Failure> {
    match bots.iter().find_map(|bot| bot.game.as_deref().filter(|own| *own != game).map(|own| (bot, own))) {
        None => Ok(()),
        Some((bot, own)) => Err(Failure::usage(format!("{} plays {own}, not {game}", bot.spec))),
    }
}
