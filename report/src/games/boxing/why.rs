//! Why a game of the Boxing Match was lost, calculated from its end back: who wins each position, and which squares win.

use crate::count;
use crate::why::{Cause, Lost};
use cornerman::game::Seat;
use cornerman::games::boxing::Boxing;
use cornerman::games::boxing::solver::Solver;

/// The positions that the solver looks at for a game: a few seconds.
const POSITIONS: u64 = 10_000_000;
/// The winning squares that are named, and the missed chances.
const NAMED: usize = 3;

/// Where the loser still could have won, as far back as the game can be calculated.
pub(super) fn causes(lost: &Lost<Boxing>) -> Vec<Cause> {
    let seats = lost.names.len();
    if seats != 2 {
        let text = format!("with {} there is no theory that says who wins", count(seats, "seat"));
        return vec![Cause::general("unknown", text)];
    }
    let mut solver = Solver::new(lost.rules.max_square, 20);
    let mut first_known = lost.turns.len();
    let mut missed: Vec<(usize, Vec<String>, usize)> = Vec::new();
    // A position that the seat to move wins, and after its move does not win for the other one, is no chance missed.
    let mut loses_after = true;
    for (at, turn) in lost.turns.iter().enumerate().rev() {
        solver.trim();
        let vacancy = turn.before.arena().vacant();
        let left = POSITIONS.saturating_sub(solver.positions());
        let Some(loses) = solver.is_lost(vacancy, left) else { break };
        first_known = at;
        if !loses && !loses_after {
            let winning = solver.replies(vacancy).into_iter().filter_map(|(sum, square)| {
                let left = POSITIONS.saturating_sub(solver.positions());
                (solver.is_zero(&sum, left) == Some(true)).then_some((sum, square))
            });
            let winning: Vec<_> = winning.collect();
            let squares = vacancy.squares().take_while(|square| square.size <= lost.rules.max_square);
            let winners = squares
                .filter(|square| {
                    let sum = solver.sum(vacancy.without(*square));
                    solver.is_zero(&sum, 0) == Some(true)
                })
                .count();
            let named = winning.iter().map(|(_, square)| square.to_string()).collect();
            missed.push((at, named, winners.max(winning.len())));
        }
        loses_after = loses;
    }
    missed.reverse();
    let mut causes = Vec::new();
    let Some(first) = lost.turns.get(first_known) else {
        return vec![Cause::general("unknown", "no position of the game is simple enough to be calculated")];
    };
    if first_known > 0 {
        causes.push(Cause::general("known", format!("who wins is not known before move {}", first.number)));
    }
    let chances = |seat: Seat| missed.iter().filter(move |(at, ..)| lost.turns[*at].seat == seat);
    match chances(lost.seat).next_back() {
        Some((at, named, winners)) => {
            let turn = &lost.turns[*at];
            let vacancy = turn.before.arena().vacant();
            let moves = vacancy.squares().take_while(|square| square.size <= lost.rules.max_square).count();
            let more = if named.len() > NAMED { ", …" } else { "" };
            let named = named[..named.len().min(NAMED)].join(", ");
            let verb = if *winners == 1 { "wins" } else { "win" };
            let played = turn.notation.unwrap_or("nothing");
            let text = format!(
                "the last chance: {winners} of {} {verb}: {named}{more}; it played {played}",
                count(moves, "move")
            );
            causes.push(Cause::of_move("last-chance", turn.number, text));
        }
        None => {
            let text = format!("it had no chance from move {} on: the game was decided before", first.number);
            causes.push(Cause::general("unknown", text));
        }
    }
    for seat in [0, 1].map(Seat) {
        let numbers: Vec<String> = chances(seat).map(|(at, ..)| lost.turns[*at].number.to_string()).collect();
        if !numbers.is_empty() {
            let shown = numbers[numbers.len().saturating_sub(12)..].join(", ");
            let more = if numbers.len() > 12 { "…, " } else { "" };
            let missed = count(numbers.len(), "chance");
            let text = format!("{} missed {missed} to win, at move {more}{shown}", lost.name(seat));
            causes.push(Cause::general("missed", text));
        }
    }
    causes
}
