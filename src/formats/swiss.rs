//! The Modified Swiss system (S2 to S6): games of four between neighbours in the standings after the round before.
//!
//! A [`Swiss`] is a function of its [`SwissSettings`], its entrants and the results. Each call replays the tournament:
//! a lot orders round one, the outcomes of a complete round give the standings, and these give the games of the next
//! round. The replay stops at the first incomplete round, so standings never include half a round.
//!
//! The columns of the standings are, most important first:
//!
//! | column | unit |
//! |---|---|
//! | `points` | game points, 12 per game (S3) |
//! | `ratio` | the sum of the territory ratios in millionths, each rounded half up (S5) |
//! | `territory` | spots |
//! | `lot` | 0, or the lot drawn among entrants that are still tied: the higher, the better |
//! | `filler` | 1 for a filler, which never advances (S2); decides nothing |

mod points;
mod progress;
mod settings;
#[cfg(test)]
mod tests;
pub(crate) mod ties;

use crate::format::{
    Arrival, Departure, EntrantId, FigureKind, FormatError, Measure, Plan, Results, Rounds, Schedule,
    ScheduleFacts, StageInput, StageRemark, Standing, StandingsColumn,
};
use crate::formats::keys::RoundBoards;
use crate::journal::Journal;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use progress::SwissState;

pub use points::{game_points, ratio};
pub use settings::SwissSettings;

/// The number of seats in a game.
pub const SEATS: usize = 4;

/// Territory decides games, whichever seat wins them by the game's own rules (S3).
const TERRITORY: Measure = Measure {
    name: "territory",
    amounts: |outcome| outcome.territory.iter().copied().map(i64::from).collect(),
    points: |outcome| match <[u32; SEATS]>::try_from(&outcome.territory[..]) {
        Ok(territory) => game_points(territory).to_vec(),
        Err(_) => outcome.points.clone(),
    },
};

/// A tournament in the Modified Swiss system whose entrants are known (S2–S6).
#[derive(Clone, Debug)]
pub struct Swiss {
    stage: u8,
    /// The entrants that it began with, then the fillers that were needed with them.
    players: Vec<EntrantId>,
    /// The number of players that are entrants.
    entrants: usize,
    /// All fillers of the contest: more of them play when an entrant leaves.
    fillers: Vec<EntrantId>,
    rounds: u16,
    boards: RoundBoards,
    seed: u64,
    /// The organizer's decisions: which bots have left or come late, and which earlier lots hold.
    journal: Journal,
}

impl Swiss {
    /// The tournament of the entrants in `start` and of the first fillers, as many as are needed.
    ///
    /// # Errors
    /// When there are no entrants, an entrant is listed twice, there are too few fillers (S2) or too few rounds (S6),
    /// or the last round had begun when an entrant was admitted.
    pub fn new(start: &StageInput, settings: &SwissSettings) -> Result<Swiss, FormatError> {
        let (players, rounds) = settings::players(start, settings)?;
        let boards = RoundBoards::new(settings.board, settings.first_board);
        let &StageInput { stage, entrants, field, seed, journal } = start;
        let journal = journal.clone();
        let fillers = field.fillers.clone();
        let swiss = Swiss { stage, players, entrants: entrants.len(), fillers, rounds, boards, seed, journal };
        let left = swiss.entrants_in(u16::MAX);
        let needed = left.next_multiple_of(SEATS) - left;
        if needed > swiss.fillers.len() {
            let given = swiss.fillers.len();
            return Err(FormatError(format!(
                "{left} entrants are left, and {given} fillers do not make fours (S2)"
            )));
        }
        Ok(swiss)
    }

    /// The number of entrants that play in `round`.
    fn entrants_in(&self, round: u16) -> usize {
        let late = self.journal.late(self.stage).filter(|(_, first)| *first <= u32::from(round));
        let entrants = self.players[..self.entrants].iter().copied().chain(late.map(|(entrant, _)| entrant));
        entrants.filter(|id| !self.journal.is_unpaired(self.stage, round, *id)).count()
    }
}

impl Schedule for Swiss {
    fn plan(&self, done: &Results) -> Plan {
        Plan::from_games(SwissState::from_results(self, done).due)
    }

    fn columns(&self) -> Vec<StandingsColumn> {
        let ratio = StandingsColumn { name: "ratio", kind: FigureKind::Millionths };
        let filler = StandingsColumn::flag("filler");
        vec![
            StandingsColumn::count("points"),
            ratio,
            StandingsColumn::count("territory"),
            StandingsColumn::LOT,
            filler,
        ]
    }

    /// The standings after the last complete round (S4). Until the first round is complete, all share place 1.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let mut standings = SwissState::from_results(self, done).standings;
        for standing in &mut standings {
            standing.figures.push(i64::from(self.fillers.contains(&standing.entrant)));
        }
        standings
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let SwissState { games, remarks, .. } = SwissState::from_results(self, done);
        Some(Rounds::of_swiss(&games, done, &remarks, |outcome| TERRITORY.counted(outcome)))
    }

    fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        SwissState::from_results(self, done).remarks
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts { measure: Some(TERRITORY), ..ScheduleFacts::new(Departure::Swiss, Arrival::Filler) }
    }
}
