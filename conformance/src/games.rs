//! The games. Each implements [`Suite`], and the rest of the crate knows a game only as that. The caller decides
//! which suites there are, so functions take a list of them.
//!
//! Also here: [`Specimen`]s of answers.

pub mod boxing;
pub mod go;
pub mod rps;

use crate::attribution::Observations;
use crate::catalog::{Catalogue, Id};
use crate::error::SuiteError;
use crate::finding::{Finding, PictureLine};
use crate::jobs::Job;
use crate::runner::{BotRunner, SharedState};
use cornerman::game::Setup;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::SandboxError;
use serde::Deserialize;
use std::fmt;

/// A list of suites, one per game.
pub type Suites<'a> = &'a [&'static dyn Suite];

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

    /// The jobs of a phase; `None` after the last phase. Those of phase 0 are in plain conditions. Those of later
    /// phases may depend on what was `seen` in earlier ones. To count the jobs in advance, all phases are asked for
    /// with nothing `seen`.
    fn phase_jobs(&self, shared: &SharedState, seen: &Observations, phase: usize) -> Option<Vec<Job>>;

    /// Whether its checks depend on more of a ruleset than the limits and the clock.
    fn depends_on_rules(&self) -> bool {
        true
    }

    /// Attributes findings to the checks that explain them, where those are not the checks of their causes.
    fn attribute(&self, _: &mut Observations) {}

    /// Why a bot that does not name its game seems to play this one, in words for the user; `None` if it does not.
    ///
    /// # Errors
    /// When the sandbox fails.
    fn recognize(&self, _: &mut BotRunner) -> Result<Option<&'static str>, SandboxError> {
        Ok(None)
    }

    /// Whether `text`, what a bot wrote, has an answer in it, right or wrong.
    fn is_answer(&self, _text: &[u8]) -> bool {
        false
    }

    /// Words, in lower case, by which the sources of this game's bots differ from those of other games.
    fn words(&self) -> &'static [&'static str] {
        &[]
    }

    /// A picture of the finding that fits into this number of columns, if possible. The report of a dialogue shows the
    /// transcript above it.
    fn picture(&self, _: &Finding, _columns: usize) -> Vec<PictureLine> {
        Vec::new()
    }

    /// The name of each specimen answer, with the verdict of `ruleset` on it. No bot is run.
    fn verdicts(&self, ruleset: &Ruleset) -> Vec<(String, String)> {
        let Specimens { specimen } = toml::from_str(self.specimens()).expect("the file is part of the program");
        specimen.into_iter().map(|specimen| (specimen.name.clone(), specimen.verdict(ruleset))).collect()
    }

    /// The specimens of a game whose answers are lines of text, as TOML.
    fn specimens(&self) -> &'static str {
        include_str!("../specimens/general.toml")
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

/// The specimens in a file of `specimens/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Specimens {
    specimen: Vec<Specimen>,
}

/// An answer, right or wrong, whose verdict shows what a ruleset decides.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Specimen {
    /// What it is a specimen of, such as `beyond-nine-lines`.
    name: String,
    /// The moves before it, which the seats made in turn, separated by blanks.
    #[serde(default)]
    moves: String,
    answer: String,
}

impl Specimen {
    /// The verdict of `ruleset`: `legal: C3`, or the violation's kind, the number of the rule and what is wrong; or why
    /// the answer is not judged.
    fn verdict(&self, ruleset: &Ruleset) -> String {
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
        play(&self.answer).map_or_else(|why| why, |notation| format!("legal: {notation}"))
    }
}

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
