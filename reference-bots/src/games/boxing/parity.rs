//! Parity: leave only single spots, and an even number of them.
//!
//! Once no 2×2 fits anywhere, every move takes one spot, and the seat that faces an even number of spots loses. Call a
//! move that leaves such an arena *settling*. This bot looks two moves ahead: it makes a settling move if it can;
//! otherwise it takes the largest square after which the opponent has no settling move; otherwise the largest square,
//! in the hope that the opponent overlooks its chance.
//!
//! While there is much room, no move settles the game, and the bot plays like greedy. Only the last few moves differ,
//! but against bots that do not look ahead they win nearly every game.

use super::BoxingTurn;
use cornerman::games::boxing::{SpotSet, Square};

/// A settling move, otherwise the largest square without a settling reply, otherwise the largest square.
pub fn choose(turn: &BoxingTurn) -> Square {
    let vacancy = turn.arena.vacant();
    settling(vacancy).unwrap_or_else(|| {
        let mut moves: Vec<Square> = vacancy.squares().collect();
        moves.sort_by_key(|square| core::cmp::Reverse(square.size));
        let safe = moves.iter().find(|&&square| settling(vacancy.without(square)).is_none());
        *safe.or(moves.first()).expect("a turn has a vacant spot")
    })
}

/// A move that leaves an even number of vacant spots and no 2×2 among them.
fn settling(vacancy: SpotSet) -> Option<Square> {
    let pairs = vacancy.anchors(2);
    let extent = Extent::from_spots(pairs);
    let odd = vacancy.count() % 2;
    vacancy.squares().find(|&square| {
        square.area() % 2 == odd && extent.is_touched_by(square) && vacancy.without(square).anchors(2).is_empty()
    })
}

/// The range of rows and columns in which every 2×2 has its corner. Only a square that spans the range can take a spot
/// of each 2×2; this rules out nearly all squares before they are tried on the arena.
struct Extent {
    rows: Option<(u8, u8)>,
    cols: (u8, u8),
}

impl Extent {
    fn from_spots(corners: SpotSet) -> Extent {
        let all = corners.0.iter().fold(0, |all, row| all | row);
        let occupied = |row: &u32| *row != 0;
        let top = corners.0.iter().position(occupied);
        let bottom = corners.0.iter().rposition(occupied);
        Extent {
            rows: top.zip(bottom).map(|(top, bottom)| (top as u8, bottom as u8)),
            cols: (all.trailing_zeros() as u8, 31u32.saturating_sub(all.leading_zeros()) as u8),
        }
    }

    /// Whether `square` meets both the first and the last 2×2 in each direction.
    fn is_touched_by(&self, square: Square) -> bool {
        let meets = |from: u8, (first, last): (u8, u8)| from <= first + 1 && from + square.size > last;
        self.rows.is_none_or(|rows| meets(square.row, rows) && meets(square.col, self.cols))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::boxing::Arena;
    use proptest::prelude::*;

    /// The turn with these top rows, where `-` is vacant; all other spots are unavailable.
    fn turn(rows: &[&str]) -> BoxingTurn {
        let mut spots = [[b'o'; 32]; 16];
        for (row, given) in spots.iter_mut().zip(rows) {
            row[..given.len()].copy_from_slice(given.as_bytes());
        }
        BoxingTurn { arena: Arena::from_rows(spots), mark: b'A', replies: Vec::new() }
    }

    fn check(rows: &[&str], expected: Square) {
        assert_eq!(choose(&turn(rows)), expected, "{rows:#?}");
    }

    #[test]
    fn it_leaves_an_even_number_of_single_spots() {
        // Taking the 2x2 would leave one spot; taking the spot at the side would leave the 2x2 to the opponent.
        check(&["--o-", "--oo"], Square { row: 0, col: 0, size: 1 });
        check(&["--o-", "--o-"], Square { row: 0, col: 0, size: 2 });
    }

    #[test]
    fn it_leaves_no_settling_reply_if_it_can() {
        // Each player settles one of the two rooms; the one that leaves a single room loses.
        let rooms = turn(&["--o--o-", "--o--oo"]);
        assert_eq!(settling(rooms.arena.vacant()), None);
        assert_eq!(settling(rooms.arena.vacant().without(choose(&rooms))), None);
    }

    /// Random vacant spots in a rectangle of random size: in a whole arena, settled positions would be rare.
    fn vacancies() -> impl Strategy<Value = SpotSet> {
        let rows = prop::array::uniform16((any::<u32>(), any::<u32>()));
        (rows, any::<bool>(), 1usize..=16, 1u32..=32, 0u32..32).prop_map(|(rows, dense, tall, wide, left)| {
            let columns = (u32::MAX >> (32 - wide)) << left;
            let bits = |(a, b): (u32, u32)| if dense { (a | b) & columns } else { a & b & columns };
            SpotSet(core::array::from_fn(|row| if row < tall { bits(rows[row]) } else { 0 }))
        })
    }

    proptest! {
        #[test]
        fn no_settling_move_is_overlooked(vacancy in vacancies()) {
            let settles = |square: &Square| {
                let left = vacancy.without(*square);
                left.count() % 2 == 0 && left.anchors(2).is_empty()
            };
            prop_assert_eq!(settling(vacancy), vacancy.squares().find(settles));
        }
    }
}
