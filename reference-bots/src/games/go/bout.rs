//! Whole games between ideas within one process: for tests, and for measuring the ladder.

use super::{Choose, Turn};
use cornerman::game::{Act, Game, Outcome, Setup, Violation};
use cornerman::games::go::{Colour, Go};

/// Plays one game by `go`, each seat's move judged as a bot's answer would be: how it ended, and its moves in their
/// notation.
///
/// # Errors
/// The violation, if an idea breaks the rules.
///
/// # Panics
/// When there is no such board.
pub fn bout(go: &Go, seats: [Choose; 2]) -> Result<(Outcome, Vec<String>), Violation> {
    let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).expect("a board of 5 to 25 lines");
    let mut turns = Colour::BOTH.map(|colour| Turn::first(go.size, colour));
    let mut moves = Vec::new();
    while let Some(seat) = go.to_act(&state).iter().next() {
        let chosen = seats[seat.index()](&turns[seat.index()]);
        let notation = go.notation(&chosen);
        let read = go.read(&state, seat, notation.as_bytes())?;
        go.apply(&mut state, &[(seat, Act::Move(read))]);
        turns.iter_mut().for_each(|turn| turn.make(read, Colour::of(seat)));
        moves.push(notation);
    }
    Ok((go.outcome(&state).expect("nobody is to act"), moves))
}
