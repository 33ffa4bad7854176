//! Random: all hands equally likely, whatever the opponent does. In the long run, no bot beats it, and it beats none.

use super::{History, Strategy};
use cornerman::games::rps::Hand;
use cornerman::rng::Rng;

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    Box::new(move |_: &History| draw(&mut rng))
}

/// A random hand.
pub(super) fn draw(rng: &mut Rng) -> Hand {
    Hand::Rock.turned(rng.below(3) as u8)
}
