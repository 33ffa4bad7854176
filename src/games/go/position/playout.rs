//! Random play to the end: what a bot's estimate of a position is made of.

use super::{Point, Position};
use crate::games::go::Colour;
use crate::rng::Rng;

impl Position {
    /// Plays on at random from `colour`'s move until neither can play but into its own eyes, or for three moves a
    /// point of the board: so many moves were made, the final passes not counted.
    ///
    /// A move is the first playable one in the list of empty points from a place drawn by lot, which is nearly
    /// every playable one with the same chance, for a single draw.
    pub fn play_out(&mut self, mut colour: Colour, rng: &mut Rng) -> u32 {
        let most = 3 * u32::from(self.size) * u32::from(self.size);
        let (mut moves, mut passes) = (0, 0);
        while passes < 2 && moves < most {
            match self.random_move(colour, rng) {
                Some(point) => {
                    self.play(point, colour);
                    (moves, passes) = (moves + 1, 0);
                }
                None => {
                    self.pass();
                    passes += 1;
                }
            }
            colour = colour.other();
        }
        moves
    }

    /// A legal point for `colour` drawn by lot that is none of its own eyes, if there is one.
    pub fn random_move(&self, colour: Colour, rng: &mut Rng) -> Option<Point> {
        let empties = self.empties();
        // The upper half of a draw scaled down: close enough to even, and without a division.
        let from = (((rng.draw() >> 32) * empties.len() as u64) >> 32) as usize;
        let (head, tail) = empties.split_at(from);
        let playable = |&&point: &&Point| self.is_legal(point, colour) && !self.is_own_eye(point, colour);
        tail.iter().chain(head).find(playable).copied()
    }
}
