//! Hydra: many predictors ("heads"), of which the bot follows the one that has recently been right most often.
//!
//! A head predicts a hand of each side. A prediction of the opponent's hand can be beaten. A prediction of our own hand
//! is what an opponent with the same head expects of us, and will beat. Either side can think one or two steps further,
//! so each prediction has three answers, one for each depth of "they know that I know". Every answer has a score over a
//! short, a middle and a long horizon. The answer with the highest score is the horizon's champion, and the bot follows
//! the horizon whose champions have earned the most. If none earns enough, the opponent may be predicting us, so a
//! random hand is best. After following has lost more than it won, the bot demands a higher score, so that even an
//! opponent that knows its algorithm wins little.

pub(super) mod heads;

use super::draw;
use super::{History, Strategy};
use cornerman::games::rps::Hand;
use cornerman::rng::Rng;
use heads::{Predictor, all_heads};

/// How fast horizons forget: with each round, scores decay by a factor of 1 - 2^-n.
const HORIZONS: [u32; 3] = [2, 4, 7];
/// How fast the earnings of a horizon's champions decay, in the same unit.
const TRUST: u32 = 5;
/// The gain of a round won.
const ROUND: i32 = 1 << 16;
/// The average gain per round from which a champion is followed, while following has not lost overall.
const WORTH_FOLLOWING: i32 = ROUND / 16;
/// The same after following has lost overall; luck alone rarely reaches it.
const WORTH_A_RISK: i32 = ROUND / 2;
/// The answers to the predictions of one head: three depths for each side.
const ANSWERS: usize = 6;

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Strategy> {
    Box::new(Hydra::new(seed))
}

struct Hydra {
    rng: Rng,
    heads: Vec<Predictor>,
    /// What each answer would have earned, by horizon.
    scores: Vec<[Score; HORIZONS.len()]>,
    /// The answers for the current round.
    answers: Vec<Option<Hand>>,
    /// The champions' hands for the current round, and what champions have earned, by horizon.
    champions: [Option<Hand>; HORIZONS.len()],
    earned: [Score; HORIZONS.len()],
    /// Whether a champion is followed in the current round, and the rounds won minus lost in all such rounds.
    following: bool,
    purse: i64,
}

impl Hydra {
    fn new(seed: u16) -> Hydra {
        let heads = all_heads();
        let answers = heads.len() * ANSWERS;
        Hydra {
            rng: Rng::new(seed.into()),
            heads,
            scores: vec![[Score(0); HORIZONS.len()]; answers],
            answers: vec![None; answers],
            champions: [None; HORIZONS.len()],
            earned: [Score(0); HORIZONS.len()],
            following: false,
            purse: 0,
        }
    }

    /// Scores the answers of the last round, in which `own` met `foe`.
    fn judge(&mut self, own: Hand, foe: Hand) {
        if self.following {
            self.purse += own.against(foe).gain();
        }
        for (scores, answer) in self.scores.iter_mut().zip(&self.answers) {
            for (score, speed) in scores.iter_mut().zip(HORIZONS) {
                score.add(*answer, foe, speed);
            }
        }
        for (earned, champion) in self.earned.iter_mut().zip(self.champions) {
            earned.add(champion, foe, TRUST);
        }
    }

    /// Collects the answers of all heads for the next round.
    fn listen(&mut self) {
        for (answers, head) in self.answers.chunks_mut(ANSWERS).zip(&self.heads) {
            let [own, foe] = head.expects();
            for (depth, pair) in (0u8..).zip(answers.chunks_mut(2)) {
                pair[0] = foe.map(|hand| hand.turned(depth));
                pair[1] = own.map(|hand| hand.turned(depth));
            }
        }
        self.champions = std::array::from_fn(|horizon| self.champion(horizon));
    }

    fn champion(&self, horizon: usize) -> Option<Hand> {
        let spoken = self.answers.iter().zip(&self.scores).filter(|(answer, _)| answer.is_some());
        *spoken.max_by_key(|(_, scores)| scores[horizon].0)?.0
    }
}

impl Strategy for Hydra {
    fn choose(&mut self, history: &History) -> Hand {
        if let Some((own, foe)) = history.last() {
            self.judge(own, foe);
            for head in &mut self.heads {
                head.learn(own, foe);
            }
        }
        self.listen();
        // Drawn in every round, so that the random numbers do not depend on whether they are used.
        let lot = draw(&mut self.rng);
        let trusted = self.earned.iter().zip(self.champions).max_by_key(|(earned, _)| earned.0);
        let due = if self.purse < 0 { WORTH_A_RISK } else { WORTH_FOLLOWING };
        let followed = trusted.filter(|(earned, _)| earned.0 > due).and_then(|(_, champion)| champion);
        self.following = followed.is_some();
        followed.unwrap_or(lot)
    }
}

/// A decaying average of the gain per round, between minus and plus [`ROUND`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score(i32);

impl Score {
    /// Adds a round in which `hand` met `foe`; the past decays by a factor of 1 - 2^-`speed`.
    pub(super) fn add(&mut self, hand: Option<Hand>, foe: Hand, speed: u32) {
        let gain = hand.map_or(0, |hand| hand.against(foe).gain() as i32 * ROUND);
        self.0 += (gain - self.0) >> speed;
    }

    /// Adds a round to the rounds won since the last one lost.
    pub(super) fn add_to_streak(&mut self, hand: Option<Hand>, foe: Hand) {
        match hand.map_or(0, |hand| hand.against(foe).gain()) {
            -1 => self.0 = 0,
            gain => self.0 += gain as i32,
        }
    }

    /// The weight of a vote: it grows with the square of what was gained, and is 0 without a gain.
    pub(super) fn votes(self) -> i32 {
        let gain = self.0.max(0) >> 8;
        gain * gain
    }

    /// Whether more was gained per round than this share of a round, in 1/16.
    pub(super) fn exceeds(self, sixteenths: i32) -> bool {
        self.0 > sixteenths * (ROUND / 16)
    }
}
