//! One entrant against many: how a new version or a newcomer does against known opponents.

use super::distinct;
use super::scoring::Scoring;
use super::series::{Game, Series};
use crate::format::{EntrantId, Format, FormatError, PairingId, Plan, Remark, Results, Standing, rank};
use alloc::vec::Vec;

/// How the gauntlet is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The games of each pair.
    pub series: Series,
    /// What counts.
    pub scoring: Scoring,
}

impl Default for Settings {
    /// Two games a pair on board 0, won minus lost: comparable although one plays more than the others.
    fn default() -> Settings {
        Settings { series: Series::default(), scoring: Scoring::WinsMinusLosses }
    }
}

/// The first of some entrants against each of the others, who do not meet.
#[derive(Clone, Debug)]
pub struct Gauntlet {
    stage: u8,
    entrants: Vec<EntrantId>,
    settings: Settings,
}

impl Gauntlet {
    /// The first of `entrants` against each of the others, as a contest's stage number `stage`.
    ///
    /// # Errors
    /// When an entrant is named twice or a match has no games.
    pub fn new(stage: u8, entrants: &[EntrantId], settings: Settings) -> Result<Gauntlet, FormatError> {
        distinct(entrants)?;
        settings.series.check(entrants.len())?;
        Ok(Gauntlet { stage, entrants: entrants.to_vec(), settings })
    }

    fn games(&self) -> impl Iterator<Item = Game> + '_ {
        let pairs = self.entrants.iter().skip(1).map(|&opponent| [self.entrants[0], opponent]);
        (0..).zip(pairs).flat_map(|(table, pair)| {
            let place = PairingId { stage: self.stage, round: 0, table, game: 0 };
            self.settings.series.games(place, pair)
        })
    }
}

impl Format for Gauntlet {
    fn plan(&self, done: &Results) -> Plan {
        Plan::of(self.games().filter(|game| done.get(game.id).is_none()).map(Game::pairing))
    }

    fn columns(&self) -> Vec<&'static str> {
        self.settings.scoring.columns().to_vec()
    }

    /// Everyone by all games it has played: the one has played against all, the others only against it.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let played = self.games().filter_map(|game| game.played(done));
        rank(self.settings.scoring.table(&self.entrants, played))
    }

    fn remarks(&self, _: &Results) -> Vec<Remark> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Course, games_as_text, invented, meetings, play, standings_as_text};
    use proptest::prelude::*;

    fn gauntlet(n: u16, games_per_order: u16) -> Gauntlet {
        // The one has the number 1, so that it is not always the smaller of a pair.
        let entrants: Vec<EntrantId> = [1, 0].into_iter().chain(2..n).map(EntrantId).collect();
        let series = Series { boards: alloc::vec![3], games_per_order };
        Gauntlet::new(0, &entrants, Settings { series, ..Settings::default() }).unwrap()
    }

    #[test]
    fn the_first_meets_everyone_and_the_others_do_not_meet() {
        let format = gauntlet(4, 1);
        let played = play(&format, Course::ALL_AT_ONCE, |game| invented(game, |id| 10 * u64::from(id.0)));
        insta::assert_snapshot!(games_as_text(&played), @"
            s1/r1/m1  1-0 board 3: 7-7, 0-1 board 3: 8-12
            s1/r1/m2  1-2 board 3: 5-12, 2-1 board 3: 12-3
            s1/r1/m3  1-3 board 3: 7-13, 3-1 board 3: 10-6
            ");
        insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
            place entrant won - lost
            1 2 [2]
            1 3 [2]
            3 0 [-1]
            4 1 [-3]
            ");
    }

    proptest! {
        #[test]
        fn each_opponent_is_met_as_promised_whatever_the_course(
            n in 2u16..60, games_per_order in 1u16..4, seed: u64, batch in 1usize..50,
        ) {
            let format = gauntlet(n, games_per_order);
            let judge = |game: &_| invented(game, |id| u64::from(id.0));
            let played = play(&format, Course { seed, batch }, judge);
            let meetings = meetings(&played);
            prop_assert_eq!(meetings.len(), usize::from(n) - 1);
            let games = u32::from(games_per_order);
            prop_assert!(meetings.iter().all(|(&(a, b), &count)| (a == 1 || b == 1) && count == (2 * games, games)));
            prop_assert_eq!(&played, &play(&format, Course::ALL_AT_ONCE, judge));
        }
    }
}
