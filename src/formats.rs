//! The tournament formats there are, and the one place where they have names.
//!
//! A format is described once, by its settings: they have the shape and the defaults that contest files have, check
//! themselves, and make the [`Schedule`]. To add one, write its module and name it in the list below.

pub mod all_play_all;
pub mod brackets;
pub mod gauntlet;
mod keys;
pub mod knockout;
mod matching;
pub mod pair_swiss;
pub mod permutations;
pub mod scoring;
pub mod seeding;
pub mod series;
pub mod swiss;
#[cfg(test)]
pub mod testing;

pub use keys::{Board, GamesPerOrder, OutOfRange, RoundCount, Within, Wrong};

use crate::format::{EntrantId, FormatError, Organizer, Schedule, Start};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// What the settings of every format answer; [`Format`] passes it on.
trait FormatSettings {
    /// See [`Format::fill_in`]. Whether the seats fit has been looked at.
    fn fill_in(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, Wrong>;

    /// See [`Format::schedule`].
    fn schedule(&self, start: &Start) -> Result<Box<dyn Schedule>, FormatError>;

    /// How many seats its games have; `None` where that depends on who takes part.
    fn seats(&self) -> Option<u8> {
        Some(2)
    }

    /// See [`Format::fewest_fillers`].
    fn fewest_fillers(&self) -> Option<usize> {
        None
    }

    /// See [`Format::programs`].
    fn programs(&self) -> &[Organizer] {
        &[]
    }

    /// See [`Format::programs_mut`].
    fn programs_mut(&mut self) -> Option<&mut Vec<Organizer>> {
        None
    }

    /// See [`Format::is_open_ended`].
    fn is_open_ended(&self) -> bool {
        false
    }
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:literal: $variant:ident($module:ident),)*) => {
        /// A format with its settings, before its entrants are known.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum Format {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $variant($module::Settings),)*
        }

        impl Format {
            /// The names of all formats.
            pub const NAMES: &[&str] = &[$($name),*];

            /// Its name in files.
            pub fn name(&self) -> &'static str {
                match self { $(Format::$variant(_) => $name,)* }
            }

            /// The format of this name, whose settings are the other keys of its table; `None` if no format has the
            /// name.
            #[cfg(feature = "serde")]
            pub fn read<'de, D: serde::Deserializer<'de>>(name: &str, keys: D) -> Option<Result<Format, D::Error>> {
                use serde::Deserialize;
                Some(match name {
                    $($name => $module::Settings::deserialize(keys).map(Format::$variant),)*
                    _ => return None,
                })
            }

            /// Whether the format of this name has seed programs.
            pub fn has_programs(name: &str) -> bool {
                match name {
                    $($name => $module::Settings::default().programs_mut().is_some(),)*
                    _ => false,
                }
            }

            fn settings(&self) -> &dyn FormatSettings {
                match self { $(Format::$variant(settings) => settings,)* }
            }

            fn settings_mut(&mut self) -> &mut dyn FormatSettings {
                match self { $(Format::$variant(settings) => settings,)* }
            }
        }
    };
}

formats! {
    /// Everyone plays everyone (B11, F9).
    "all-play-all": AllPlayAll(all_play_all),
    /// All in one game, in every order of play (B12).
    "permutations": Permutations(permutations),
    /// Everyone against programs that do not compete themselves (F1–F3).
    "seeding": Seeding(seeding),
    /// Two brackets with byes; those who are left are its finalists (F4–F8).
    "brackets": Brackets(brackets),
    /// Rounds of games of four, like against like (S2–S6).
    "swiss": Swiss(swiss),
    /// Rounds of pairs, like against like (G8).
    "pair-swiss": PairSwiss(pair_swiss),
    /// The first against each of the others.
    "gauntlet": Gauntlet(gauntlet),
    /// Single elimination.
    "knockout": Knockout(knockout),
}

impl Format {
    /// Checks the settings against each other and against the seats that a game has, and fills in whatever was left
    /// out and depends on nothing else: its boards are then those from `next_board` on. Says the first number after
    /// the boards of this format and of those before it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn fill_in(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, Wrong> {
        if let Some(own) = self.settings().seats().filter(|own| !seats.contains(own)) {
            let (name, least, most) = (self.name(), seats.start(), seats.end());
            let there = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let why = format!("{name} plays games of {own} seats, and by the ruleset a game has {there}");
            return Err(Wrong::of("kind", why));
        }
        self.settings_mut().fill_in(seats, next_board)
    }

    /// The format for known entrants.
    ///
    /// # Errors
    /// When the settings do not fit the entrants.
    pub fn schedule(&self, start: &Start) -> Result<Box<dyn Schedule>, FormatError> {
        self.settings().schedule(start)
    }

    /// How many fillers of the organizer's there must be; `None` where none is ever needed (F4, S2).
    pub fn fewest_fillers(&self) -> Option<usize> {
        self.settings().fewest_fillers()
    }

    /// The seed programs that its entrants meet (F1).
    pub fn programs(&self) -> &[Organizer] {
        self.settings().programs()
    }

    /// The same to be changed, if it [has](Format::has_programs) some.
    pub fn programs_mut(&mut self) -> Option<&mut Vec<Organizer>> {
        self.settings_mut().programs_mut()
    }

    /// Whether the number of its games depends on how they end.
    pub fn is_open_ended(&self) -> bool {
        self.settings().is_open_ended()
    }
}

/// # Errors
/// When somebody is among `entrants` twice.
fn distinct(entrants: &[EntrantId]) -> Result<(), FormatError> {
    let mut seen = BTreeSet::new();
    match entrants.iter().find(|id| !seen.insert(**id)) {
        Some(id) => Err(FormatError(format!("entrant {} is named twice: name it once", id.0 + 1))),
        None => Ok(()),
    }
}
