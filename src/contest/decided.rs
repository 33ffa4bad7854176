//! A stage's schedule as the organizer's decisions leave it: what is the same for all formats. A format itself only knows
//! whom it pairs.

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
    left: Vec<(EntrantId, LeftGames, Vec<Outcome>)>,
    disqualified: Vec<EntrantId>,
    /// For each place at which a game is played again, the attempt that counts.
    attempts: BTreeMap<GameId, u16>,
    /// All games, if some of them are lost or void.
    games: Vec<Pairing>,
}

impl DecidedSchedule {
    /// The `schedule` of `stage` as the journal of `contest` leaves it.
    pub(super) fn schedule(contest: &Contest, stage: u8, schedule: Box<dyn Schedule>) -> Box<dyn Schedule> {
        let mut left = Vec::new();
        let mut disqualified = Vec::new();
        for (leave, leaving) in contest.journal.leaving(stage) {
            left.push((leave.entrant, leaving.games, leave.forfeits.clone()));
            disqualified.extend(leave.disqualified.then_some(leave.entrant));
        }
        let again = contest.journal.again().filter(|again| again.game.stage == stage);
        let attempts: BTreeMap<GameId, u16> = again.map(|again| (again.game.place(), again.attempt)).collect();
        if left.is_empty() && attempts.is_empty() {
            return schedule;
        }
        let is_known = matches!(schedule.facts().departure, Departure::Pairs | Departure::Groups);
        let games = match schedule.plan(&Results::new()) {
            Plan::Play(games) if is_known && left.iter().any(|(_, games, _)| *games != LeftGames::Keep) => games,
            _ => Vec::new(),
        };
        Box::new(DecidedSchedule { schedule, left, disqualified, attempts, games })
    }

    /// The attempt that counts at the place of a game.
    fn attempt(&self, game: GameId) -> u16 {
        self.attempts.get(&game.place()).copied().unwrap_or(0)
    }

    /// What becomes of the games of `entrant`; `None` if it has not left.
    fn games_of(&self, entrant: EntrantId) -> Option<LeftGames> {
        let all = || self.left.iter().filter(|(id, ..)| *id == entrant);
        let void = all().find(|(_, games, _)| *games == LeftGames::Void);
        void.or(all().next()).map(|(_, games, _)| *games)
    }

    /// The results that count.
    fn counted<'a>(&self, done: &'a Results) -> Cow<'a, Results> {
        if self.games.is_empty() {
            return Cow::Borrowed(done);
        }
        let mut counted = done.clone();
        for game in &self.games {
            if self.is_void(game) {
                counted.remove(game.id);
                continue;
            }
            let lost =
                |seat: &EntrantId| self.left.iter().find(|(id, games, _)| id == seat && *games == LeftGames::Lost);
            let forfeit = (0..).zip(&game.seats).find_map(|(at, seat)| lost(seat)?.2.get(at as usize));
            if let (Some(forfeit), None) = (forfeit, done.get(game.id)) {
                counted.insert(game.id, forfeit.clone());
            }
        }
        Cow::Owned(counted)
    }

    /// Whether a game does not count because one of its bots is gone.
    fn is_void(&self, game: &Pairing) -> bool {
        let void = |id: &EntrantId| self.games_of(*id) == Some(LeftGames::Void);
        !self.schedule.counts(game) || (!self.games.is_empty() && game.seats.iter().any(void))
    }

    /// The standings of those that have a place.
    fn placed(&self, standings: Vec<Standing>) -> Vec<Standing> {
        let has_place =
            |id: EntrantId| !self.disqualified.contains(&id) && self.games_of(id) != Some(LeftGames::Void);
        without(standings, has_place)
    }
}

/// The standings of those that have a place, which move up.
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
        let open = games.into_iter().filter(|game| !game.seats.iter().any(|id| self.games_of(*id).is_some()));
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

/// Why something cannot be decided, in words about the bot or the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionError(pub String);

impl DecisionError {
    /// With these words.
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
    /// Checks that it can be decided that `entrant` plays nothing for now.
    ///
    /// # Errors
    /// When it does not compete, is gone, or is on hold already.
    pub fn may_be_held(&self, entrant: EntrantId) -> Result<(), DecisionError> {
        self.check_plays(entrant)?;
        if self.journal.is_on_hold(entrant) {
            return Err(DecisionError::new("it is on hold already"));
        }
        Ok(())
    }

    fn check_plays(&self, entrant: EntrantId) -> Result<(), DecisionError> {
        self.check_competes(entrant)?;
        if self.journal.has_left(0, entrant) {
            return Err(DecisionError::new("it is gone"));
        }
        Ok(())
    }

    /// The decision that `version` plays the games of `entrant` from this `round` of this `stage` on, both from 0. `played`
    /// are all games that were recorded, with those that were annulled.
    ///
    /// # Errors
    /// When the bot does not compete or is gone, has played from there on, or plays nothing there, in words.
    pub fn replace<'a>(
        &self,
        done: &Results,
        played: impl Iterator<Item = &'a Pairing>,
        replace: Replace,
    ) -> Result<Replace, DecisionError> {
        let Replace { entrant, stage, round, .. } = replace;
        self.check_plays(entrant)?;
        let known = self.stages.len();
        if usize::from(stage) >= known {
            let why = format!("there is no stage {}: the last one is stage {known}", u16::from(stage) + 1);
            return Err(DecisionError(why));
        }
        let own = played.filter(|game| game.seats.contains(&entrant)).map(|game| game.id);
        if let Some(last) =
            own.max_by_key(|id| (id.stage, id.round)).filter(|id| (stage, round) <= (id.stage, id.round))
        {
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

    /// The first round of `stage`, from 0, of which no game was recorded.
    fn next_round(&self, done: &Results, stage: u8) -> u32 {
        // A round whose only game was annulled has begun.
        done.next_round(stage).max(self.journal.round_after_annulled(stage))
    }

    /// The decision that `entrant`, whose number is the next one, takes part although the contest has begun: in the stages
    /// that all entrants play, or in the `only` one (from 0). It competes in later ones if it qualifies.
    ///
    /// # Errors
    /// When it cannot take part in any of them, or the contest could not go on, in words.
    pub fn admit(&self, done: &Results, entrant: EntrantId, only: Option<u8>) -> Result<Admit, DecisionError> {
        let known = self.stages.len();
        if let Some(only) = only.filter(|only| usize::from(*only) >= known) {
            let why = format!("there is no stage {}: the last one is stage {known}", u16::from(only) + 1);
            return Err(DecisionError::new(why));
        }
        let mut stages = Vec::new();
        let mut refused = None;
        for (number, progress) in (0..=u8::MAX).zip(self.progress(done)) {
            let who = &self.stages[usize::from(number)].who;
            let is_meant = only.map_or(*who == Participants::All, |only| only == number);
            let round = is_meant.then(|| self.first_round(done, number, &progress)).transpose();
            stages.push(round.unwrap_or_else(|why| {
                refused.get_or_insert(DecisionError::new(format!("stage {}: {why}", u16::from(number) + 1)));
                None
            }));
        }
        if stages.iter().all(Option::is_none) {
            let none = "no stage is played by all entrants: `--stage` names one of the others";
            return Err(refused.unwrap_or_else(|| DecisionError::new(none)));
        }
        let admit = Admit { entrant, stages };
        let mut journal = self.journal.clone();
        journal.decisions.push(Decision::Admit(admit.clone()));
        match self.clone().with_journal(journal).plan(done) {
            Err(error) => Err(DecisionError::new(format!("the contest could not go on: {error}"))),
            Ok(_) => Ok(admit),
        }
    }

    /// The first round of `stage`, from 0, in which a bot can take part that is admitted now.
    ///
    /// # Errors
    /// When there is none, in words.
    fn first_round(&self, done: &Results, stage: u8, progress: &StageProgress) -> Result<u32, DecisionError> {
        let depends = |later: &u8| self.stages[usize::from(*later)].who.sources().any(|source| source == stage);
        if let Some(later) =
            (0..self.stages.len() as u8).filter(depends).find(|later| self.next_round(done, *later) > 0)
        {
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

    /// The decision that `entrant` is gone, after these results: it withdraws or is `disqualified`. `choice` is what becomes
    /// of its games, by default what the format of each stage says. `forfeits` has the outcomes of a game of two in which
    /// the first or the second seat forfeits before its first move.
    ///
    /// # Errors
    /// When it does not compete or is gone already, no stage under way has this choice, or the others could not go on.
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
            return Err(DecisionError::new(format!("it {how} already")));
        }
        let mut stages = Vec::new();
        let mut choices = Vec::new();
        for (number, progress) in (0..=u8::MAX).zip(self.progress(done)) {
            let round = self.next_round(done, number);
            let mut leaving = Leaving { round, games: LeftGames::Keep, filled: None };
            let begun = progress.schedule.as_ref().filter(|_| round > 0 && progress.entrants.contains(&entrant));
            if let Some(schedule) = begun {
                let own = |plan: Plan| -> Vec<Pairing> {
                    let Plan::Play(games) = plan else { return Vec::new() };
                    games.into_iter().filter(|game| game.seats.contains(&entrant)).collect()
                };
                let open = own(schedule.plan(done));
                let departure = schedule.facts().departure;
                let possible = departure.choices();
                let by_default = match departure {
                    // Nothing is lost where nothing is open.
                    Departure::Pairs | Departure::Groups if open.is_empty() => LeftGames::Keep,
                    Departure::Pairs | Departure::Groups => {
                        let all = own(schedule.plan(&Results::new())).len();
                        possible[usize::from(all - open.len() < all.div_ceil(2))]
                    }
                    _ => possible[0],
                };
                leaving.games = choice.filter(|choice| possible.contains(choice)).unwrap_or(by_default);
                if departure == Departure::Swiss {
                    let current = open.iter().find(|game| u32::from(game.id.round) + 1 == round);
                    leaving.filled = current.map(|game| game.id.table);
                }
                choices.extend(possible);
            }
            stages.push(leaving);
        }
        if let Some(choice) = choice.filter(|choice| !choices.is_empty() && !choices.contains(choice)) {
            let others: Vec<&str> =
                LeftGames::ALL.iter().filter(|it| choices.contains(it)).map(|it| it.name()).collect();
            return Err(DecisionError::new(format!(
                "its games cannot be `{}` in the stages that it has played: {}",
                choice.name(),
                others.join(" or ")
            )));
        }
        let is_lost = stages.iter().any(|leaving| leaving.games == LeftGames::Lost);
        let forfeits = if is_lost { forfeits.to_vec() } else { Vec::new() };
        let leave = Leave { entrant, disqualified, stages, forfeits };
        let mut journal = self.journal.clone();
        journal.decisions.push(Decision::Leave(leave.clone()));
        let then = self.clone().with_journal(journal);
        match then.plan(done) {
            Err(error) => Err(DecisionError::new(format!("the others could not go on: {error}"))),
            Ok(Plan::Play(games)) if games.iter().any(|game| game.seats.contains(&entrant)) => {
                Err(DecisionError::new("no filler is free for its seat (S8)"))
            }
            Ok(_) => Ok(leave),
        }
    }
}
