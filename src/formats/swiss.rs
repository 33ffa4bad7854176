//! The Modified Swiss system (S2 to S6): games of four, and after every round neighbours in the standings meet.
//!
//! [`Swiss::new`] takes [`Settings`] and who plays; everything else is a function of the results. The course of the tournament
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

mod progress;
mod points;
mod settings;
#[cfg(test)]
mod tests;
pub(crate) mod ties;

use crate::format::{
    Column, EntrantId, Figure, FormatError, Plan, Remark, Results, Rounds, Schedule, Standing, Start,
};
use crate::formats::keys::RoundBoards;
use crate::game::Outcome;
use alloc::vec;
use alloc::vec::Vec;
use progress::Progress;

pub use points::{game_points, ratio};
pub use settings::Settings;

/// How many play in a game.
pub const SEATS: usize = 4;

/// A tournament in the Modified Swiss system.
#[derive(Clone, Debug)]
pub struct Swiss {
    stage: u8,
    /// The entrants, then the fillers that are needed.
    players: Vec<EntrantId>,
    /// How many of the players are entrants.
    entrants: usize,
    rounds: u16,
    boards: RoundBoards,
    seed: u64,
}

impl Swiss {
    /// The tournament of known entrants. Of the fillers it takes the first ones, as many as are needed.
    ///
    /// # Errors
    /// When there is no entrant, one is named twice, fillers are missing (S2) or the rounds are too few (S6).
    pub fn new(start: &Start, settings: &Settings) -> Result<Swiss, FormatError> {
        let (players, rounds) = settings::players(start, settings)?;
        let boards = RoundBoards::new(settings.board, settings.first_board);
        let &Start { stage, entrants, seed, .. } = start;
        Ok(Swiss { stage, players, entrants: entrants.len(), rounds, boards, seed })
    }

    /// The organizer's entrants that take part (S2): none to three.
    fn fillers(&self) -> &[EntrantId] {
        &self.players[self.entrants..]
    }
}

impl Schedule for Swiss {
    fn plan(&self, done: &Results) -> Plan {
        match Progress::follow(self, done).due {
            due if due.is_empty() => Plan::Finished,
            due => Plan::Play(due),
        }
    }

    fn columns(&self) -> Vec<Column> {
        let ratio = Column { name: "ratio", figure: Figure::Millionths };
        let filler = Column::flag("filler");
        vec![Column::count("points"), ratio, Column::count("territory"), Column::LOT, filler]
    }

    /// After the last whole round (S4); before the end of the first, all share place 1.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let mut standings = Progress::follow(self, done).standings;
        for standing in &mut standings {
            standing.figures.push(i64::from(self.fillers().contains(&standing.entrant)));
        }
        standings
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let Progress { games, remarks, .. } = Progress::follow(self, done);
        let points = |outcome: &Outcome| match <[u32; SEATS]>::try_from(&outcome.territory[..]) {
            Ok(territory) => game_points(territory).to_vec(),
            Err(_) => outcome.points.clone(),
        };
        Some(Rounds::of_swiss(&games, done, &remarks, points))
    }

    fn remarks(&self, done: &Results) -> Vec<Remark> {
        Progress::follow(self, done).remarks
    }
}
