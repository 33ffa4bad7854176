//! The games that have a suite, and what a suite is.
//!
//! A [`Suite`] is all that the rest of the crate knows of a game. Which suites there are is said by the caller: every
//! function here takes the list of them.

pub mod boxing;
pub mod go;
pub mod probe;
pub mod rps;

use crate::attribution::Observations;
use crate::catalog::{Catalogue, Id};
use crate::error::SuiteError;
use crate::fault::CommonCheckIds;
use crate::finding::Finding;
use crate::job::Job;
use crate::shared::SharedState;
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, LimitOverrides, SandboxError};
use cornerman_harness::style::Style;
use probe::{Probe, Recognition};
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// The suites of the games that there are.
pub type Suites<'a> = &'a [&'static dyn Suite];

/// What is asked of a suite.
pub struct CheckRequest<'a> {
    /// The ids of the checks to run, all of this game and at least one.
    pub selected: &'a BTreeSet<String>,
    /// By whose limits, which the bot has already.
    pub ruleset: &'a Ruleset,
    /// Limits in place of those, which the bot has as well.
    pub limits: LimitOverrides,
    /// What lots are drawn from: random arenas, opponents.
    pub seed: u64,
    /// Wall time for the bot; `None`: as long as it takes.
    pub budget: Option<Duration>,
    /// Whether the bot is asked no more once it has failed a must.
    pub fast: bool,
    /// The isolation that is demanded.
    pub conditions: Conditions,
}

/// The checks of a game.
pub trait Suite: Sync {
    /// Its checks, and with them the game's name: `boxing`.
    fn catalogue(&self) -> &'static Catalogue;

    /// What it takes to run the game.
    fn kit(&self) -> &'static dyn AnyKit;

    /// The game's name for people.
    fn title(&self) -> &'static str {
        self.kit().title()
    }

    /// The ids of its checks for what any run shows.
    fn ids(&self) -> CommonCheckIds;

    /// The jobs of a round, from 0, for a bot of which this was `seen` in the rounds before: first in plain conditions,
    /// and then what depends on what those show. `None`: there are no more.
    fn next(
        &self,
        asked: &CheckRequest,
        shared: &SharedState,
        seen: &Observations,
        round: usize,
    ) -> Option<Vec<Job>>;

    /// The bot with the limits by which it is judged.
    fn bot(&self, bot: &Bot, _: &CheckRequest) -> Bot {
        bot.clone()
    }

    /// Its clock, if the game has one.
    fn clock(&self, _: &CheckRequest) -> Option<GameClock> {
        None
    }

    /// Pairs of checks of which the second is a longer way to the same fault.
    fn follows(&self) -> &'static [(Id, Id)] {
        &[]
    }

    /// Lays troubles to the checks that explain them, where those are not their symptoms'.
    fn attribute(&self, _: &mut Observations) {}

    /// Whether a bot that does not say which game it plays shows that it plays this one.
    ///
    /// # Errors
    /// When the sandbox fails.
    fn recognize(&self, _: &mut Probe) -> Result<Recognition, SandboxError> {
        Ok(Recognition::No)
    }

    /// The place that matters of a finding in a run, as lines for people; a dialogue is shown as it is.
    fn picture(&self, _: &Finding, _: Style) -> Vec<String> {
        Vec::new()
    }

    /// The game's name in the registry.
    fn game(&self) -> Id {
        self.catalogue().game
    }
}

impl fmt::Debug for dyn Suite {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.game())
    }
}

impl PartialEq for dyn Suite {
    fn eq(&self, other: &dyn Suite) -> bool {
        self.game() == other.game()
    }
}

impl Eq for dyn Suite {}

/// Those of all games that come with the kit, for tests.
#[cfg(test)]
pub const ALL: [&dyn Suite; 3] = [&boxing::Boxing, &rps::Rps, &go::Go];

/// The suite of `game` among `games`.
pub fn suite(games: Suites, game: &str) -> Option<&'static dyn Suite> {
    games.iter().copied().find(|suite| suite.game() == game)
}

/// The suite of `game`, which somebody asked for, among `games`.
///
/// # Errors
/// When there is none, with the nearest that there is.
pub fn known(games: Suites, game: &str) -> Result<&'static dyn Suite, SuiteError> {
    let ids = || games.iter().map(|suite| suite.game());
    suite(games, game).ok_or_else(|| SuiteError::NoChecks {
        game: game.escape_debug().to_string(),
        hint: did_you_mean(game, ids()),
        known: ids().collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Check;

    #[test]
    fn every_id_is_there_once() {
        let checks: Vec<&Check> = ALL.iter().flat_map(|suite| &suite.catalogue().checks).collect();
        for (at, check) in checks.iter().enumerate() {
            assert!(checks[..at].iter().all(|other| other.id != check.id), "{} is there twice", check.id);
        }
    }

    #[test]
    fn every_suite_is_of_the_game_that_its_catalogue_names() {
        for suite in ALL {
            assert_eq!(suite.game(), suite.kit().id());
        }
    }
}
