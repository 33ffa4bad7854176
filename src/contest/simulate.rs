//! Simulated contests, played with invented results: they show in advance how many games a contest may have.

use super::Contest;
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

impl Contest {
    /// The number of games in each stage if they end as `model` says. `None` if there are more than `max_games` games,
    /// or if the entrants that qualify for a stage cannot play it.
    pub fn simulate(&self, model: OutcomeModel, max_games: usize) -> Option<Vec<u32>> {
        let mut games = vec![0; self.stages.len()];
        let mut results = Results::new();
        let mut rng = Rng::new(if let OutcomeModel::Chance(seed) = model { seed } else { 0 });
        while let Plan::Play(due) = self.plan(&results).ok()? {
            if results.len() + due.len() > max_games {
                return None;
            }
            for pairing in due {
                games[usize::from(pairing.id.stage)] += 1;
                results.insert(pairing.id, model.outcome(&pairing, &mut rng));
            }
        }
        Some(games)
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
        assert_eq!(contest.simulate(model, max_games), wanted.map(|games| games.to_vec()));
    }

    #[test]
    fn the_number_of_games_depends_on_the_outcomes() {
        let four = contest(4, 7);
        // Four play six pairings of six games; all four tied play in all 24 orders.
        check(&four, OutcomeModel::Chance(1), 1000, Some([36, 0]));
        check(&four, OutcomeModel::Ties, 1000, Some([36, 24]));
        check(&four, OutcomeModel::Ties, 60, Some([36, 24]));
        check(&four, OutcomeModel::Ties, 59, None);
        check(&contest(4, 3), OutcomeModel::Ties, 1000, None);
    }
}
