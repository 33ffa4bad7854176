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
    /// Those that no game decides.
    protocol: Steps,
    /// Returns its name, with the line feed.
    name: fn() -> String,
    /// Runs before the hand of each round is chosen.
    heed: fn(&KnownRounds),
    /// Chooses the hand.
    choose: fn(&KnownRounds) -> u64,
    /// Returns a hand as text, with its line feed.
    render: fn(&KnownRounds, u64) -> String,
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
    fn with(protocol: Steps) -> RpsSteps {
        RpsSteps {
            protocol,
            name: || "Mutant\n".to_string(),
            heed: |_| (),
            choose: KnownRounds::mixed,
            render: |_, hand| format!("{hand}\n"),
        }
    }

    /// Plays a match.
    pub fn run(&self) -> ExitCode {
        self.protocol.run(|| _ = self.play())
    }

    fn play(&self) -> Option<()> {
        let Steps { read, heed, answer, write, .. } = &self.protocol;
        write(&(self.name)());
        let number =
            || Some(read()?.trim_matches([' ', '\r']).parse::<u64>().unwrap_or_else(|_| not_understood()));
        let seed = number()?;
        let rounds = number()?;
        let mut history = KnownRounds { seed, rounds, foes: Vec::new(), sum: 0, own: Vec::new() };
        for _ in 0..rounds {
            (self.heed)(&history);
            heed(history.round());
            let hand = (self.choose)(&history);
            write(&answer(history.round(), &(self.render)(&history, hand)));
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
