//! Built-in opponents, each of which has a rule for its next hand.

use cornerman::games::rps::Hand;
use cornerman::rng::Rng;

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// Shows the same hand in all rounds.
    Always(Hand),
    /// Advances by this number of steps in each round.
    Cycle(u8),
    /// Shows random hands, with this seed.
    Random(u64),
    /// Shows every sequence of [`PATTERN_LENGTH`] hands.
    AllPatterns,
    /// Shows the bot's last hand advanced by this number of steps: 0 is the same, 1 what beats it, 2 what it beats.
    FollowsBot(u8),
}

/// The length of the sequences of [`Opponent::AllPatterns`].
pub(super) const PATTERN_LENGTH: u32 = 5;

impl Opponent {
    /// The opponent's hand in round `round`, counted from 0, where `bots` are the bot's hands in the rounds before.
    pub(super) fn hand(self, round: usize, bots: &[Hand]) -> Hand {
        let turned = |steps: u64| Hand::Rock.turned((steps % 3) as u8);
        match self {
            Opponent::Always(hand) => hand,
            Opponent::Cycle(steps) => turned(round as u64 * u64::from(steps)),
            Opponent::Random(seed) => turned(Rng::new(seed ^ (round as u64) << 32).below(3)),
            Opponent::AllPatterns => turned(pattern(round)),
            // Like any player, it has seen only the hands of earlier rounds, even if `bots` has more.
            Opponent::FollowsBot(steps) => {
                round.checked_sub(1).map_or(Hand::Rock, |last| bots[last].turned(steps))
            }
        }
    }
}

/// The number of hand `round` in the concatenation of all sequences of [`PATTERN_LENGTH`] hands.
fn pattern(round: usize) -> u64 {
    let number = round as u64 / u64::from(PATTERN_LENGTH);
    let place = (round % PATTERN_LENGTH as usize) as u32;
    number / 3_u64.pow(PATTERN_LENGTH - 1 - place) % 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_patterns_contain_every_sequence() {
        let all: Vec<u64> = (0..243 * 5).map(pattern).collect();
        assert_eq!(all.chunks(5).collect::<BTreeSet<_>>().len(), 243);
    }

    #[test]
    fn random_hands_vary_and_depend_on_the_seed() {
        let drawn = |seed| (0..50).map(|round| Opponent::Random(seed).hand(round, &[])).collect::<Vec<_>>();
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert!(Hand::ALL.iter().all(|hand| drawn(7).contains(hand)));
    }

    #[test]
    fn an_opponent_that_follows_the_bot_sees_only_finished_rounds() {
        let bots = [Hand::Paper, Hand::Rock];
        assert_eq!(
            [0, 1, 2].map(|round| Opponent::FollowsBot(1).hand(round, &bots)),
            [Hand::Rock, Hand::Scissors, Hand::Paper]
        );
    }
}
