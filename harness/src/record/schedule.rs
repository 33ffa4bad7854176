//! Checks that the games of a record are games of its contest, because formats plan and rank by what was played before.
//! Also derives the decisions about games, which have to fit what was played.
//!
//! A result can come after a decision that made its game unwanted. Such a result is recorded crossed out: under an
//! attempt that no plan asks for, so that nothing counts it.

use super::{GameSummary, Record, RecordError, RecordErrorKind, with_decisions};
use crate::text::Reason;
use cornerman::contest::{Again, Annul, Award, Contest, Decision, DecisionError, Journal, Replace};
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::game::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// The message about a game that no plan has.
const NO_SUCH_GAME: &str = "the contest has no such game";

impl Record {
    /// Checks that `contest`, which is the record's, plans every recorded game after the results and decisions before
    /// it, with the same seats and the same board, unless its result came late. Resuming and ranking would otherwise
    /// mix two tournaments. Returns the outcomes that count: of games that were not annulled, and of awards.
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
    pub fn history(&self, contest: &Contest) -> Result<(Vec<Phase>, Outcomes), RecordError> {
        let mut pairings = BTreeMap::new();
        let mut outcomes = Outcomes::new();
        for GameSummary { pairing, outcome, .. } in self.games()? {
            outcomes.insert(pairing.id, outcome);
            pairings.insert(pairing.id, pairing);
        }
        Ok((self.phases(contest, pairings)?, outcomes))
    }

    /// The phases of `contest`, which is the record's and has these `games`. The first phase has the games before the
    /// first decision, the next one those up to the second decision, and so on.
    pub(crate) fn phases(
        &self,
        contest: &Contest,
        mut games: BTreeMap<GameId, Pairing>,
    ) -> Result<Vec<Phase>, RecordError> {
        let decisions = self.decisions()?;
        let mut phases = Vec::new();
        for (taken, ids) in self.games_by_decision(&decisions)?.into_iter().enumerate() {
            let journal = with_decisions(contest.journal(), &decisions[..taken]);
            let games = ids.iter().filter_map(|id| games.remove_entry(id)).collect();
            phases.push((contest.clone().with_journal(journal), games));
        }
        Ok(phases)
    }

    /// A game that was played or awarded because of the decision of this number: without the decision, the contest
    /// would not have that game, or another version of a bot would have played it. `None` if there is no such game.
    pub fn first_because_of(&self, contest: &Contest, number: u32) -> Result<Option<GameId>, RecordError> {
        let (mut phases, outcomes) = self.history(contest)?;
        let decisions = self.decisions()?;
        for (taken, (of_phase, games)) in phases.iter_mut().enumerate() {
            // Results that came late do not count, whether or not the decision holds.
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

/// What to do about games that were played because of a result which a decision is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterGames {
    /// Keep them: if there are any, the decision is refused.
    Keep,
    /// Play them anew: they do not count either.
    Replay,
}

/// Gives the outcome of a game of this many seats in which all but the last forfeit before their first moves.
pub type Forfeited<'a> = &'a dyn Fn(u8) -> Result<Outcome, Reason>;

/// The decision that awards the game `id` to the bots in `order`, the winner first. In a game of two bots the winner is
/// enough. `phases` and `outcomes` are those of the record.
///
/// # Errors
/// If the game was neither played nor is due, does not count any more, is not between these bots, is of a stage that
/// territory decides, or if a later game that is to be kept was played because of its result; in words.
pub fn award(
    phases: &[Phase],
    outcomes: &Outcomes,
    id: GameId,
    order: &[EntrantId],
    later: LaterGames,
    forfeited: Forfeited,
) -> Result<Award, DecisionError> {
    let (contest, _) = phases.last().ok_or_else(|| DecisionError::new("there is no contest"))?;
    let known = recorded_outcomes(phases, outcomes);
    let results = contest.journal().results(known.clone());
    let mut anew = Vec::new();
    let game = match played(phases).find(|game| game.id == id) {
        Some(game) => {
            check_counts(contest, &results, game)?;
            anew = dependent(phases, outcomes, id, later)?;
            game.clone()
        }
        None => {
            let plan = contest.plan(&results).map_err(|error| DecisionError(error.to_string()))?;
            let game = plan.into_games().into_iter().find(|due| due.id == id);
            game.ok_or_else(|| DecisionError::new("it is neither played nor due"))?
        }
    };
    let measure = contest.progress(&results).get(usize::from(id.stage)).and_then(|stage| stage.measure());
    if let Some(measure) = measure {
        return Err(DecisionError::new(format!("{} decides in its stage", measure.name)));
    }
    let order = full_order(&game.seats, order)?;
    let [winner, ref others @ ..] = order[..] else { return Err(DecisionError::new("nobody plays in it")) };
    let seats = game.seats.len();
    let given = forfeited(seats as u8).map_err(|why| DecisionError(why.0))?;
    // In `given` the seats forfeit in their order, so that the bot in the last place has the first seat.
    let given_seat = |bot: &EntrantId| seats - 1 - order.iter().position(|other| other == bot).unwrap_or(0);
    let given_seats: Vec<usize> = game.seats.iter().map(given_seat).collect();
    let outcome = reseated(&given, &given_seats);
    let others = if others.len() > 1 { others.to_vec() } else { Vec::new() };
    let award = Award { game: id, winner, others, outcome, later: anew };
    due_after(contest, &known, Decision::Award(award.clone()))?;
    Ok(award)
}

/// The outcome in which seat `i` has what seat `seats[i]` has in `given`.
pub(crate) fn reseated(given: &Outcome, seats: &[usize]) -> Outcome {
    Outcome {
        places: seats.iter().map(|&seat| given.places[seat]).collect(),
        points: seats.iter().map(|&seat| given.points[seat]).collect(),
        territory: seats.iter().map(|&seat| given.territory[seat]).collect(),
        end: given.end,
    }
}

/// All bots in `seats` in the order of their places. `named` has this order already, or of two bots only the winner.
///
/// # Errors
/// If `named` has another bot, or not all that it must have.
fn full_order(seats: &[EntrantId], named: &[EntrantId]) -> Result<Vec<EntrantId>, DecisionError> {
    if named.iter().any(|bot| !seats.contains(bot)) {
        let who = if named.len() == 1 { "the winner does" } else { "one of these bots does" };
        return Err(DecisionError(format!("{who} not play in it")));
    }
    let distinct: BTreeSet<EntrantId> = named.iter().copied().collect();
    let mut order = named.to_vec();
    if seats.len() == 2 {
        order.extend(seats.iter().filter(|bot| !named.contains(bot)));
    }
    if order.len() != seats.len() || distinct.len() != named.len() {
        let why =
            format!("it has {} seats: name each of its bots once, in the order of their places", seats.len());
        return Err(DecisionError(why));
    }
    Ok(order)
}

/// Checks that a recorded game counts, and was not awarded.
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

/// The games that are played anew if the result of the recorded game `id` does not hold: those that the contest would
/// not have had without it.
///
/// # Errors
/// If there are any and they are to be kept, in words.
fn dependent(
    phases: &[Phase],
    outcomes: &Outcomes,
    id: GameId,
    later: LaterGames,
) -> Result<Vec<Again>, DecisionError> {
    let Some((contest, _)) = phases.last() else { return Ok(Vec::new()) };
    let journal = contest.journal();
    let known: BTreeSet<GameId> = recorded_outcomes(phases, outcomes).into_keys().collect();
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
fn recorded_outcomes(phases: &[Phase], outcomes: &Outcomes) -> Outcomes {
    played(phases).map(|game| (game.id, outcomes[&game.id].clone())).collect()
}

/// The games of all `phases`.
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

/// The games that are due after this `decision`.
///
/// # Errors
/// If the contest could not go on, in words.
fn due_after(contest: &Contest, known: &Outcomes, decision: Decision) -> Result<Vec<Pairing>, DecisionError> {
    let mut journal = contest.journal().clone();
    journal.decisions.push(decision);
    let results = journal.results(known.clone());
    let plan = contest.clone().with_journal(journal).plan(&results);
    plan.map(Plan::into_games).map_err(|error| DecisionError(format!("the contest could not go on: {error}")))
}

/// The decision that the game `id` is played again. `phases` and `outcomes` are those of the record.
///
/// # Errors
/// If the game does not count, would not be played again, or if a later game that is to be kept was played because of
/// its result; in words.
pub fn annul(
    phases: &[Phase],
    outcomes: &Outcomes,
    id: GameId,
    later: LaterGames,
) -> Result<Annul, DecisionError> {
    let found = phases.last().zip(played(phases).find(|game| game.id == id));
    let ((contest, _), game) = found.ok_or_else(|| DecisionError::new("it was not played"))?;
    let known = recorded_outcomes(phases, outcomes);
    check_counts(contest, &contest.journal().results(known.clone()), game)?;
    let later = dependent(phases, outcomes, id, later)?;
    let last = played(phases).filter(|game| game.id.place() == id.place()).map(|game| game.id.attempt).max();
    let Some(attempt) = last.unwrap_or(0).checked_add(1) else {
        return Err(DecisionError::new("it was annulled too often"));
    };
    let annul = Annul { game: id, attempt, later };
    let again = Pairing { id: GameId { attempt, ..id }, ..game.clone() };
    if !due_after(contest, &known, Decision::Annul(annul.clone()))?.contains(&again) {
        return Err(DecisionError::new("it would not be played again, because a bot is gone"));
    }
    Ok(annul)
}

/// The decision that a version plays the games of a bot. `phases` and `outcomes` are those of the record.
///
/// # Errors
/// Those of [`Contest::replace`].
pub fn replace(phases: &[Phase], outcomes: &Outcomes, wanted: Replace) -> Result<Replace, DecisionError> {
    let (contest, _) = phases.last().ok_or_else(|| DecisionError::new("there is no contest"))?;
    let results = contest.journal().results(recorded_outcomes(phases, outcomes));
    contest.replace(&results, played(phases), wanted)
}

/// What was recorded between two decisions: the contest after the decisions before, and the games.
pub type Phase = (Contest, BTreeMap<GameId, Pairing>);

/// The outcomes of all games of a record, also of those that were annulled.
pub type Outcomes = BTreeMap<GameId, Outcome>;

/// Plans the games of a contest anew, phase by phase, from their `outcomes`. Returns the first recorded or awarded game
/// that the plan does not have and whose result cannot have come late, with what is wrong; `None` if there is none.
pub fn out_of_schedule(phases: Vec<Phase>, outcomes: &Outcomes) -> Option<(GameId, String)> {
    let came_late = |(contest, games): &Phase| games.keys().any(|id| contest.journal().is_annulled(*id));
    let has_late = phases.iter().any(came_late);
    let mut unwanted = UnwantedGames::default();
    let mut played = Outcomes::new();
    let mut before: Option<Contest> = None;
    phases.into_iter().find_map(|(contest, games)| {
        if let Some(awarded) = awarded_early(&contest, before.as_ref(), &played) {
            return Some((awarded, "it was awarded, and was not due".to_string()));
        }
        if let Some(before) = before.as_ref().filter(|_| has_late) {
            unwanted.on_decision(before, &contest, &played);
        }
        let known = contest.journal().results(played.clone());
        played.extend(games.keys().filter_map(|id| Some((*id, outcomes.get(id)?.clone()))));
        let (late, games): (BTreeMap<_, _>, _) =
            games.into_iter().partition(|(id, _)| contest.journal().is_annulled(*id));
        let wrong = out_of_phase(&contest, games, outcomes, known).or_else(|| {
            let stray = late.values().find(|game| !unwanted.can_be_late(game, contest.journal(), &played))?;
            Some((stray.id, NO_SUCH_GAME.to_string()))
        });
        before = Some(contest);
        wrong
    })
}

/// A game that a decision awards although it was neither played nor due. Only decisions of `contest` that it did not
/// have `before` are considered.
fn awarded_early(contest: &Contest, before: Option<&Contest>, played: &Outcomes) -> Option<GameId> {
    let is_new = |decision: &&Decision| before.is_none_or(|before| !before.journal().decisions.contains(decision));
    contest.journal().decisions.iter().filter(is_new).find_map(|decision| {
        let Decision::Award(award) = decision else { return None };
        if played.contains_key(&award.game) {
            return None;
        }
        let others = contest.journal().decisions.iter().filter(|other| *other != decision).cloned().collect();
        let without = contest.clone().with_journal(Journal { decisions: others });
        let is_awarded = |game: &Pairing| game.id == award.game && game.seats.contains(&award.winner);
        let was_due = due(&without, played).iter().any(is_awarded);
        (!was_due).then_some(award.game)
    })
}

/// Plans `contest` as far as `known` gives the outcomes of its games, and adds these to `results`. Returns the games
/// that are due and have no known outcome.
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

/// The first game of a phase that the plan after the results `known` does not have, with what is wrong.
fn out_of_phase(
    contest: &Contest,
    mut games: BTreeMap<GameId, Pairing>,
    outcomes: &Outcomes,
    mut known: Results,
) -> Option<(GameId, String)> {
    let mut differs = None;
    let missing = replan(contest, &mut known, &mut |planned| {
        let recorded = if differs.is_none() { games.remove(&planned.id)? } else { return None };
        if recorded == *planned {
            return outcomes.get(&planned.id).cloned();
        }
        let what = if recorded.board == planned.board {
            "its entrants or their seats are not those that the results before it give"
        } else {
            "its board is not the one that the contest gives it"
        };
        differs = Some((planned.id, what.to_string()));
        None
    });
    differs.or_else(|| {
        let (id, _) = games.first_key_value()?;
        let before = missing.first().map(|missing| missing.id);
        Some((
            *id,
            match before {
                Some(before) => {
                    format!("the contest plays no such game before game {before}, which is not in the record")
                }
                None => NO_SUCH_GAME.to_string(),
            },
        ))
    })
}

/// The games that were due before a decision, and those of them that are not due any more.
#[derive(Default)]
struct UnwantedGames {
    asked: BTreeSet<Pairing>,
    unwanted: BTreeSet<Pairing>,
}

impl UnwantedGames {
    /// Notes that a decision was taken after these games, by which the contest `before` became `contest`.
    fn on_decision(&mut self, before: &Contest, contest: &Contest, played: &Outcomes) {
        self.asked.extend(due(before, played));
        self.unwanted = self.asked.difference(&due(contest, played)).cloned().collect();
    }

    /// Whether a game for which the plan of this phase does not ask can be in the record, because its result came late.
    /// Its attempt is then the one that was asked for, or follows the one that counts or one that was `played`.
    fn can_be_late(&self, game: &Pairing, journal: &Journal, played: &Outcomes) -> bool {
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

/// The games that are due once these have been `played`; none if the contest cannot go on.
fn due(contest: &Contest, played: &Outcomes) -> BTreeSet<Pairing> {
    let plan = contest.plan(&contest.journal().results(played.clone()));
    plan.map_or_else(|_| BTreeSet::new(), |plan| plan.into_games().into_iter().collect())
}

/// The games of a record that were due before a decision and are not due any more: their results may still come, too
/// late.
pub struct LateGames {
    unwanted: BTreeSet<Pairing>,
    journal: Journal,
    /// The games of the record, and those that were recorded late since it was read.
    recorded: BTreeMap<GameId, Pairing>,
}

impl LateGames {
    /// The late games of a record with these `phases` and `outcomes`.
    pub fn after(phases: &[Phase], outcomes: &Outcomes) -> LateGames {
        let mut games = UnwantedGames::default();
        let mut played = Outcomes::new();
        for ((before, of_phase), (contest, _)) in phases.iter().zip(phases.iter().skip(1)) {
            played.extend(of_phase.keys().filter_map(|id| Some((*id, outcomes.get(id)?.clone()))));
            games.on_decision(before, contest, &played);
        }
        let journal = phases.last().map_or_else(Journal::new, |(contest, _)| contest.journal().clone());
        let recorded = phases.iter().flat_map(|(_, games)| games.clone()).collect();
        LateGames { unwanted: games.unwanted, journal, recorded }
    }

    /// The game as which the late result of `game` is recorded: under its own attempt or, if that one counts, under the
    /// attempt after the last. `None` if the result is not late, or was recorded before.
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

    /// Notes that a game was recorded late.
    pub fn on_recorded(&mut self, game: Pairing) {
        self.recorded.insert(game.id, game);
    }
}
