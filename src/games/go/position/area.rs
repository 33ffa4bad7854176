//! Area, which is a player's stones and the empty points that only they surround (G2), and random moves, with which a
//! bot plays on to the end of a game to estimate a position.

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

    /// A random point where `colour` may play and that is not one of its own eyes, if there is one: the first such
    /// point in the list of empty ones, from a random index on. This takes a single random number, but the points are
    /// not equally likely: a point is found from its own index and from all indices between it and the last such point
    /// before it.
    pub fn random_move(&self, colour: Colour, rng: &mut Rng) -> Option<Point> {
        let empties = self.empties();
        // Scaling the upper half of a random number avoids a division and is close enough to uniform.
        let from = (((rng.draw() >> 32) * empties.len() as u64) >> 32) as usize;
        let (head, tail) = empties.split_at(from);
        let playable = |&&point: &&Point| self.is_legal(point, colour) && !self.is_own_eye(point, colour);
        tail.iter().chain(head).find(playable).copied()
    }
}
