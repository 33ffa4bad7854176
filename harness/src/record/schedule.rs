//! Checks that the games of a record are games of its contest, because formats plan and rank by what was played before.
//!
//! Results that came after a decision by which their games are not wanted any more are recorded crossed out: under an attempt
//! that no plan asks for, so that nothing counts them.

use super::{GameSummary, Record, RecordError, RecordErrorKind, Writer, with_decisions};
use crate::text::Reason;
use cornerman::contest::{Again, Annul, Award, Contest, Decision, DecisionError, Journal, Replace};
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results, StageRemark};
use cornerman::game::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

/// What is wrong with a game that no plan has.
const NO_SUCH_GAME: &str = "the contest has no such game";

impl Record {
    /// Checks that `contest`, which is the record's, plans every recorded game after the results and decisions before it,
    /// with the same seats and the same board. Resuming and ranking would otherwise mix two tournaments. Returns the
    /// outcomes of the games that were not annulled.
    ///
    /// # Errors
    /// [`RecordErrorKind::Damaged`], with the first game that has no place in the contest.
    pub fn check_schedule(&self, contest: &Contest) -> Result<Results, RecordError> {
        let (phases, outcomes) = self.history(contest)?;
        match out_of_schedule(phases, &outcomes) {
            None => Ok(contest.journal().results(outcomes)),
            Some((id, what)) => Err(RecordErrorKind::Damaged(format!("game {id}: {what}")).at(self.path())),
        }
    }

    /// The phases of `contest`, which is the record's, and the outcomes of all its games.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn history(&self, contest: &Contest) -> Result<(Vec<Phase>, Outcomes), RecordError> {
        let mut pairings = BTreeMap::new();
        let mut outcomes = Outcomes::new();
        for GameSummary { pairing, outcome, .. } in self.games()? {
            outcomes.insert(pairing.id, outcome);
            pairings.insert(pairing.id, pairing);
        }
        Ok((self.phases(contest, pairings)?, outcomes))
    }

    /// The phases of `contest`, which is the record's and has these `games`: those before the first decision, those after
    /// it, and so on.
    pub(crate) fn phases(
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

    /// The first game that was played because of the decision of this number: without it, the contest would not have it.
    /// `None` if there is none.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn first_because_of(&self, contest: &Contest, number: u32) -> Result<Option<GameId>, RecordError> {
        let (mut phases, outcomes) = self.history(contest)?;
        let decisions = self.decisions()?;
        for (taken, (of_phase, games)) in phases.iter_mut().enumerate() {
            // What came late does not count whether the decision holds or not.
            games.retain(|id, _| !of_phase.journal().is_annulled(*id));
            let others: Vec<_> = decisions[..taken].iter().filter(|it| it.number != number).cloned().collect();
            let without = with_decisions(contest.journal(), &others);
            let [played_by, others_by] = [of_phase.journal(), &without].map(Journal::versions);
            let is_same = |game: &Pairing, bot: &EntrantId| {
                played_by.playing(*bot, game.id) == others_by.playing(*bot, game.id)
            };
            if let Some(game) = games.values().find(|game| !game.seats.iter().all(|bot| is_same(game, bot))) {
                return Ok(Some(game.id));
            }
            *of_phase = contest.clone().with_journal(without);
        }
        Ok(out_of_schedule(phases, &outcomes).map(|(id, _)| id))
    }
}

/// What becomes of the games that were played because of a result that does not hold any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterGames {
    /// They stay: if there are any, the result holds.
    Keep,
    /// They do not count either, and are played anew.
    Replay,
}

/// Gives the outcome of a game of this many seats in which all but the last forfeit before their first moves.
pub type Forfeited<'a> = &'a dyn Fn(u8) -> Result<Outcome, Reason>;

/// The decision about the game `id` that these bots have its places, the winner first, after these phases of a record with
/// these `outcomes`. In a game of two the winner is enough.
///
/// # Errors
/// If it has no result and is not due either, is not between these bots, territory decides in its stage, or a later game that
/// is to stay was played because of its result; in words.
pub fn award(
    phases: &[Phase],
    outcomes: &Outcomes,
    id: GameId,
    order: &[EntrantId],
    later: LaterGames,
    forfeited: Forfeited,
) -> Result<Award, DecisionError> {
    let (contest, _) = phases.last().ok_or_else(|| DecisionError::new("there is no contest"))?;
    let known = outcomes_until_now(phases, outcomes);
    let results = contest.journal().results(known.clone());
    let mut anew = Vec::new();
    let game = match played(phases).find(|game| game.id == id) {
        Some(game) => {
            check_counts(contest, &results, game)?;
            anew = dependent(phases, outcomes, id, later)?;
            game.clone()
        }
        None => {
            let due = contest.plan(&results).map_err(|error| DecisionError(error.to_string()))?;
            let due = if let Plan::Play(due) = due { due } else { Vec::new() };
            due.into_iter()
                .find(|due| due.id == id)
                .ok_or_else(|| DecisionError::new("it is neither played nor due"))?
        }
    };
    let measure = contest.progress(&results).get(usize::from(id.stage)).and_then(|stage| stage.measure());
    if let Some(measure) = measure {
        return Err(DecisionError::new(format!("{} decides in its stage", measure.name)));
    }
    let order = places(&game.seats, order)?;
    let [winner, ref others @ ..] = order[..] else { return Err(DecisionError::new("nobody plays in it")) };
    // The last one forfeits first, as in the first seat.
    let seats = game.seats.len();
    let given = forfeited(seats as u8).map_err(|why| DecisionError(why.0))?;
    let rank = |bot: &EntrantId| seats - 1 - order.iter().position(|other| other == bot).unwrap_or(0);
    let ranks: Vec<usize> = game.seats.iter().map(rank).collect();
    let outcome = Outcome {
        places: ranks.iter().filter_map(|&rank| given.places.get(rank).copied()).collect(),
        points: ranks.iter().filter_map(|&rank| given.points.get(rank).copied()).collect(),
        territory: ranks.iter().filter_map(|&rank| given.territory.get(rank).copied()).collect(),
        end: given.end,
    };
    let others = if others.len() > 1 { others.to_vec() } else { Vec::new() };
    let award = Award { game: id, winner, others, outcome, later: anew };
    replanned(contest, &known, Decision::Award(award.clone()))?;
    Ok(award)
}

/// All bots in these seats in the order of their places, as named: the winner of two, or all.
fn places(seats: &[EntrantId], named: &[EntrantId]) -> Result<Vec<EntrantId>, DecisionError> {
    if named.iter().any(|bot| !seats.contains(bot)) {
        let who = if named.len() == 1 { "the winner does" } else { "one of these bots does" };
        return Err(DecisionError(format!("{who} not play in it")));
    }
    let distinct: BTreeSet<EntrantId> = named.iter().copied().collect();
    let missing = seats.iter().copied().filter(|bot| !named.contains(bot));
    let order: Vec<EntrantId> = match seats.len() {
        2 => named.iter().copied().chain(missing).collect(),
        _ => named.to_vec(),
    };
    if order.len() != seats.len() || distinct.len() != named.len() {
        let why =
            format!("it has {} seats: name each of its bots once, in the order of their places", seats.len());
        return Err(DecisionError(why));
    }
    Ok(order)
}

/// Checks that a recorded game counts, in words.
fn check_counts(contest: &Contest, results: &Results, game: &Pairing) -> Result<(), DecisionError> {
    if contest.journal().is_annulled(game.id) {
        return Err(DecisionError::new("it was annulled already"));
    }
    if contest.journal().is_awarded(game.id) {
        return Err(DecisionError::new("it was awarded already: undo that decision"));
    }
    if !contest.counts(results, game) {
        return Err(DecisionError::new("it is void, because a bot is gone"));
    }
    Ok(())
}

/// The places at which games are played anew if the result of the recorded game `id` does not hold: those that had no game
/// without it.
///
/// # Errors
/// If there are some and they are to stay, in words.
fn dependent(
    phases: &[Phase],
    outcomes: &Outcomes,
    id: GameId,
    later: LaterGames,
) -> Result<Vec<Again>, DecisionError> {
    let Some((contest, _)) = phases.last() else { return Ok(Vec::new()) };
    let journal = contest.journal();
    let known: BTreeSet<GameId> = outcomes_until_now(phases, outcomes).into_keys().collect();
    let places: BTreeSet<GameId> = unreached(phases, outcomes, id).iter().map(|id| id.place()).collect();
    let mut anew = Vec::new();
    for place in places {
        let game = GameId { attempt: journal.attempt(place), ..place };
        let has_result = known.contains(&game) || journal.is_awarded(game);
        if has_result && later == LaterGames::Keep {
            return Err(DecisionError(format!(
                "game {game} was played or awarded because of its result; to cross out all such games and play them anew, add \
                 `--replay-later`; a decision about a bot (`withdraw`, `disqualify`) is also possible"
            )));
        }
        if !has_result && !journal.is_repeated(game) {
            continue;
        }
        let of_place = known.range(place..=GameId { attempt: u16::MAX, ..place }).map(|id| id.attempt);
        let last = of_place.chain(has_result.then_some(game.attempt)).max();
        let next = last.map_or(Some(0), |last| last.checked_add(1));
        let attempt = next.ok_or_else(|| DecisionError(format!("game {game} was annulled too often")))?;
        anew.push(Again { game, attempt: attempt.max(game.attempt) });
    }
    Ok(anew)
}

/// The outcomes of all games in these phases.
fn outcomes_until_now(phases: &[Phase], outcomes: &Outcomes) -> Outcomes {
    played(phases).map(|game| (game.id, outcomes[&game.id].clone())).collect()
}

fn played(phases: &[Phase]) -> impl Iterator<Item = &Pairing> {
    phases.iter().flat_map(|(_, games)| games.values())
}

/// The recorded and awarded games that the contest would not have had without the result of the game `id`.
fn unreached(phases: &[Phase], outcomes: &Outcomes, id: GameId) -> BTreeSet<GameId> {
    let mut reached: BTreeSet<GameId> = BTreeSet::new();
    let mut unreached = BTreeSet::new();
    for (contest, games) in phases {
        let before = reached.iter().filter_map(|id| outcomes.get_key_value(id));
        let mut known = contest.journal().results(before.map(|(id, outcome)| (*id, outcome.clone())));
        let of_phase = games.keys().filter(|game| **game != id && !contest.journal().is_annulled(**game));
        let mut pending: Outcomes = of_phase.map(|id| (*id, outcomes[id].clone())).collect();
        for award in contest.journal().awarded().filter(|award| !reached.contains(&award.game)) {
            known.remove(award.game);
            if award.game != id {
                pending.insert(award.game, award.outcome.clone());
            }
        }
        replan(contest, &mut known, &mut |game| {
            let is_same = games.get(&game.id).is_none_or(|recorded| recorded == game);
            let outcome = if is_same { pending.remove(&game.id) } else { None };
            if outcome.is_some() {
                reached.insert(game.id);
            }
            outcome
        });
        unreached.extend(pending.into_keys());
    }
    unreached.retain(|id| !reached.contains(id));
    unreached
}

/// The games that are due once this `decision` is taken as well.
///
/// # Errors
/// If the contest could not go on, in words.
fn replanned(contest: &Contest, known: &Outcomes, decision: Decision) -> Result<Vec<Pairing>, DecisionError> {
    let mut journal = contest.journal().clone();
    journal.decisions.push(decision);
    let results = journal.results(known.clone());
    match contest.clone().with_journal(journal).plan(&results) {
        Ok(Plan::Play(due)) => Ok(due),
        Ok(Plan::Finished) => Ok(Vec::new()),
        Err(error) => Err(DecisionError(format!("the contest could not go on: {error}"))),
    }
}

/// The decision that the game `id` is played again, after these phases of a record with these `outcomes`.
///
/// # Errors
/// If it does not count, would not be played again, or a later game that is to stay was played because of its result; in
/// words.
pub fn annul(
    phases: &[Phase],
    outcomes: &Outcomes,
    id: GameId,
    later: LaterGames,
) -> Result<Annul, DecisionError> {
    let last = phases.last().zip(played(phases).find(|game| game.id == id));
    let ((contest, _), game) = last.ok_or_else(|| DecisionError::new("it was not played"))?;
    let known = outcomes_until_now(phases, outcomes);
    check_counts(contest, &contest.journal().results(known.clone()), game)?;
    let later = dependent(phases, outcomes, id, later)?;
    let last = played(phases).filter(|game| game.id.place() == id.place()).map(|game| game.id.attempt).max();
    let Some(attempt) = last.unwrap_or(0).checked_add(1) else {
        return Err(DecisionError::new("it was annulled too often"));
    };
    let annul = Annul { game: id, attempt, later };
    let again = Pairing { id: GameId { attempt, ..id }, ..game.clone() };
    if !replanned(contest, &known, Decision::Annul(annul.clone()))?.contains(&again) {
        return Err(DecisionError::new("it would not be played again, because a bot is gone"));
    }
    Ok(annul)
}

/// The decision that a version plays the games of a bot, after these phases of a record with these `outcomes`.
///
/// # Errors
/// Those of [`Contest::replace`].
pub fn replace(phases: &[Phase], outcomes: &Outcomes, wanted: Replace) -> Result<Replace, DecisionError> {
    let (contest, _) = phases.last().ok_or_else(|| DecisionError::new("there is no contest"))?;
    let results = contest.journal().results(outcomes_until_now(phases, outcomes));
    contest.replace(&results, played(phases), wanted)
}

impl Writer {
    /// Records the remarks on all stages of `contest`, which is the record's, after these `results`.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn record_remarks(&mut self, contest: &Contest, results: &Results) -> Result<(), RecordError> {
        let remarks = contest.remarks(results);
        for of_stage in remarks.chunk_by(|(stage, _), (other, _)| stage == other) {
            let remarks: Vec<StageRemark> = of_stage.iter().map(|(_, remark)| remark.clone()).collect();
            self.set_remarks(of_stage[0].0, &remarks)?;
        }
        Ok(())
    }
}

/// What is recorded between two decisions: the contest with those before it, and the games.
pub type Phase = (Contest, BTreeMap<GameId, Pairing>);

/// The outcomes of all games of a record, also of those that were annulled.
pub type Outcomes = BTreeMap<GameId, Outcome>;

/// Plans the games of a contest anew, phase by phase and in the order in which the `outcomes` allow it, and returns the
/// first game that the plan does not have, with what is wrong.
pub fn out_of_schedule(phases: Vec<Phase>, outcomes: &Outcomes) -> Option<(GameId, String)> {
    let came_late = |(contest, games): &Phase| games.keys().any(|id| contest.journal().is_annulled(*id));
    let has_late = phases.iter().any(came_late);
    let mut asked = AskedGames::default();
    let mut played = Outcomes::new();
    let mut decided = Journal::new();
    phases.into_iter().find_map(|(contest, games)| {
        let before = mem::replace(&mut decided, contest.journal().clone());
        if let Some(awarded) = awarded_early(&contest, &before, &played) {
            return Some((awarded, "it was awarded, and was not due".to_string()));
        }
        if has_late {
            asked.begin_phase(&contest, &played);
        }
        let mut known = contest.journal().results(played.clone());
        played.extend(games.keys().filter_map(|id| Some((*id, outcomes.get(id)?.clone()))));
        let (late, games) = games.into_iter().partition(|(id, _)| contest.journal().is_annulled(*id));
        let wrong = out_of_phase(&contest, games, outcomes, &mut known).or_else(|| {
            let late: BTreeMap<GameId, Pairing> = late;
            let mut late = late.into_values();
            let stray = late.find(|game| !asked.can_be_late(game, contest.journal(), &played))?;
            Some((stray.id, NO_SUCH_GAME.to_string()))
        });
        if has_late {
            asked.end_phase(&contest, &played);
        }
        wrong
    })
}

/// A game that a decision of `contest`, but not one `before` it, awards, although it was neither played nor due.
fn awarded_early(contest: &Contest, before: &Journal, played: &Outcomes) -> Option<GameId> {
    let is_new = |decision: &&Decision| !before.decisions.contains(decision);
    contest.journal().decisions.iter().filter(is_new).find_map(|decision| {
        let Decision::Award(award) = decision else { return None };
        if played.contains_key(&award.game) {
            return None;
        }
        let others = contest.journal().decisions.iter().filter(|other| *other != decision).cloned().collect();
        let without = contest.clone().with_journal(Journal { decisions: others });
        let is_it = |game: &Pairing| game.id == award.game && game.seats.contains(&award.winner);
        let was_due = due(&without, played).iter().any(is_it);
        (!was_due).then_some(award.game)
    })
}

/// Plans `contest` as far as `known` has the results of its games, and adds those that count to `results`. Returns the games
/// that are missing.
pub(crate) fn replan(
    contest: &Contest,
    results: &mut Results,
    known: &mut dyn FnMut(&Pairing) -> Option<Outcome>,
) -> Vec<Pairing> {
    let mut missing = BTreeMap::new();
    while let Ok(Plan::Play(due)) = contest.plan(results) {
        let before = results.len();
        for pairing in due {
            match known(&pairing) {
                Some(outcome) => {
                    missing.remove(&pairing.id);
                    results.insert(pairing.id, outcome);
                }
                None => drop(missing.insert(pairing.id, pairing)),
            }
        }
        if results.len() == before {
            break;
        }
    }
    missing.into_values().collect()
}

/// The first game of one phase that its plan does not have. Those that are in the plan are added to `known`.
fn out_of_phase(
    contest: &Contest,
    mut pairings: BTreeMap<GameId, Pairing>,
    outcomes: &Outcomes,
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
            known.insert(planned.id, outcomes.get(&planned.id)?.clone());
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
        None => NO_SUCH_GAME.to_string(),
    };
    Some((*id, what))
}

/// The games that were due before a decision, and those of them that are not wanted since.
#[derive(Default)]
pub(super) struct AskedGames {
    asked: BTreeSet<Pairing>,
    unwanted: BTreeSet<Pairing>,
}

impl AskedGames {
    /// A decision was taken, or the contest begins. These games have been played.
    pub(super) fn begin_phase(&mut self, contest: &Contest, played: &Outcomes) {
        let due = due(contest, played);
        self.unwanted = self.asked.difference(&due).cloned().collect();
    }

    /// The next decision is taken after these games.
    pub(super) fn end_phase(&mut self, contest: &Contest, played: &Outcomes) {
        self.asked.extend(due(contest, played));
    }

    /// Whether a game that the plan of this phase does not ask for can be in the record, beside those that were `played`: its
    /// result came late. It has the attempt that was asked for, or else the one after the last.
    pub(super) fn can_be_late(&self, game: &Pairing, journal: &Journal, played: &Outcomes) -> bool {
        let id = game.id;
        let mut asked = self.unwanted.iter().filter(|asked| same_but_for_attempt(asked, game));
        let follows = id.attempt.checked_sub(1).is_some_and(|before| {
            before == journal.attempt(id) || played.contains_key(&GameId { attempt: before, ..id })
        });
        asked.any(|asked| asked.id == id || follows)
    }
}

fn same_but_for_attempt(a: &Pairing, b: &Pairing) -> bool {
    (a.id.place(), &a.seats, a.board) == (b.id.place(), &b.seats, b.board)
}

fn due(contest: &Contest, played: &Outcomes) -> BTreeSet<Pairing> {
    match contest.plan(&contest.journal().results(played.clone())) {
        Ok(Plan::Play(games)) => games.into_iter().collect(),
        _ => BTreeSet::new(),
    }
}

/// The games of a record whose results are not wanted any more, should they still come.
pub struct LateGames {
    unwanted: BTreeSet<Pairing>,
    journal: Journal,
    /// All games but those that were played since this was read as the plan wants them.
    recorded: BTreeMap<GameId, Pairing>,
}

impl LateGames {
    /// The games that were due before a decision and are not wanted since, after these phases of a record with these `outcomes`.
    pub fn after(phases: &[Phase], outcomes: &Outcomes) -> LateGames {
        let mut games = AskedGames::default();
        let mut played = Outcomes::new();
        for (number, (contest, of_phase)) in (1..).zip(phases) {
            games.begin_phase(contest, &played);
            played.extend(of_phase.keys().filter_map(|id| Some((*id, outcomes.get(id)?.clone()))));
            if number < phases.len() {
                games.end_phase(contest, &played);
            }
        }
        let journal = phases.last().map_or_else(Journal::new, |(contest, _)| contest.journal().clone());
        let recorded = phases.iter().flat_map(|(_, games)| games.clone()).collect();
        LateGames { unwanted: games.unwanted, journal, recorded }
    }

    /// The game as which the result of `game` is recorded, which came late: under its own attempt, or the one after the last
    /// if another game counts under its own. `None` if it was not asked for before a decision, is wanted, or was recorded
    /// before.
    pub fn crossed_out(&self, game: &Pairing) -> Option<Pairing> {
        if !self.unwanted.contains(game) {
            return None;
        }
        let place = game.id.place();
        let wanted = self.journal.attempt(place);
        let of_place =
            || self.recorded.range(place..=GameId { attempt: u16::MAX, ..place }).map(|(_, other)| other);
        let attempt = if game.id.attempt != wanted {
            game.id.attempt
        } else if of_place().any(|other| other.id.attempt > wanted && same_but_for_attempt(other, game)) {
            return None;
        } else {
            of_place().map(|other| other.id.attempt).fold(wanted, u16::max).checked_add(1)?
        };
        let id = GameId { attempt, ..place };
        (!self.recorded.contains_key(&id)).then(|| Pairing { id, ..game.clone() })
    }

    /// Takes in that a game was recorded.
    pub fn on_recorded(&mut self, game: Pairing) {
        self.recorded.insert(game.id, game);
    }
}
