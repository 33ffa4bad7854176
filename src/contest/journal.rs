//! The organizer's decisions while a contest is played.

use alloc::vec::Vec;

/// The organizer's decisions, in the order in which they were taken. Plans and standings depend on the results and the
/// journal alone, so a contest can be restored from its record. No kind of decision exists yet: every journal is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    /// The decisions.
    pub decisions: Vec<Decision>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {}

impl Journal {
    /// An empty journal.
    pub const fn new() -> Journal {
        Journal { decisions: Vec::new() }
    }
}
