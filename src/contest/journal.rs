//! What the organizer decides while a contest is played.

use alloc::vec::Vec;

/// The organizer's decisions, in the order in which they were taken. With the results they are all that a plan and
/// standings follow from, so that a contest can be made again from what is recorded. There is no decision to take yet:
/// every journal is empty.
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
    /// Nothing has been decided.
    pub const fn new() -> Journal {
        Journal { decisions: Vec::new() }
    }
}
