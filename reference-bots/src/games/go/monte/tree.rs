//! The search tree: each move has statistics of the games in which it was made, and of those in which it was made at
//! any later time (RAVE).

use super::winner;
use super::{Firsts, play_out};
use crate::games::go::{GoTurn, liberties_after};
use cornerman::games::go::{Colour, Move, Point, Position};
use cornerman::rng::Rng;
use std::ops::Range;

/// The number of visits to a position before its moves are added to the tree.
const EXPANDED_AT: u32 = 6;

/// The number of games after which a move's own statistics and those of RAVE weigh about the same.
const EQUIVALENT: f32 = 1200.0;

/// The number of games that the first guess about a move counts for.
const GUESSED: f32 = 16.0;

/// A move, and the position after it.
struct Node {
    /// The point played; `None` is a pass.
    point: Option<Point>,
    /// Games in which it was made here.
    games: f32,
    /// Those of them that its colour won; a tie counts as half a game.
    won: f32,
    /// Games in which it was made here or later, including the guessed ones.
    later: f32,
    /// Those of them that its colour won.
    later_won: f32,
    /// The indices of the moves that can follow; empty until they are added to the tree.
    follow: Range<u32>,
}

impl Node {
    /// A move with only a guess of the share of games that it wins.
    fn guessed(point: Option<Point>, guess: f32) -> Node {
        Node { point, games: 0.0, won: 0.0, later: GUESSED, later_won: GUESSED * guess, follow: 0..0 }
    }

    /// The estimated share of games that its colour wins, from 0 to 1.
    fn value(&self) -> f32 {
        let weight = (EQUIVALENT / (3.0 * self.games + EQUIVALENT)).sqrt();
        let own = if self.games > 0.0 { self.won / self.games } else { 0.0 };
        (1.0 - weight) * own + weight * self.later_won / self.later
    }
}

/// The search tree of a turn.
pub(super) struct SearchTree {
    /// All moves; the first node is the turn's own position.
    nodes: Vec<Node>,
    rng: Rng,
}

impl SearchTree {
    /// The tree of `turn`, in which `candidates` can be played.
    pub(super) fn new(turn: &GoTurn, candidates: &[Point]) -> SearchTree {
        let mut tree = SearchTree { nodes: vec![Node::guessed(None, 0.5)], rng: turn.rng() };
        tree.expand(0, &turn.position, turn.colour, candidates.to_vec());
        tree
    }

    /// The move that was made in the most games; `None` is a pass.
    pub(super) fn best(&self) -> Option<Point> {
        let follow = &self.nodes[as_indices(&self.nodes[0].follow)];
        follow.iter().max_by(|a, b| a.games.total_cmp(&b.games)).and_then(|node| node.point)
    }

    /// Follows the most promising moves to the edge of the tree, and plays the game from there to its end.
    pub(super) fn play_out(&mut self, turn: &GoTurn) {
        let mut position = turn.position.clone();
        let mut colour = turn.colour;
        let mut last = turn.last.map(|m| point_of(&position, m));
        let mut path = vec![0];
        let mut is_over = false;
        while !is_over {
            let at = path[path.len() - 1];
            if self.nodes[at].follow.is_empty() {
                if self.nodes[at].games < EXPANDED_AT as f32 {
                    break;
                }
                let worth = |&p: &Point| position.is_legal(p, colour) && !position.is_own_eye(p, colour);
                self.expand(at, &position, colour, position.points().filter(worth).collect());
            }
            let next = self.best_looking(at);
            let point = self.nodes[next].point;
            match point {
                Some(point) => {
                    position.play(point, colour);
                }
                None => position.pass(),
            }
            is_over = point.is_none() && last == Some(None);
            (last, colour) = (Some(point), colour.other());
            path.push(next);
        }
        let mut firsts: Firsts = [None; Position::MAX_POINTS];
        if !is_over {
            play_out(&mut position, colour, last.flatten(), &mut self.rng, &mut firsts);
        }
        self.learn(&path, turn.colour, winner(&position), &mut firsts);
    }

    /// Adds a game to the statistics, from its end to its beginning; it followed `path` from `colour`'s turn.
    fn learn(&mut self, path: &[usize], colour: Colour, winner: Option<Colour>, firsts: &mut Firsts) {
        let share = |colour: Colour| winner.map_or(0.5, |won| if won == colour { 1.0 } else { 0.0 });
        for (depth, &at) in path.iter().enumerate().rev() {
            // The colour to move after this node; the node's own move was the other colour's.
            let to_move = if depth % 2 == 0 { colour } else { colour.other() };
            let won = share(to_move);
            let follow = as_indices(&self.nodes[at].follow);
            for node in &mut self.nodes[follow] {
                if node.point.is_some_and(|point| firsts[point.index()] == Some(to_move)) {
                    node.later += 1.0;
                    node.later_won += won;
                }
            }
            let node = &mut self.nodes[at];
            node.games += 1.0;
            node.won += 1.0 - won;
            if let Some(point) = node.point {
                firsts[point.index()] = Some(to_move.other());
            }
        }
    }

    /// The index of the move with the highest [`Node::value`] of those that can follow the node `at`.
    fn best_looking(&self, at: usize) -> usize {
        let follow = as_indices(&self.nodes[at].follow);
        let better = |&a: &usize, &b: &usize| self.nodes[a].value().total_cmp(&self.nodes[b].value());
        follow.max_by(better).expect("one can always pass")
    }

    /// Adds the moves at `points`, and a pass, as moves that can follow the node `at`.
    fn expand(&mut self, at: usize, position: &Position, colour: Colour, mut points: Vec<Point>) {
        // Moves of equal value must not be preferred by their place on the board.
        self.rng.shuffle(&mut points);
        let first = self.nodes.len() as u32;
        self.nodes.push(Node::guessed(None, 0.05));
        self.nodes.extend(points.iter().map(|&point| Node::guessed(Some(point), guess(position, point, colour))));
        self.nodes[at].follow = first..self.nodes.len() as u32;
    }
}

/// A guess of the share of games that a move wins, before any was played.
fn guess(position: &Position, point: Point, colour: Colour) -> f32 {
    let takes = |p: Point| {
        position.at(p) == Some(colour.other()) && position.chain(p).is_some_and(|c| c.only_liberty().is_some())
    };
    if position.neighbours(point).any(takes) {
        return 0.8;
    }
    let vacant = position.neighbours(point).filter(|&beside| position.at(beside).is_none()).count();
    if vacant < 2 && liberties_after(position, point, colour, 2) < 2 {
        return 0.1;
    }
    let spot = position.spot(point);
    let line = [spot.row, spot.col].map(|at| at.min(position.size() - 1 - at)).into_iter().min().unwrap_or(0);
    let alone = vacant == position.neighbours(point).count();
    // By the distance from the edge: a stone without neighbours is worth less on the first two lines.
    match line {
        0 if alone => 0.3,
        1 if alone => 0.42,
        2 | 3 => 0.52,
        _ => 0.5,
    }
}

fn point_of(position: &Position, m: Move) -> Option<Point> {
    match m {
        Move::Place(spot) => Some(position.point(spot)),
        Move::Pass => None,
    }
}

fn as_indices(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
