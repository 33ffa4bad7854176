//! Opponents, played within this process: each a rule for its next hand.

use cornerman::games::rps::Hand;
use cornerman::rng::Rng;

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Always the same hand.
    Always(Hand),
    /// In a circle, so many steps further each round.
    Cycle(u8),
    /// Random from this seed.
    Random(u64),
    /// Every sequence of [`PATTERN_LENGTH`] hands.
    AllPatterns,
    /// The bot's last hand, turned by so many steps: its own, what beats it, what it beats.
    FollowsBot(u8),
}

/// The length of the sequences of [`Opponent::AllPatterns`].
pub const PATTERN_LENGTH: u32 = 5;

impl Opponent {
    /// Its hands for `rounds` rounds, where `bots` are the bot's hands of the rounds before: the hand of round
    /// `round`, from 0.
    pub fn hand(self, round: usize, bots: &[Hand]) -> Hand {
        let turned = |steps: u64| Hand::Rock.turned((steps % 3) as u8);
        match self {
            Opponent::Always(hand) => hand,
            Opponent::Cycle(steps) => turned(round as u64 * u64::from(steps)),
            Opponent::Random(seed) => turned(Rng::new(seed ^ (round as u64) << 32).below(3)),
            Opponent::AllPatterns => turned(pattern(round)),
            // The last hand that was seen before this one, as for any player.
            Opponent::FollowsBot(steps) => {
                round.checked_sub(1).map_or(Hand::Rock, |last| bots[last].turned(steps))
            }
        }
    }
}

/// Hand `round` of all sequences of [`PATTERN_LENGTH`] hands, one written after another.
fn pattern(round: usize) -> u64 {
    let (number, place) = (round as u64 / u64::from(PATTERN_LENGTH), (round % PATTERN_LENGTH as usize) as u32);
    number / 3_u64.pow(PATTERN_LENGTH - 1 - place) % 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn patterns_have_every_sequence() {
        let all: Vec<u64> = (0..243 * 5).map(pattern).collect();
        assert_eq!(all.chunks(5).collect::<BTreeSet<_>>().len(), 243);
    }

    #[test]
    fn drawn_hands_are_all_there_and_the_same_again() {
        let drawn = |seed| (0..50).map(|round| Opponent::Random(seed).hand(round, &[])).collect::<Vec<_>>();
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert!(Hand::ALL.iter().all(|hand| drawn(7).contains(hand)));
    }

    #[test]
    fn who_follows_the_bot_sees_only_rounds_that_are_over() {
        let bots = [Hand::Paper, Hand::Rock];
        assert_eq!(
            [0, 1, 2].map(|round| Opponent::FollowsBot(1).hand(round, &bots)),
            [Hand::Rock, Hand::Scissors, Hand::Paper]
        );
    }
}
