//! Built-in opponents, each of which has a rule for its next hand.

use crate::protocol::lines::game;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::games::rps::Hand;
use cornerman::rng::Rng;
use std::io;

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

impl game::Opponent for Opponent {
    fn reply(&mut self, _: &dyn LiveGame, _: Seat, answers: &[Vec<u8>]) -> io::Result<Option<Reply>> {
        // Like any player, it has seen only the hands of earlier rounds.
        let (_, before) = answers.split_last().unwrap_or((&Vec::new(), &[]));
        let last = before.last().and_then(|line| Hand::read(line).ok());
        Ok(Some(Reply::Notation(self.hand(before.len(), last).digit().to_string())))
    }
}

impl Opponent {
    /// A description of the opponent, after "against".
    pub(super) fn in_words(self) -> String {
        let shows = match self {
            Opponent::Always(hand) => return format!("an opponent that always shows {hand}"),
            Opponent::Cycle(1) => "0, 1 and 2 in turn",
            Opponent::Cycle(_) => "0, 2 and 1 in turn",
            Opponent::Random(_) => "random hands",
            Opponent::AllPatterns => "every sequence of five hands",
            Opponent::FollowsBot(0) => "the bot's last hand",
            Opponent::FollowsBot(1) => "what beats the bot's last hand",
            Opponent::FollowsBot(_) => "what the bot's last hand beats",
        };
        format!("an opponent that shows {shows}")
    }

    /// The opponent's hand in round `round`, counted from 0, where `last` is the bot's hand in the round before.
    fn hand(self, round: usize, last: Option<Hand>) -> Hand {
        let turned = |steps: u64| Hand::Rock.turned((steps % 3) as u8);
        match self {
            Opponent::Always(hand) => hand,
            Opponent::Cycle(steps) => turned(round as u64 * u64::from(steps)),
            Opponent::Random(seed) => turned(Rng::new(seed ^ (round as u64) << 32).below(3)),
            Opponent::AllPatterns => turned(pattern(round)),
            Opponent::FollowsBot(steps) => last.map_or(Hand::Rock, |last| last.turned(steps)),
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
        let drawn = |seed| (0..50).map(|round| Opponent::Random(seed).hand(round, None)).collect::<Vec<_>>();
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert!(Hand::ALL.iter().all(|hand| drawn(7).contains(hand)));
    }

    #[test]
    fn an_opponent_that_follows_the_bot_sees_only_finished_rounds() {
        use crate::protocol::lines::game::Opponent as _;
        let game = crate::games::rps::PLAIN.lines();
        let (live, _) = game.game.open().unwrap();
        let answers = [b"1".to_vec(), b"0".to_vec()];
        let shown = |count| Opponent::FollowsBot(1).reply(live.as_ref(), Seat(1), &answers[..count]).unwrap();
        assert_eq!([1, 2].map(shown), ["0", "2"].map(|hand| Some(Reply::Notation(hand.to_string()))));
    }
}
