//! Champion: `tree`, with what it found out in earlier turns, and with an eye on what its opponent can find out.
//!
//! An arena only ever falls apart, so a group of spots that was understood once is met again in the next turns. This bot
//! writes down what its solver knows of them, and begins its next turn with that knowledge. It believes its notes only
//! if the arena is the one that it left, after one move of each opponent (`Memory`): other notes are another game's.
//!
//! Most of its positions go into looking for a square that wins. Without one it goes through the others, those that leave
//! the most to calculate first, and verifies them: if it finds an answer of the opponent that wins, it takes the next.

use super::search::Search;
use super::{BoxingTurn, greedy};
use cornerman::games::boxing::Square;

/// The share of the positions that is spent looking for a square that wins, in percent.
const LOOKING: u64 = 70;

/// A square that wins, otherwise the one that leaves the most to calculate and that no answer refutes.
pub fn choose(turn: &BoxingTurn, notes: &mut Vec<u8>, positions: u64) -> Square {
    let mut solver = Search::fresh_solver();
    solver.recall(notes);
    let mut search = Search::new(solver, turn.arena.vacant(), positions);
    if let Some(square) = search.far() {
        return square;
    }
    search.look(LOOKING);
    let chosen = search.winning.or_else(|| verified(&mut search)).or_else(|| search.hardest_losing());
    *notes = search.solver.notes();
    chosen.unwrap_or_else(|| greedy(turn))
}

/// The open square that leaves the most to calculate, unless it turns out to lose.
fn verified(search: &mut Search) -> Option<Square> {
    while let Some(hardest) = search.hardest() {
        let last = search.open.len() - 1;
        let positions = search.left() / 2;
        if search.test(last, positions) != Some(false) {
            return Some(hardest);
        }
    }
    None
}
