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

pub use turns::{AnsweredTurn, ViewHash, turns};

use crate::json::EntrantJson;
use cornerman::format::{EntrantId, Pairing};
use cornerman::game::Seat;
use cornerman_harness::record::EntrantRecord;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Compares the answers of all entrants of a record.
pub struct Audit<'a> {
    /// The entrants of the record.
    all: &'a [EntrantRecord],
    /// The [beginnings](ViewHash::beginning) of the views that occurred: there may be many millions. Empty once games
    /// are compared.
    seen: HashSet<u64>,
    /// Those of the views that occurred more than once. A view that occurred once and begins like another is kept in
    /// vain, and changes nothing.
    repeated: HashSet<u64>,
    /// The answers to each view that occurred more than once: one for each line-up of seats.
    answered: HashMap<ViewHash, Vec<Sighting>>,
    entrants: BTreeMap<EntrantId, EntrantFindings>,
    /// The number of games compared.
    games: usize,
}

/// The findings about all entrants: what `audit` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuditReport {
    /// The contest's name.
    pub contest: String,
    /// The number of games compared.
    pub games: usize,
    /// The entrants that have played, by number.
    pub entrants: Vec<EntrantFindings>,
}

impl AuditReport {
    /// The entrants whose answers to the same view differed.
    pub fn listed(&self) -> impl Iterator<Item = &EntrantFindings> {
        self.entrants.iter().filter(|found| found.verdict != AuditVerdict::Same)
    }
}

/// What was found about an entrant.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FindingsJson")]
pub struct EntrantFindings {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// `same`, `by-opponent` or `not-deterministic`.
    #[schemars(with = "String")]
    pub verdict: AuditVerdict,
    /// Its answers to a view that it had already answered against other opponents.
    pub compared: usize,
    /// Its answers to a view that it had already answered against the same opponents.
    pub repeated: usize,
    /// Different answers to the same view.
    pub differences: Vec<DifferentAnswers>,
}

/// The verdict on the answers of an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditVerdict {
    /// Its answers to the same view were the same.
    Same,
    /// They depended on the opponents, or on who sat where, and on nothing else that is known.
    ByOpponent,
    /// They differed even against the same opponents in the same seats, so nothing can be concluded. Only the first such
    /// difference is listed then.
    NotDeterministic,
}

/// Two different answers to the same view.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DifferenceJson")]
pub struct DifferentAnswers {
    /// Whether the bot had been sent the same in both games before.
    pub same_before: bool,
    /// The answers, in the order of the contest.
    pub answers: Vec<AuditedAnswer>,
}

/// An answer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AnswerJson")]
pub struct AuditedAnswer {
    /// The game.
    pub game: String,
    /// The move.
    #[serde(rename = "move")]
    pub number: u32,
    /// The bot's seat.
    pub seat: u8,
    /// Its opponents, in order of play.
    pub opponents: Vec<EntrantJson>,
    /// The move in the game's notation, or that the answer was illegal.
    pub answer: String,
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
    fn answer(&self, seat: Seat, entrants: &[EntrantRecord]) -> AuditedAnswer {
        let others = self.pairing.seats.iter().enumerate().filter(|(other, _)| *other != seat.index());
        AuditedAnswer {
            game: self.pairing.id.to_string(),
            number: self.number,
            seat: seat.0 + 1,
            opponents: others.map(|(_, id)| EntrantJson::new(*id, entrants)).collect(),
            answer: self.notation.to_string(),
        }
    }
}

impl<'a> Audit<'a> {
    /// An audit of a record with these entrants.
    pub fn new(entrants: &'a [EntrantRecord]) -> Audit<'a> {
        let (seen, repeated, answered) = Default::default();
        Audit { all: entrants, seen, repeated, answered, entrants: BTreeMap::new(), games: 0 }
    }

    /// Marks the views of a game. All games must be noted before the first one is [compared](Audit::compare).
    pub fn note(&mut self, turns: &[Vec<AnsweredTurn>]) {
        for turn in turns.iter().flatten() {
            let view = turn.view.beginning();
            if !self.seen.insert(view) {
                self.repeated.insert(view);
            }
        }
    }

    /// Compares the answers of a game with those of the games before it.
    ///
    /// Only the first difference of each seat counts: after it, the bot may have different notes (B9) or, if it
    /// runs for the whole game, another state.
    pub fn compare(&mut self, pairing: &Pairing, turns: &[Vec<AnsweredTurn>]) {
        self.games += 1;
        self.seen = HashSet::new();
        let pairing = Rc::new(pairing.clone());
        for (seat, (entrant, turns)) in (0u8..).map(Seat).zip(pairing.seats.iter().zip(turns)) {
            let new = || EntrantFindings {
                who: EntrantJson::new(*entrant, self.all),
                verdict: AuditVerdict::Same,
                compared: 0,
                repeated: 0,
                differences: Vec::new(),
            };
            let findings = self.entrants.entry(*entrant).or_insert_with(new);
            for turn in turns.iter().filter(|turn| self.repeated.contains(&turn.view.beginning())) {
                let notation = turn.notation.as_str().into();
                let sighting =
                    Sighting { pairing: pairing.clone(), number: turn.number, before: turn.before, notation };
                let earlier = self.answered.entry(turn.view).or_default();
                if !findings.compare(earlier, sighting, seat, self.all) {
                    break;
                }
            }
        }
    }

    /// The findings about each entrant that played in the contest of this name.
    pub fn finish(self, contest: &str) -> AuditReport {
        let entrants = self.entrants.into_values().collect();
        AuditReport { contest: contest.to_string(), games: self.games, entrants }
    }
}

impl EntrantFindings {
    /// Compares an answer in `seat` with the `earlier` ones to the same view, and adds it to them if the line-up of its
    /// game is new there. Returns whether it is the same as all of them. `entrants` are those of the record.
    fn compare(
        &mut self,
        earlier: &mut Vec<Sighting>,
        new: Sighting,
        seat: Seat,
        entrants: &[EntrantRecord],
    ) -> bool {
        let is_known = |old: &&Sighting| old.pairing.seats == new.pairing.seats;
        let known = earlier.iter().find(is_known);
        self.repeated += usize::from(known.is_some());
        self.compared += usize::from(earlier.iter().any(|old| !is_known(&old)));
        let different = |old: &&Sighting| old.notation != new.notation;
        let differs_from = |old: &Sighting| DifferentAnswers {
            same_before: old.before == new.before,
            answers: [old, &new].map(|it| it.answer(seat, entrants)).into(),
        };
        let is_open = self.verdict != AuditVerdict::NotDeterministic;
        if let Some(old) = known.filter(different) {
            if is_open {
                self.verdict = AuditVerdict::NotDeterministic;
                self.differences = vec![differs_from(old)];
            }
            return false;
        }
        let other = earlier.iter().find(different);
        let is_same = other.is_none();
        if known.is_none() {
            // The same difference from the same opponents is listed once.
            if let Some(old) = other.filter(|_| is_open) {
                self.verdict = AuditVerdict::ByOpponent;
                self.differences.push(differs_from(old));
            }
            // Most views have one line-up, and there may be millions of views.
            earlier.reserve_exact(1);
            earlier.push(new);
        }
        is_same
    }
}
