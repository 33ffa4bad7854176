//! Random: any legal square, all equally likely.
//!
//! The random numbers are seeded from the arena and the mark, so that the same turn always has the same move, and games
//! can be repeated.

use super::{Turn, fingerprint};
use cornerman::games::boxing::Square;
use cornerman::rng::Rng;

/// A random legal square.
pub fn choose(turn: &Turn) -> Square {
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
                let turn = Turn { arena: arena.clone(), mark, replies: Vec::new() };
                assert_eq!(choose(&turn), choose(&turn));
                choose(&turn)
            })
            .collect();
        assert_eq!(drawn, arena.vacant().squares().collect());
    }
}
