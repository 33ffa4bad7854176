//! The suites of the games, the trait that they implement, and specimens of answers.
//!
//! The rest of the crate knows a game only as a [`Suite`]. The caller decides which suites there are, so every function
//! here takes a list of them.

pub mod boxing;
pub mod go;
pub(crate) mod probe;
pub mod rps;

use crate::attribution::Observations;
use crate::catalog::{Catalogue, Id};
use crate::conduct::CommonCheckIds;
use crate::error::SuiteError;
use crate::finding::Finding;
use crate::jobs::Job;
use crate::runner::SharedState;
use cornerman::game::Setup;
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::pool::Slots;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, LimitOverrides, SandboxError};
use cornerman_harness::style::Style;
use probe::{Probe, Recognition};
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// A list of suites, one per game.
pub type Suites<'a> = &'a [&'static dyn Suite];

/// The options of the check of one bot.
pub struct CheckRequest<'a> {
    /// The ids of the checks to run: at least one, and all of this game.
    pub selected: &'a BTreeSet<String>,
    /// The ruleset whose limits apply. They are already in [`Bot::limits`].
    pub ruleset: &'a Ruleset,
    /// Limits that replace those of the ruleset. They are already in [`Bot::limits`].
    pub limits: LimitOverrides,
    /// The seed of random arenas and opponents.
    pub seed: u64,
    /// Wall time for the check; `None` for no limit.
    pub budget: Option<Duration>,
    /// Whether the check ends at the first failed must.
    pub fast: bool,
    /// The required isolation.
    pub conditions: Conditions,
    /// The slots of checks that run at the same time, of which this one holds one.
    pub slots: Option<Slots>,
}

/// The checks of a game.
pub trait Suite: Sync {
    /// Its checks, with the id of the game, such as `boxing`.
    fn catalogue(&self) -> &'static Catalogue;

    /// What the harness needs to run the game.
    fn kit(&self) -> &'static dyn AnyKit;

    /// The name of the game for people.
    fn title(&self) -> &'static str {
        self.kit().title()
    }

    /// The ids of its checks that any run can fail.
    fn ids(&self) -> CommonCheckIds;

    /// The jobs of a phase, counted from 0: first those in plain conditions, then those that depend on what has been
    /// `seen` in earlier phases. `None` if there is no such phase.
    fn phase_jobs(
        &self,
        request: &CheckRequest,
        shared: &SharedState,
        seen: &Observations,
        phase: usize,
    ) -> Option<Vec<Job>>;

    /// The bot with the limits by which the suite judges it.
    fn bot(&self, bot: &Bot, _: &CheckRequest) -> Bot {
        bot.clone()
    }

    /// The clock of the game, if it has one (G3).
    fn clock(&self, _: &CheckRequest) -> Option<GameClock> {
        None
    }

    /// Whether its checks depend on more of a ruleset than the limits and the clock.
    fn depends_on_rules(&self) -> bool {
        true
    }

    /// Pairs of checks that can show the same cause. If both do, only the first reports it.
    fn follows(&self) -> &'static [(Id, Id)] {
        &[]
    }

    /// Attributes findings to the checks that explain them, where those are not the checks of their causes.
    fn attribute(&self, _: &mut Observations) {}

    /// Whether a bot that does not name its game behaves as if it played this one.
    ///
    /// # Errors
    /// When the sandbox fails.
    fn recognize(&self, _: &mut Probe) -> Result<Recognition, SandboxError> {
        Ok(Recognition::No)
    }

    /// Whether `text`, what a bot wrote, has an answer in it, right or wrong.
    fn is_answer(&self, _text: &[u8]) -> bool {
        false
    }

    /// Words in lower case that the sources of its bots use, and those of other games do not.
    fn words(&self) -> &'static [&'static str] {
        &[]
    }

    /// A picture of the finding as lines for people. Of a dialogue, the transcript is shown above it.
    fn picture(&self, _: &Finding, _: Style) -> Vec<String> {
        Vec::new()
    }

    /// The names of specimen answers, right and wrong, with the verdicts of `ruleset`. No bot is run.
    fn verdicts(&self, ruleset: &Ruleset) -> Vec<(String, String)> {
        self.specimens().iter().map(|specimen| (specimen.name.to_string(), specimen.verdict(ruleset))).collect()
    }

    /// The specimens, for a game whose answers are text.
    fn specimens(&self) -> &'static [Specimen] {
        GENERAL
    }

    /// The id of the game.
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

/// The suites of all games that come with Cornerman, for tests.
#[cfg(test)]
pub const ALL: [&dyn Suite; 3] = [&boxing::Boxing, &rps::Rps, &go::Go];

/// The suite of `game` among `games`, if there is one.
pub fn suite(games: Suites, game: &str) -> Option<&'static dyn Suite> {
    games.iter().copied().find(|suite| suite.game() == game)
}

/// The suite of the `game` that the user named, among `games`.
///
/// # Errors
/// When there is none, with the nearest name as a suggestion.
pub fn known(games: Suites, game: &str) -> Result<&'static dyn Suite, SuiteError> {
    let ids = || games.iter().map(|suite| suite.game());
    suite(games, game).ok_or_else(|| SuiteError::NoChecks {
        game: game.escape_debug().to_string(),
        hint: did_you_mean(game, ids()),
        known: ids().collect::<Vec<_>>().join(", "),
    })
}

/// An answer in a game after some moves, which the seats made by turns.
#[derive(Clone, Copy, Debug)]
pub struct Specimen {
    /// What it is a specimen of, such as `beyond-nine-lines`.
    pub name: &'static str,
    /// The answers before it, separated by blanks.
    pub moves: &'static str,
    /// The answer.
    pub answer: &'static str,
}

impl Specimen {
    /// A specimen of this name.
    pub const fn new(name: &'static str, moves: &'static str, answer: &'static str) -> Specimen {
        Specimen { name, moves, answer }
    }

    /// The verdict of `ruleset`: `legal: C3`, or the violation's kind, the number of the rule and what is wrong.
    pub fn verdict(&self, ruleset: &Ruleset) -> String {
        let setup = Setup { seats: ruleset.seats.0, seed: 1, board: ruleset.board(1), ..Setup::default() };
        let mut game = match ruleset.open(&setup) {
            Ok(game) => game,
            Err(error) => return format!("no such game: {error}"),
        };
        let mut play = |answer: &str| match game.to_act().iter().next() {
            None => Err("the game is over".to_string()),
            Some(seat) => game
                .answer(seat, answer.as_bytes())
                .map_err(|wrong| format!("{} {}: {}", wrong.kind, wrong.rule, wrong.detail)),
        };
        for before in self.moves.split_whitespace() {
            if let Err(why) = play(before) {
                return format!("not asked, for before it {before} is {why}");
            }
        }
        play(self.answer).map_or_else(|why| why, |notation| format!("legal: {notation}"))
    }
}

/// Answers that are wrong in any game, or almost.
pub(crate) const GENERAL: &[Specimen] = &[
    Specimen::new("nothing", "", ""),
    Specimen::new("blanks", "", "   "),
    Specimen::new("nought", "", "0"),
    Specimen::new("one", "", "1"),
    Specimen::new("minus-one", "", "-1"),
    Specimen::new("a-large-number", "", "4294967296"),
    Specimen::new("a-word", "", "nonsense"),
    Specimen::new("two-words", "", "no sense"),
    Specimen::new("a-control-character", "", "\u{7}"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Check;

    #[test]
    fn every_id_is_unique() {
        let checks: Vec<&Check> = ALL.iter().flat_map(|suite| &suite.catalogue().checks).collect();
        for (at, check) in checks.iter().enumerate() {
            assert!(checks[..at].iter().all(|other| other.id != check.id), "{} occurs twice", check.id);
        }
    }

    #[test]
    fn every_suite_has_the_catalogue_of_its_game() {
        for suite in ALL {
            assert_eq!(suite.game(), suite.kit().id());
        }
    }
}
