//! Rock-paper-scissors bots with one fault each: the faultless one as a sequence of steps, of which each fault replaces
//! one.

mod faults;
pub mod kinds;

use crate::protocol::{self, Steps};
use crate::{MutantKind, Mutants};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

/// The steps of a match.
pub struct RpsSteps {
    /// Runs before anything is written; an error ends the bot.
    pub prepare: fn() -> Result<(), String>,
    /// Returns its name, with the line feed.
    pub name: fn() -> String,
    /// Writes text to standard output.
    pub write: fn(&str),
    /// Reads the next line, without its line feed; `None` at the end of input.
    pub read: fn() -> Option<String>,
    /// Runs before the hand of each round is chosen.
    pub heed: fn(&KnownRounds),
    /// Chooses the hand.
    pub choose: fn(&KnownRounds) -> u64,
    /// Returns a hand as text, with its line feed.
    pub render: fn(&KnownRounds, u64) -> String,
    /// Runs when the input or the game has ended, and returns the exit status.
    pub finish: fn() -> ExitCode,
    /// The steps of a turn that no game decides.
    heed_turn: fn(usize),
    answer: fn(usize, &str) -> String,
}

/// What the bot knows before a round.
pub struct KnownRounds {
    /// The seed that it was sent.
    pub seed: u64,
    /// The number of rounds that it was sent.
    pub rounds: u64,
    /// The opponent's hands so far.
    pub foes: Vec<u64>,
    /// Their sum.
    sum: u64,
    /// Its own hands so far.
    pub own: Vec<u64>,
}

impl KnownRounds {
    /// The number of the next round, from 1.
    pub fn round(&self) -> usize {
        self.foes.len() + 1
    }

    /// Whether the next round is the last.
    pub fn is_last(&self) -> bool {
        self.round() as u64 == self.rounds
    }

    /// How many rounds ended with this `lead` of its own hand: 0 is a tie, 1 a win, 2 a loss.
    pub fn count(&self, lead: u64) -> usize {
        self.own.iter().zip(&self.foes).filter(|(own, foe)| (*own + 3 - *foe) % 3 == lead).count()
    }

    /// The faultless hand, which depends on the seed and all of the opponent's hands.
    pub fn mixed(&self) -> u64 {
        (self.seed + self.sum + self.foes.len() as u64 / 2) % 3
    }
}

/// The bot without a fault.
impl Default for RpsSteps {
    fn default() -> RpsSteps {
        RpsSteps::with(Steps::default())
    }
}

impl RpsSteps {
    /// The bot that plays faultlessly with these steps.
    fn with(steps: Steps) -> RpsSteps {
        let Steps { prepare, read, heed, answer, write, finish } = steps;
        RpsSteps {
            prepare,
            name: || "Mutant\n".to_string(),
            write,
            read,
            heed: |_| (),
            choose: KnownRounds::mixed,
            render: |_, hand| format!("{hand}\n"),
            finish,
            heed_turn: heed,
            answer,
        }
    }

    /// Plays a match.
    pub fn run(&self) -> ExitCode {
        match (self.prepare)() {
            Ok(()) => self.play().map_or_else(|| (self.finish)(), |()| (self.finish)()),
            Err(why) => {
                _ = writeln!(io::stderr(), "error: {why}");
                ExitCode::FAILURE
            }
        }
    }

    fn play(&self) -> Option<()> {
        (self.write)(&(self.name)());
        let number =
            || Some((self.read)()?.trim_matches([' ', '\r']).parse::<u64>().unwrap_or_else(|_| not_understood()));
        let seed = number()?;
        let rounds = number()?;
        let mut history = KnownRounds { seed, rounds, foes: Vec::new(), sum: 0, own: Vec::new() };
        for _ in 0..rounds {
            (self.heed)(&history);
            (self.heed_turn)(history.round());
            let hand = (self.choose)(&history);
            (self.write)(&(self.answer)(history.round(), &(self.render)(&history, hand)));
            history.own.push(hand);
            let foe = number()?;
            history.foes.push(foe);
            history.sum += foe;
        }
        Some(())
    }
}

fn not_understood() -> ! {
    _ = writeln!(io::stderr(), "error: expected a number");
    std::process::exit(2)
}

/// The mutants of rock-paper-scissors.
pub fn mutants() -> Mutants {
    let kinds: LazyLock<Vec<MutantKind>> = LazyLock::new(|| protocol::kinds("rps", kinds::RPS_KINDS));
    Mutants { id: "rps", kinds, usage: "rps-KIND", play: |kind, _| Some(bot(kind)?.run()) }
}

/// The bot of `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<RpsSteps> {
    let of_protocol = || Some(RpsSteps::with(protocol::steps(kind.strip_prefix("rps-")?)?));
    faults::bot(kind).or_else(of_protocol)
}
