//! How the organizer's decisions change the schedule of a stage, in the same way for all formats, and the checks of new
//! decisions.

use super::{Contest, Participants, StageProgress, StageState};
use crate::format::{
    Arrival, Departure, EntrantId, GameId, LeftGames, Pairing, Plan, Ranking, Results, Rounds, Schedule,
    ScheduleFacts, StageRemark, Standing, StandingsColumn,
};
use crate::game::Outcome;
use crate::journal::{Admit, Decision, Leave, Leaving, Replace};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A schedule, the bots that have left it, and the games that are played again.
pub(super) struct DecidedSchedule {
    schedule: Box<dyn Schedule>,
    left: Vec<Left>,
    /// For each place at which a game is played again, the attempt that counts.
    attempts: BTreeMap<GameId, u16>,
    /// All games of a stage of [`Departure::Pairs`] or [`Departure::Groups`] if departures make games lost or void;
    /// otherwise empty.
    games: Vec<Pairing>,
}

/// A bot that has left the stage.
struct Left {
    entrant: EntrantId,
    disqualified: bool,
    games: LeftGames,
    /// [`Leave::forfeits`].
    forfeits: Vec<Outcome>,
}

impl DecidedSchedule {
    /// The `schedule` of `stage` as the journal of `contest` changes it.
    pub(super) fn schedule(contest: &Contest, stage: u8, schedule: Box<dyn Schedule>) -> Box<dyn Schedule> {
        let left = contest.journal.leaving(stage).map(|(leave, leaving)| Left {
            entrant: leave.entrant,
            disqualified: leave.disqualified,
            games: leaving.games,
            forfeits: leave.forfeits.clone(),
        });
        let left: Vec<Left> = left.collect();
        let again = contest.journal.again().filter(|again| again.game.stage == stage);
        let attempts: BTreeMap<GameId, u16> = again.map(|again| (again.game.place(), again.attempt)).collect();
        if left.is_empty() && attempts.is_empty() {
            return schedule;
        }
        let all_known = matches!(schedule.facts().departure, Departure::Pairs | Departure::Groups);
        let mut games = Vec::new();
        if all_known && left.iter().any(|left| left.games != LeftGames::Keep) {
            games = schedule.plan(&Results::new()).into_games();
        }
        Box::new(DecidedSchedule { schedule, left, attempts, games })
    }

    /// The attempt that counts at the place of a game.
    fn attempt(&self, game: GameId) -> u16 {
        self.attempts.get(&game.place()).copied().unwrap_or(0)
    }

    fn has_left(&self, entrant: EntrantId) -> bool {
        self.left.iter().any(|left| left.entrant == entrant)
    }

    /// The results that count: without void games, and with forfeits for unplayed games that a bot lost by leaving.
    fn counted<'a>(&self, done: &'a Results) -> Cow<'a, Results> {
        if self.games.is_empty() {
            return Cow::Borrowed(done);
        }
        let mut counted = done.clone();
        for game in &self.games {
            if self.is_void(game) {
                counted.remove(game.id);
            } else if done.outcome_of(game.id, game.seats.len()).is_none()
                && let Some(forfeit) = self.forfeit(game)
            {
                counted.insert(game.id, forfeit.clone());
            }
        }
        Cow::Owned(counted)
    }

    /// The outcome of an unplayed game of two that one of its bots lost by leaving.
    fn forfeit(&self, game: &Pairing) -> Option<&Outcome> {
        game.seats.iter().enumerate().find_map(|(seat, id)| {
            let left = self.left.iter().find(|left| left.entrant == *id && left.games == LeftGames::Lost)?;
            left.forfeits.get(seat)
        })
    }

    /// Whether a game does not count because one of its bots has left.
    fn is_void(&self, game: &Pairing) -> bool {
        let voids = |left: &Left| left.games == LeftGames::Void && game.seats.contains(&left.entrant);
        !self.schedule.counts(game) || (!self.games.is_empty() && self.left.iter().any(voids))
    }

    /// `standings` without the bots that have no place because they were disqualified or their games are void.
    fn placed(&self, standings: Vec<Standing>) -> Vec<Standing> {
        let has_no_place = |left: &Left| left.disqualified || left.games == LeftGames::Void;
        without(standings, |id| !self.left.iter().any(|left| left.entrant == id && has_no_place(left)))
    }
}

/// The standings of those for which `has_place` is true. They move up to the places of the others.
pub(super) fn without(standings: Vec<Standing>, has_place: impl Fn(EntrantId) -> bool) -> Vec<Standing> {
    let mut placed: Vec<Standing> = Vec::with_capacity(standings.len());
    let mut before = None;
    for standing in standings.into_iter().filter(|standing| has_place(standing.entrant)) {
        let shares = before.replace(standing.place) == Some(standing.place);
        let place = match placed.last() {
            Some(above) if shares => above.place,
            _ => placed.len() as u32 + 1,
        };
        placed.push(Standing { place, ..standing });
    }
    placed
}

impl Schedule for DecidedSchedule {
    fn plan(&self, done: &Results) -> Plan {
        let Plan::Play(games) = self.schedule.plan(&self.counted(done)) else { return Plan::Finished };
        let open = games.into_iter().filter(|game| !game.seats.iter().any(|id| self.has_left(*id)));
        Plan::from_games(open.map(|mut game| {
            game.id.attempt = self.attempt(game.id);
            game
        }))
    }

    fn columns(&self) -> Vec<StandingsColumn> {
        self.schedule.columns()
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        self.placed(self.schedule.standings(&self.counted(done)))
    }

    fn further_rankings(&self, done: &Results) -> Vec<Ranking> {
        let placed = |ranking: Ranking| Ranking { standings: self.placed(ranking.standings), ..ranking };
        self.schedule.further_rankings(&self.counted(done)).into_iter().map(placed).collect()
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let mut rounds = self.schedule.rounds(&self.counted(done))?;
        for (place, attempt) in self.attempts.iter().filter(|(place, _)| place.game == 0) {
            for round in rounds.list.iter_mut().filter(|round| round.number == place.round) {
                let matches = round.parts.iter_mut().flat_map(|part| &mut part.matches);
                for one in matches.filter(|one| one.table == place.table) {
                    one.attempt = *attempt;
                }
            }
        }
        Some(rounds)
    }

    fn advancing(&self, done: &Results) -> Option<Vec<EntrantId>> {
        self.schedule.advancing(&self.counted(done))
    }

    fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        self.schedule.remarks(&self.counted(done))
    }

    fn facts(&self) -> ScheduleFacts {
        self.schedule.facts()
    }

    fn counts(&self, game: &Pairing) -> bool {
        !self.is_void(game) && game.id.attempt == self.attempt(game.id)
    }
}

/// Why a decision cannot be taken, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionError(pub String);

impl DecisionError {
    /// The error with these words.
    pub fn new(words: impl Into<String>) -> DecisionError {
        DecisionError(words.into())
    }
}

impl fmt::Display for DecisionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for DecisionError {}

impl Contest {
    /// Checks that `entrant` can be put [on hold](Decision::Hold).
    ///
    /// # Errors
    /// When it does not compete, has left, or is on hold already.
    pub fn may_be_held(&self, entrant: EntrantId) -> Result<(), DecisionError> {
        self.check_plays(entrant)?;
        if self.journal.is_on_hold(entrant) {
            return Err(DecisionError::new("it is on hold already"));
        }
        Ok(())
    }

    /// Checks that `entrant` competes, and that it has not left the contest.
    fn check_plays(&self, entrant: EntrantId) -> Result<(), DecisionError> {
        self.check_competes(entrant)?;
        // An entrant that leaves has left all stages.
        if self.journal.has_left(0, entrant) {
            return Err(DecisionError::new("it is gone"));
        }
        Ok(())
    }

    /// Checks the decision `replace` and returns it. `played` has all recorded games, including annulled ones.
    ///
    /// # Errors
    /// When the bot does not compete or has left, has played from that round on, or has no game there, or when there is
    /// no such stage.
    pub fn replace<'a>(
        &self,
        done: &Results,
        played: impl Iterator<Item = &'a Pairing>,
        replace: Replace,
    ) -> Result<Replace, DecisionError> {
        let Replace { entrant, stage, round, .. } = replace;
        self.check_plays(entrant)?;
        self.check_stage(stage)?;
        let own = played.filter(|game| game.seats.contains(&entrant)).map(|game| game.id);
        let last = own.max_by_key(|id| (id.stage, id.round));
        if let Some(last) = last.filter(|last| (stage, round) <= (last.stage, last.round)) {
            return Err(DecisionError(format!(
                "its present version has played game {last}: a new one can play from round {} of stage {} on at the earliest",
                u32::from(last.round) + 2,
                u16::from(last.stage) + 1
            )));
        }
        let progress = &self.progress(done)[usize::from(stage)];
        let later = "it has no game from there on in this stage: `--from` names an earlier round or a later stage";
        match (&progress.state, &progress.schedule) {
            (StageState::Done | StageState::Skipped, _) => Err(DecisionError::new(later)),
            (StageState::Playing(open), Some(schedule))
                if matches!(schedule.facts().departure, Departure::Pairs | Departure::Groups)
                    && !open.iter().any(|game| game.seats.contains(&entrant) && game.id.round >= round) =>
            {
                Err(DecisionError::new(later))
            }
            (_, Some(_)) if !progress.entrants.contains(&entrant) => {
                Err(DecisionError::new("it does not take part in this stage"))
            }
            _ => Ok(replace),
        }
    }

    fn check_competes(&self, entrant: EntrantId) -> Result<(), DecisionError> {
        if !self.competes(entrant) {
            return Err(DecisionError::new("it does not compete: it is the organizer's"));
        }
        Ok(())
    }

    fn check_stage(&self, stage: u8) -> Result<(), DecisionError> {
        let known = self.stages.len();
        if usize::from(stage) >= known {
            let why = format!("there is no stage {}: the last one is stage {known}", u16::from(stage) + 1);
            return Err(DecisionError(why));
        }
        Ok(())
    }

    /// The contest with one more decision.
    fn after(&self, decision: Decision) -> Contest {
        let mut contest = self.clone();
        contest.journal.decisions.push(decision);
        contest
    }

    /// The first round of `stage`, from 0, after all those of which a game was recorded.
    fn next_round(&self, done: &Results, stage: u8) -> u32 {
        // A round whose only game was annulled has begun.
        done.next_round(stage).max(self.journal.round_after_annulled(stage))
    }

    /// The decision that `entrant`, whose number is the next one, takes part although the contest has begun: in the
    /// stages that all entrants play, or in the stage `only` (from 0) if one is given. It plays in later stages if it
    /// qualifies.
    ///
    /// # Errors
    /// When it cannot take part in any of these stages, or the contest could not go on.
    pub fn admit(&self, done: &Results, entrant: EntrantId, only: Option<u8>) -> Result<Admit, DecisionError> {
        if let Some(only) = only {
            self.check_stage(only)?;
        }
        let mut stages = Vec::new();
        let mut refused = None;
        for (number, progress) in (0..=u8::MAX).zip(self.progress(done)) {
            let who = &self.stages[usize::from(number)].who;
            let is_meant = only.map_or(*who == Participants::All, |only| only == number);
            let mut first = None;
            if is_meant {
                match self.first_round(done, number, &progress) {
                    Ok(round) => first = Some(round),
                    Err(why) => {
                        let why = format!("stage {}: {why}", u16::from(number) + 1);
                        refused.get_or_insert(DecisionError(why));
                    }
                }
            }
            stages.push(first);
        }
        if stages.iter().all(Option::is_none) {
            let none = "no stage is played by all entrants: `--stage` names one of the others";
            return Err(refused.unwrap_or_else(|| DecisionError::new(none)));
        }
        let admit = Admit { entrant, stages };
        match self.after(Decision::Admit(admit.clone())).plan(done) {
            Err(error) => Err(DecisionError(format!("the contest could not go on: {error}"))),
            Ok(_) => Ok(admit),
        }
    }

    /// The round of `stage` that [`Admit::stages`] has for a bot that is admitted now.
    ///
    /// # Errors
    /// When the bot cannot take part.
    fn first_round(&self, done: &Results, stage: u8, progress: &StageProgress) -> Result<u32, DecisionError> {
        let depends = |later: &u8| self.stages[usize::from(*later)].who.sources().any(|source| source == stage);
        let mut depending = (0..self.stages.len() as u8).filter(depends);
        if let Some(later) = depending.find(|later| self.next_round(done, *later) > 0) {
            return Err(DecisionError::new(format!(
                "its standings chose the entrants of stage {}, which has begun",
                u16::from(later) + 1
            )));
        }
        let round = self.next_round(done, stage);
        match (&progress.schedule, &progress.state) {
            (Some(_), StageState::Done) if round > 0 => Err(DecisionError::new("it is over")),
            (Some(schedule), _) if round > 0 && schedule.facts().arrival == Arrival::Never => {
                let name = self.stages[usize::from(stage)].format.name();
                Err(DecisionError::new(format!(
                    "a {name} stage that has begun admits no one: `--stage` names a later one"
                )))
            }
            _ => Ok(round),
        }
    }

    /// The decision that `entrant` leaves after these results: it withdraws or is `disqualified`. `choice` is what
    /// becomes of its games; by default the format of each stage decides. `forfeits` has the two outcomes that
    /// [`Leave::forfeits`] describes.
    ///
    /// # Errors
    /// When it does not compete or has left already (a bot that withdrew can still be disqualified), when no stage that
    /// it has played allows this choice, when the others could not go on, or when no filler is free for its seat (S8).
    pub fn leave(
        &self,
        done: &Results,
        entrant: EntrantId,
        disqualified: bool,
        choice: Option<LeftGames>,
        forfeits: &[Outcome],
    ) -> Result<Leave, DecisionError> {
        self.check_competes(entrant)?;
        let before = self.journal.decisions.iter().find_map(|decision| match decision {
            Decision::Leave(leave) if leave.entrant == entrant => Some(leave),
            _ => None,
        });
        if let Some(before) = before.filter(|before| before.disqualified || !disqualified) {
            let how = if before.disqualified { "was disqualified" } else { "has withdrawn" };
            return Err(DecisionError(format!("it {how} already")));
        }
        let mut stages = Vec::new();
        let mut choices = Vec::new();
        for (number, progress) in (0..=u8::MAX).zip(self.progress(done)) {
            let round = self.next_round(done, number);
            let mut leaving = Leaving { round, games: LeftGames::Keep, filled: None };
            if let Some(schedule) = &progress.schedule
                && round > 0
                && progress.entrants.contains(&entrant)
            {
                leaving = leaving_under_way(schedule.as_ref(), done, entrant, round, choice);
                choices.extend(schedule.facts().departure.choices());
            }
            stages.push(leaving);
        }
        if let Some(choice) = choice.filter(|choice| !choices.is_empty() && !choices.contains(choice)) {
            let others: Vec<&str> =
                LeftGames::ALL.iter().filter(|it| choices.contains(it)).map(|it| it.name()).collect();
            return Err(DecisionError(format!(
                "its games cannot be `{}` in the stages that it has played: {}",
                choice.name(),
                others.join(" or ")
            )));
        }
        let is_lost = stages.iter().any(|leaving| leaving.games == LeftGames::Lost);
        let forfeits = if is_lost { forfeits.to_vec() } else { Vec::new() };
        let leave = Leave { entrant, disqualified, stages, forfeits };
        match self.after(Decision::Leave(leave.clone())).plan(done) {
            Err(error) => Err(DecisionError(format!("the others could not go on: {error}"))),
            Ok(Plan::Play(games)) if games.iter().any(|game| game.seats.contains(&entrant)) => {
                Err(DecisionError::new("no filler is free for its seat (S8)"))
            }
            Ok(_) => Ok(leave),
        }
    }
}

/// How `entrant` leaves a stage under way, in whose `round` (from 0) and later ones no game was recorded. `choice` is
/// what becomes of its games, if the format allows that.
fn leaving_under_way(
    schedule: &dyn Schedule,
    done: &Results,
    entrant: EntrantId,
    round: u32,
    choice: Option<LeftGames>,
) -> Leaving {
    let own_games = |done: &Results| -> Vec<Pairing> {
        schedule.plan(done).into_games().into_iter().filter(|game| game.seats.contains(&entrant)).collect()
    };
    let open = own_games(done);
    let departure = schedule.facts().departure;
    let possible = departure.choices();
    let by_default = match departure {
        // With no open game, there is nothing to lose.
        Departure::Pairs | Departure::Groups if open.is_empty() => LeftGames::Keep,
        Departure::Pairs | Departure::Groups => {
            let all = own_games(&Results::new()).len();
            let played_less_than_half = all - open.len() < all.div_ceil(2);
            possible[usize::from(played_less_than_half)]
        }
        _ => possible[0],
    };
    let games = choice.filter(|choice| possible.contains(choice)).unwrap_or(by_default);
    let mut filled = None;
    if departure == Departure::Swiss {
        let current = open.iter().find(|game| u32::from(game.id.round) + 1 == round);
        filled = current.map(|game| game.id.table);
    }
    Leaving { round, games, filled }
}
