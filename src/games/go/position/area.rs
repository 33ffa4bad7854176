//! The end of a game: random games to it, with which a bot estimates a position, and area, which is a player's stones and
//! the empty points that only they surround (G2).

use super::chain::PointSet;
use super::{POINTS, Point, Position};
use crate::games::go::Colour;
use crate::rng::Rng;

impl Position {
    /// The areas of black and white in points. All stones count as alive. A region of empty points belongs to neither
    /// colour if stones of both, or of none, surround it.
    pub fn area(&self) -> [u32; 2] {
        let mut area = [0; 2];
        self.each_region(|points, owner| {
            if let Some(owner) = owner {
                area[owner as usize] += points.len() as u32;
            }
        });
        let stones = |colour| self.points().filter(|&point| self.at(point) == Some(colour)).count() as u32;
        Colour::BOTH.map(|colour| area[colour as usize] + stones(colour))
    }

    /// Calls `visit` with the points of each empty region and the colour that alone surrounds it, if there is one.
    fn each_region(&self, mut visit: impl FnMut(&[Point], Option<Colour>)) {
        let mut seen = PointSet::default();
        let mut region = [Point(0); POINTS];
        for &seed in self.empties() {
            if !seen.insert(seed) {
                continue;
            }
            region[0] = seed;
            let mut done = 0;
            let mut found = 1;
            let mut touched = [false; 2];
            while done < found {
                for beside in self.neighbours(region[done]) {
                    match self.at(beside) {
                        Some(colour) => touched[colour as usize] = true,
                        None if seen.insert(beside) => {
                            region[found] = beside;
                            found += 1;
                        }
                        None => {}
                    }
                }
                done += 1;
            }
            let owner = match touched {
                [true, false] => Some(Colour::Black),
                [false, true] => Some(Colour::White),
                _ => None,
            };
            visit(&region[..found], owner);
        }
    }
}

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
