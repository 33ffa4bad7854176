//! Whole games between strategies within one process: for tests, and for measuring the ladder.

use super::{Choose, Turn};
use cornerman::game::{Action, Game, Seat, Setup, Violation};
use cornerman::games::boxing::{Arena, Boxing, Square};

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// The seat that took the last spot, from 0.
    pub winner: usize,
    /// The number of moves of all seats.
    pub moves: usize,
}

/// Plays one game from `start`. Moves are judged as a bot's answers would be. Every seat gets the others' replies, and
/// no memory files are used.
///
/// # Errors
/// The violation, if a strategy breaks the rules.
///
/// # Panics
/// When there are not 2 to 8 seats (B4), or `start` has no vacant spot.
pub fn bout(start: &Arena, seats: &[Choose]) -> Result<Bout, Violation> {
    let boxing = Boxing::default();
    let setup = Setup { seats: seats.len() as u8, board: start.to_bytes().to_vec(), ..Setup::default() };
    let mut state = boxing.start(&setup).expect("2 to 8 seats and a vacant spot");
    let mut last: Vec<Option<Square>> = vec![None; seats.len()];
    let mut moves = 0;
    while let Some(seat) = boxing.to_act(&state).iter().next() {
        let turn = Turn { arena: state.arena().clone(), mark: state.mark(seat), replies: replies(&last, seat) };
        let mut answer = turn.arena.clone();
        answer.fill(seats[seat.index()](&turn), turn.mark);
        let square = boxing.read(&state, seat, &answer.to_bytes())?;
        boxing.apply(&mut state, &[(seat, Action::Move(square))]);
        last[seat.index()] = Some(square);
        moves += 1;
    }
    let outcome = boxing.outcome(&state).expect("the game is over");
    let winner = outcome.winners().next().expect("some seat took the last spot");
    Ok(Bout { winner: winner.index(), moves })
}

/// The squares that the others took since the last move of `seat`, in order.
fn replies(last: &[Option<Square>], seat: Seat) -> Vec<Square> {
    if last[seat.index()].is_none() {
        return Vec::new();
    }
    let before = &last[..seat.index()];
    let after = &last[seat.index() + 1..];
    after.iter().chain(before).copied().flatten().collect()
}
