//! The one place where a tournament format has a name: to add one, add it here.

use crate::format::{EntrantId, Format, FormatError};
use crate::formats::{all_play_all, gauntlet, knockout, permutations};
use alloc::boxed::Box;

/// A format with its settings, before its entrants are known.
#[derive(Clone, Debug)]
pub enum FormatKind {
    /// Everyone plays everyone.
    AllPlayAll(all_play_all::Settings),
    /// All in one game, in every order of play.
    Permutations(permutations::Settings),
    /// The first against each of the others.
    Gauntlet(gauntlet::Settings),
    /// Single elimination.
    Knockout(knockout::Settings),
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
    /// The format for `entrants`, the best seed first, as a contest's stage number `stage`; whatever chance it has
    /// comes from the seed `lots`.
    ///
    /// # Errors
    /// When the settings do not fit each other or the entrants.
    #[expect(clippy::only_used_in_recursion, reason = "the formats so far draw no lots, those to come do")]
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
            FormatKind::BySize { up_to, few, many } => {
                let kind = if entrants.len() <= usize::from(*up_to) { few } else { many };
                kind.start(stage, entrants, lots)?
            }
        })
    }
}
