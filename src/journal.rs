//! The organizer's decisions. Only the field, the stages, the contest's seed, the results and this journal decide what
//! is played and how it is ranked, so all of it can be derived again from a record.

use crate::format::{EntrantId, FormatError, GameId, LeftGames, Pairing, Results};
use crate::game::Outcome;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The organizer's decisions, in the order in which they were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Journal {
    /// The decisions.
    pub decisions: Vec<Decision>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Decision {
    /// An earlier lot still holds, from this contest or from another one with some of its entrants: when a lot other
    /// than one for seats is drawn in this stage, these entrants keep the order of the earlier one.
    Lot {
        /// The stage, from 0.
        stage: u8,
        /// What the earlier lot decided.
        about: String,
        /// The order drawn, best first.
        order: Vec<EntrantId>,
    },
    /// A bot is gone.
    Leave(Leave),
    /// A game is played again.
    Annul(Annul),
    /// A game has another outcome than its moves give, or has an outcome although it was not played.
    Award(Award),
    /// A bot takes part although the contest has begun.
    Admit(Admit),
    /// A better version of a bot plays from here on.
    Replace(Replace),
    /// A bot does not play for now. Plans still have its games; the run that plays them leaves them out.
    Hold(EntrantId),
}

/// A game is won by one of its bots, whatever was played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Award {
    /// The game. If it was played, it stays in the record, and its outcome does not count.
    pub game: GameId,
    /// The winner.
    pub winner: EntrantId,
    /// The others in the order of their places, if there are several.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub others: Vec<EntrantId>,
    /// The outcome by the game's rules if the others forfeit before their first moves, the one in last place first.
    pub outcome: Outcome,
    /// The games that are played anew because they depended on the earlier result.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub later: Vec<Again>,
}

/// A game does not count, and is played again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Annul {
    /// The game, which stays in the record.
    pub game: GameId,
    /// The attempt that is played instead: the first that the record does not have.
    pub attempt: u16,
    /// The games that are played anew because they depended on its result.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub later: Vec<Again>,
}

/// A place of the schedule at which another attempt is played from now on. Who plays it may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Again {
    /// The game that was recorded, awarded or due there, which does not count any more.
    pub game: GameId,
    /// The attempt that is played instead, if the plan still has a game there: the first after all those that were
    /// recorded or awarded.
    pub attempt: u16,
}

impl Decision {
    /// The places at which another attempt is played because of this decision, each once.
    pub fn again(&self) -> impl DoubleEndedIterator<Item = Again> {
        let (own, later) = match self {
            Decision::Annul(annul) => {
                (Some(Again { game: annul.game, attempt: annul.attempt }), annul.later.as_slice())
            }
            Decision::Award(award) => (None, award.later.as_slice()),
            _ => (None, [].as_slice()),
        };
        own.into_iter().chain(later.iter().copied())
    }

    /// Whether other games are played anew because they depended on the result that this decision corrects.
    pub fn plays_later_anew(&self) -> bool {
        let corrected = self.corrected().map(GameId::place);
        self.again().any(|again| Some(again.game.place()) != corrected)
    }

    /// The game whose result this decision corrects.
    fn corrected(&self) -> Option<GameId> {
        match self {
            Decision::Annul(annul) => Some(annul.game),
            Decision::Award(award) => Some(award.game),
            _ => None,
        }
    }

    /// The first round of `stage`, from 0, that is played anew because of this decision, other than that of the
    /// corrected game.
    fn first_anew(&self, stage: u8) -> Option<u32> {
        let corrected = self.corrected()?.place();
        let later = self.again().map(|again| again.game.place()).filter(|place| place.stage == stage);
        // Its own round is not paired again: there, only later games of its match may be played anew.
        let later = later.filter(|place| (place.stage, place.round) != (corrected.stage, corrected.round));
        later.map(|place| u32::from(place.round)).min()
    }
}

/// A bot takes part although the contest has begun. Its number is the next one after those of all participants so far.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Admit {
    /// The bot.
    pub entrant: EntrantId,
    /// For each stage, in order, the first round after all those with a recorded game, from 0. If it is 0, the stage
    /// had not begun, and the bot is its last seed; otherwise [`Arrival`](crate::format::Arrival) says in which rounds
    /// the bot plays. `None` where it takes part only if it qualifies.
    pub stages: Vec<Option<u32>>,
}

/// A better version of a bot plays its games from a place of the schedule on. The bot keeps its number, so nothing that
/// is paired or ranked depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Replace {
    /// The bot.
    pub entrant: EntrantId,
    /// The new version, by a number that no participant has.
    pub version: EntrantId,
    /// The first stage in which the new version plays, from 0.
    pub stage: u8,
    /// The first round of that stage in which it plays, from 0. The bot had no recorded game from there on.
    pub round: u16,
}

/// The versions of bots that were replaced, in the order of the decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Versions(Vec<Replace>);

impl Versions {
    /// The version of `entrant` that plays `game`: its own number as long as it was not replaced. All attempts at a
    /// game are played by the same one.
    pub fn playing(&self, entrant: EntrantId, game: GameId) -> EntrantId {
        let since = |it: &&Replace| it.entrant == entrant && (it.stage, it.round) <= (game.stage, game.round);
        self.0.iter().rev().find(since).map_or(entrant, |it| it.version)
    }

    /// The game with the version of each entrant in its seat.
    #[must_use]
    pub fn seated(&self, game: &Pairing) -> Pairing {
        let seats = game.seats.iter().map(|&entrant| self.playing(entrant, game.id)).collect();
        Pairing { seats, ..game.clone() }
    }

    /// The replacements of `entrant`, in the order of the decisions.
    pub fn replacing(&self, entrant: EntrantId) -> impl Iterator<Item = &Replace> {
        self.0.iter().filter(move |it| it.entrant == entrant)
    }
}

/// A bot withdraws, or the organizer disqualifies it. It leaves at a place of the schedule, not at a time, so the games
/// that follow do not depend on when the decision was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Leave {
    /// The bot.
    pub entrant: EntrantId,
    /// Whether it was disqualified, and so has no place in standings.
    pub disqualified: bool,
    /// How it leaves each stage, in order.
    pub stages: Vec<Leaving>,
    /// Two outcomes of a game of two: the one in which the first seat forfeits before its first move, then the one in
    /// which the second seat does. Empty if the bot loses no game by leaving.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub forfeits: Vec<Outcome>,
}

/// How a bot leaves a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Leaving {
    /// The first round after all those with a recorded game, from 0: that round and later ones are paired without the
    /// bot. If it is 0, the stage had not begun and is played without the bot.
    pub round: u32,
    /// What becomes of its games.
    pub games: LeftGames,
    /// In a Modified Swiss under way: the match of the last round that had begun in which a filler has its seat (S8).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub filled: Option<u32>,
}

impl Journal {
    /// An empty journal.
    pub const fn new() -> Journal {
        Journal { decisions: Vec::new() }
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// The bots that have left, each with how it leaves `stage`.
    pub(crate) fn leaving(&self, stage: u8) -> impl Iterator<Item = (&Leave, Leaving)> {
        self.decisions.iter().enumerate().filter_map(move |(at, decision)| match decision {
            Decision::Leave(leave) => {
                Some((leave, self.leaving_at(at, *leave.stages.get(usize::from(stage))?, stage)))
            }
            _ => None,
        })
    }

    /// How a bot leaves `stage`, if decision number `at` (from 0) makes it leave in the way `leaving`: rounds that
    /// later decisions cause to be played anew are paired without the bot too.
    fn leaving_at(&self, at: usize, leaving: Leaving, stage: u8) -> Leaving {
        let anew = self.decisions[at + 1..].iter().filter_map(|decision| decision.first_anew(stage)).min();
        match anew.filter(|round| *round < leaving.round) {
            None => leaving,
            Some(0) => Leaving { round: 0, games: LeftGames::Keep, filled: None },
            Some(round) => Leaving { round, filled: None, ..leaving },
        }
    }

    /// The bots that were admitted.
    pub(crate) fn admitted(&self) -> impl Iterator<Item = &Admit> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Admit(admit) => Some(admit),
            _ => None,
        })
    }

    /// The bots that were admitted to `stage`, each with its round in [`Admit::stages`]: 0 if it was admitted before
    /// the stage had begun.
    fn admitted_to(&self, stage: u8) -> impl Iterator<Item = (EntrantId, u32)> {
        self.admitted().filter_map(move |admit| Some((admit.entrant, (*admit.stages.get(usize::from(stage))?)?)))
    }

    /// The bots that were admitted to `stage` before it had begun.
    pub(crate) fn last_seeds(&self, stage: u8) -> impl Iterator<Item = EntrantId> {
        self.admitted_to(stage).filter(|(_, round)| *round == 0).map(|(entrant, _)| entrant)
    }

    /// The bots that were admitted to `stage` after it had begun, each with its round in [`Admit::stages`].
    pub(crate) fn late(&self, stage: u8) -> impl Iterator<Item = (EntrantId, u32)> {
        self.admitted_to(stage).filter(|(_, round)| *round > 0)
    }

    /// Checks that each bot that was admitted to `stage` after it had begun can still play one of its `rounds`.
    ///
    /// # Errors
    /// When one cannot.
    pub(crate) fn check_rounds(&self, stage: u8, rounds: u16) -> Result<(), FormatError> {
        if self.late(stage).any(|(_, first)| first >= u32::from(rounds)) {
            return Err(FormatError(format!("its last round, {rounds}, has begun, so no one is admitted to it")));
        }
        Ok(())
    }

    /// The versions of the bots that were replaced.
    pub fn versions(&self) -> Versions {
        let replaced = self.decisions.iter().filter_map(|decision| match decision {
            Decision::Replace(replace) => Some(*replace),
            _ => None,
        });
        Versions(replaced.collect())
    }

    /// The bots that do not play for now.
    pub fn on_hold(&self) -> impl Iterator<Item = EntrantId> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Hold(entrant) => Some(*entrant),
            _ => None,
        })
    }

    /// Whether this bot does not play for now.
    pub fn is_on_hold(&self, entrant: EntrantId) -> bool {
        self.on_hold().any(|held| held == entrant)
    }

    /// The places at which another attempt is played, in the order of the decisions.
    pub(crate) fn again(&self) -> impl DoubleEndedIterator<Item = Again> {
        self.decisions.iter().flat_map(Decision::again)
    }

    /// The attempt that counts, or is to be played, at the place of this game.
    pub fn attempt(&self, game: GameId) -> u16 {
        let last = self.again().rev().find(|again| again.game.place() == game.place());
        last.map_or(0, |again| again.attempt)
    }

    /// Whether the last decision by which the place of this game is played again corrects the result at this place,
    /// rather than a result on which the game depended.
    pub fn is_repeated(&self, game: GameId) -> bool {
        let concerns = |decision: &&Decision| decision.again().any(|again| again.game.place() == game.place());
        let last = self.decisions.iter().rev().find(concerns).and_then(Decision::corrected);
        last.is_some_and(|corrected| corrected.place() == game.place())
    }

    /// The first round of `stage`, from 0, after all those in which a game was annulled. A game that is played anew
    /// only because it depended on a corrected result does not count.
    pub(crate) fn round_after_annulled(&self, stage: u8) -> u32 {
        let corrected = self.decisions.iter().filter_map(Decision::corrected);
        let repeated = corrected.filter(|game| game.stage == stage && self.is_repeated(*game));
        repeated.map(|game| u32::from(game.round) + 1).max().unwrap_or(0)
    }

    /// Whether this is an attempt that was annulled, or that no decision asks for, such as one whose result came late.
    pub fn is_annulled(&self, game: GameId) -> bool {
        game.attempt != self.attempt(game)
    }

    /// The awards that hold, because no later decision has the game played anew.
    pub fn awarded(&self) -> impl Iterator<Item = &Award> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Award(award) => (!self.is_annulled(award.game)).then_some(award),
            _ => None,
        })
    }

    /// The award at the place of this game.
    pub fn award_at(&self, game: GameId) -> Option<&Award> {
        self.awarded().find(|award| award.game.place() == game.place())
    }

    /// Whether the outcome at the place of this game was awarded.
    pub fn is_awarded(&self, game: GameId) -> bool {
        self.award_at(game).is_some()
    }

    /// The outcomes that count: of those games that were not annulled, and those that were awarded.
    pub fn results(&self, games: impl IntoIterator<Item = (GameId, Outcome)>) -> Results {
        let played = games.into_iter().filter(|(id, _)| !self.is_annulled(*id));
        played.chain(self.awarded().map(|award| (award.game, award.outcome.clone()))).collect()
    }

    /// Whether `entrant` has left `stage`, so that it plays no more games there.
    pub(crate) fn has_left(&self, stage: u8, entrant: EntrantId) -> bool {
        self.order_of_leaving(stage, entrant).is_some()
    }

    /// The position of `entrant` among the bots that left `stage`, from 0, in the order of the decisions; `None` if it
    /// has not left.
    pub(crate) fn order_of_leaving(&self, stage: u8, entrant: EntrantId) -> Option<usize> {
        self.leaving(stage).position(|(leave, _)| leave.entrant == entrant)
    }

    /// Whether `round` of `stage` is paired without `entrant`.
    pub(crate) fn is_unpaired(&self, stage: u8, round: u16, entrant: EntrantId) -> bool {
        self.leaving(stage).any(|(leave, leaving)| leave.entrant == entrant && leaving.round <= u32::from(round))
    }

    /// The journal by which the entrants of `stage` were chosen: without the departures of bots after the stage had
    /// begun. `None` if there were none.
    pub(crate) fn before_stage(&self, stage: u8) -> Option<Journal> {
        let left_later: Vec<&Leave> =
            self.leaving(stage).filter(|(_, leaving)| leaving.round > 0).map(|(leave, _)| leave).collect();
        if left_later.is_empty() {
            return None;
        }
        // Later corrections of results stay: a stage whose entrants depended on such a result is played anew.
        let was_later =
            |decision: &&Decision| matches!(decision, Decision::Leave(leave) if left_later.contains(&leave));
        Some(Journal { decisions: self.decisions.iter().filter(|it| !was_later(it)).cloned().collect() })
    }

    /// Reorders `drawn`, which a lot of `stage` has just put in order, by an earlier lot that [holds](Decision::Lot):
    /// the entrants of the earlier lot take its order among themselves, and all others keep their positions.
    ///
    /// Of several earlier lots with at least two of these entrants, the one about the same thing applies; otherwise the
    /// one with the most of these entrants and, among equals, the fewest others. `entrant` gives the entrant of an
    /// item.
    pub(crate) fn keep_lots<T: Clone>(
        &self,
        stage: u8,
        about: &str,
        drawn: &mut [T],
        entrant: impl Fn(&T) -> EntrantId,
    ) {
        let mut best = None;
        for decision in &self.decisions {
            let Decision::Lot { stage: of, about: other, order } = decision else { continue };
            let shared = drawn.iter().filter(|it| order.contains(&entrant(it))).count();
            let fits = (about == other, shared, Reverse(order.len()));
            if *of == stage && shared > 1 && best.as_ref().is_none_or(|(before, _)| *before < fits) {
                best = Some((fits, order));
            }
        }
        let Some((_, order)) = best else { return };
        let rank = |it: &T| order.iter().position(|id| *id == entrant(it));
        let places: Vec<usize> = (0..drawn.len()).filter(|&at| rank(&drawn[at]).is_some()).collect();
        let mut kept: Vec<T> = places.iter().map(|&at| drawn[at].clone()).collect();
        kept.sort_by_key(rank);
        for (at, it) in places.into_iter().zip(kept) {
            drawn[at] = it;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_of_an_earlier_lot_keep_their_order_and_others_their_places() {
        let lot = |stage, about: &str, order: &[u16]| {
            let order = order.iter().copied().map(EntrantId).collect();
            Decision::Lot { stage, about: about.into(), order }
        };
        let journal = Journal {
            decisions: [lot(1, "seats", &[1, 2, 3, 4, 5, 6]), lot(1, "byes", &[7, 3, 5]), lot(1, "ends", &[6, 2])]
                .into(),
        };
        for (stage, about, kept) in [
            (1, "byes", [2, 7, 6, 3, 1, 5]),
            (1, "seats", [1, 2, 3, 5, 6, 7]),
            (1, "places", [1, 2, 3, 5, 6, 7]),
            (2, "byes", [2, 5, 6, 3, 1, 7]),
        ] {
            let mut drawn = [2, 5, 6, 3, 1, 7].map(EntrantId);
            journal.keep_lots(stage, about, &mut drawn, |id| *id);
            assert_eq!(drawn, kept.map(EntrantId), "stage {stage}, {about}");
        }
        let mut two = [2, 6].map(EntrantId);
        journal.keep_lots(1, "match 1", &mut two, |id| *id);
        assert_eq!(two, [6, 2].map(EntrantId));
    }
}
