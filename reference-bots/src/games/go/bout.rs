//! Whole games between strategies within one process: for tests, and for measuring the ladder.

use super::{Choose, Turn};
use cornerman::game::{Action, Game, Outcome, Setup, Violation};
use cornerman::games::go::{Colour, Go};

/// Plays one game by the rules `go`, and returns its outcome and its moves in notation. Moves are judged as a bot's
/// answers would be.
///
/// # Errors
/// The violation, if a strategy breaks the rules.
///
/// # Panics
/// When `go` has a board size outside 5 to 25.
pub fn bout(go: &Go, seats: [Choose; 2]) -> Result<(Outcome, Vec<String>), Violation> {
    let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).expect("a board of 5 to 25 lines");
    let mut turns = Colour::BOTH.map(|colour| Turn::first(go.size, colour));
    let mut moves = Vec::new();
    while let Some(seat) = go.to_act(&state).iter().next() {
        let chosen = seats[seat.index()](&turns[seat.index()]);
        let notation = go.notation(&chosen);
        let read = go.read(&state, seat, notation.as_bytes())?;
        go.apply(&mut state, &[(seat, Action::Move(read))]);
        for turn in &mut turns {
            turn.make(read, Colour::for_seat(seat));
        }
        moves.push(notation);
    }
    Ok((go.outcome(&state).expect("the game is over"), moves))
}
