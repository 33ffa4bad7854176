//! Which game a command line means, and by which rules: what was asked for, else what the bots say of themselves.

use crate::exit::CliError;
use crate::registry::{GameEntry, Registry};
use cornerman_conformance::suite_choice::recognize;
use cornerman_conformance::games::probe::Recognition;
use cornerman_harness::bot::Bot;
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
    games: &Registry,
    conditions: Conditions,
) -> Result<Ruleset, CliError> {
    let game = game.map(|game| games.named(game)).transpose()?;
    if let Some(rules) = rules {
        let ruleset = games.games.ruleset(rules, Path::new("")).map_err(CliError::usage)?;
        if let Some(game) = game.map(GameEntry::id).filter(|game| *game != ruleset.game()) {
            let of = ruleset.game();
            return Err(CliError::usage(format!("the ruleset {rules} is one of the game {of}, not of {game}")));
        }
        agree(ruleset.game(), bots)?;
        return Ok(ruleset);
    }
    let known = bots.iter().find_map(|bot| bot.game.as_deref());
    let game = match (game, known) {
        (Some(game), _) => game,
        (None, Some(game)) => games.named(game)?,
        (None, None) => match bots.first().map(|bot| shown(bot, games, conditions)).transpose()?.flatten() {
            Some(game) => games.named(game)?,
            None => games.usual(),
        },
    };
    agree(game.id(), bots)?;
    Ok(game.kit.usual())
}

/// The game that a bot unmistakably plays, looked at in a sandbox.
fn shown(bot: &Bot, games: &Registry, conditions: Conditions) -> Result<Option<&'static str>, CliError> {
    let Some((suite, clue)) = recognize(&games.suites(), bot, conditions)? else { return Ok(None) };
    if let Recognition::Likely(why) = clue {
        let (bot, title) = (crate::show::plain(&bot.spec), suite.title());
        eprintln!("{bot} is taken for a bot of {title}, as {why}; --game says otherwise");
    }
    Ok(Some(suite.game()))
}

/// Bots that say so play `game`.
///
/// # Errors
/// When one of them plays another.
pub fn agree(game: &str, bots: &[Bot]) -> Result<(), CliError> {
    match bots.iter().find_map(|bot| bot.game.as_deref().filter(|own| *own != game).map(|own| (bot, own))) {
        None => Ok(()),
        Some((bot, own)) => Err(CliError::usage(format!("{} plays {own}, not {game}", bot.spec))),
    }
}
