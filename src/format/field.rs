//! The numbered participants of a contest, and the input of a format.

use super::{EntrantId, FormatError};
use crate::game::MAX_SEATS;
use alloc::format;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// The numbered participants of a contest: first its entrants, from 0, then the organizer's bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of entrants that compete.
    pub entrants: u16,
    /// The number of bots that the organizer adds: seed programs and fillers. They play where a format needs them
    /// and never advance (S2).
    pub organizer_bots: u16,
    /// The groups of entrants with preliminaries of their own (S1), each in the contest's order.
    pub groups: Vec<Vec<EntrantId>>,
    /// The organizer's bots that play where an entrant has no opponent, in the order in which they are used (F4, S2).
    pub fillers: Vec<EntrantId>,
    /// The numbers of seats that a game can have.
    pub seats: RangeInclusive<u8>,
}

/// One of the organizer's bots, by its place among them, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrganizerBot(pub u16);

impl Field {
    /// A field with these numbers of participants, without groups and fillers, for games of any number of seats.
    pub const fn new(entrants: u16, organizer_bots: u16) -> Field {
        Field { entrants, organizer_bots, groups: Vec::new(), fillers: Vec::new(), seats: 1..=MAX_SEATS }
    }

    /// The contest-wide number of one of the organizer's bots.
    ///
    /// # Errors
    /// When the organizer has fewer bots.
    pub fn organizer(&self, OrganizerBot(place): OrganizerBot) -> Result<EntrantId, FormatError> {
        let last = self.organizer_bots;
        let none =
            || FormatError(format!("the organizer has no bot {}: the last is {last}", u32::from(place) + 1));
        (place < last).then(|| EntrantId(self.entrants + place)).ok_or_else(none)
    }
}

/// The input with which a format starts a stage.
#[derive(Clone, Copy, Debug)]
pub struct StageInput<'a> {
    /// The number of the stage in the contest, from 0.
    pub stage: u8,
    /// The entrants of the stage, the best seed first.
    pub entrants: &'a [EntrantId],
    /// All participants of the contest.
    pub field: &'a Field,
    /// The seed of every random choice that the format makes.
    pub seed: u64,
}
