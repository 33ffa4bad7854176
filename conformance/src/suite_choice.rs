//! The choice of the suite for a bot.

use crate::error::SuiteError;
use crate::games::probe::{Probe, Recognition};
use crate::games::{Suite, Suites, known};
use crate::select;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, SandboxError};
use std::collections::BTreeSet;

/// The suite for a bot.
pub struct SuiteChoice {
    /// The suite.
    pub suite: &'static dyn Suite,
    /// A remark for the report, unless the user or the bot named the game.
    pub remark: Option<String>,
}

/// Chooses the suite for `bot` among `games`: that of the `game` that the user named, or else that of the game that the
/// bot names, of the only game with `selected` checks, of the game that the bot's behaviour shows, or the first of the
/// list. The report says so, unless the user or the bot named the game.
///
/// # Errors
/// When the game has no checks, or when the bot must be run and no sandbox is available.
pub fn choose(
    games: Suites,
    game: Option<&str>,
    bot: &Bot,
    selected: &BTreeSet<String>,
    conditions: Conditions,
) -> Result<SuiteChoice, SuiteError> {
    let said = game.or(bot.game.as_deref());
    if let Some(game) = said {
        return Ok(SuiteChoice { suite: known(games, game)?, remark: None });
    }
    let (suite, why) = match select::games(games, selected)[..] {
        [suite] => (suite, "the selected checks are those of this game"),
        _ => match recognize(games, bot, conditions)? {
            Some((suite, Recognition::Yes(why))) => (suite, why),
            _ => (*games.first().ok_or(SuiteError::NoGame)?, "nothing that it does shows which game it plays"),
        },
    };
    let remark = format!("taken for {}, because {why}; `--game` chooses another", suite.title());
    Ok(SuiteChoice { suite, remark: Some(remark) })
}

/// The suite of the game that the bot's behaviour shows, and how sure that is; `None` if no suite recognizes the bot.
/// The `games` are tried in their order, and the first that recognizes the bot is taken.
///
/// # Errors
/// When no sandbox is available.
pub fn recognize(
    games: Suites,
    bot: &Bot,
    conditions: Conditions,
) -> Result<Option<(&'static dyn Suite, Recognition)>, SandboxError> {
    let mut probe = Probe::open(bot, conditions)?;
    for &suite in games {
        let clue = suite.recognize(&mut probe)?;
        if clue != Recognition::No {
            return Ok(Some((suite, clue)));
        }
    }
    Ok(None)
}
