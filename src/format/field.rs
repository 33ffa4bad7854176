//! Who is numbered in a contest, and what a format is started with.

use super::{EntrantId, FormatError};
use crate::game::MAX_SEATS;
use alloc::format;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// Who is numbered in a contest: first its entrants, from 0, then the organizer's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// How many entrants compete.
    pub entrants: u16,
    /// How many more the organizer supplies: seed programs, fillers. They play where a format needs them, and never
    /// advance (S2).
    pub organizers: u16,
    /// The groups of entrants that have preliminaries of their own (S1), each in the contest's order.
    pub groups: Vec<Vec<EntrantId>>,
    /// Those of the organizer's that fill up where an entrant lacks an opponent, in the order they are taken (F4, S2).
    pub fillers: Vec<EntrantId>,
    /// The fewest and the most seats that a game has.
    pub seats: RangeInclusive<u8>,
}

/// One of the organizer's: its place among them, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Organizer(pub u16);

impl Field {
    /// A field of these numbers, without groups and fillers, for games of any number of seats.
    pub const fn new(entrants: u16, organizers: u16) -> Field {
        Field { entrants, organizers, groups: Vec::new(), fillers: Vec::new(), seats: 1..=MAX_SEATS }
    }

    /// The number of one of the organizer's.
    ///
    /// # Errors
    /// When the organizer has fewer.
    pub fn organizer(&self, Organizer(place): Organizer) -> Result<EntrantId, FormatError> {
        let last = self.organizers;
        let none =
            || FormatError(format!("there is no organizer's bot {}: the last is {last}", u32::from(place) + 1));
        (place < last).then(|| EntrantId(self.entrants + place)).ok_or_else(none)
    }
}

/// What a format is started with.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Which stage of the contest it is, from 0.
    pub stage: u8,
    /// Who takes part, the best seed first.
    pub entrants: &'a [EntrantId],
    /// Who else there is.
    pub field: &'a Field,
    /// The seed of whatever chance the format has.
    pub seed: u64,
}
