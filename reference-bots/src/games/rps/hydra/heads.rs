//! Hydra's heads: each looks at some of the last rounds, and predicts what followed the same rounds before.

use cornerman::games::rps::Hand;
use std::collections::HashMap;

/// A predictor.
pub(in crate::games::rps) struct Predictor {
    sees: SideSeen,
    /// The number of last rounds that it looks at.
    rounds: u32,
    /// The number of rounds that it has learnt.
    learnt: u32,
    /// The last rounds as it sees them, one digit each in base 9.
    now: u64,
    memory: SequenceMemory,
}

/// The side whose hands a head looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SideSeen {
    Own,
    Foes,
    Both,
}

/// The hands that followed each sequence of rounds, own hand first.
enum SequenceMemory {
    /// Only the last occurrence counts.
    Latest(HashMap<u64, [Hand; 2]>),
    /// Every occurrence counts; with each new one, the earlier ones decay by a factor of 1 - 2^-`fade`.
    Weighed { fade: u32, followed: HashMap<u64, [Weights; 2]> },
}

/// A decay by a sixteenth.
const FAST: u32 = 4;
/// A decay by a 256th.
const SLOW: u32 = 8;
/// No decay: weights have fewer bits than this.
const NEVER: u32 = 63;

/// A head for each number of last rounds from 1 to 4, of either side or both, that hardly forgets.
pub(in crate::games::rps) fn voices() -> Vec<Predictor> {
    let sees = [SideSeen::Own, SideSeen::Foes, SideSeen::Both];
    let heads = sees.map(|sees| [1, 2, 3, 4].map(|rounds| Predictor::new(sees, rounds, weighed(SLOW))));
    heads.into_iter().flatten().collect()
}

fn latest() -> SequenceMemory {
    SequenceMemory::Latest(HashMap::new())
}

fn weighed(fade: u32) -> SequenceMemory {
    SequenceMemory::Weighed { fade, followed: HashMap::new() }
}

/// All heads of a new game.
pub(in crate::games::rps) fn all_heads() -> Vec<Predictor> {
    let mut heads = vec![];
    for fade in [FAST, NEVER] {
        heads.push(Predictor::new(SideSeen::Both, 0, weighed(fade)));
        for sees in [SideSeen::Own, SideSeen::Foes, SideSeen::Both] {
            heads.extend([1, 2, 3].map(|rounds| Predictor::new(sees, rounds, weighed(fade))));
        }
    }
    for sees in [SideSeen::Own, SideSeen::Foes, SideSeen::Both] {
        heads.extend([1, 2, 3, 4, 6, 9].map(|rounds| Predictor::new(sees, rounds, latest())));
    }
    heads
}

impl Predictor {
    fn new(sees: SideSeen, rounds: u32, memory: SequenceMemory) -> Predictor {
        Predictor { sees, rounds, learnt: 0, now: 0, memory }
    }

    /// Learns a round.
    pub(in crate::games::rps) fn learn(&mut self, own: Hand, foe: Hand) {
        if self.learnt >= self.rounds {
            match &mut self.memory {
                SequenceMemory::Latest(followed) => drop(followed.insert(self.now, [own, foe])),
                SequenceMemory::Weighed { fade, followed } => {
                    let weights = followed.entry(self.now).or_default();
                    weights[0].add(own, *fade);
                    weights[1].add(foe, *fade);
                }
            }
        }
        let digit = match self.sees {
            SideSeen::Own => own.number(),
            SideSeen::Foes => foe.number(),
            SideSeen::Both => own.number() * 3 + foe.number(),
        };
        self.now = (self.now * 9 + u64::from(digit)) % 9u64.pow(self.rounds);
        self.learnt += 1;
    }

    /// Its prediction for the next round: our hand, then the opponent's; `None` if it has not seen these rounds before.
    pub(in crate::games::rps) fn expects(&self) -> [Option<Hand>; 2] {
        let seen = self.learnt >= self.rounds;
        match &self.memory {
            SequenceMemory::Latest(followed) => {
                followed.get(&self.now).filter(|_| seen).map_or([None; 2], |hands| hands.map(Some))
            }
            SequenceMemory::Weighed { followed, .. } => followed
                .get(&self.now)
                .filter(|_| seen)
                .map_or([None; 2], |weights| weights.map(|weights| Some(weights.heaviest()))),
        }
    }
}

/// The weight of each hand, by its number.
#[derive(Clone, Copy, Default)]
struct Weights([u64; 3]);

impl Weights {
    /// Decays all weights, and adds to that of `hand`.
    fn add(&mut self, hand: Hand, fade: u32) {
        for weight in &mut self.0 {
            *weight -= *weight >> fade;
        }
        self.0[usize::from(hand.number())] += 1 << 16;
    }

    /// The hand with the largest weight, and of several the first.
    fn heaviest(&self) -> Hand {
        let weight = |hand: Hand| self.0[usize::from(hand.number())];
        Hand::ALL
            .into_iter()
            .reduce(|most, hand| if weight(hand) > weight(most) { hand } else { most })
            .expect("there are three hands")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what a head predicts of the opponent after these hands of the opponent against our rock.
    #[track_caller]
    fn check(sees: SideSeen, rounds: u32, memory: SequenceMemory, foes: &[u8], due: Option<u8>) {
        let mut head = Predictor::new(sees, rounds, memory);
        for &foe in foes {
            head.learn(Hand::Rock, Hand::ALL[usize::from(foe)]);
        }
        assert_eq!(head.expects()[1].map(Hand::number), due, "{rounds} of {foes:?}");
        assert_eq!(head.expects()[0], due.map(|_| Hand::Rock));
    }

    #[test]
    fn latest_predicts_what_followed_the_last_time() {
        check(SideSeen::Foes, 1, latest(), &[0, 1, 2], None);
        check(SideSeen::Foes, 1, latest(), &[0, 1, 0, 2, 0], Some(2));
        check(SideSeen::Foes, 2, latest(), &[0, 1, 0, 2, 0, 1], Some(0));
        check(SideSeen::Both, 2, latest(), &[0, 1, 2, 2, 0, 1], Some(2));
        check(SideSeen::Own, 1, latest(), &[0, 1, 2], Some(2));
    }

    #[test]
    fn weighed_predicts_what_followed_most_often() {
        check(SideSeen::Both, 0, weighed(FAST), &[], None);
        check(SideSeen::Both, 0, weighed(FAST), &[1, 1, 2], Some(1));
        check(SideSeen::Foes, 1, weighed(FAST), &[0, 1, 0, 1, 0, 2, 0], Some(1));
    }

    #[test]
    fn too_few_rounds_give_no_prediction() {
        check(SideSeen::Foes, 4, latest(), &[0, 0, 0], None);
        check(SideSeen::Foes, 4, latest(), &[0, 0, 0, 0], None);
        check(SideSeen::Foes, 4, latest(), &[0, 0, 0, 0, 0], Some(0));
    }
}
