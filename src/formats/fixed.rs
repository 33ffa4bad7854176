//! Formats whose games are all known from the start and that draw no lots: all-play-all, gauntlet and permutations. A
//! scoring of the games ranks the entrants.

use super::scoring::{self, Bonus, HEAD_TO_HEAD, Scoring, ScoringKind, rank_with_head_to_head};
use super::series::{Meeting, SeriesGame};
use crate::format::{
    EntrantId, Pairing, Plan, Ranking, Results, Schedule, ScheduleFacts, Standing, StandingsColumn, rank,
};
use crate::game::Outcome;
use alloc::vec::Vec;

/// A format whose games do not depend on results.
pub(super) trait FixedFormat: Sync {
    /// Every game, in the order in which it is planned.
    fn games(&self) -> impl Iterator<Item = SeriesGame<Meeting>>;

    /// Who is ranked, and by what.
    fn ranked_by(&self) -> &RankedBy;

    /// [`Schedule::facts`].
    fn facts(&self) -> ScheduleFacts;

    /// [`Schedule::counts`].
    fn counts(&self, _game: &Pairing) -> bool {
        true
    }

    /// The games with a result.
    fn played<'a>(&'a self, done: &'a Results) -> impl Iterator<Item = (Meeting, &'a Outcome)> {
        self.games().filter_map(|game| game.played(done))
    }
}

/// Who is ranked, and by what.
#[derive(Clone, Debug)]
pub(super) struct RankedBy {
    /// The entrants that the format began with, then those that were admitted later.
    pub entrants: Vec<EntrantId>,
    scoring: Scoring,
    /// The scorings of further rankings, which decide nothing (R9).
    further: Vec<Scoring>,
    /// The largest margin of a pair that is a tie in the cross-table (R9).
    pub tie_margin: Option<u32>,
    /// Whether the games between tied entrants break the tie (F9).
    pub head_to_head: bool,
}

impl RankedBy {
    /// The ranking of `entrants` by the first of `kinds`; the others are those of further rankings.
    pub(super) fn new(
        entrants: Vec<EntrantId>,
        kinds: &[ScoringKind],
        bonus: Option<Bonus>,
        threshold: Option<u32>,
    ) -> RankedBy {
        let scoring = |kind: &ScoringKind| kind.with(bonus);
        RankedBy {
            entrants,
            scoring: scoring(&kinds[0]),
            further: kinds[1..].iter().map(scoring).collect(),
            tie_margin: scoring::tie_margin(kinds, threshold),
            head_to_head: false,
        }
    }
}

impl<F: FixedFormat> Schedule for F {
    fn plan(&self, done: &Results) -> Plan {
        Plan::from_games(self.games().filter(|game| game.played(done).is_none()).map(SeriesGame::pairing))
    }

    fn columns(&self) -> Vec<StandingsColumn> {
        let RankedBy { scoring, head_to_head, .. } = self.ranked_by();
        scoring.columns().iter().copied().chain(head_to_head.then_some(HEAD_TO_HEAD)).collect()
    }

    /// Ranks each entrant by all its games.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let RankedBy { entrants, scoring, head_to_head, .. } = self.ranked_by();
        let totals = scoring.totals(entrants, self.played(done));
        if *head_to_head { rank_with_head_to_head(scoring, totals, self.played(done)) } else { rank(totals) }
    }

    fn further_rankings(&self, done: &Results) -> Vec<Ranking> {
        let RankedBy { entrants, further, .. } = self.ranked_by();
        further.iter().map(|scoring| scoring.ranking(entrants, self.played(done))).collect()
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts { tie_margin: self.ranked_by().tie_margin, ..FixedFormat::facts(self) }
    }

    fn counts(&self, game: &Pairing) -> bool {
        FixedFormat::counts(self, game)
    }
}
