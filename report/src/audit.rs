//! Checks whether bots play differently by opponent (B13b): compares answers to the same view in different games.
//!
//! A bot does not learn from Cornerman whom it plays. If its answers to a view depend on the opponent, and never differ
//! against the same opponent, it may have recognized its opponents.
//!
//! Views are compared by their hashes. A record is read twice: [`Audit::note`] collects the views of all games, and
//! [`Audit::compare`] keeps an answer only if its view occurred more than once.

mod show;
#[cfg(test)]
mod tests;
mod turns;

pub use show::{AuditJson, document, json};
pub use turns::{AnsweredTurn, ViewHash, turns};

use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::Seat;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Compares the answers of all entrants of a record.
#[derive(Default)]
pub struct Audit {
    /// The views that occurred.
    seen: HashSet<ViewHash>,
    /// The views that occurred more than once.
    repeated: HashSet<ViewHash>,
    /// The answers to each view that occurred more than once: one for each line-up of seats.
    answered: HashMap<ViewHash, Vec<Sighting>>,
    entrants: BTreeMap<EntrantId, EntrantFindings>,
    /// The number of games compared.
    games: usize,
}

/// The findings about all entrants.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// The number of games compared.
    pub games: usize,
    /// The findings about each entrant that has a seat in these games.
    pub entrants: BTreeMap<EntrantId, EntrantFindings>,
}

impl AuditReport {
    /// The entrants whose answers to the same view differed.
    pub fn listed(&self) -> impl Iterator<Item = (EntrantId, &EntrantFindings)> {
        self.entrants
            .iter()
            .filter(|(_, found)| found.verdict() != AuditVerdict::Same)
            .map(|(id, found)| (*id, found))
    }
}

/// The findings about one entrant.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EntrantFindings {
    /// Its answers to a view that it had already answered against other opponents.
    pub compared: usize,
    /// Its answers to a view that it had already answered against the same opponents.
    pub repeated: usize,
    /// Where it answered a view differently against other opponents, or against the same in other seats.
    pub by_opponent: Vec<DifferentAnswers>,
    /// The first of its answers that differs from that to the same view against the same opponents in the same seats.
    pub by_chance: Option<DifferentAnswers>,
}

/// The verdict on the answers of an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditVerdict {
    /// Its answers to the same view were the same.
    Same,
    /// They depended on the opponents, and on nothing else that is known.
    ByOpponent,
    /// They differed even against the same opponents, so nothing can be concluded.
    NotDeterministic,
}

impl EntrantFindings {
    /// The verdict on its answers.
    pub fn verdict(&self) -> AuditVerdict {
        match (&self.by_chance, self.by_opponent.is_empty()) {
            (Some(_), _) => AuditVerdict::NotDeterministic,
            (None, false) => AuditVerdict::ByOpponent,
            (None, true) => AuditVerdict::Same,
        }
    }

    /// The differences to be listed: if it is not deterministic, only the one that shows it.
    pub fn listed(&self) -> &[DifferentAnswers] {
        self.by_chance.as_ref().map_or(&self.by_opponent, std::slice::from_ref)
    }
}

/// Two different answers to the same view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentAnswers {
    /// Whether the bot had been sent the same in both games before, from the start.
    pub same_before: bool,
    /// The answers, in the order of the contest.
    pub answers: [AuditedAnswer; 2],
}

/// An answer of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedAnswer {
    /// The game.
    pub game: GameId,
    /// Which move of the game, from 1.
    pub number: u32,
    /// The entrant in each seat.
    pub seats: Vec<EntrantId>,
    /// The bot's seat.
    pub seat: Seat,
    /// The move in the game's notation, or that the answer was illegal.
    pub notation: String,
}

impl AuditedAnswer {
    /// The other entrants of the game, in order of play.
    pub fn opponents(&self) -> impl Iterator<Item = EntrantId> + '_ {
        let others = self.seats.iter().enumerate().filter(|(seat, _)| *seat != self.seat.index());
        others.map(|(_, id)| *id)
    }
}

/// An answer to a view, while games are compared.
struct Sighting {
    pairing: Rc<Pairing>,
    number: u32,
    /// The hash of all that the bot had been sent before.
    before: ViewHash,
    notation: Box<str>,
}

impl Sighting {
    fn answer(&self, seat: Seat) -> AuditedAnswer {
        let game = self.pairing.id;
        let seats = self.pairing.seats.clone();
        AuditedAnswer { game, number: self.number, seats, seat, notation: self.notation.to_string() }
    }
}

impl Audit {
    /// Marks the views of a game. All games must be noted before the first one is [compared](Audit::compare).
    pub fn note(&mut self, turns: &[Vec<AnsweredTurn>]) {
        for turn in turns.iter().flatten() {
            if !self.seen.insert(turn.view) {
                self.repeated.insert(turn.view);
            }
        }
    }

    /// Compares the answers of a game with those of the games before it.
    ///
    /// Only the first difference of each seat counts: after it, the bot may have different notes (B9) or, if it
    /// runs for the whole game, another state.
    pub fn compare(&mut self, pairing: &Pairing, turns: &[Vec<AnsweredTurn>]) {
        self.games += 1;
        let pairing = Rc::new(pairing.clone());
        for (seat, (entrant, turns)) in (0u8..).map(Seat).zip(pairing.seats.iter().zip(turns)) {
            let findings = self.entrants.entry(*entrant).or_default();
            for turn in turns.iter().filter(|turn| self.repeated.contains(&turn.view)) {
                let notation = turn.notation.as_str().into();
                let sighting =
                    Sighting { pairing: pairing.clone(), number: turn.number, before: turn.before, notation };
                if !findings.compare(self.answered.entry(turn.view).or_default(), sighting, seat) {
                    break;
                }
            }
        }
    }

    /// The findings about each entrant that played.
    pub fn finish(self) -> AuditReport {
        AuditReport { games: self.games, entrants: self.entrants }
    }
}

impl EntrantFindings {
    /// Compares an answer in `seat` with the `earlier` ones to the same view, and adds it to them if the line-up of its
    /// game is new there. Returns whether it is the same as all of them.
    fn compare(&mut self, earlier: &mut Vec<Sighting>, new: Sighting, seat: Seat) -> bool {
        let is_known = |old: &&Sighting| old.pairing.seats == new.pairing.seats;
        let known = earlier.iter().find(is_known);
        self.repeated += usize::from(known.is_some());
        self.compared += usize::from(earlier.iter().any(|old| !is_known(&old)));
        let different = |old: &&Sighting| old.notation != new.notation;
        let differs_from = |old: &Sighting| DifferentAnswers {
            same_before: old.before == new.before,
            answers: [old.answer(seat), new.answer(seat)],
        };
        if let Some(old) = known.filter(different) {
            self.by_chance.get_or_insert_with(|| differs_from(old));
            return false;
        }
        let other = earlier.iter().find(different).map(differs_from);
        let is_same = other.is_none();
        if known.is_none() {
            // The same difference from the same opponents is listed once.
            self.by_opponent.extend(other);
            // Most views have one line-up, and there may be millions of views.
            earlier.reserve_exact(1);
            earlier.push(new);
        }
        is_same
    }
}
