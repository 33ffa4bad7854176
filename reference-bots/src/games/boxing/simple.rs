//! Strategies that do not calculate: at most they look two moves ahead.

use super::{BoxingTurn, fingerprint};
use cornerman::game::Spot;
use cornerman::games::boxing::{HEIGHT, SpotSet, Square, WIDTH};
use cornerman::rng::Rng;
use std::cmp::Reverse;

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

/// Mirror: the opponent's last square, rotated by 180 degrees about the centre.
///
/// On an arena that is symmetric about its centre, this wins for the seat that moves first: take the middle, then
/// answer every move with its image, which is still vacant because all squares came in pairs. If the arena is not
/// symmetric, the image is sometimes taken. Then, as for the first move, the bot takes the largest square in the
/// middle, or if that is taken too, the largest anywhere.
///
/// An arena does not show which square came last, so this bot remembers how it left the arena (B9).
pub fn mirror(turn: &BoxingTurn) -> Square {
    let vacancy = turn.arena.vacant();
    turn.replies
        .iter()
        .map(|&square| image(square))
        .find(|&square| vacancy.fits(square))
        .or_else(|| middle(vacancy))
        .unwrap_or_else(|| greedy(turn))
}

/// `square` rotated by 180 degrees about the centre of the arena.
fn image(square: Square) -> Square {
    let Square { row, col, size } = square;
    Square { row: HEIGHT as u8 - size - row, col: WIDTH as u8 - size - col, size }
}

/// The largest vacant square that is its own image. The centre lies between spots, so its side is even.
fn middle(vacancy: SpotSet) -> Option<Square> {
    (2..=HEIGHT as u8)
        .step_by(2)
        .map(|size| Square { row: (HEIGHT as u8 - size) / 2, col: (WIDTH as u8 - size) / 2, size })
        .take_while(|&square| vacancy.fits(square))
        .last()
}

/// Parity: leave only single spots, and an even number of them.
///
/// Once no 2×2 fits anywhere, every move takes one spot, and the seat that faces an even number of spots loses. Call a
/// move that leaves such an arena *settling*. This bot looks two moves ahead: it makes a settling move if it can;
/// otherwise it takes the largest square after which the opponent has no settling move; otherwise the largest square,
/// in the hope that the opponent overlooks its chance.
///
/// While there is much room, no move settles the game, and the bot plays like greedy. Only the last few moves differ,
/// but against bots that do not look ahead they win nearly every game.
pub fn parity(turn: &BoxingTurn) -> Square {
    let vacancy = turn.arena.vacant();
    settling(vacancy).unwrap_or_else(|| {
        let mut moves: Vec<Square> = vacancy.squares().collect();
        moves.sort_by_key(|square| Reverse(square.size));
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
    use crate::games::boxing::bout;
    use cornerman::games::boxing::Arena;
    use proptest::prelude::*;
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

    #[test]
    fn on_a_symmetric_arena_the_mirror_wins_if_it_moves_first() {
        for opponent in [greedy, parity, random, smallest] {
            let game = bout(&Arena::open(), &mut [mirror, opponent]).unwrap();
            assert_eq!(game.winner, 0, "{game:?}");
        }
    }

    #[test]
    fn if_the_image_is_taken_the_middle_is_next_and_then_the_largest() {
        let mut arena = Arena::open();
        arena.fill(Square { row: 0, col: 0, size: 3 }, b'B');
        arena.set(Spot { row: 15, col: 31 }, b'o');
        let mut turn = BoxingTurn { arena, mark: b'A', replies: vec![Square { row: 0, col: 0, size: 3 }] };
        assert_eq!(mirror(&turn), Square { row: 0, col: 8, size: 16 });

        turn.arena.set(Spot { row: 7, col: 15 }, b'o');
        assert_eq!(mirror(&turn), greedy(&turn));
    }

    /// The turn with these top rows, where `-` is vacant; all other spots are unavailable.
    fn turn(rows: &[&str]) -> BoxingTurn {
        let mut spots = [[b'o'; 32]; 16];
        for (row, given) in spots.iter_mut().zip(rows) {
            row[..given.len()].copy_from_slice(given.as_bytes());
        }
        BoxingTurn { arena: Arena::from_rows(spots), mark: b'A', replies: Vec::new() }
    }

    fn check(rows: &[&str], expected: Square) {
        assert_eq!(parity(&turn(rows)), expected, "{rows:#?}");
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
        assert_eq!(settling(rooms.arena.vacant().without(parity(&rooms))), None);
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
