//! Mirror: the opponent's last square, rotated by 180 degrees about the centre.
//!
//! On an arena that is symmetric about its centre, this wins for the seat that moves first: take the middle, then
//! answer every move with its image, which is still vacant because all squares came in pairs. If the arena is not
//! symmetric, the image is sometimes taken. Then, as for the first move, the bot takes the largest square in the
//! middle, or if that is taken too, the largest anywhere.
//!
//! An arena does not show which square came last, so this bot remembers how it left the arena (B9).

use super::{BoxingTurn, greedy};
use cornerman::games::boxing::{HEIGHT, SpotSet, Square, WIDTH};

/// The image of a reply, otherwise the largest square in the middle, otherwise the largest of all.
pub fn choose(turn: &BoxingTurn) -> Square {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::boxing::{bout, parity, random, smallest};
    use cornerman::games::boxing::Arena;

    #[test]
    fn on_a_symmetric_arena_the_mirror_wins_if_it_moves_first() {
        for opponent in [greedy, parity::choose, random, smallest] {
            let game = bout(&Arena::open(), &mut [choose, opponent]).unwrap();
            assert_eq!(game.winner, 0, "{game:?}");
        }
    }

    #[test]
    fn if_the_image_is_taken_the_middle_is_next_and_then_the_largest() {
        let mut arena = Arena::open();
        arena.fill(Square { row: 0, col: 0, size: 3 }, b'B');
        arena.set(cornerman::game::Spot { row: 15, col: 31 }, b'o');
        let mut turn = BoxingTurn { arena, mark: b'A', replies: vec![Square { row: 0, col: 0, size: 3 }] };
        assert_eq!(choose(&turn), Square { row: 0, col: 8, size: 16 });

        turn.arena.set(cornerman::game::Spot { row: 7, col: 15 }, b'o');
        assert_eq!(choose(&turn), greedy(&turn));
    }
}
