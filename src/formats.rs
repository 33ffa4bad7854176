//! All tournament formats, and the list of them.
//!
//! A format is described by its settings alone: they have the keys and defaults of contest files, validate themselves
//! and create the [`Schedule`]. To add a format, write its module, add it to the list below, and name it in a row of
//! [`Departure`](crate::format::Departure) and of [`Arrival`](crate::format::Arrival).

pub mod all_play_all;
pub mod brackets;
mod fixed;
pub mod gauntlet;
mod keys;
pub mod knockout;
mod matching;
pub mod pair_swiss;
pub mod permutations;
pub mod scoring;
pub mod seeding;
pub(crate) mod series;
pub mod swiss;
#[cfg(test)]
pub(crate) mod testing;

pub use keys::{BoardNumber, Bounded, GamesPerOrder, OutOfRange, RoundCount, SettingsError};
pub use keys::{GameDefaults, Repetition};

use crate::format::{EntrantId, FormatError, OrganizerBot, Schedule, StageInput};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// Implemented by the settings of every format. The methods of [`Format`] with the same names document them.
trait FormatSettings {
    fn fill_in_game_defaults(&mut self, game: &GameDefaults, next_board: u32) {
        let _ = (game, next_board);
    }

    /// [`Format::fill_in_defaults`], called after the number of seats has been checked.
    fn fill_in_defaults(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError>;

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError>;

    fn boards(&self, stage: u8) -> Vec<Range<u32>>;

    fn min_entrants(&self) -> usize {
        0
    }

    /// The number of seats in its games; `None` if a setting, the ruleset or the entrants decide it.
    fn seats(&self) -> Option<u8> {
        Some(2)
    }

    /// How often a pair meets in each order of seats on each board.
    fn games_per_order(&self) -> u32 {
        1
    }

    fn min_fillers(&self) -> Option<usize> {
        None
    }

    fn seed_programs(&self) -> &[OrganizerBot] {
        &[]
    }

    fn seed_programs_mut(&mut self) -> Option<&mut Vec<OrganizerBot>> {
        None
    }

    fn is_open_ended(&self) -> bool {
        false
    }
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:literal: $variant:ident($settings:ty),)*) => {
        /// A format with its settings, before its entrants are known.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(tag = "kind"))]
        pub enum Format {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $variant($settings),)*
        }

        impl Format {
            /// The names of all formats, as contest files spell them.
            pub const NAMES: &[&str] = &[$($name),*];

            /// Its name in contest files.
            pub fn name(&self) -> &'static str {
                match self { $(Format::$variant(_) => $name,)* }
            }

            /// Reads the settings of the format called `name` from `keys`. `None` if no format has this name.
            ///
            /// # Errors
            /// When a key is unknown or a value does not fit.
            #[cfg(feature = "serde")]
            pub fn read<'de, D: serde::Deserializer<'de>>(name: &str, keys: D) -> Option<Result<Format, D::Error>> {
                use serde::Deserialize;
                Some(match name {
                    $($name => <$settings>::deserialize(keys).map(Format::$variant),)*
                    _ => return None,
                })
            }

            /// Whether the format called `name` has seed programs (F1).
            pub fn has_seed_programs(name: &str) -> bool {
                match name {
                    $($name => <$settings>::default().seed_programs_mut().is_some(),)*
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
    /// Every entrant plays every other one (B11, F9).
    "all-play-all": AllPlayAll(all_play_all::AllPlayAllSettings),
    /// All entrants in one game, once in every order of play (B12).
    "permutations": Permutations(permutations::PermutationsSettings),
    /// Every entrant against the organizer's seed programs, which do not compete (F1–F3).
    "seeding": Seeding(seeding::SeedingSettings),
    /// Double elimination: two brackets with byes, until 4 to 8 finalists are left (F4–F8).
    "brackets": Brackets(brackets::BracketsSettings),
    /// The Modified Swiss: rounds of games of four between neighbours in the standings (S2–S6).
    "swiss": Swiss(swiss::SwissSettings),
    /// The Swiss system: rounds of pairs with similar scores (G8).
    "pair-swiss": PairSwiss(pair_swiss::PairSwissSettings),
    /// The first entrant, or the first few, against each of the others.
    "gauntlet": Gauntlet(gauntlet::GauntletSettings),
    /// Single elimination.
    "knockout": Knockout(knockout::KnockoutSettings),
}

impl Format {
    /// Fills in the settings that were left out and for which the game has a default. Default boards are numbered from
    /// `next_board`. To be called before [`Format::fill_in_defaults`].
    pub fn fill_in_game_defaults(&mut self, game: &GameDefaults, next_board: u32) {
        self.settings_mut().fill_in_game_defaults(game, next_board);
    }

    /// How often a pair meets in each order of seats on each board.
    pub fn games_per_order(&self) -> u32 {
        self.settings().games_per_order()
    }

    /// Checks the settings against each other and against `seats`, the numbers of seats that a game can have, and fills
    /// in the defaults of settings that were left out. Default boards are numbered from `next_board`. Returns the first
    /// board number after those of this format and of the stages before it.
    ///
    /// # Errors
    /// When a setting contradicts another one or the number of seats.
    pub fn fill_in_defaults(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        if let Some(own) = self.settings().seats().filter(|own| !seats.contains(own)) {
            let name = self.name();
            let least = seats.start();
            let most = seats.end();
            let there = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let why = format!(
                "{name} plays games of {own} seats, but a game of this ruleset has {there}: `all-play-all` and \
                 `gauntlet` play games of any number"
            );
            return Err(SettingsError::new("kind", why));
        }
        self.settings_mut().fill_in_defaults(seats, next_board)
    }

    /// The numbers of the boards on which the stage with this number (from 0) can be played, as far as they are
    /// named or filled in.
    pub fn boards(&self, stage: u8) -> Vec<Range<u32>> {
        self.settings().boards(stage)
    }

    /// The fewest entrants with which a format that needs more than two has games. With fewer, the standings would be
    /// the order of seeding. 0 for other formats.
    pub fn min_entrants(&self) -> usize {
        self.settings().min_entrants()
    }

    /// The schedule of the format for these entrants.
    ///
    /// # Errors
    /// When the format cannot be played by these entrants with these settings.
    pub fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        self.settings().schedule(start)
    }

    /// The smallest number of fillers that the organizer must supply; `None` for a format without fillers (F4, S2).
    pub fn min_fillers(&self) -> Option<usize> {
        self.settings().min_fillers()
    }

    /// The seed programs that every entrant plays (F1); empty for other formats.
    pub fn seed_programs(&self) -> &[OrganizerBot] {
        self.settings().seed_programs()
    }

    /// The list of seed programs, to be changed; `None` for a format [without](Format::has_seed_programs) them.
    pub fn seed_programs_mut(&mut self) -> Option<&mut Vec<OrganizerBot>> {
        self.settings_mut().seed_programs_mut()
    }

    /// Whether the number of games depends on their outcomes.
    pub fn is_open_ended(&self) -> bool {
        self.settings().is_open_ended()
    }
}

/// The side of a match, 0 or 1, that a lot favours. `seed` is that of the stage's lots.
fn lot(seed: u64, round: u16, table: u32) -> usize {
    Rng::new(Rng::new(seed ^ u64::from(round)).draw() ^ u64::from(table)).below(2) as usize
}

/// The entrants that a stage began with, then those that were admitted since.
///
/// # Errors
/// When one is listed twice.
fn everyone(start: &StageInput) -> Result<Vec<EntrantId>, FormatError> {
    let late = start.journal.late(start.stage).map(|(entrant, _)| entrant);
    let everyone: Vec<EntrantId> = start.entrants.iter().copied().chain(late).collect();
    distinct(&everyone).map(|()| everyone)
}

/// Checks that no entrant is listed twice.
fn distinct(entrants: &[EntrantId]) -> Result<(), FormatError> {
    let mut seen = BTreeSet::new();
    match entrants.iter().find(|id| !seen.insert(**id)) {
        Some(id) => Err(FormatError(format!("entrant {} is named twice: name it once", id.0 + 1))),
        None => Ok(()),
    }
}
