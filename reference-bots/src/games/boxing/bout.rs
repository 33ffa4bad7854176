//! Whole games between ideas within one process: for tests, and for measuring the ladder.

use super::{Choose, Turn};
use cornerman::game::{Act, Game, Seat, Setup, Violation};
use cornerman::games::boxing::{Arena, Boxing, Square};

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// Who took the last spot: an index into the seats.
    pub winner: usize,
    /// Moves in all.
    pub moves: usize,
}

/// Plays one game from `start`, each seat's move judged as a bot's answer would be. Nothing is read or
/// written; every seat is told the others' replies.
///
/// # Errors
/// The violation, if an idea breaks the rules.
///
/// # Panics
/// When there are not 2 to 8 seats (B4), or nothing is vacant at the start.
pub fn bout(start: &Arena, seats: &[Choose]) -> Result<Bout, Violation> {
    let boxing = Boxing::default();
    let setup = Setup { seats: seats.len() as u8, board: start.to_bytes().to_vec(), ..Setup::default() };
    let mut state = boxing.start(&setup).expect("2 to 8 seats and something to play for");
    let mut last: Vec<Option<Square>> = vec![None; seats.len()];
    let mut moves = 0;
    while let Some(seat) = boxing.to_act(&state).iter().next() {
        let turn = Turn { arena: state.arena().clone(), mark: state.mark(seat), replies: replies(&last, seat) };
        let mut answer = turn.arena.clone();
        answer.fill(seats[seat.index()](&turn), turn.mark);
        let square = boxing.read(&state, seat, &answer.to_bytes())?;
        boxing.apply(&mut state, &[(seat, Act::Move(square))]);
        last[seat.index()] = Some(square);
        moves += 1;
    }
    let outcome = boxing.outcome(&state).expect("nobody is to act");
    let winner = outcome.winners().next().expect("the last spot was taken by somebody");
    Ok(Bout { winner: winner.index(), moves })
}

/// What the others took since the last move of `seat`, in order.
fn replies(last: &[Option<Square>], seat: Seat) -> Vec<Square> {
    if last[seat.index()].is_none() {
        return Vec::new();
    }
    let (before, after) = (&last[..seat.index()], &last[seat.index() + 1..]);
    after.iter().chain(before).copied().flatten().collect()
}
