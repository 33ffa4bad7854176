//! Rock-paper-scissors' ladder: what a bot knows before a round, and one idea a file.
//!
//! The ideas know nothing of pipes. [`serve`] makes a program of one; [`bout`] plays two against each other
//! within one process, which is how they are tested and measured.

pub mod beat_last;
mod bout;
pub mod frequency;
pub mod hydra;
pub mod markov;
pub mod random;
pub mod rock;
pub mod rotate;
mod serve;

pub use bout::bout;
pub use serve::serve;

use crate::templates::template;
use crate::{Ladder, Program, ReferenceBot};
use cornerman::games::rps::Hand;

/// What a bot knows when it is to show a hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Its own hands, a round each.
    pub own: Vec<Hand>,
    /// The opponent's hands in the same rounds.
    pub foes: Vec<Hand>,
}

impl Past {
    /// How many rounds have been played.
    pub fn rounds(&self) -> usize {
        self.foes.len()
    }

    /// The last round, own hand first.
    pub fn last(&self) -> Option<(Hand, Hand)> {
        Some((*self.own.last()?, *self.foes.last()?))
    }

    /// Adds a round.
    pub fn push(&mut self, own: Hand, foe: Hand) {
        self.own.push(own);
        self.foes.push(foe);
    }
}

/// A bot's mind during one game. It may remember what it likes.
pub trait Idea {
    /// The hand of the next round; asked once a round, in order.
    fn choose(&mut self, past: &Past) -> Hand;
}

impl<F: FnMut(&Past) -> Hand> Idea for F {
    fn choose(&mut self, past: &Past) -> Hand {
        self(past)
    }
}

/// Begins a game with the seed that the bot is sent: its only chance (R8).
pub type Start = fn(seed: u16) -> Box<dyn Idea>;

/// The game's bots: `hydra` beats each that can be beaten.
pub const LADDER: Ladder = Ladder {
    bots: &[
        ReferenceBot { id: "rock", about: "always rock", program: Program::Binary("rps-rock") },
        ReferenceBot {
            id: "rps-random",
            about: "each hand as likely as any other, drawn from the seed",
            program: Program::Binary("rps-random"),
        },
        ReferenceBot {
            id: "rotate",
            about: "rock, paper, scissors and round again",
            program: Program::Binary("rps-rotate"),
        },
        ReferenceBot {
            id: "beat-last",
            about: "what beats the opponent's last hand",
            program: Program::Binary("rps-beat-last"),
        },
        ReferenceBot {
            id: "frequency",
            about: "what beats the opponent's most frequent hand",
            program: Program::Binary("rps-frequency"),
        },
        ReferenceBot {
            id: "markov",
            about: "what beats the hand that most often followed a round like the last",
            program: Program::Binary("rps-markov"),
        },
        ReferenceBot {
            id: "hydra",
            about: "many expectations of both sides, of which the one that was right of late is followed",
            program: Program::Binary("rps-hydra"),
        },
    ],
    templates: &[
        template!("rps", "python", ["bot.toml", "bot.py", "README.md"]),
        template!("rps", "c", ["bot.toml", "bot.c", "README.md"]),
        template!("rps", "java", ["bot.toml", "Main.java", "README.md"]),
        template!("rps", "rust", ["bot.toml", "bot.rs", "README.md"]),
    ],
    try_first: "play {dir} @beat-last",
};

/// The ideas by the bots' ids, in the order of [`LADDER`], for games within one process.
pub const IDEAS: &[(&str, Start)] = &[
    ("rock", rock::start),
    ("rps-random", random::start),
    ("rotate", rotate::start),
    ("beat-last", beat_last::start),
    ("frequency", frequency::start),
    ("markov", markov::start),
    ("hydra", hydra::start),
];

/// How often something was followed by each hand.
#[derive(Clone, Copy, Debug, Default)]
struct Tally([u32; 3]);

impl Tally {
    fn add(&mut self, hand: Hand) {
        self.0[usize::from(hand.number())] += 1;
    }

    /// The hand that came most often, of several the first; `None` if none has come yet.
    fn most(&self) -> Option<Hand> {
        let most = *self.0.iter().max()?;
        Hand::ALL.into_iter().find(|hand| most > 0 && self.0[usize::from(hand.number())] == most)
    }
}
