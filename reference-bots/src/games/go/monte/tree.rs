//! The tree of the moves thought of: each with how the games went in which it was made, and how those went in which
//! it was made at any time later (RAVE).

use super::playout::{self, Firsts};
use super::winner;
use crate::games::go::{Turn, liberties_after};
use cornerman::games::go::{Colour, Move, Point, Position};
use cornerman::rng::Rng;
use std::ops::Range;

/// So often a position is come to before the moves from it are told apart.
const EXPANDED_AT: u32 = 6;

/// After so many games a move's own and those of RAVE weigh about the same.
const EQUIVALENT: f32 = 1200.0;

/// So many games, as it were, a first guess at a move weighs.
const GUESSED: f32 = 16.0;

/// A move that was thought of, and the position after it.
struct Node {
    /// Where; `None` is a pass.
    point: Option<Point>,
    /// Games in which it was made here.
    games: f32,
    /// Of those, won by whoever made it.
    won: f32,
    /// Games in which it was made here or later, with the guessed ones.
    later: f32,
    /// Of those, won by whoever made it.
    later_won: f32,
    /// The moves that can follow; none as long as nobody looked.
    follow: Range<u32>,
}

impl Node {
    /// A move of which only a guess is known: how much of the games it wins.
    fn guessed(point: Option<Point>, guess: f32) -> Node {
        Node { point, games: 0.0, won: 0.0, later: GUESSED, later_won: GUESSED * guess, follow: 0..0 }
    }

    /// How good it looks to whoever makes it, from 0 to 1.
    fn value(&self) -> f32 {
        let weight = (EQUIVALENT / (3.0 * self.games + EQUIVALENT)).sqrt();
        let own = if self.games > 0.0 { self.won / self.games } else { 0.0 };
        (1.0 - weight) * own + weight * self.later_won / self.later
    }
}

/// The tree above a turn.
pub struct Tree {
    /// The turn's own position first.
    nodes: Vec<Node>,
    rng: Rng,
}

impl Tree {
    /// Above `turn`, from which `candidates` can be played.
    pub fn new(turn: &Turn, candidates: &[Point]) -> Tree {
        let mut tree = Tree { nodes: vec![Node::guessed(None, 0.5)], rng: turn.rng() };
        tree.expand(0, &turn.position, turn.colour, candidates.to_vec());
        tree
    }

    /// The move that most games were played with; `None` is a pass.
    pub fn best(&self) -> Option<Point> {
        let follow = &self.nodes[as_indices(&self.nodes[0].follow)];
        follow.iter().max_by(|a, b| a.games.total_cmp(&b.games)).and_then(|node| node.point)
    }

    /// Goes down the tree where it looks best, and plays the game from there to its end.
    pub fn play_out(&mut self, turn: &Turn) {
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
            playout::play(&mut position, colour, last.flatten(), &mut self.rng, &mut firsts);
        }
        self.learn(&path, turn.colour, winner(&position), &mut firsts);
    }

    /// Notes how a game went that took `path` from `colour`'s turn, from its end to its beginning.
    fn learn(&mut self, path: &[usize], colour: Colour, winner: Option<Colour>, firsts: &mut Firsts) {
        let share = |colour: Colour| winner.map_or(0.5, |won| if won == colour { 1.0 } else { 0.0 });
        for (depth, &at) in path.iter().enumerate().rev() {
            // Whose turn it is after the moves to here; the last of them was the other's.
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

    fn best_looking(&self, at: usize) -> usize {
        let follow = as_indices(&self.nodes[at].follow);
        let better = |&a: &usize, &b: &usize| self.nodes[a].value().total_cmp(&self.nodes[b].value());
        follow.max_by(better).expect("one can always pass")
    }

    /// Adds the moves at `points`, and a pass, to what can follow the node `at`.
    fn expand(&mut self, at: usize, position: &Position, colour: Colour, mut points: Vec<Point>) {
        // What looks the same is not to be looked at from the top left.
        self.rng.shuffle(&mut points);
        let first = self.nodes.len() as u32;
        self.nodes.push(Node::guessed(None, 0.05));
        self.nodes.extend(points.iter().map(|&point| Node::guessed(Some(point), guess(position, point, colour))));
        self.nodes[at].follow = first..self.nodes.len() as u32;
    }
}

/// How much of the games a move is likely to win, before any was played.
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
