//! Converts a contest file into the [`Contest`] of the rules crate.

use super::ContestFile;
use crate::toml_file::Mistake;
use cornerman::contest::{Contest, Field};
use cornerman::format::EntrantId;
use cornerman::rng::Rng;

impl ContestFile {
    /// The contest.
    ///
    /// # Errors
    /// If a stage cannot be played with these entrants; the mistake has the line of the stage.
    pub fn contest(&self) -> Result<Contest, Mistake> {
        let stages = self.stages.iter().map(|stage| stage.played.clone()).collect();
        Contest::new(self.field(), stages, self.seed).map_err(|wrong| {
            let stage = wrong.stage.and_then(|number| self.stages.get(usize::from(number)));
            Mistake { path: self.path.clone(), line: stage.map_or(1, |stage| stage.line), message: wrong.why }
        })
    }

    /// The numbers of entrants, groups and fillers.
    pub(super) fn field(&self) -> Field {
        let (entrants, organizers) = (self.entrants.len() as u16, self.organizers.len() as u16);
        let members = |group: usize| {
            let of_group = (0..).zip(&self.entrants).filter(move |(_, entrant)| entrant.group == Some(group));
            of_group.map(|(id, _)| EntrantId(id)).collect()
        };
        Field {
            groups: (0..self.groups.len()).map(members).collect(),
            fillers: self.fillers.iter().map(|&place| EntrantId(entrants + place as u16)).collect(),
            seats: self.ruleset.seats.0..=self.ruleset.seats.1,
            ..Field::new(entrants, organizers)
        }
    }

    /// The board of this number (from 0): one from the file, or else generated from the contest's seed (F6). Empty for
    /// games without boards.
    pub fn board(&self, number: u32) -> Vec<u8> {
        let given = self.boards.get(number as usize).cloned();
        given.unwrap_or_else(|| {
            let seed = Rng::new(self.seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)).draw();
            self.ruleset.board(seed)
        })
    }
}
