//! Results that came after a decision by which their games are not wanted any more. They are recorded crossed out: under an
//! attempt that no plan asks for, so that nothing counts them.

use super::schedule::{Outcomes, Phase};
use cornerman::contest::{Contest, Journal};
use cornerman::format::{GameId, Pairing, Plan};
use std::collections::{BTreeMap, BTreeSet};

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
