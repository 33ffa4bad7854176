//! Strategies that look at the board as it is: a random one, and one that captures.

use super::{GoTurn, liberties_after};
use cornerman::games::go::{Chain, Move, Point};
use std::cmp::Reverse;

/// Random: any point that is not one of its own eyes, drawn from the position itself.
pub fn random(turn: &GoTurn) -> Move {
    turn.rng().pick(&turn.candidates()).map_or(Move::Pass, |&point| turn.at(point))
}

/// Capture: captures chains in atari, saves its own from atari, puts the opponent's into atari; otherwise plays where
/// it is not in atari itself.
pub fn capture(turn: &GoTurn) -> Move {
    let candidates = turn.candidates();
    let point = captures_most(turn, &candidates)
        .or_else(|| escape(turn, &candidates))
        .or_else(|| attack(turn, &candidates))
        .or_else(|| anywhere(turn, &candidates));
    point.map_or(Move::Pass, |point| turn.at(point))
}

/// The point that captures the most stones.
fn captures_most(turn: &GoTurn, candidates: &[Point]) -> Option<Point> {
    let gain = |&point: &Point| gain(turn, point);
    candidates.iter().copied().filter(|point| gain(point) > 0).max_by_key(|point| (gain(point), Reverse(*point)))
}

/// The number of stones that playing at `point` captures.
fn gain(turn: &GoTurn, point: Point) -> u32 {
    let mut next = turn.position.clone();
    next.play(point, turn.colour)
}

/// The point that saves the largest chain in atari that can be saved: the only liberty of that chain, if a stone there
/// is not in atari itself.
fn escape(turn: &GoTurn, candidates: &[Point]) -> Option<Point> {
    let mut own: Vec<Chain> = turn.position.chains().filter(|chain| chain.colour() == turn.colour).collect();
    own.sort_by_key(|chain| Reverse(chain.stone_count()));
    let ways_out = own.iter().filter_map(Chain::only_liberty);
    ways_out.into_iter().find(|point| candidates.contains(point) && is_safe(turn, *point))
}

/// The point that puts a chain of the opponent into atari: one of the chain's two liberties, where the new stone is not
/// in atari itself. Of several chains, it is the largest.
fn attack(turn: &GoTurn, candidates: &[Point]) -> Option<Point> {
    let mut foes: Vec<(Chain, Vec<Point>)> = turn
        .position
        .chains()
        .filter(|chain| chain.colour() != turn.colour)
        .map(|chain| (chain, chain.liberties().take(3).collect()))
        .collect();
    foes.retain(|(_, liberties)| liberties.len() == 2);
    foes.sort_by_key(|(chain, _)| Reverse(chain.stone_count()));
    let points = foes.iter().flat_map(|(_, liberties)| liberties);
    points.copied().find(|point| candidates.contains(point) && is_safe(turn, *point))
}

/// A random point where the new stone is not in atari.
fn anywhere(turn: &GoTurn, candidates: &[Point]) -> Option<Point> {
    let mut drawn = candidates.to_vec();
    turn.rng().shuffle(&mut drawn);
    drawn.into_iter().find(|point| is_safe(turn, *point))
}

fn is_safe(turn: &GoTurn, point: Point) -> bool {
    liberties_after(&turn.position, point, turn.colour, 2) > 1
}
