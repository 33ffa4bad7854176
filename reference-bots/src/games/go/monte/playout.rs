//! Plays a game to its end at random, except that it responds to ataris around the last move.

use cornerman::games::go::{Colour, Point, Position};
use cornerman::rng::Rng;

/// The colour that first played at each point of a board, by [`Point::index`].
pub(super) type Firsts = [Option<Colour>; Position::MAX_POINTS];

/// Plays on from `colour`'s turn until both colours have only their own eyes left to play, or for three moves for each
/// point of the board. Adds to `firsts` the points that were not played before.
pub(super) fn play(
    position: &mut Position,
    mut colour: Colour,
    mut last: Option<Point>,
    rng: &mut Rng,
    firsts: &mut Firsts,
) {
    let most = 3 * usize::from(position.size()).pow(2);
    let mut passes = 0;
    for _ in 0..most {
        let answer = last.and_then(|last| answer(position, last, colour));
        last = answer.or_else(|| position.random_move(colour, rng));
        match last {
            Some(point) => {
                position.play(point, colour);
                firsts[point.index()].get_or_insert(colour);
                passes = 0;
            }
            None => {
                position.pass();
                passes += 1;
            }
        }
        if passes == 2 {
            return;
        }
        colour = colour.other();
    }
}

/// Captures the chain of the last move if that is in atari, or saves a chain that the last move put into atari.
fn answer(position: &Position, last: Point, colour: Colour) -> Option<Point> {
    let legal = |point: &Point| position.is_legal(*point, colour);
    if let Some(prey) = position.chain(last).and_then(|chain| chain.only_liberty()).filter(legal) {
        return Some(prey);
    }
    let own = position.neighbours(last).filter(|&beside| position.at(beside) == Some(colour));
    let ways_out = own.filter_map(|beside| position.chain(beside)?.only_liberty());
    ways_out.filter(legal).find(|&way| opens(position, way, colour))
}

/// Whether a chain that escapes to `way` probably has more than one liberty there.
fn opens(position: &Position, way: Point, colour: Colour) -> bool {
    let gain = |beside: Point| match position.at(beside) {
        None => 1,
        Some(own) if own == colour && position.chain(beside).is_some_and(|c| c.only_liberty().is_none()) => 2,
        Some(_) => 0,
    };
    position.neighbours(way).map(gain).sum::<u32>() > 1
}
