//! Kraken: `hydra` with longer arms.
//!
//! Some of its predictors are whole bots that it imagines in the opponent's seat: they see the game from there, and it
//! beats the hands that they would show. So an opponent that works like one of them is recognized from the first
//! rounds. Other predictors look for the longest stretch of earlier rounds that went like the last ones, for one side
//! or both (as in Iocaine Powder).
//!
//! Each answer has scores over more horizons, from the last two rounds to hundreds, and it believes the horizon whose
//! champions have paid in the last rounds (as in Phasenbott). Between strong bots every habit is answered soon, so the
//! side that changes first gains.
//!
//! It is careful: while there is little to gain, it draws hands by lot, which give nothing away.

use super::hydra::heads::{Predictor, all_heads};
use super::hydra::{self, Horizon, Panel, PanelRules};
use super::predicting::{LONGEST, repeated};
use super::{History, Strategy, beat_last, chorus, counter, echo, frequency, markov};
use cornerman::games::rps::Hand;

/// The horizons of answers.
const HORIZONS: [Horizon; 6] = [
    Horizon::Fading(1),
    Horizon::Fading(2),
    Horizon::Fading(4),
    Horizon::Fading(6),
    Horizon::Fading(8),
    Horizon::Streak,
];
/// The number of answers to one prediction: the opponent may think 0, 1 or 2 steps further.
const DEPTHS: u8 = 3;

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Strategy> {
    // An opponent's random hands cannot be foreseen, so the imagined bots have a seed that no bot is sent.
    let imagined = [beat_last, frequency, markov, echo, chorus, counter, hydra::start];
    Box::new(Kraken {
        // Trust that decays by half each round: mostly the last two rounds decide which horizon to believe.
        panel: Panel::new(PanelRules { horizons: HORIZONS, trust: 1, worth: [1, 4] }, seed),
        heads: all_heads(),
        imagined: imagined.map(|start| start(u16::MAX)).into(),
        seen_from_there: History::default(),
    })
}

struct Kraken {
    panel: Panel<{ HORIZONS.len() }>,
    heads: Vec<Predictor>,
    /// The bots imagined in the opponent's seat.
    imagined: Vec<Box<dyn Strategy>>,
    /// The rounds as the opponent sees them.
    seen_from_there: History,
}

impl Kraken {
    /// The hands that the predictors expect of either side in the next round.
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
}

impl Strategy for Kraken {
    fn choose(&mut self, history: &History) -> Hand {
        if let Some((own, foe)) = history.last() {
            self.panel.judge(own, foe);
            for head in &mut self.heads {
                head.learn(own, foe);
            }
            self.seen_from_there.push(foe, own);
        }
        let expected = self.predictions(history).into_iter();
        self.panel
            .choose(expected.flat_map(|hand| (0..DEPTHS).map(move |depth| hand.map(|hand| hand.turned(depth)))))
    }
}
