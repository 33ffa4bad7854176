//! Strategies of a few lines each.

use super::{History, Strategy, Tally};
use cornerman::games::rps::Hand;
use cornerman::rng::Rng;

/// Rock: always rock.
pub fn rock(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|_: &History| Hand::Rock)
}

/// Rotate: rock, paper, scissors, rock and so on.
pub fn rotate(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| history.own.last().map_or(Hand::Rock, |own| own.turned(1)))
}

/// Beat-last: the hand that beats the opponent's last hand.
pub fn beat_last(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| history.foes.last().map_or(Hand::Rock, |foe| foe.beaten_by()))
}

/// Frequency: the hand that beats the opponent's most frequent hand.
pub fn frequency(_seed: u16) -> Box<dyn Strategy> {
    let mut shown = Tally::default();
    Box::new(move |history: &History| {
        if let Some(foe) = history.foes.last() {
            shown.add(*foe);
        }
        shown.most().map_or(Hand::Rock, Hand::beaten_by)
    })
}

/// Random: all hands equally likely, whatever the opponent does. In the long run, no bot beats it, and it beats none.
pub fn random(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    Box::new(move |_: &History| draw(&mut rng))
}

pub(super) fn draw(rng: &mut Rng) -> Hand {
    Hand::Rock.turned(rng.below(3) as u8)
}

/// Markov: the hand that beats what the opponent has shown most often after a round like the last one.
pub fn markov(_seed: u16) -> Box<dyn Strategy> {
    // How often each of the opponent's hands followed a round, by own and opponent's hand of that round.
    let mut followed = [[Tally::default(); 3]; 3];
    let mut before = None;
    Box::new(move |history: &History| {
        let Some((own, foe)) = history.last() else { return Hand::Rock };
        let at = |(own, foe): (Hand, Hand)| (usize::from(own.number()), usize::from(foe.number()));
        if let Some((own, foes)) = before.replace((own, foe)).map(at) {
            followed[own][foes].add(foe);
        }
        let (own, foes) = at((own, foe));
        followed[own][foes].most().map_or(Hand::Rock, Hand::beaten_by)
    })
}
