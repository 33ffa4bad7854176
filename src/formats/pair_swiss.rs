//! The Swiss system for games of two (G8): entrants with similar scores meet, repeats are avoided, and colours balance.
//!
//! A [`PairSwiss`] is a function of its [`PairSwissSettings`], its entrants and the results: each call replays the
//! rounds from the lot that orders round one. Standings change only after complete rounds.
//!
//! # Pairing
//!
//! Each round uses the best of all pairings by these rules, where an earlier rule outweighs all later ones:
//!
//! 1. No entrant gets a second bye, and the numbers of games in which an entrant moved first and second differ by at
//!    most two: two entrants that have reached this limit with the same colour do not meet. If bots that left or came
//!    late make this impossible, there are as few exceptions as possible.
//! 2. There are as few repeats as possible. Those that cannot be avoided are of the pairs that have met least often.
//! 3. If the number of entrants is odd, the bye goes to the lowest-placed entrant that has not had one.
//! 4. Entrants with equal points meet: the sum of the squared differences of points is as small as possible.
//! 5. Colours alternate: an entrant should move first if it has moved second more often than first, or equally often
//!    but second in its last game. A pair that should have the same colour costs one, and more if both are out of
//!    balance.
//! 6. Among entrants with equal points, the upper half meets the lower half in order; others meet their neighbours.
//!
//! The best pairing is found exactly: it is the minimum-weight perfect matching, where each rule is a digit of the cost
//! of a pair, or two (rule 2). Later rounds are not considered: with few entrants and many rounds, an early choice can
//! make a later repeat unavoidable.
//!
//! # Colours
//!
//! Of two entrants, the one with the smaller surplus of games as first over games as second moves first. If the
//! surpluses are equal, the one that moved second when their colours last differed moves first; if they never differed,
//! a lot decides. In a match of two games each side is first once, a lot decides which one begins, and the rules on
//! colours have no effect.
//!
//! # Standings
//!
//! A win counts 2 points and a draw 1. A bye counts as a match in which every game is won. The columns are, most
//! important first:
//!
//! | column | unit |
//! |---|---|
//! | `points` | 2 for a win, 1 for a draw |
//! | `buchholz` | the sum of the opponents' points, once for each match; for a bye, the entrant's own points |
//! | `sonneborn-berger` | doubled, per game: 2 × the opponent's points for a win, 1 × for a draw; bye: 2 × own |
//! | `wins` | games won, including byes |
//! | `lot` | 0, or the lot drawn among entrants that are still tied: the higher, the better |
//!
//! Rankings by the game's other scorings are for information only (R9). A bye counts nothing in them.

mod colours;
mod pairing;
mod progress;
mod record;
mod settings;
#[cfg(test)]
mod tests;

use crate::format::{
    Arrival, Departure, EntrantId, FormatError, Plan, Ranking, Results, Rounds, Schedule, ScheduleFacts,
    StageInput, StageRemark, Standing, StandingsColumn,
};
use crate::formats::keys::RoundBoards;
use crate::formats::scoring::{self, Scoring, ScoringKind};
use crate::journal::Journal;
use alloc::vec;
use alloc::vec::Vec;
use progress::PairSwissState;

pub use settings::{MAX_ENTRANTS, PairSwissSettings};

/// A Swiss tournament of pairs whose entrants are known (G8).
#[derive(Clone, Debug)]
pub struct PairSwiss {
    stage: u8,
    /// The entrants that it began with, then those that were admitted later.
    entrants: Vec<EntrantId>,
    /// The first round of each of them.
    first_rounds: Vec<u32>,
    rounds: u16,
    /// The number of games in a match: one or two.
    games: u16,
    boards: RoundBoards,
    seed: u64,
    /// The organizer's decisions: which bots have left or come late, and which earlier lots hold.
    journal: Journal,
    /// The scorings of further rankings, which decide nothing (R9).
    further: Vec<Scoring>,
    tie_margin: Option<u32>,
}

impl PairSwiss {
    /// The tournament of the entrants in `start`, even if there are few enough for an all-play-all.
    ///
    /// # Errors
    /// When there are fewer than two entrants or more than [`MAX_ENTRANTS`], an entrant is listed twice, there are so
    /// many rounds that an entrant would need a second bye, or the last round had begun when an entrant was admitted.
    pub fn new(start: &StageInput, settings: &PairSwissSettings) -> Result<PairSwiss, FormatError> {
        let rounds = settings::rounds(start, settings)?;
        let games = settings.games.get() as u16;
        let boards = RoundBoards::new(settings.board, settings.first_board);
        let &StageInput { stage, entrants, seed, journal, .. } = start;
        let journal = journal.clone();
        let kinds = settings.scorings();
        let tie_margin = scoring::tie_margin(&kinds, settings.threshold);
        // The standings of a Swiss are by wins already.
        let further = kinds.into_iter().filter(|kind| *kind != ScoringKind::Wins).map(|kind| kind.with(None));
        let further = further.collect();
        let begun_with = entrants.iter().map(|entrant| (*entrant, 0));
        let (entrants, first_rounds) = begun_with.chain(journal.late(stage)).unzip();
        Ok(PairSwiss { stage, entrants, first_rounds, rounds, games, boards, seed, journal, further, tie_margin })
    }
}

impl Schedule for PairSwiss {
    fn plan(&self, done: &Results) -> Plan {
        Plan::from_games(PairSwissState::from_results(self, done).due)
    }

    fn columns(&self) -> Vec<StandingsColumn> {
        let [points, buchholz, berger, wins] =
            ["points", "buchholz", "sonneborn-berger", "wins"].map(StandingsColumn::count);
        vec![points, buchholz, berger, wins, StandingsColumn::LOT]
    }

    /// The standings after the last complete round. Until the first round is complete, all share place 1.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        PairSwissState::from_results(self, done).standings
    }

    fn further_rankings(&self, done: &Results) -> Vec<Ranking> {
        let games = PairSwissState::from_results(self, done).games;
        let played = || games.iter().filter_map(|game| Some((&game.seats, done.outcome_of(game.id, 2)?)));
        self.further.iter().map(|scoring| scoring.ranking(&self.entrants, played())).collect()
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let PairSwissState { games, remarks, .. } = PairSwissState::from_results(self, done);
        Some(Rounds::of_swiss(&games, done, &remarks, crate::game::Outcome::clone))
    }

    fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        PairSwissState::from_results(self, done).remarks
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts {
            tie_margin: self.tie_margin,
            ..ScheduleFacts::new(Departure::PairSwiss, Arrival::NextRound)
        }
    }
}
