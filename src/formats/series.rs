//! The games of a match between two entrants, or of a group of another size: on each board, every entrant is first
//! equally often (B11, F5, R1).

use crate::format::{EntrantId, FormatError, GameId, Pairing, Results};
use crate::game::{MAX_SEATS, Outcome};
use alloc::format;
use alloc::vec::Vec;

/// The most games of a stage that consists of [`Series`], without tie-break games. Every planned game takes memory
/// until it has been played.
pub(crate) const MAX_GAMES: usize = 4_000_000;

/// The boards of a match, and how many games it has on each (B11, F5, R1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Series {
    /// The boards. On each, every entrant of a match is first equally often.
    pub boards: Vec<u32>,
    /// The number of games in each order of play on each board.
    pub games_per_order: u16,
}

impl Series {
    /// One game in each order of play on each of these boards.
    pub(crate) fn on(boards: impl Into<Vec<u32>>) -> Series {
        Series { boards: boards.into(), games_per_order: 1 }
    }

    /// Checks that this number of matches between `seats` entrants each can be planned.
    ///
    /// # Errors
    /// When a match has no games or more than 65536, or when all matches together have more than [`MAX_GAMES`].
    pub(crate) fn check(&self, matches: usize, seats: usize) -> Result<(), FormatError> {
        let games = self.games_between(seats);
        match games {
            0 => Err(FormatError(format!(
                "a match with {} boards and {} games per order has no games: set both to at least one",
                self.boards.len(),
                self.games_per_order
            ))),
            1..=65_536 if games.saturating_mul(matches) > MAX_GAMES => Err(FormatError(format!(
                "{matches} matches of {games} games are more than {MAX_GAMES} games: lower `boards` or \
                 `games_per_order`, or let fewer take part"
            ))),
            1..=65_536 => Ok(()),
            _ => Err(FormatError(format!(
                "a match of {games} games is too long: lower `boards` or `games_per_order` to at most 65536 games"
            ))),
        }
    }

    /// The number of games in a match between `seats` entrants.
    pub(crate) fn games_between(&self, seats: usize) -> usize {
        self.boards.len() * seats * usize::from(self.games_per_order)
    }

    /// The games of the match between the entrants of `group` at `place`, whose `game` is ignored. Games count from 0.
    /// The seats rotate after each game: the first of a pair moves first in even games, the second in odd ones.
    pub(crate) fn games<G: AsMut<[EntrantId]> + Copy + 'static>(
        &self,
        place: GameId,
        mut group: G,
    ) -> impl Iterator<Item = SeriesGame<G>> + '_ {
        let seats = group.as_mut().len();
        let games_per_board = seats * usize::from(self.games_per_order);
        (0..self.games_between(seats)).map(move |game| {
            let mut order = group;
            order.as_mut().rotate_left(game % seats);
            SeriesGame {
                id: GameId { game: game as u16, ..place },
                seats: order,
                board: self.boards[game / games_per_board],
            }
        })
    }
}

/// The entrants that meet in a game, by seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    entrants: [EntrantId; MAX_SEATS as usize],
    seats: usize,
}

impl Meeting {
    /// The entrants with these indices.
    pub(crate) fn new(entrants: &[EntrantId], indices: &[usize]) -> Meeting {
        let mut group = Meeting { entrants: [EntrantId(0); MAX_SEATS as usize], seats: indices.len() };
        for (seat, index) in group.entrants.iter_mut().zip(indices) {
            *seat = entrants[*index];
        }
        group
    }
}

impl AsRef<[EntrantId]> for Meeting {
    fn as_ref(&self) -> &[EntrantId] {
        &self.entrants[..self.seats]
    }
}

impl AsMut<[EntrantId]> for Meeting {
    fn as_mut(&mut self) -> &mut [EntrantId] {
        &mut self.entrants[..self.seats]
    }
}

/// A game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeriesGame<G = [EntrantId; 2]> {
    /// Which game of the contest it is.
    pub id: GameId,
    /// The entrant in each seat.
    pub seats: G,
    /// The number of its board.
    pub board: u32,
}

impl<G: AsRef<[EntrantId]>> SeriesGame<G> {
    /// The game as an item of a plan.
    pub(crate) fn pairing(self) -> Pairing {
        Pairing { id: self.id, seats: self.seats.as_ref().to_vec(), board: self.board }
    }

    /// The seats and the outcome, as [scoring](super::scoring) takes them; `None` if it has not been played.
    pub(crate) fn played(self, done: &Results) -> Option<(G, &Outcome)> {
        done.outcome_of(self.id, self.seats.as_ref().len()).map(|outcome| (self.seats, outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const PLACE: GameId = GameId { stage: 1, round: 2, table: 3, game: 0, attempt: 0 };

    /// The games as (first, second, board).
    #[track_caller]
    fn check(series: Series, expected: &[(u16, u16, u32)]) {
        let games: Vec<SeriesGame> = series.games(PLACE, [EntrantId(4), EntrantId(9)]).collect();
        let found: Vec<_> = games.iter().map(|game| (game.seats[0].0, game.seats[1].0, game.board)).collect();
        assert_eq!(found, expected);
        assert!((0..).zip(&games).all(|(game, found)| found.id == GameId { game, ..PLACE }));
    }

    #[test]
    fn each_side_is_first_once_on_each_board() {
        check(Series::on([0]), &[(4, 9, 0), (9, 4, 0)]);
        check(Series::on([7, 5]), &[(4, 9, 7), (9, 4, 7), (4, 9, 5), (9, 4, 5)]);
    }

    #[test]
    fn each_order_can_be_played_several_times() {
        let series = Series { boards: vec![1], games_per_order: 2 };
        check(series, &[(4, 9, 1), (9, 4, 1), (4, 9, 1), (9, 4, 1)]);
    }

    #[test]
    fn a_match_has_1_to_65536_games() {
        let check = |boards: u32, games_per_order| {
            Series { boards: (0..boards).collect(), games_per_order }
                .check(60, 2)
                .map_err(|e| e.0.contains("match"))
        };
        assert_eq!(check(0, 1), Err(true));
        assert_eq!(check(1, 0), Err(true));
        assert_eq!(check(1, 32_768), Ok(()));
        assert_eq!(check(1, 32_769), Err(true));
        let most = Series { boards: vec![0], games_per_order: 1 };
        assert_eq!(most.check(MAX_GAMES / 2, 2), Ok(()));
        let too_many = most.check(MAX_GAMES / 2 + 1, 2).map_err(|e| e.0.starts_with("2000001 matches of 2 games"));
        assert_eq!(too_many, Err(true));
    }
}
