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

/// The gain of a round won.
const ROUND: i32 = 1 << 16;

/// The rounds by which an answer is judged.
#[derive(Clone, Copy)]
pub(super) enum Horizon {
    /// With each round, scores decay by a factor of 1 - 2^-n.
    Fading(u32),
    /// The rounds since the answer last lost one.
    Streak,
}

/// How a [`Panel`] judges answers, and when it follows one.
pub(super) struct PanelRules<const HORIZONS: usize> {
    pub horizons: [Horizon; HORIZONS],
    /// How fast the earnings of a horizon's champions decay, as for [`Horizon::Fading`].
    pub trust: u32,
    /// The average gain per round, in sixteenths of a round, that a champion must exceed to be followed: while
    /// following has not lost overall, and once it has.
    pub worth: [i32; 2],
}

/// Many answers for each round, of which a bot follows the one that the most trusted horizon judges best.
pub(super) struct Panel<const HORIZONS: usize> {
    rules: PanelRules<HORIZONS>,
    rng: Rng,
    /// The answers for the current round.
    answers: Vec<Option<Hand>>,
    /// What each answer would have earned, by horizon.
    scores: Vec<[Score; HORIZONS]>,
    /// The champions' hands for the current round, by horizon.
    champions: [Option<Hand>; HORIZONS],
    /// What the champions have earned, by horizon.
    earned: [Score; HORIZONS],
    /// Whether a champion is followed in the current round.
    follows: bool,
    /// The rounds won minus lost in all rounds in which a champion was followed.
    purse: i64,
}

impl<const HORIZONS: usize> Panel<HORIZONS> {
    pub(super) fn new(rules: PanelRules<HORIZONS>, seed: u16) -> Panel<HORIZONS> {
        Panel {
            rules,
            rng: Rng::new(seed.into()),
            answers: Vec::new(),
            scores: Vec::new(),
            champions: [None; HORIZONS],
            earned: [Score::default(); HORIZONS],
            follows: false,
            purse: 0,
        }
    }

    /// Scores the answers and the champions of the last round, in which this bot showed `own` and the opponent `foe`.
    pub(super) fn judge(&mut self, own: Hand, foe: Hand) {
        if self.follows {
            self.purse += own.gain_against(foe);
        }
        for (scores, answer) in self.scores.iter_mut().zip(&self.answers) {
            for (score, horizon) in scores.iter_mut().zip(self.rules.horizons) {
                match horizon {
                    Horizon::Fading(speed) => score.add(*answer, foe, speed),
                    Horizon::Streak => score.add_to_streak(*answer, foe),
                }
            }
        }
        for (earned, champion) in self.earned.iter_mut().zip(self.champions) {
            earned.add(champion, foe, self.rules.trust);
        }
    }

    /// The hand for the next round, for which these are the answers.
    pub(super) fn choose(&mut self, answers: impl Iterator<Item = Option<Hand>>) -> Hand {
        self.answers.clear();
        self.answers.extend(answers);
        self.scores.resize(self.answers.len(), [Score::default(); HORIZONS]);
        self.champions = std::array::from_fn(|horizon| self.champion(horizon));
        // Drawn in every round, so that the random numbers do not depend on whether they are used.
        let lot = draw(&mut self.rng);
        let trusted = self.earned.iter().zip(self.champions).max_by_key(|(earned, _)| **earned);
        let demanded = self.rules.worth[usize::from(self.purse < 0)];
        let followed = trusted.filter(|(earned, _)| earned.exceeds(demanded)).and_then(|(_, champion)| champion);
        self.follows = followed.is_some();
        followed.unwrap_or(lot)
    }

    /// The answer with the highest score over the horizon with this index.
    fn champion(&self, horizon: usize) -> Option<Hand> {
        let given = self.answers.iter().zip(&self.scores).filter(|(answer, _)| answer.is_some());
        let (answer, _) = given.max_by_key(|(_, scores)| scores[horizon])?;
        *answer
    }
}

/// Begins a game.
pub fn start(seed: u16) -> Box<dyn Strategy> {
    // After following has lost overall, luck alone rarely reaches what is demanded.
    let rules = PanelRules { horizons: [2, 4, 7].map(Horizon::Fading), trust: 5, worth: [1, 8] };
    let mut panel = Panel::new(rules, seed);
    let mut heads = all_heads();
    Box::new(move |history: &History| {
        if let Some((own, foe)) = history.last() {
            panel.judge(own, foe);
            for head in &mut heads {
                head.learn(own, foe);
            }
        }
        panel.choose(heads.iter().flat_map(answers_to))
    })
}

/// The answers to the predictions of a head: three depths, each for either side.
fn answers_to(head: &Predictor) -> impl Iterator<Item = Option<Hand>> {
    let [own, foe] = head.expects();
    (0..3).flat_map(move |depth| [foe, own].map(|hand| hand.map(|hand| hand.turned(depth))))
}

/// A decaying average of the gain per round, between minus and plus [`ROUND`]; for [`Horizon::Streak`], the number of
/// rounds won since the last one lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score(i32);

impl Score {
    /// Adds a round in which `hand` met `foe`; the past decays by a factor of 1 - 2^-`speed`.
    pub(super) fn add(&mut self, hand: Option<Hand>, foe: Hand, speed: u32) {
        let gain = hand.map_or(0, |hand| hand.gain_against(foe) as i32 * ROUND);
        self.0 += (gain - self.0) >> speed;
    }

    /// Counts a round if it is won; a lost one sets the count to 0.
    fn add_to_streak(&mut self, hand: Option<Hand>, foe: Hand) {
        match hand.map_or(0, |hand| hand.gain_against(foe)) {
            -1 => self.0 = 0,
            gain => self.0 += gain as i32,
        }
    }

    /// The weight of a vote: it grows with the square of what was gained, and is 0 without a gain.
    pub(super) fn votes(self) -> i32 {
        let gain = self.0.max(0) >> 8;
        gain * gain
    }

    /// Whether the average gain per round is more than this many sixteenths of a round.
    fn exceeds(self, sixteenths: i32) -> bool {
        self.0 > sixteenths * (ROUND / 16)
    }
}
