//! A game's defaults for the settings of stages that a contest file leaves out.

use super::scoring::ScoringKind;
use alloc::vec::Vec;

/// The defaults of a game for settings of stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameDefaults {
    /// The number of boards on which everyone plays everyone: three arenas (B11), or one if all games begin alike,
    /// so that every pair plays twice (R1, G8).
    pub boards: u32,
    /// The scoring (B11, R9).
    pub scoring: ScoringKind,
    /// The scorings of further rankings (R9).
    pub tables: Vec<ScoringKind>,
    /// The largest margin of a pair that is a tie in the cross-table (R9).
    pub threshold: u32,
    /// How a game with the same entrants, seats and board can differ from an earlier one.
    pub repetition: Repetition,
}

/// How a repeated game can differ from the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repetition {
    /// It begins differently, because it has lots of its own.
    Varies,
    /// It begins in the same way, and differs only if a bot plays at random.
    #[default]
    BeginsAlike,
    /// It is the same game, because bots must not play at random (R8).
    IsTheSame,
}

impl Default for GameDefaults {
    /// One board, and a scoring by wins.
    fn default() -> GameDefaults {
        let scoring = ScoringKind::default();
        let repetition = Repetition::default();
        GameDefaults { boards: 1, scoring, tables: Vec::new(), threshold: 0, repetition }
    }
}

impl GameDefaults {
    /// The scorings of further rankings of a stage with this `scoring`.
    pub(super) fn tables_beside(&self, scoring: ScoringKind) -> Vec<ScoringKind> {
        self.tables.iter().copied().filter(|&table| table != scoring).collect()
    }

    /// Fills in the threshold of a stage if one of `kinds` counts margins.
    pub(super) fn fill_in_threshold(&self, kinds: &[ScoringKind], threshold: &mut Option<u32>) {
        if kinds.contains(&ScoringKind::Margins) {
            threshold.get_or_insert(self.threshold);
        }
    }
}
