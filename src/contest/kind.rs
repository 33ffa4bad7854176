//! The one place where a tournament format has a name: to add one, add it here.

use crate::format::{EntrantId, Format, FormatError};
use crate::formats::{all_play_all, brackets, gauntlet, knockout, pair_swiss, permutations, seeding, swiss};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

/// A format with its settings, before its entrants are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// Everyone plays everyone.
    AllPlayAll(all_play_all::Settings),
    /// All in one game, in every order of play.
    Permutations(permutations::Settings),
    /// The first against each of the others.
    Gauntlet(gauntlet::Settings),
    /// Single elimination.
    Knockout(knockout::Settings),
    /// Everyone against programs that do not compete themselves (F1).
    Seeding(seeding::Settings),
    /// Two brackets with byes; those who are left are its finalists (F4).
    Brackets(brackets::Settings),
    /// Rounds of games of four, like against like (S2).
    Swiss {
        /// Who fills up to a multiple of four.
        fillers: Vec<EntrantId>,
        /// How many rounds, unless the fewest that are allowed (S6).
        rounds: Option<u16>,
        /// Which boards they are played on.
        boards: swiss::Boards,
    },
    /// Rounds of pairs, like against like (G8).
    PairSwiss {
        /// How many rounds, unless the usual number.
        rounds: Option<u16>,
        /// How many games a match is.
        games: pair_swiss::Games,
        /// Which boards they are played on.
        boards: swiss::Boards,
    },
    /// One format for few entrants, another for many (G8).
    BySize {
        /// The most entrants that are few.
        up_to: u16,
        /// The format of up to so many.
        few: Box<FormatKind>,
        /// The format of more.
        many: Box<FormatKind>,
    },
}

impl FormatKind {
    /// The format that so many entrants play: itself, unless their number decides (G8).
    pub fn for_number(&self, entrants: usize) -> &FormatKind {
        match self {
            FormatKind::BySize { up_to, few, .. } if entrants <= usize::from(*up_to) => few.for_number(entrants),
            FormatKind::BySize { many, .. } => many.for_number(entrants),
            kind => kind,
        }
    }

    /// The format for `entrants`, the best seed first, as a contest's stage number `stage`; whatever chance it has
    /// comes from the seed `lots`.
    ///
    /// # Errors
    /// When the settings do not fit each other or the entrants.
    pub fn start(&self, stage: u8, entrants: &[EntrantId], lots: u64) -> Result<Box<dyn Format>, FormatError> {
        Ok(match self {
            FormatKind::AllPlayAll(settings) => {
                Box::new(all_play_all::AllPlayAll::new(stage, entrants, settings.clone())?)
            }
            FormatKind::Permutations(settings) => {
                Box::new(permutations::Permutations::new(stage, entrants, settings.clone())?)
            }
            FormatKind::Gauntlet(settings) => {
                Box::new(gauntlet::Gauntlet::new(stage, entrants, settings.clone())?)
            }
            FormatKind::Knockout(settings) => {
                Box::new(knockout::Knockout::new(stage, entrants, settings.clone())?)
            }
            FormatKind::Seeding(settings) => {
                Box::new(seeding::Seeding::new(stage, entrants, settings.clone(), lots)?)
            }
            FormatKind::Brackets(settings) => Box::new(brackets::Brackets::new(stage, entrants, *settings)?),
            FormatKind::Swiss { fillers, rounds, boards } => {
                let (entrants, fillers) = (entrants.to_vec(), fillers.clone());
                let players = entrants.len().next_multiple_of(swiss::SEATS);
                let rounds = rounds.unwrap_or_else(|| swiss::fewest_rounds(players));
                let settings = swiss::Settings { stage, entrants, fillers, rounds, boards: *boards, seed: lots };
                Box::new(swiss::Swiss::new(settings).map_err(|wrong| FormatError(wrong.to_string()))?)
            }
            FormatKind::PairSwiss { rounds, games, boards } => {
                let (entrants, rounds, games) = (entrants.to_vec(), *rounds, *games);
                let settings =
                    pair_swiss::Settings { stage, entrants, rounds, games, boards: *boards, seed: lots };
                Box::new(pair_swiss::PairSwiss::new(settings).map_err(|wrong| FormatError(wrong.to_string()))?)
            }
            FormatKind::BySize { .. } => self.for_number(entrants.len()).start(stage, entrants, lots)?,
        })
    }
}
