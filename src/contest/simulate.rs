//! Simulated contests, played with invented results: they show in advance how many games a contest may have.

use super::{Contest, ContestError};
use crate::format::{Pairing, Plan, Results};
use crate::game::{End, Outcome};
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;

/// How simulated games end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeModel {
    /// One seat wins and all others lose. The winner and its points are drawn from this seed.
    Chance(u64),
    /// Every game is a tie of all seats.
    Ties,
}

/// A contest that was simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The number of games that were played in each stage.
    pub games: Vec<u32>,
    /// Why the contest ended early: the entrants that qualified for a stage cannot play it.
    pub refused: Option<ContestError>,
}

impl Contest {
    /// Simulates the contest with games that end as `model` says. `None` if there are more than `max_games` games.
    pub fn simulate(&self, model: OutcomeModel, max_games: usize) -> Option<Simulation> {
        let mut games = vec![0; self.stages.len()];
        let mut results = Results::new();
        let mut rng = Rng::new(if let OutcomeModel::Chance(seed) = model { seed } else { 0 });
        loop {
            let due = match self.plan(&results) {
                Ok(Plan::Play(due)) => due,
                Ok(Plan::Finished) => return Some(Simulation { games, refused: None }),
                Err(error) => return Some(Simulation { games, refused: Some(error) }),
            };
            if results.len() + due.len() > max_games {
                return None;
            }
            for pairing in due {
                games[usize::from(pairing.id.stage)] += 1;
                results.insert(pairing.id, model.outcome(&pairing, &mut rng));
            }
        }
    }
}

impl OutcomeModel {
    fn outcome(self, pairing: &Pairing, rng: &mut Rng) -> Outcome {
        let seats = pairing.seats.len();
        let mut places = vec![1; seats];
        let mut points = vec![100; seats];
        if let OutcomeModel::Chance(_) = self {
            let winner = rng.below(seats as u64) as usize;
            (places, points) = (vec![2; seats], vec![0; seats]);
            (places[winner], points[winner]) = (1, 1 + rng.below(512) as i64);
        }
        // Where territory decides games, it has the same winners.
        let territory = points.iter().map(|&points| points as u32).collect();
        Outcome { places, points, territory, end: End::Played }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Field, Participants, Stage};
    use crate::formats::{Bounded, Format, all_play_all, permutations};

    fn contest(entrants: u16, max_entrants: u32) -> Contest {
        let max_entrants = Some(Bounded::new(max_entrants));
        let permutations = permutations::PermutationsSettings { max_entrants, ..Default::default() };
        let stages = vec![
            Stage {
                format: Format::AllPlayAll(all_play_all::AllPlayAllSettings::default()),
                who: Participants::All,
            },
            Stage { format: Format::Permutations(permutations), who: Participants::TiedForFirst { stage: 0 } },
        ];
        Contest::new(Field::new(entrants, 0), stages, 1).unwrap()
    }

    #[track_caller]
    fn check(contest: &Contest, model: OutcomeModel, max_games: usize, wanted: Option<[u32; 2]>) {
        let games = |simulation: Simulation| {
            assert_eq!(simulation.refused, None);
            simulation.games
        };
        assert_eq!(contest.simulate(model, max_games).map(games), wanted.map(|games| games.to_vec()));
    }

    #[test]
    fn the_number_of_games_depends_on_the_outcomes() {
        let four = contest(4, 7);
        // Four play six pairings of six games; all four tied play in all 24 orders.
        check(&four, OutcomeModel::Chance(1), 1000, Some([36, 0]));
        check(&four, OutcomeModel::Ties, 1000, Some([36, 24]));
        check(&four, OutcomeModel::Ties, 60, Some([36, 24]));
        check(&four, OutcomeModel::Ties, 59, None);
        let simulation = contest(4, 3).simulate(OutcomeModel::Ties, 1000).unwrap();
        assert_eq!(
            (&simulation.games[..], simulation.refused.and_then(|error| error.stage)),
            (&[36, 0][..], Some(1))
        );
    }
}
