//! Checks that the games of a record are games of its contest, because formats plan and rank by what was played before.

use super::{Record, RecordError, Writer, with_decisions};
use cornerman::contest::Contest;
use cornerman::format::{GameId, Pairing, Plan, Remark, Results};
use std::collections::BTreeMap;

impl Record {
    /// Checks that `contest`, which is the record's, plans every recorded game after the results and decisions before it,
    /// with the same seats and the same board. Resuming and ranking would otherwise mix two tournaments. Returns the
    /// outcomes of all games.
    ///
    /// # Errors
    /// [`RecordError::Damaged`], with the first game that has no place in the contest.
    pub fn check_schedule(&self, contest: &Contest) -> Result<Results, RecordError> {
        let (pairings, results) = self.pairings_and_results()?;
        match out_of_schedule(self.phases(contest, pairings)?, &results) {
            None => Ok(results),
            Some((id, what)) => {
                Err(RecordError::Damaged { path: self.path().into(), why: format!("game {id}: {what}") })
            }
        }
    }

    /// The pairings and the outcomes of all games.
    fn pairings_and_results(&self) -> Result<(BTreeMap<GameId, Pairing>, Results), RecordError> {
        let mut pairings = BTreeMap::new();
        let mut results = Results::new();
        self.each_game(&mut |game| {
            results.insert(game.pairing.id, game.outcome);
            pairings.insert(game.pairing.id, game.pairing);
        })?;
        Ok((pairings, results))
    }

    /// The phases of `contest`, which is the record's and has these `games`: those before the first decision, those after
    /// it, and so on.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn phases(
        &self,
        contest: &Contest,
        mut games: BTreeMap<GameId, Pairing>,
    ) -> Result<Vec<Phase>, RecordError> {
        let decisions = self.decisions()?;
        if decisions.is_empty() {
            return Ok(vec![(contest.clone(), games)]);
        }
        let mut phases = Vec::new();
        for (taken, ids) in self.games_by_decision(&decisions)?.into_iter().enumerate() {
            let journal = with_decisions(contest.journal(), &decisions[..taken]);
            let games = ids.iter().filter_map(|id| games.remove_entry(id)).collect();
            phases.push((contest.clone().with_journal(journal), games));
        }
        Ok(phases)
    }
}

impl Record {
    /// The first game that was played because of the decision of this number: without it, the contest would not have it.
    /// `None` if there is none.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn first_because_of(&self, contest: &Contest, number: u32) -> Result<Option<GameId>, RecordError> {
        let (pairings, results) = self.pairings_and_results()?;
        let decisions = self.decisions()?;
        let mut phases = self.phases(contest, pairings)?;
        for (taken, (of_phase, _)) in phases.iter_mut().enumerate() {
            let others: Vec<_> = decisions[..taken].iter().filter(|it| it.number != number).cloned().collect();
            *of_phase = contest.clone().with_journal(with_decisions(contest.journal(), &others));
        }
        Ok(out_of_schedule(phases, &results).map(|(id, _)| id))
    }
}

impl Writer {
    /// Records the remarks on all stages of `contest`, which is the record's, after these `results`.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn record_remarks(&mut self, contest: &Contest, results: &Results) -> Result<(), RecordError> {
        let remarks = contest.remarks(results);
        for of_stage in remarks.chunk_by(|(stage, _), (other, _)| stage == other) {
            let remarks: Vec<Remark> = of_stage.iter().map(|(_, remark)| remark.clone()).collect();
            self.set_remarks(of_stage[0].0, &remarks)?;
        }
        Ok(())
    }
}

/// What is recorded between two decisions: the contest with those before it, and the games.
pub type Phase = (Contest, BTreeMap<GameId, Pairing>);

/// Plans the games of a contest anew, phase by phase and in the order in which the `results` allow it, and returns the
/// first game that the plan does not have, with what is wrong.
pub fn out_of_schedule(phases: Vec<Phase>, results: &Results) -> Option<(GameId, String)> {
    let mut known = Results::new();
    phases.into_iter().find_map(|(contest, games)| out_of_phase(&contest, games, results, &mut known))
}

/// The same for one phase. Those that are in the plan are added to `known`.
fn out_of_phase(
    contest: &Contest,
    mut pairings: BTreeMap<GameId, Pairing>,
    results: &Results,
    known: &mut Results,
) -> Option<(GameId, String)> {
    let mut missing = None;
    while !pairings.is_empty() {
        let Ok(Plan::Play(due)) = contest.plan(known) else { break };
        let before = known.len();
        missing = None;
        for planned in due {
            let Some(recorded) = pairings.remove(&planned.id) else {
                missing = missing.or(Some(planned.id));
                continue;
            };
            if recorded != planned {
                let what = if recorded.board == planned.board {
                    "its entrants or their seats are not those that the results before it give"
                } else {
                    "its board is not the one that the contest gives it"
                };
                return Some((planned.id, what.to_string()));
            }
            known.insert(planned.id, results.get(planned.id)?.clone());
        }
        if known.len() == before {
            break;
        }
    }
    let (id, _) = pairings.first_key_value()?;
    let what = match missing {
        Some(missing) => {
            format!("the contest plays no such game before game {missing}, which is not in the record")
        }
        None => "the contest has no such game".to_string(),
    };
    Some((*id, what))
}
