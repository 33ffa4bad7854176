//! Hydra's heads: each looks at some of the last rounds, and expects what followed when they were so before.

use cornerman::games::rps::Hand;
use std::collections::HashMap;

/// A head.
pub(super) struct Head {
    sees: Sees,
    /// How many of the last rounds it looks at.
    rounds: u32,
    /// Rounds learnt.
    learnt: u32,
    /// What it sees now: a digit a round, in base 9.
    now: u64,
    memory: Memory,
}

/// Whose hands a head looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sees {
    Own,
    Foes,
    Both,
}

/// What has followed on what was seen, by side, own hand first.
enum Memory {
    /// Only the last time counts.
    Latest(HashMap<u64, [Hand; 2]>),
    /// Every time counts; before another does, the past fades by a part in 2^`fade`.
    Weighed { fade: u32, followed: HashMap<u64, [Weights; 2]> },
}

/// Fades by a sixteenth a time.
const FAST: u32 = 4;
/// Weights have fewer bits: nothing fades.
const NEVER: u32 = 63;

/// Every head there is.
pub(super) fn all_heads() -> Vec<Head> {
    let latest = || Memory::Latest(HashMap::new());
    let weighed = |fade| Memory::Weighed { fade, followed: HashMap::new() };
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
    pub(super) fn learn(&mut self, own: Hand, foe: Hand) {
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

    /// What it expects of us and of the opponent in the next round.
    pub(super) fn expects(&self) -> [Option<Hand>; 2] {
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

/// How much speaks for each hand, by its number.
#[derive(Clone, Copy, Default)]
struct Weights([u64; 3]);

impl Weights {
    /// Lets the past fade and adds `hand`.
    fn add(&mut self, hand: Hand, fade: u32) {
        self.0.iter_mut().for_each(|weight| *weight -= *weight >> fade);
        self.0[usize::from(hand.number())] += 1 << 16;
    }

    /// The hand that most speaks for, of several the first.
    fn heaviest(&self) -> Hand {
        let weight = |hand: Hand| self.0[usize::from(hand.number())];
        Hand::ALL
            .into_iter()
            .reduce(|most, hand| if weight(hand) > weight(most) { hand } else { most })
            .expect("three")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a head expects of the opponent after it has seen the `foes` of so many rounds, we always rock.
    #[track_caller]
    fn check(sees: Sees, rounds: u32, memory: Memory, foes: &[u8], due: Option<u8>) {
        let mut head = Head::new(sees, rounds, memory);
        foes.iter().for_each(|&foe| head.learn(Hand::Rock, Hand::ALL[usize::from(foe)]));
        assert_eq!(head.expects()[1].map(Hand::number), due, "{rounds} of {foes:?}");
        assert_eq!(head.expects()[0], due.map(|_| Hand::Rock));
    }

    fn latest() -> Memory {
        Memory::Latest(HashMap::new())
    }

    fn weighed() -> Memory {
        Memory::Weighed { fade: FAST, followed: HashMap::new() }
    }

    #[test]
    fn what_followed_the_last_time_is_expected() {
        check(Sees::Foes, 1, latest(), &[0, 1, 2], None);
        check(Sees::Foes, 1, latest(), &[0, 1, 0, 2, 0], Some(2));
        check(Sees::Foes, 2, latest(), &[0, 1, 0, 2, 0, 1], Some(0));
        check(Sees::Both, 2, latest(), &[0, 1, 2, 2, 0, 1], Some(2));
        check(Sees::Own, 1, latest(), &[0, 1, 2], Some(2));
    }

    #[test]
    fn what_followed_most_is_expected_of_a_head_that_weighs() {
        check(Sees::Both, 0, weighed(), &[], None);
        check(Sees::Both, 0, weighed(), &[1, 1, 2], Some(1));
        check(Sees::Foes, 1, weighed(), &[0, 1, 0, 1, 0, 2, 0], Some(1));
    }

    #[test]
    fn too_few_rounds_say_nothing() {
        check(Sees::Foes, 4, latest(), &[0, 0, 0], None);
        check(Sees::Foes, 4, latest(), &[0, 0, 0, 0], None);
        check(Sees::Foes, 4, latest(), &[0, 0, 0, 0, 0], Some(0));
    }
}
