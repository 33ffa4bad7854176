//! Which game a command line means, and by which rules: what was asked for, else what the bots say of themselves.

use crate::exit::Failure;
use cornerman::games::{self, GAMES};
use cornerman_conformance::games::probe;
use cornerman_harness::bot::Bot;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Conditions;
use std::path::Path;

/// The rules to play by: those asked for, else the usual ones of the game that was asked for or that the bots play.
/// Where nobody says which game it is, a bot that unmistakably plays one shows it, and that is said on standard error;
/// otherwise it is the usual one.
///
/// # Errors
/// When there is no such game or ruleset, or bots of several games are to meet.
pub fn rules(
    game: Option<&str>,
    rules: Option<&str>,
    bots: &[Bot],
    conditions: Conditions,
) -> Result<Ruleset, Failure> {
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
        (None, None) => match bots.first() {
            Some(bot) => shown(bot, conditions)?.unwrap_or(GAMES[0].id),
            None => GAMES[0].id,
        },
    };
    agree(game, bots)?;
    Ruleset::find(Ruleset::usual_id(game), Path::new("")).map_err(Failure::usage)
}

/// The game that a bot unmistakably plays, looked at in a sandbox.
fn shown(bot: &Bot, conditions: Conditions) -> Result<Option<&'static str>, Failure> {
    let Some((game, why)) = probe::game_of(bot, conditions)? else { return Ok(None) };
    let title = games::find(game).map_or(game, |game| game.title);
    eprintln!("{} is taken for a bot of {title}, as {why}; --game says otherwise", crate::show::plain(&bot.spec));
    Ok(Some(game))
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
