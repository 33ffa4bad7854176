//! Why a game of the Boxing Match was lost: who wins each position, and with which squares. It is calculated backwards
//! from the end of the game.

use crate::count;
use crate::why::{Cause, Curve, Effort, Explanation, Lost, Standing};
use cornerman::game::{End, Seat};
use cornerman::games::boxing::Boxing;
use cornerman::games::boxing::solver::Solver;

/// How many winning squares are named.
const NAMED: usize = 3;

/// How many positions the solver looks at for a game, at most.
fn budget(effort: Effort) -> u64 {
    match effort {
        Effort::Brief => 200_000,
        Effort::Usual => 2_000_000,
        Effort::Thorough => 10_000_000,
    }
}

/// A turn of a seat that could have won, and after which it could not.
struct MissedChance {
    /// Its index.
    at: usize,
    /// Squares that win, one of each kind.
    named: Vec<String>,
    /// The number of all that are known to win.
    winning: usize,
}

/// Where the loser still could have won, as far back as the game can be calculated.
pub(super) fn explain(lost: &Lost) -> Explanation {
    let seats = lost.names.len();
    if seats != 2 {
        let text = format!("with {} there is no theory that says who wins", count(seats, "seat"));
        return Explanation::from_causes(vec![Cause::general("unknown", text)]);
    }
    let (winner, missed) = solve(lost);
    let causes = causes(lost, &winner, &missed);
    let curve = Curve {
        about: "who wins if both play well, calculated".to_string(),
        standing: Standing::Winner(winner),
        missed: missed.iter().map(|chance| chance.at).collect(),
    };
    Explanation { causes, curve: Some(curve) }
}

/// Who wins each position, and the chances that were missed. Goes from the end back to the first position that is too
/// hard.
fn solve(lost: &Lost) -> (Vec<Option<Seat>>, Vec<MissedChance>) {
    let most = budget(lost.means.effort);
    let mut winner = vec![None; lost.positions.len()];
    let is_played = lost.record.outcome.end == End::Played;
    winner[lost.turns.len()] = lost.record.outcome.winners().next().filter(|_| is_played);
    let mut missed = Vec::new();
    let largest = lost.rules::<Boxing>().max_square;
    // It remembers about 2^20 groups, 16 bytes each.
    let mut solver = Solver::new(largest, 20);
    // Whether the seat to move in the next position loses it. Then the move to that position missed no chance.
    let mut loses_next = true;
    for (at, turn) in lost.turns.iter().enumerate().rev() {
        solver.trim();
        let vacancy = lost.state::<Boxing>(at).arena().vacant();
        let left = most.saturating_sub(solver.positions());
        let Some(loses) = solver.is_lost(vacancy, left) else { break };
        winner[at] = Some(if loses { Seat(1 - turn.seat.0) } else { turn.seat });
        if !loses && !loses_next {
            let named: Vec<String> = (solver.replies(vacancy).into_iter())
                .filter(|(sum, _)| {
                    let left = most.saturating_sub(solver.positions());
                    solver.is_zero(sum, left) == Some(true)
                })
                .map(|(_, square)| square.to_string())
                .collect();
            let squares = vacancy.squares().take_while(|square| square.size <= largest);
            let winning = squares
                .filter(|square| {
                    let sum = solver.sum(vacancy.without(*square));
                    solver.is_zero(&sum, 0) == Some(true)
                })
                .count();
            missed.push(MissedChance { at, winning: winning.max(named.len()), named });
        }
        loses_next = loses;
    }
    missed.reverse();
    (winner, missed)
}

/// The causes in words, from the result of [`solve`].
fn causes(lost: &Lost, winner: &[Option<Seat>], missed: &[MissedChance]) -> Vec<Cause> {
    let known = winner[..lost.turns.len()].iter().position(Option::is_some);
    let Some(first_known) = known else {
        return vec![Cause::general("unknown", "no position of the game is simple enough to be calculated")];
    };
    let first = &lost.turns[first_known];
    let mut causes = Vec::new();
    if first_known > 0 {
        causes.push(Cause::general("known", format!("who wins is not known before move {}", first.number)));
    }
    let chances = |seat: Seat| missed.iter().filter(move |chance| lost.turns[chance.at].seat == seat);
    match chances(lost.seat).next_back() {
        Some(MissedChance { at, named, winning }) => {
            let turn = &lost.turns[*at];
            let vacancy = lost.state::<Boxing>(*at).arena().vacant();
            let moves =
                vacancy.squares().take_while(|square| square.size <= lost.rules::<Boxing>().max_square).count();
            let more = if named.len() > NAMED { ", …" } else { "" };
            let named = named[..named.len().min(NAMED)].join(", ");
            let verb = if *winning == 1 { "wins" } else { "win" };
            let played = turn.notation.unwrap_or("nothing");
            let text = format!(
                "the last chance: {winning} of {} {verb}: {named}{more}; it played {played}",
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
        let numbers: Vec<String> = chances(seat).map(|chance| lost.turns[chance.at].number.to_string()).collect();
        if !numbers.is_empty() {
            // The last twelve are named.
            let shown = numbers[numbers.len().saturating_sub(12)..].join(", ");
            let more = if numbers.len() > 12 { "…, " } else { "" };
            let missed = count(numbers.len(), "chance");
            let text = format!("{} missed {missed} to win, at move {more}{shown}", lost.name(seat));
            causes.push(Cause::general("missed", text));
        }
    }
    causes
}
