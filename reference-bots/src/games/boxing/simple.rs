//! Strategies without a memory, of a few lines each.

use super::{BoxingTurn, fingerprint};
use cornerman::game::Spot;
use cornerman::games::boxing::Square;
use cornerman::rng::Rng;

/// First-fit: the first vacant spot in reading order, and the largest square with its top left corner there.
///
/// It fills the arena from the top, like a page of text.
pub fn first_fit(turn: &BoxingTurn) -> Square {
    let vacancy = turn.arena.vacant();
    let corner = vacancy.spots().next().expect("a turn has a vacant spot");
    (1..)
        .map(|size| Square { row: corner.row, col: corner.col, size })
        .take_while(|&square| vacancy.fits(square))
        .last()
        .expect("a vacant spot is a square of one")
}

/// Smallest: the first vacant spot in reading order.
///
/// This makes the longest games. All decisions are left to the opponent, so it shows what a bot does on its own.
pub fn smallest(turn: &BoxingTurn) -> Square {
    turn.arena.vacant().squares().next().expect("a turn has a vacant spot")
}

/// Greedy: the largest square, and of several the first in reading order.
///
/// Most people write this first. It makes short games with many marks, but only the last spot wins (B3), and for that
/// it is no better than random.
pub fn greedy(turn: &BoxingTurn) -> Square {
    let (size, corners) = turn.arena.vacant().anchors_by_size().last().expect("a turn has a vacant spot");
    let Spot { row, col } = corners.spots().next().expect("sizes without a corner are not listed");
    Square { row, col, size }
}

/// Random: any legal square, all equally likely.
///
/// The random numbers are seeded from the arena and the mark, so that the same turn always has the same move, and games
/// can be repeated.
pub fn random(turn: &BoxingTurn) -> Square {
    let vacancy = turn.arena.vacant();
    let mut rng = Rng::new(fingerprint(&turn.arena.to_bytes()) ^ u64::from(turn.mark));
    let lot = rng.below(u64::from(vacancy.count_squares()));
    vacancy.squares().nth(lot as usize).expect("the lot is below the number of squares")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::boxing::Arena;
    use std::collections::BTreeSet;

    #[test]
    fn every_legal_square_is_drawn_and_a_turn_always_gets_the_same() {
        let mut arena = Arena::from_rows([[b'o'; 32]; 16]);
        for spot in (Square { row: 7, col: 9, size: 2 }).spots() {
            arena.set(spot, b'-');
        }
        let drawn: BTreeSet<Square> = (b'A'..=b'Z')
            .chain(b'0'..=b'9')
            .map(|mark| {
                let turn = BoxingTurn { arena: arena.clone(), mark, replies: Vec::new() };
                assert_eq!(random(&turn), random(&turn));
                random(&turn)
            })
            .collect();
        assert_eq!(drawn, arena.vacant().squares().collect());
    }
}
