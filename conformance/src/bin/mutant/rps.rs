//! Rock-paper-scissors bots with one fault each: the faultless one as a row of steps, and every fault a single
//! step replaced.

pub mod kinds;
mod odd;
mod steps;

use crate::lines::{read, write};
use std::io::{self, Write};
use std::process::ExitCode;

/// The steps of a match.
pub struct Bot {
    /// Before anything is said.
    pub prepare: fn() -> Result<(), String>,
    /// Its name, as it is written.
    pub name: fn() -> String,
    /// Puts text on standard output.
    pub write: fn(&str),
    /// The next line of input, without its line feed; `None` at the end.
    pub read: fn() -> Option<String>,
    /// Before the hand of each round is chosen.
    pub heed: fn(&Past),
    /// The hand.
    pub choose: fn(&Past) -> u64,
    /// A hand as it is written, with its line feed.
    pub render: fn(&Past, u64) -> String,
    /// The input or the game has ended.
    pub finish: fn() -> ExitCode,
}

/// What it knows before a round.
pub struct Past {
    /// The first line sent.
    pub seed: u64,
    /// The opponent's hands.
    pub foes: Vec<u64>,
}

impl Past {
    /// The round to be played, from 1.
    pub fn round(&self) -> usize {
        self.foes.len() + 1
    }

    /// The faultless hand: of the seed and all that the opponent showed.
    pub fn mixed(&self) -> u64 {
        (self.seed + self.foes.iter().sum::<u64>() + self.foes.len() as u64 / 2) % 3
    }
}

/// The bot without a fault.
impl Default for Bot {
    fn default() -> Bot {
        Bot {
            prepare: || Ok(()),
            name: || "Mutant\n".to_string(),
            write,
            read,
            heed: |_| (),
            choose: Past::mixed,
            render: |_, hand| format!("{hand}\n"),
            finish: || {
                // The one who asks ends the game.
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                ExitCode::SUCCESS
            },
        }
    }
}

impl Bot {
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
        let (seed, rounds) = (number()?, number()?);
        let mut past = Past { seed, foes: Vec::new() };
        for _ in 0..rounds {
            (self.heed)(&past);
            (self.write)(&(self.render)(&past, (self.choose)(&past)));
            past.foes.push(number()?);
        }
        Some(())
    }
}

fn not_understood() -> ! {
    _ = writeln!(io::stderr(), "error: a number was due");
    std::process::exit(2)
}

/// The bot of `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    steps::bot(kind).or_else(|| odd::bot(kind))
}
