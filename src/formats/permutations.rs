//! All entrants in one game, once in every order of play (B12).

use super::distinct;
use super::scoring::Scoring;
use crate::format::{EntrantId, Format, FormatError, Pairing, PairingId, Plan, Remark, Results, Standing, rank};
use crate::game::MAX_SEATS;
use alloc::format;
use alloc::vec::Vec;

/// The most entrants without an explicit override: 5040 games (B12).
pub const USUAL_LIMIT: u8 = 7;

/// How the orders are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The board of all games.
    pub board: u32,
    /// What counts.
    pub scoring: Scoring,
    /// The most entrants; one more multiplies the games by their number.
    pub max_entrants: u8,
}

impl Default for Settings {
    /// The Boxing Match's second stage on board 0: wins, then score, up to seven entrants (B12).
    fn default() -> Settings {
        Settings { board: 0, scoring: Scoring::WinsThenScore, max_entrants: USUAL_LIMIT }
    }
}

/// Every order of play of known entrants.
#[derive(Clone, Debug)]
pub struct Permutations {
    stage: u8,
    entrants: Vec<EntrantId>,
    settings: Settings,
}

impl Permutations {
    /// Every order of `entrants` as a contest's stage number `stage`.
    ///
    /// # Errors
    /// When an entrant is named twice, or there are more than the settings allow or a game can seat.
    pub fn new(stage: u8, entrants: &[EntrantId], settings: Settings) -> Result<Permutations, FormatError> {
        distinct(entrants)?;
        let n = entrants.len();
        if n > usize::from(MAX_SEATS) {
            return Err(FormatError(format!(
                "{n} entrants cannot play in one game: it has at most {MAX_SEATS} seats"
            )));
        }
        if n > usize::from(settings.max_entrants) {
            return Err(FormatError(format!(
                "every order of {n} entrants is {} games, and {} entrants are the limit: raise `max_entrants` to {n} \
                 to play them all",
                factorial(n),
                settings.max_entrants
            )));
        }
        Ok(Permutations { stage, entrants: entrants.to_vec(), settings })
    }

    /// Every game: its place and who sits where, orders sorted by the entrants' own order.
    fn games(&self) -> impl Iterator<Item = (PairingId, Vec<EntrantId>)> + '_ {
        let orders = if self.entrants.len() < 2 { 0 } else { factorial(self.entrants.len()) };
        (0..orders).map(|number| {
            // Eight seats have 40320 orders, so a number fits.
            let id = PairingId { stage: self.stage, round: 0, table: 0, game: number as u16 };
            (id, order(&self.entrants, number))
        })
    }
}

impl Format for Permutations {
    fn plan(&self, done: &Results) -> Plan {
        let left = self.games().filter(|(id, _)| done.with_seats(*id, self.entrants.len()).is_none());
        Plan::of(left.map(|(id, seats)| Pairing { id, seats, board: self.settings.board }))
    }

    fn columns(&self) -> Vec<&'static str> {
        self.settings.scoring.columns().to_vec()
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        let played =
            self.games().filter_map(|(id, seats)| Some((seats, done.with_seats(id, self.entrants.len())?)));
        rank(self.settings.scoring.table(&self.entrants, played))
    }

    fn remarks(&self, _: &Results) -> Vec<Remark> {
        Vec::new()
    }
}

/// n!, for n up to the seats of a game.
fn factorial(n: usize) -> usize {
    (1..=n).product()
}

/// The order with this number, from 0, of all orders of `entrants`.
fn order(entrants: &[EntrantId], mut number: usize) -> Vec<EntrantId> {
    let mut left = entrants.to_vec();
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
