//! Permutations: all entrants play in one game, once in every order of play (B12).

use super::fixed::{FixedFormat, RankedBy};
use super::keys::{fill_in_board, named};
use super::scoring::{self, Bonus, ScoringKind};
use super::series::{Meeting, SeriesGame};
use super::{BoardNumber, Bounded, FormatSettings, GameDefaults, SettingsError, distinct};
use crate::format::{
    Arrival, Departure, EntrantId, FormatError, GameId, Pairing, Schedule, ScheduleFacts, StageInput,
};
use crate::game::MAX_SEATS;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// The most entrants unless the settings allow more: seven play 5040 games (B12).
const DEFAULT_MAX_ENTRANTS: u8 = 7;

/// The settings of permutations (B12).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct PermutationsSettings {
    /// The board of all games.
    pub board: Option<BoardNumber>,
    /// The scoring; by default the game's, or wins, then score (B12).
    pub scoring: Option<ScoringKind>,
    /// The bonuses for wins and ties, for [`ScoringKind::Bonus`] only (F2).
    pub bonus: Option<Bonus>,
    /// The largest margin of a pair, in points over all its games, that is a tie in the cross-table, for
    /// [`ScoringKind::Margins`] only (R9).
    pub threshold: Option<u32>,
    /// The most entrants: by default seven, or the seats of a game if it has fewer. `n` entrants play `n`! games.
    pub max_entrants: Option<Bounded<2, { MAX_SEATS as u32 }>>,
}

impl FormatSettings for PermutationsSettings {
    fn fill_in_game_defaults(&mut self, game: &GameDefaults, _: u32) {
        let scoring = *self.scoring.get_or_insert(game.scoring);
        game.fill_in_threshold(&[scoring], &mut self.threshold);
    }

    fn fill_in_defaults(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        let scoring = *self.scoring.get_or_insert_default();
        scoring::fill_in_defaults(&[scoring], &mut self.bonus, &mut self.threshold)?;
        let most = u32::from(*seats.end());
        let max_entrants =
            self.max_entrants.get_or_insert(Bounded::new(most.clamp(2, DEFAULT_MAX_ENTRANTS.into()))).get();
        if max_entrants > most {
            let why = format!("max_entrants = {max_entrants} is too many: a game has at most {most} seats");
            return Err(SettingsError::new("max_entrants", why));
        }
        fill_in_board(&mut self.board, next_board)
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        named(&self.board)
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Permutations::new(start, self)?))
    }

    fn seats(&self) -> Option<u8> {
        None
    }
}

/// The permutations of entrants that are known (B12).
#[derive(Clone, Debug)]
pub struct Permutations {
    stage: u8,
    /// The round, from 0: the games begin again in a new round after an entrant leaves.
    round: u16,
    /// Whether the remaining entrants are too few for a game.
    is_over: bool,
    board: u32,
    ranked_by: RankedBy,
}

impl Permutations {
    /// The permutations of the entrants in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice, or when there are more entrants than the settings allow, or more or fewer than
    /// a game can seat.
    pub fn new(start: &StageInput, settings: &PermutationsSettings) -> Result<Permutations, FormatError> {
        let entrants = start.entrants.to_vec();
        let seats = &start.field.seats;
        distinct(&entrants)?;
        let n = entrants.len();
        let refuse = |bound: &str, seats: u8| {
            Err(FormatError(format!("{n} entrants cannot play in one game: it has {bound} {seats} seats")))
        };
        if n > usize::from(*seats.end()) {
            return refuse("at most", *seats.end());
        }
        if n > 1 && n < usize::from(*seats.start()) {
            return refuse("at least", *seats.start());
        }
        let limit = settings.max_entrants.map_or(DEFAULT_MAX_ENTRANTS.into(), Bounded::get);
        if n > limit as usize {
            return Err(FormatError(format!(
                "every order of {n} entrants is {} games, but at most {limit} entrants may play (B12): to play them \
                 all, set `max_entrants = {n}` in this stage of the contest file and run the contest again; it resumes",
                factorial(n)
            )));
        }
        let gone = |id: &EntrantId| start.journal.has_left(start.stage, *id);
        let leaving = start.journal.leaving(start.stage).filter(|(leave, _)| entrants.contains(&leave.entrant));
        let round = leaving.map(|(_, leaving)| leaving.round).max().unwrap_or(0) as u16;
        let entrants: Vec<EntrantId> = entrants.iter().copied().filter(|id| !gone(id)).collect();
        let fewest = if round == 0 { 2 } else { usize::from(*seats.start()).max(2) };
        let is_over = entrants.len() < fewest;
        let board = settings.board.map_or(0, |board| board.0);
        let kinds = [settings.scoring.unwrap_or_default()];
        let ranked_by = RankedBy::new(entrants, &kinds, settings.bonus, settings.threshold);
        Ok(Permutations { stage: start.stage, round, is_over, board, ranked_by })
    }
}

impl FixedFormat for Permutations {
    /// The orders of play are sorted by the order of the entrants.
    fn games(&self) -> impl Iterator<Item = SeriesGame<Meeting>> {
        let entrants = &self.ranked_by.entrants;
        let orders = if self.is_over { 0 } else { factorial(entrants.len()) };
        (0..orders).map(|number| {
            // The largest game has eight seats and so 40320 orders: the number fits.
            let id = GameId { stage: self.stage, round: self.round, table: 0, game: number as u16, attempt: 0 };
            let seats = Meeting::new(entrants, &order(entrants.len(), number));
            SeriesGame { id, seats, board: self.board }
        })
    }

    fn ranked_by(&self) -> &RankedBy {
        &self.ranked_by
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts::new(Departure::Permutations, Arrival::Never)
    }

    fn counts(&self, game: &Pairing) -> bool {
        game.id.round == self.round
    }
}

/// n!, for n up to the number of seats in a game.
fn factorial(n: usize) -> usize {
    (1..=n).product()
}

/// The order with this number among all orders of `n` entrants, from 0, as their indices.
fn order(n: usize, mut number: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..n).collect();
    let mut seats = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let orders_of_the_rest = factorial(left.len() - 1);
        seats.push(left.remove(number / orders_of_the_rest));
        number %= orders_of_the_rest;
    }
    seats
}

#[cfg(test)]
mod tests;
