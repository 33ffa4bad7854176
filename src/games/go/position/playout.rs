//! Playouts: random games to the end, with which a bot estimates a position.

use super::{Point, Position};
use crate::games::go::Colour;
use crate::rng::Rng;

impl Position {
    /// Plays random moves, beginning with `colour`, until both colours can play only into their own eyes, or for at
    /// most three moves per point of the board. Returns the number of moves, not counting the final passes.
    ///
    /// A move is the first playable one in the list of empty points, from a random index on. That takes a single random
    /// number, and all playable moves are nearly equally likely.
    pub fn play_out(&mut self, mut colour: Colour, rng: &mut Rng) -> u32 {
        let most = 3 * u32::from(self.size) * u32::from(self.size);
        let mut moves = 0;
        let mut passes = 0;
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

    /// A random point where `colour` may play and that is not one of its own eyes, if there is one.
    pub fn random_move(&self, colour: Colour, rng: &mut Rng) -> Option<Point> {
        let empties = self.empties();
        // Scaling the upper half of a random number avoids a division and is close enough to uniform.
        let from = (((rng.draw() >> 32) * empties.len() as u64) >> 32) as usize;
        let (head, tail) = empties.split_at(from);
        let playable = |&&point: &&Point| self.is_legal(point, colour) && !self.is_own_eye(point, colour);
        tail.iter().chain(head).find(playable).copied()
    }
}
