//! Hydra's heads: each looks at some of the last rounds, and predicts what followed the same rounds before.

use cornerman::games::rps::Hand;
use std::collections::HashMap;

/// A predictor.
pub(in crate::games::rps) struct Head {
    sees: Sees,
    /// The number of last rounds that it looks at.
    rounds: u32,
    /// The number of rounds learnt.
    learnt: u32,
    /// The last rounds as it sees them, with a digit for each in base 9.
    now: u64,
    memory: Memory,
}

/// The side whose hands a head looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sees {
    Own,
    Foes,
    Both,
}

/// The hands that followed each sequence of rounds, own hand first.
enum Memory {
    /// Only the last occurrence counts.
    Latest(HashMap<u64, [Hand; 2]>),
    /// Every occurrence counts; with each new one, the earlier ones decay by a factor of 1 - 2^-`fade`.
    Weighed { fade: u32, followed: HashMap<u64, [Weights; 2]> },
}

/// A decay by a sixteenth, and by a 256th.
const FAST: u32 = 4;
const SLOW: u32 = 8;
/// No decay, because weights have fewer bits.
const NEVER: u32 = 63;

/// The heads that remember all of the last four rounds or fewer, of either side or both.
pub(in crate::games::rps) fn voices() -> Vec<Head> {
    let sees = [Sees::Own, Sees::Foes, Sees::Both];
    let heads = sees.map(|sees| [1, 2, 3, 4].map(|rounds| Head::new(sees, rounds, weighed(SLOW))));
    heads.into_iter().flatten().collect()
}

fn latest() -> Memory {
    Memory::Latest(HashMap::new())
}

fn weighed(fade: u32) -> Memory {
    Memory::Weighed { fade, followed: HashMap::new() }
}

/// All heads of a new game.
pub(in crate::games::rps) fn all_heads() -> Vec<Head> {
    let mut heads = vec![];
    for fade in [FAST, NEVER] {
        heads.push(Head::new(Sees::Both, 0, weighed(fade)));
        for sees in [Sees::Own, Sees::Foes, Sees::Both] {
            heads.extend([1, 2, 3].map(|rounds| Head::new(sees, rounds, weighed(fade))));
        }
    }
    for sees in [Sees::Own, Sees::Foes, Sees::Both] {
        heads.extend([1, 2, 3, 4, 6, 9].map(|rounds| Head::new(sees, rounds, latest())));
    }
    heads
}

impl Head {
    fn new(sees: Sees, rounds: u32, memory: Memory) -> Head {
        Head { sees, rounds, learnt: 0, now: 0, memory }
    }

    /// Learns a round.
    pub(in crate::games::rps) fn learn(&mut self, own: Hand, foe: Hand) {
        if self.learnt >= self.rounds {
            match &mut self.memory {
                Memory::Latest(followed) => drop(followed.insert(self.now, [own, foe])),
                Memory::Weighed { fade, followed } => {
                    let weights = followed.entry(self.now).or_default();
                    weights[0].add(own, *fade);
                    weights[1].add(foe, *fade);
                }
            }
        }
        let digit = match self.sees {
            Sees::Own => own.number(),
            Sees::Foes => foe.number(),
            Sees::Both => own.number() * 3 + foe.number(),
        };
        self.now = (self.now * 9 + u64::from(digit)) % 9u64.pow(self.rounds);
        self.learnt += 1;
    }

    /// Its prediction for the next round: our hand, then the opponent's; `None` if it has not seen these rounds before.
    pub(in crate::games::rps) fn expects(&self) -> [Option<Hand>; 2] {
        let seen = self.learnt >= self.rounds;
        match &self.memory {
            Memory::Latest(followed) => {
                followed.get(&self.now).filter(|_| seen).map_or([None; 2], |hands| hands.map(Some))
            }
            Memory::Weighed { followed, .. } => followed
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
    fn check(sees: Sees, rounds: u32, memory: Memory, foes: &[u8], due: Option<u8>) {
        let mut head = Head::new(sees, rounds, memory);
        for &foe in foes {
            head.learn(Hand::Rock, Hand::ALL[usize::from(foe)]);
        }
        assert_eq!(head.expects()[1].map(Hand::number), due, "{rounds} of {foes:?}");
        assert_eq!(head.expects()[0], due.map(|_| Hand::Rock));
    }

    #[test]
    fn latest_predicts_what_followed_the_last_time() {
        check(Sees::Foes, 1, latest(), &[0, 1, 2], None);
        check(Sees::Foes, 1, latest(), &[0, 1, 0, 2, 0], Some(2));
        check(Sees::Foes, 2, latest(), &[0, 1, 0, 2, 0, 1], Some(0));
        check(Sees::Both, 2, latest(), &[0, 1, 2, 2, 0, 1], Some(2));
        check(Sees::Own, 1, latest(), &[0, 1, 2], Some(2));
    }

    #[test]
    fn weighed_predicts_what_followed_most_often() {
        check(Sees::Both, 0, weighed(FAST), &[], None);
        check(Sees::Both, 0, weighed(FAST), &[1, 1, 2], Some(1));
        check(Sees::Foes, 1, weighed(FAST), &[0, 1, 0, 1, 0, 2, 0], Some(1));
    }

    #[test]
    fn too_few_rounds_give_no_prediction() {
        check(Sees::Foes, 4, latest(), &[0, 0, 0], None);
        check(Sees::Foes, 4, latest(), &[0, 0, 0, 0], None);
        check(Sees::Foes, 4, latest(), &[0, 0, 0, 0, 0], Some(0));
    }
}
