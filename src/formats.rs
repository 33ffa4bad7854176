//! The tournament formats there are.

pub mod all_play_all;
pub mod brackets;
pub mod gauntlet;
pub mod knockout;
pub mod permutations;
pub mod scoring;
pub mod seeding;
pub mod series;
#[cfg(test)]
pub mod testing;

use crate::format::{EntrantId, FormatError};
use alloc::collections::BTreeSet;
use alloc::format;

/// # Errors
/// When somebody is among `entrants` twice.
fn distinct(entrants: &[EntrantId]) -> Result<(), FormatError> {
    let mut seen = BTreeSet::new();
    match entrants.iter().find(|id| !seen.insert(**id)) {
        Some(id) => Err(FormatError(format!("entrant {} is named twice: name it once", id.0 + 1))),
        None => Ok(()),
    }
}
