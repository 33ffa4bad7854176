//! Converts a contest file into the [`Contest`] of the rules crate.

use super::{Boards, ContestFile};
use crate::toml_file::Mistake;
use crate::tournament::GameSeeds;
use cornerman::contest::{Contest, ContestError, Field};
use cornerman::format::EntrantId;
use std::ops::RangeInclusive;

impl ContestFile {
    /// The contest.
    ///
    /// # Errors
    /// If a stage cannot be played with these entrants; the mistake has the line of the stage.
    pub fn contest(&self) -> Result<Contest, Mistake> {
        let stages = self.stages.iter().map(|stage| stage.played.clone()).collect();
        Contest::new(self.field(), stages, self.seed).map_err(|error| self.mistake(error))
    }

    /// The error with the line of its stage.
    pub fn mistake(&self, error: ContestError) -> Mistake {
        let stage = error.stage.and_then(|number| self.stages.get(usize::from(number)));
        Mistake { path: self.path.clone(), line: stage.map_or(1, |stage| stage.line), message: error.why }
    }

    /// The numbers of seats that a game can have.
    pub(super) fn seats(&self) -> RangeInclusive<u8> {
        self.ruleset.seats.0..=self.ruleset.seats.1
    }

    /// The numbers of entrants, groups and fillers.
    pub(super) fn field(&self) -> Field {
        let entrants = self.entrants.len() as u16;
        let organizers = self.organizers.len() as u16;
        let members = |group: usize| {
            let of_group = (0..).zip(&self.entrants).filter(move |(_, entrant)| entrant.group == Some(group));
            of_group.map(|(id, _)| EntrantId(id)).collect()
        };
        Field {
            groups: (0..self.groups.len()).map(members).collect(),
            fillers: self.fillers.iter().map(|&place| EntrantId(entrants + place as u16)).collect(),
            seats: self.seats(),
            ..Field::new(entrants, organizers)
        }
    }

    /// The boards of `contest`, which is this file's.
    pub fn boards_of(&self, contest: &Contest) -> Boards {
        Boards::new(&self.ruleset, &self.boards, self.seed, contest)
    }

    /// The seeds of its games.
    pub fn game_seeds(&self) -> GameSeeds {
        GameSeeds { contest: self.seed }
    }
}
