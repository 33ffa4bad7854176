//! The Modified Swiss system (S2 to S6): games of four, and after every round neighbours in the standings meet.
//!
//! [`Swiss::new`] takes [`Settings`]; everything else is a function of the results. The course of the tournament
//! is followed anew each time: the lot orders round one, the outcomes of a whole round give the standings, and
//! these the games of the next. A round with a game still to be played is as far as it goes, so no standings
//! come from half a round.
//!
//! The figures of a standing are, most important first:
//!
//! | column | unit |
//! |---|---|
//! | `points` | game points, 12 a game (S3) |
//! | `ratio` | the sum of the territory ratios in millionths, each rounded half up (S5) |
//! | `territory` | spots |
//! | `lot` | 0, or what was drawn among those still equal, the higher the better |
//! | `filler` | 1 for an entrant of the organizer's, which never advances (S2); decides nothing |

mod course;
mod points;
mod settings;
#[cfg(test)]
mod tests;
pub(crate) mod ties;

use crate::format::{EntrantId, Format, Plan, Remark, Results, Standing};
use alloc::vec;
use alloc::vec::Vec;
use course::Course;

pub use points::{game_points, ratio};
pub(crate) use settings::repeated;
pub use settings::{Boards, Settings, SettingsError, fewest_rounds};

/// How many play in a game.
pub const SEATS: usize = 4;

/// A tournament in the Modified Swiss system.
#[derive(Clone, Debug)]
pub struct Swiss {
    settings: Settings,
    /// The entrants, then the fillers that are needed.
    players: Vec<EntrantId>,
}

impl Swiss {
    /// The tournament of `settings`. Of the fillers it takes the first ones, as many as are needed.
    ///
    /// # Errors
    /// When nobody entered, somebody is listed twice, fillers are missing (S2) or the rounds are too few (S6).
    pub fn new(settings: Settings) -> Result<Swiss, SettingsError> {
        let players = settings::players(&settings)?;
        Ok(Swiss { settings, players })
    }

    /// The organizer's entrants that take part (S2): none to three.
    pub fn fillers(&self) -> &[EntrantId] {
        &self.players[self.settings.entrants.len()..]
    }

    /// Whether `entrant` is one of the [fillers](Swiss::fillers).
    pub fn is_filler(&self, entrant: EntrantId) -> bool {
        self.fillers().contains(&entrant)
    }

    /// The best `quota` by the standings so far, best first, passing over fillers (S1, S2).
    pub fn best(&self, done: &Results, quota: usize) -> Vec<EntrantId> {
        let ranked = self.standings(done).into_iter().map(|standing| standing.entrant);
        ranked.filter(|&entrant| !self.is_filler(entrant)).take(quota).collect()
    }
}

impl Format for Swiss {
    fn plan(&self, done: &Results) -> Plan {
        match Course::follow(self, done).due {
            due if due.is_empty() => Plan::Finished,
            due => Plan::Play(due),
        }
    }

    fn columns(&self) -> Vec<&'static str> {
        vec!["points", "ratio", "territory", "lot", "filler"]
    }

    /// After the last whole round (S4); before the end of the first, all share place 1.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let mut standings = Course::follow(self, done).standings;
        for standing in &mut standings {
            standing.figures.push(i64::from(self.is_filler(standing.entrant)));
        }
        standings
    }

    fn remarks(&self, done: &Results) -> Vec<Remark> {
        Course::follow(self, done).remarks
    }
}
