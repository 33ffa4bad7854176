//! Rock: always rock.

use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|_: &History| Hand::Rock)
}
