//! The games that have a suite, and which one a bot is put through.
//!
//! A [`Suite`] is all that the rest of the crate knows of a game: its name, its catalogue, and its checks over one
//! bot. Games that are played a process a move show their evidence as a run, those spoken in lines as a
//! [transcript](crate::lines::Transcript).

pub mod boxing;
pub mod go;
pub mod probe;
pub mod rps;

use crate::catalog::Catalogue;
use crate::finding::BotReport;
use crate::select;
use crate::suite::{Options, Progress, SuiteError};
use cornerman_harness::bot::Bot;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::ruleset::Ruleset;
use std::collections::BTreeSet;

/// What is asked of a suite.
pub struct Asked<'a> {
    /// How to check.
    pub options: &'a Options,
    /// The ids of the checks to run, all of this game and at least one.
    pub selected: &'a BTreeSet<String>,
    /// By whose limits, which the bot has already.
    pub ruleset: &'a Ruleset,
}

/// The checks of a game.
pub trait Suite: Sync {
    /// The game's name in the registry: `boxing`.
    fn game(&self) -> &'static str;

    /// Puts `bot` through the checks, on all processors; `progress` hears how it goes.
    ///
    /// # Errors
    /// When the sandbox that is demanded cannot be had. Whatever the bot does, and a sandbox that fails midway, is
    /// in the report.
    fn check(&self, bot: &Bot, asked: &Asked, progress: &mut dyn FnMut(Progress))
    -> Result<BotReport, SuiteError>;

    /// Its checks.
    fn catalogue(&self) -> &'static Catalogue {
        Catalogue::of(self.game()).unwrap_or_else(|| panic!("the suite of {} has no catalogue", self.game()))
    }
}

/// Every suite, the usual game's first.
pub const SUITES: [&dyn Suite; 3] = [&boxing::Boxing, &rps::Rps, &go::Go];

/// The suite of `game`.
pub fn suite(game: &str) -> Option<&'static dyn Suite> {
    SUITES.into_iter().find(|suite| suite.game() == game)
}

/// The suite of `game`, which somebody asked for.
///
/// # Errors
/// When there is none, with the nearest that there is.
pub fn known(game: &str) -> Result<&'static dyn Suite, SuiteError> {
    suite(game).ok_or_else(|| {
        let hint = did_you_mean(game, SUITES.map(|suite| suite.game()));
        SuiteError::NoChecks { game: game.escape_debug().to_string(), hint }
    })
}

/// The names of all games that have checks.
pub(crate) fn names() -> String {
    SUITES.map(|suite| suite.game()).join(", ")
}

/// The game's name for people; as it is, if nobody knows it.
pub fn title(game: &'static str) -> &'static str {
    cornerman::games::find(game).map_or(game, |info| info.title)
}

/// The suite for a bot, and what is to be said of the choice if it was a guess.
pub struct Chosen {
    /// The suite.
    pub suite: &'static dyn Suite,
    /// What is to be said.
    pub remark: Option<String>,
}

/// The suite of the game that was asked for; else of the bot's own; else of the only game that checks were
/// `selected` of; else of the game that the bot unmistakably plays; else the usual one.
///
/// # Errors
/// When there are no checks of the game, or no sandbox to look at the bot in.
pub fn choose(bot: &Bot, options: &Options, selected: &BTreeSet<String>) -> Result<Chosen, SuiteError> {
    let said = options.game.as_deref().or(bot.game.as_deref());
    let only = || match select::games(selected)[..] {
        [game] => Some(game),
        _ => None,
    };
    if let Some(game) = said.or_else(only) {
        return Ok(Chosen { suite: known(game)?, remark: None });
    }
    Ok(match probe::game_of(bot, options.conditions)? {
        Some((game, why)) => {
            let remark = format!("taken for a bot of {}, as {why}; `--game` says otherwise", title(game));
            Chosen { suite: known(game)?, remark: Some(remark) }
        }
        None => Chosen { suite: SUITES[0], remark: None },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_is_of_a_game_and_has_a_catalogue() {
        for suite in SUITES {
            assert!(cornerman::games::find(suite.game()).is_some());
            assert_eq!(suite.catalogue().game, suite.game());
        }
        assert_eq!(Catalogue::all().len(), SUITES.len());
        assert_eq!(SUITES[0].game(), cornerman::games::GAMES[0].id);
    }
}
