//! The reference bots for rock-paper-scissors: what a bot knows before a round, and the strategies.
//!
//! Strategies do no input or output. [`serve`] makes a program of one; [`bout`] plays two against each other within one
//! process, which is how they are tested and measured.

pub mod hydra;
pub mod kraken;
mod predicting;
mod serve;
pub use predicting::{chorus, counter, echo};
pub use serve::serve;

use crate::Ladder;
use crate::templates::templates;
use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::rps::{Hand, Rps};
use cornerman::rng::Rng;

/// The rounds played so far: what a bot knows before the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The bot's hands, one for each round.
    pub own: Vec<Hand>,
    /// The opponent's hands in the same rounds.
    pub foes: Vec<Hand>,
}

impl History {
    /// The number of rounds played.
    pub fn rounds(&self) -> usize {
        self.foes.len()
    }

    /// The last round, own hand first; `None` before the first round ends.
    pub fn last(&self) -> Option<(Hand, Hand)> {
        Some((*self.own.last()?, *self.foes.last()?))
    }

    /// Adds a round.
    pub fn push(&mut self, own: Hand, foe: Hand) {
        self.own.push(own);
        self.foes.push(foe);
    }
}

/// A bot's strategy during one game, with any state that it needs.
pub trait Strategy {
    /// The hand for the next round. It is called once for each round, in order.
    fn choose(&mut self, history: &History) -> Hand;
}

impl<F: FnMut(&History) -> Hand> Strategy for F {
    fn choose(&mut self, history: &History) -> Hand {
        self(history)
    }
}

/// Starts a strategy for a game, with the seed that the bot is sent: its only source of randomness (R8).
pub type Start = fn(seed: u16) -> Box<dyn Strategy>;

/// The game's bots, the weakest first, by their games won in a round robin that included strategies of other people.
/// Only `rps-random`, which no bot beats, stands elsewhere.
pub const LADDER: Ladder = Ladder {
    bots: &[
        binary!("rps", "rock", "always rock"),
        binary!("rps", "random", "rps-random", "all hands equally likely, drawn from the seed"),
        binary!("rps", "rotate", "rock, paper, scissors, and again from rock"),
        binary!("rps", "frequency", "beats the opponent's most frequent hand"),
        binary!("rps", "beat-last", "beats the opponent's last hand"),
        binary!("rps", "markov", "beats the hand that most often followed a round like the last"),
        binary!("rps", "chorus", "a dozen predictors vote; those that were right of late have more votes"),
        binary!("rps", "echo", "expects what followed the longest stretch that went like the last rounds"),
        binary!("rps", "counter", "predicts both sides, and thinks a step further than the opponent if that pays"),
        binary!("rps", "hydra", "many predictors of both sides; follows the one that has been right of late"),
        binary!(
            "rps",
            "kraken",
            "more predictors, some of them whole bots that it imagines in the opponent's seat"
        ),
    ],
    templates: templates!("rps"),
};

/// The strategies by the bots' ids, in the order of [`LADDER`], for games within one process.
pub const STRATEGIES: &[(&str, Start)] = &[
    ("rock", rock),
    ("rps-random", random),
    ("rotate", rotate),
    ("frequency", frequency),
    ("beat-last", beat_last),
    ("markov", markov),
    ("chorus", chorus),
    ("echo", echo),
    ("counter", counter),
    ("hydra", hydra::start),
    ("kraken", kraken::start),
];

/// How often each hand was shown.
#[derive(Clone, Copy, Debug, Default)]
struct HandTally([u32; 3]);

impl HandTally {
    fn add(&mut self, hand: Hand) {
        self.0[usize::from(hand.number())] += 1;
    }

    /// The most frequent hand, and of several the first; `None` if none was added yet.
    fn most(&self) -> Option<Hand> {
        let most = *self.0.iter().max()?;
        Hand::ALL.into_iter().find(|hand| most > 0 && self.0[usize::from(hand.number())] == most)
    }
}

/// Plays one game of `rounds` rounds, and returns the rounds that the first bot won minus those it lost.
///
/// # Panics
/// When the rules do not allow these rounds or seeds.
pub fn bout(rounds: u32, seeds: [u16; 2], bots: [Start; 2]) -> i64 {
    let rps = Rps { rounds, seeds: Some(seeds) };
    let mut state =
        rps.start(&Setup { seats: 2, ..Setup::default() }).expect("rounds and seeds as the rules allow");
    let mut strategies = [0, 1].map(|seat| bots[seat](seeds[seat]));
    let mut histories = [History::default(), History::default()];
    while !rps.to_act(&state).is_empty() {
        let [one, two] = [0, 1].map(|seat| strategies[seat].choose(&histories[seat]));
        rps.apply(&mut state, &[(Seat(0), Action::Move(one)), (Seat(1), Action::Move(two))]);
        histories[0].push(one, two);
        histories[1].push(two, one);
    }
    state.margin(Seat(0))
}

/// Rock: always rock.
pub fn rock(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|_: &History| Hand::Rock)
}

/// Rotate: rock, paper, scissors, rock and so on.
pub fn rotate(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| history.own.last().map_or(Hand::Rock, |own| own.turned(1)))
}

/// Beat-last: the hand that beats the opponent's last hand.
pub fn beat_last(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| history.foes.last().map_or(Hand::Rock, |foe| foe.beaten_by()))
}

/// Frequency: the hand that beats the opponent's most frequent hand.
pub fn frequency(_seed: u16) -> Box<dyn Strategy> {
    let mut shown = HandTally::default();
    Box::new(move |history: &History| {
        if let Some(foe) = history.foes.last() {
            shown.add(*foe);
        }
        shown.most().map_or(Hand::Rock, Hand::beaten_by)
    })
}

/// Random: all hands equally likely, whatever the opponent does. In the long run, no bot beats it, and it beats none.
pub fn random(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    Box::new(move |_: &History| draw(&mut rng))
}

/// A random hand.
fn draw(rng: &mut Rng) -> Hand {
    Hand::Rock.turned(rng.below(3) as u8)
}

/// Markov: the hand that beats what the opponent has shown most often after a round like the last one.
pub fn markov(_seed: u16) -> Box<dyn Strategy> {
    // How often each of the opponent's hands followed a round, by own and opponent's hand of that round.
    let mut followed = [[HandTally::default(); 3]; 3];
    let mut before = None;
    Box::new(move |history: &History| {
        let Some((own, foe)) = history.last() else { return Hand::Rock };
        let at = |(own, foe): (Hand, Hand)| (usize::from(own.number()), usize::from(foe.number()));
        if let Some((own, foes)) = before.replace((own, foe)).map(at) {
            followed[own][foes].add(foe);
        }
        let (own, foes) = at((own, foe));
        followed[own][foes].most().map_or(Hand::Rock, Hand::beaten_by)
    })
}
