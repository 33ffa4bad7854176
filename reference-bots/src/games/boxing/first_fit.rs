//! First-fit: the first vacant spot in reading order, and the largest square with its top left corner there.
//!
//! It fills the arena from the top, like a page of text.

use super::Turn;
use cornerman::games::boxing::Square;

/// The largest square at the first vacant spot.
pub fn choose(turn: &Turn) -> Square {
    let vacancy = turn.arena.vacant();
    let corner = vacancy.spots().next().expect("a turn has a vacant spot");
    (1..)
        .map(|size| Square { row: corner.row, col: corner.col, size })
        .take_while(|&square| vacancy.fits(square))
        .last()
        .expect("a vacant spot is a square of one")
}
