//! The Swiss system for games of two (G8): opponents of like score, nobody twice, colours in balance.
//!
//! [`PairSwiss::new`] takes [`Settings`] and who plays; everything else is a function of the results, followed anew each time
//! from the lot that orders round one. Standings come after whole rounds only.
//!
//! # Who meets whom
//!
//! Of all ways to pair everybody, each round takes the best one by these rules, an earlier one before all later:
//!
//! 1. Nobody has a second bye, and nobody's colours differ by more than two: two that have both been first twice
//!    more often than second (or both second) do not meet. Both can always be kept.
//! 2. As few repeats as possible; then those that met least often.
//! 3. With an odd number, the bye goes to the worst standing that has had none.
//! 4. Equal points meet: the sum of the squared differences is as small as possible.
//! 5. Colours: being first is due to whoever was second more often or, if neither, last; two that are due the
//!    same cost one, and one more if both are out of balance.
//! 6. Within equal points the upper half meets the lower half in order; others meet their neighbours.
//!
//! The best is found exactly, by a minimum-weight perfect matching whose costs are these rules as the digits of
//! one number. A round sees no further than itself: with few entrants and many rounds, an early choice can make
//! a later repeat unavoidable.
//!
//! # Who is first
//!
//! Whoever has been first less often, as the difference to having been second; then whoever was second when the
//! two last differed; then a lot. In a match of two games each is first once, a lot says who in the first game,
//! and the rules on colours are moot.
//!
//! # What it counts for
//!
//! A game won is 2 points, drawn 1. A bye is a match won, over nobody. The figures of a standing are, most
//! important first:
//!
//! | column | unit |
//! |---|---|
//! | `points` | 2 a win, 1 a draw |
//! | `buchholz` | the opponents' points, once a match; for a bye one's own |
//! | `sonneborn-berger` | doubled: game by game, 2 × the points of those beaten, 1 × of those drawn with; bye: own |
//! | `wins` | games won, byes with them |
//! | `lot` | 0, or what was drawn among those still equal, the higher the better |

mod colours;
mod progress;
mod pairing;
mod record;
mod settings;
#[cfg(test)]
mod tests;

use crate::format::{Column, EntrantId, FormatError, Plan, Remark, Results, Rounds, Schedule, Standing, Start};
use crate::formats::keys::RoundBoards;
use alloc::vec;
use alloc::vec::Vec;
use progress::Progress;

pub use settings::{MAX_ENTRANTS, Settings};

/// A tournament in the Swiss system for games of two.
#[derive(Clone, Debug)]
pub struct PairSwiss {
    stage: u8,
    entrants: Vec<EntrantId>,
    rounds: u16,
    /// How many games a match is, one or two.
    games: u16,
    boards: RoundBoards,
    seed: u64,
}

impl PairSwiss {
    /// The tournament of known entrants, however few.
    ///
    /// # Errors
    /// When there are fewer than two entrants or far too many, one is named twice, or there are so many rounds that
    /// one would need a second bye.
    pub fn new(start: &Start, settings: &Settings) -> Result<PairSwiss, FormatError> {
        let (rounds, games) = (settings::rounds(start, settings)?, settings.games.get() as u16);
        let boards = RoundBoards::new(settings.board, settings.first_board);
        let &Start { stage, entrants, seed, .. } = start;
        Ok(PairSwiss { stage, entrants: entrants.to_vec(), rounds, games, boards, seed })
    }

    fn entrant(&self, index: usize) -> EntrantId {
        self.entrants[index]
    }
}

impl Schedule for PairSwiss {
    fn plan(&self, done: &Results) -> Plan {
        match Progress::follow(self, done).due {
            due if due.is_empty() => Plan::Finished,
            due => Plan::Play(due),
        }
    }

    fn columns(&self) -> Vec<Column> {
        let [points, buchholz, berger, wins] =
            ["points", "buchholz", "sonneborn-berger", "wins"].map(Column::count);
        vec![points, buchholz, berger, wins, Column::LOT]
    }

    /// After the last whole round; before the end of the first, all share place 1.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        Progress::follow(self, done).standings
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let Progress { games, remarks, .. } = Progress::follow(self, done);
        Some(Rounds::of_swiss(&games, done, &remarks, |outcome| outcome.points.clone()))
    }

    fn remarks(&self, done: &Results) -> Vec<Remark> {
        Progress::follow(self, done).remarks
    }
}
