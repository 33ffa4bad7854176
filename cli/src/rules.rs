//! Chooses the ruleset to play by: from the options, or else from what the bots are.

use crate::options::RulesChoice;
use crate::{CliError, GameEntry, Registry};
use cornerman_conformance::{Recognized, recognize};
use cornerman_harness::bot::Bot;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Conditions;
use std::path::Path;

/// The ruleset that the loaded bots play by, with the number of rounds that the user chose.
///
/// # Errors
/// Like [`rules`]; and when the game has no rounds, or not that many.
pub(crate) fn chosen(
    choice: &RulesChoice,
    bots: &[Bot],
    games: &Registry,
    conditions: Conditions,
) -> Result<Ruleset, CliError> {
    let ruleset = rules(choice.game.as_deref(), choice.rules.as_deref(), bots, games, conditions)?;
    let Some(rounds) = choice.rounds else { return Ok(ruleset) };
    let changed = games.games.with_rounds(&ruleset, rounds);
    changed.map_err(|why| usage!("--rounds {rounds}: {why}"))
}

/// The ruleset named `rules`, or else the usual one of the game. In that case the game is `game`, or else the one that
/// the bots name, or else the one that the first bot seems to play, or else the usual game.
///
/// # Errors
/// When there is no such game or ruleset, or the bots are of different games.
pub(crate) fn rules(
    game: Option<&str>,
    rules: Option<&str>,
    bots: &[Bot],
    games: &Registry,
    conditions: Conditions,
) -> Result<Ruleset, CliError> {
    let game = game.map(|game| games.named(game)).transpose()?;
    if let Some(rules) = rules {
        let ruleset = games.games.ruleset(rules, Path::new(""))?;
        if let Some(game) = game.map(GameEntry::id).filter(|game| *game != ruleset.game()) {
            let of = ruleset.game();
            return Err(usage!("the ruleset {rules} is for the game {of}, not for {game}"));
        }
        agree(ruleset.game(), bots)?;
        return Ok(ruleset);
    }
    let known = bots.iter().find_map(|bot| bot.game.as_deref());
    let game = match (game, known) {
        (Some(game), _) => game,
        (None, Some(game)) => games.named(game)?,
        (None, None) => match bots.first().map(|bot| probed(bot, games, conditions)).transpose()?.flatten() {
            Some(game) => games.named(game)?,
            None => games.usual(),
        },
    };
    agree(game.id(), bots)?;
    Ok(game.kit.default_ruleset())
}

/// The game that a bot seems to play, by its answers in a sandbox or its sources. Another game than the usual one is
/// reported on standard error.
fn probed(bot: &Bot, games: &Registry, conditions: Conditions) -> Result<Option<&'static str>, CliError> {
    let Recognized::As(suite, why) = recognize(&games.suites(), bot, conditions)? else { return Ok(None) };
    if suite.game() != games.usual().id() {
        let bot = crate::show::plain(&bot.spec);
        let title = suite.title();
        note!("{bot} is taken for a bot of {title}, because {why}; `--game` chooses another");
    }
    Ok(Some(suite.game()))
}

/// Checks that no bot names another game than `game`.
pub(crate) fn agree(game: &str, bots: &[Bot]) -> Result<(), CliError> {
    for bot in bots {
        if let Some(own) = bot.game.as_deref().filter(|own| *own != game) {
            return Err(usage!("{} plays {own}, not {game}", bot.spec));
        }
    }
    Ok(())
}

/// The ruleset with other values of some of its keys, each given as `KEY=VALUE`.
///
/// # Errors
/// When there is no such key, or it cannot have this value.
pub(crate) fn with_settings(ruleset: Ruleset, settings: &[String], games: &Registry) -> Result<Ruleset, CliError> {
    settings.iter().try_fold(ruleset, |ruleset, setting| {
        let (key, value) = setting
            .split_once('=')
            .ok_or_else(|| usage!("--set {setting}: expected a key and a value, such as max_square=8"))?;
        let changed = games.games.with_setting(&ruleset, key.trim(), value.trim());
        changed.map_err(|why| usage!("--set {setting}: {why}"))
    })
}
