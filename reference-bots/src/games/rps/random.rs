//! Random: each hand as likely as any other, whatever the opponent does. Nobody beats it, and it beats nobody.

use super::{Idea, Past};
use cornerman::games::rps::Hand;
use cornerman::lots::Lots;

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Idea> {
    let mut lots = Lots::new(seed.into());
    Box::new(move |_: &Past| draw(&mut lots))
}

/// A hand by lot.
pub(super) fn draw(lots: &mut Lots) -> Hand {
    Hand::Rock.turned(lots.below(3) as u8)
}
