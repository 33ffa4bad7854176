//! Hydra: many heads, each with an expectation of its own, of which the one speaks that was right of late.
//!
//! A head expects a hand of each side. What it expects of the opponent can be beaten; what it expects of us
//! is what an opponent with the same head expects, and so is what that opponent will beat. And who knows that
//! can go one or two steps further: each expectation has three answers, one for every depth of "he knows
//! that I know". All answers are kept score of over short, middle and long horizons. A horizon's champion is
//! the answer with the highest score; the horizon whose champions have earned most is followed; and if none
//! earns anything, the opponent sees through us, and a hand drawn by lot is the best there is. Who has lost by
//! following asks for more before it follows again, so that even an opponent that knows all this wins little.

mod heads;

use super::{Idea, Past, random};
use cornerman::games::rps::Hand;
use cornerman::lots::Lots;
use heads::{Head, all_heads};

/// How fast horizons forget: a round's weight is halved within about this power of two of rounds.
const HORIZONS: [u32; 3] = [2, 4, 7];
/// How fast it is forgotten what a horizon's champions have earned, in the same measure.
const TRUST: u32 = 5;
/// What a round won adds, before it is forgotten.
const ROUND: i32 = 1 << 16;
/// The average gain a round from which a champion is followed rather than the lot, as long as following has
/// cost nothing on the whole.
const WORTH_FOLLOWING: i32 = ROUND / 16;
/// The same once it has: luck alone hardly ever brings as much.
const WORTH_A_RISK: i32 = ROUND / 2;
/// Answers to what one head expects: three depths for each side.
const ANSWERS: usize = 6;

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Idea> {
    Box::new(Hydra::new(seed))
}

struct Hydra {
    lots: Lots,
    heads: Vec<Head>,
    /// What each answer would have earned, by horizon.
    scores: Vec<[Score; HORIZONS.len()]>,
    /// What each answer was for the round under way.
    answers: Vec<Option<Hand>>,
    /// The champions' hands for the round under way, by horizon, and what champions have earned.
    champions: [Option<Hand>; HORIZONS.len()],
    earned: [Score; HORIZONS.len()],
    /// Whether a champion was followed in the round under way, and the rounds won minus lost in all such.
    following: bool,
    purse: i64,
}

impl Hydra {
    fn new(seed: u16) -> Hydra {
        let heads = all_heads();
        let answers = heads.len() * ANSWERS;
        Hydra {
            lots: Lots::new(seed.into()),
            heads,
            scores: vec![[Score(0); HORIZONS.len()]; answers],
            answers: vec![None; answers],
            champions: [None; HORIZONS.len()],
            earned: [Score(0); HORIZONS.len()],
            following: false,
            purse: 0,
        }
    }

    /// Keeps score of what was said before the round `own` against `foe`.
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

    /// Has all heads speak about the next round.
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

impl Idea for Hydra {
    fn choose(&mut self, past: &Past) -> Hand {
        if let Some((own, foe)) = past.last() {
            self.judge(own, foe);
            self.heads.iter_mut().for_each(|head| head.learn(own, foe));
        }
        self.listen();
        // Drawn every round, so that the lot says nothing about whether it was followed.
        let lot = random::draw(&mut self.lots);
        let trusted = self.earned.iter().zip(self.champions).max_by_key(|(earned, _)| earned.0);
        let due = if self.purse < 0 { WORTH_A_RISK } else { WORTH_FOLLOWING };
        let followed = trusted.filter(|(earned, _)| earned.0 > due).and_then(|(_, champion)| champion);
        self.following = followed.is_some();
        followed.unwrap_or(lot)
    }
}

/// What something has earned a round, of late the most: between minus and plus [`ROUND`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Score(i32);

impl Score {
    /// Counts a round in which `hand` met `foe`; the past loses a part in 2^`speed`.
    fn add(&mut self, hand: Option<Hand>, foe: Hand, speed: u32) {
        let gain = hand.map_or(0, |hand| hand.against(foe).gain() as i32 * ROUND);
        self.0 += (gain - self.0) >> speed;
    }
}
