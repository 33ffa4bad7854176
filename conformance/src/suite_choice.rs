//! Which suite a bot is put through.

use crate::error::SuiteError;
use crate::games::probe::{Probe, Recognition};
use crate::games::{Suite, Suites, known};
use crate::select;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, SandboxError};
use std::collections::BTreeSet;

/// The suite for a bot, and what is to be said of the choice if it was a guess.
pub struct SuiteChoice {
    /// The suite.
    pub suite: &'static dyn Suite,
    /// What is to be said.
    pub remark: Option<String>,
}

/// The suite of the `game` that was asked for, among `games`; else of the bot's own; else of the only game that checks
/// were `selected` of; else of the game that the bot shows itself; else the first there is, which is said then.
///
/// # Errors
/// When there are no checks of the game, or no sandbox to look at the bot in.
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
    if let [suite] = select::games(games, selected)[..] {
        return Ok(SuiteChoice { suite, remark: None });
    }
    let (suite, why) = match recognize(games, bot, conditions)? {
        Some((suite, Recognition::Likely(why))) => (suite, why),
        Some((suite, _)) => return Ok(SuiteChoice { suite, remark: None }),
        None => (*games.first().ok_or(SuiteError::NoGame)?, "nothing shows what it plays"),
    };
    let remark = format!("taken for a bot of {}, as {why}; `--game` says otherwise", suite.title());
    Ok(SuiteChoice { suite, remark: Some(remark) })
}

/// The suite of the game that the bot shows, and how sure that is; `None` if no suite knows it. Each of `games` looks at
/// it, in their order, and the first that is sure of it has it.
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
