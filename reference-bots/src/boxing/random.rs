//! Random: any legal square, each as likely as any other.
//!
//! The lot is drawn from the arena and the mark, so that the same turn gets the same move wherever and
//! whenever it is played, and a game with this bot in it can be played again.

use super::{Turn, fingerprint};
use cornerman::games::boxing::Square;
use cornerman::lots::Lots;

/// A legal square drawn by lot.
pub fn choose(turn: &Turn) -> Square {
    let vacancy = turn.arena.vacancy();
    let mut lots = Lots::new(fingerprint(&turn.arena.to_bytes()) ^ u64::from(turn.mark));
    let lot = lots.below(u64::from(vacancy.count_squares()));
    vacancy.squares().nth(lot as usize).expect("the lot is below the number of squares")
}
