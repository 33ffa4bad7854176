//! Kraken: `hydra` with longer arms. It adds three ideas.
//!
//! Some of its predictors are whole bots, which it imagines in the opponent's seat: they see the game from there, and what
//! they would show is beaten. So an opponent that works like one of them is known from its first rounds. Others look
//! for the longest stretch of earlier rounds that went like the last ones, for one side or both (as in Iocaine Powder).
//!
//! Each answer has scores over more horizons, from the last two rounds to the whole game, and so have the champions of
//! the horizons: it believes the horizon that has paid in the last rounds (as in Phasenbott). Between strong bots every
//! habit is answered soon, so the side that changes first gains.
//!
//! It is careful: with little to gain, a hand drawn by lot gives nothing away.

use super::echo::{LONGEST, repeated};
use super::hydra::heads::{Predictor, all_heads};
use super::hydra::{self, Score};
use super::{History, Strategy, beat_last, chorus, counter, draw, echo, frequency, markov};
use cornerman::games::rps::Hand;
use cornerman::rng::Rng;

/// How fast the horizons of answers forget: with each round, scores decay by a factor of 1 - 2^-n.
const HORIZONS: [u32; 5] = [1, 2, 4, 6, 8];
/// One more horizon: the rounds since an answer was last wrong.
const ALL_HORIZONS: usize = HORIZONS.len() + 1;
/// How fast the scores of their champions decay, in the same unit: mostly the last two rounds decide which to believe.
const TRUST: u32 = 1;
/// The average gain per round, in 1/16, from which a champion is followed: while following has paid, and otherwise.
const WORTH_FOLLOWING: i32 = 1;
const WORTH_A_RISK: i32 = 4;
/// The answers to one prediction: how many steps further the opponent may think.
const DEPTHS: u8 = 3;

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Strategy> {
    // What the imagined bots draw by lot cannot be foreseen, so they have a seed that no bot is sent.
    let imagined = [beat_last, frequency, markov, echo::start, chorus::start, counter::start, hydra::start];
    Box::new(Kraken {
        rng: Rng::new(seed.into()),
        heads: all_heads(),
        imagined: imagined.map(|start| start(u16::MAX)).into(),
        seen_from_there: History::default(),
        answers: Vec::new(),
        scores: Vec::new(),
        champions: [None; ALL_HORIZONS],
        earned: [Score::default(); ALL_HORIZONS],
        follows: false,
        purse: 0,
    })
}

struct Kraken {
    rng: Rng,
    heads: Vec<Predictor>,
    /// The bots imagined in the opponent's seat, and the rounds as the opponent sees them.
    imagined: Vec<Box<dyn Strategy>>,
    seen_from_there: History,
    /// The answers for the present round, and what each would have earned, by horizon.
    answers: Vec<Option<Hand>>,
    scores: Vec<[Score; ALL_HORIZONS]>,
    /// The hands of the horizons' champions for the present round, and what champions have earned.
    champions: [Option<Hand>; ALL_HORIZONS],
    earned: [Score; ALL_HORIZONS],
    /// Whether a champion is followed in the present round, and the rounds won minus lost in all such rounds.
    follows: bool,
    purse: i64,
}

impl Kraken {
    /// Scores the answers and the champions of the last round, in which `own` met `foe`.
    fn learn(&mut self, own: Hand, foe: Hand) {
        if self.follows {
            self.purse += own.against(foe).gain();
        }
        for (scores, answer) in self.scores.iter_mut().zip(&self.answers) {
            for (score, speed) in scores.iter_mut().zip(HORIZONS) {
                score.add(*answer, foe, speed);
            }
            scores[HORIZONS.len()].add_to_streak(*answer, foe);
        }
        for (earned, champion) in self.earned.iter_mut().zip(self.champions) {
            earned.add(champion, foe, TRUST);
        }
        for head in &mut self.heads {
            head.learn(own, foe);
        }
        self.seen_from_there.push(foe, own);
    }

    /// What the predictors expect of either side in the next round.
    fn predictions(&mut self, history: &History) -> Vec<Option<Hand>> {
        let mut expected: Vec<Option<Hand>> = self.heads.iter().flat_map(Predictor::expects).collect();
        type Alike = fn((Hand, Hand), (Hand, Hand)) -> bool;
        let alike: [Alike; 3] = [|a, b| a == b, |a, b| a.0 == b.0, |a, b| a.1 == b.1];
        for alike in alike {
            let round = repeated(history, LONGEST, alike);
            expected.extend([round.map(|round| history.own[round]), round.map(|round| history.foes[round])]);
        }
        let there = &self.seen_from_there;
        expected.extend(self.imagined.iter_mut().map(|bot| Some(bot.choose(there))));
        expected
    }

    fn champion(&self, horizon: usize) -> Option<Hand> {
        let spoken = self.answers.iter().zip(&self.scores).filter(|(answer, _)| answer.is_some());
        *spoken.max_by_key(|(_, scores)| scores[horizon])?.0
    }
}

impl Strategy for Kraken {
    fn choose(&mut self, history: &History) -> Hand {
        if let Some((own, foe)) = history.last() {
            self.learn(own, foe);
        }
        let expected = self.predictions(history);
        self.answers = expected
            .iter()
            .flat_map(|hand| (0..DEPTHS).map(|depth| hand.map(|hand| hand.turned(depth))))
            .collect();
        self.scores.resize(self.answers.len(), Default::default());
        self.champions = std::array::from_fn(|horizon| self.champion(horizon));
        // Drawn in every round, so that the random numbers do not depend on whether they are used.
        let lot = draw(&mut self.rng);
        let trusted = self.earned.iter().zip(self.champions).max_by_key(|(earned, _)| **earned);
        let due = if self.purse < 0 { WORTH_A_RISK } else { WORTH_FOLLOWING };
        let followed = trusted.filter(|(earned, _)| earned.exceeds(due)).and_then(|(_, champion)| champion);
        self.follows = followed.is_some();
        followed.unwrap_or(lot)
    }
}
