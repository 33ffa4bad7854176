//! Seeding: every entrant plays each of a few seed programs, which do not compete, and the totals rank the entrants
//! (F1–F3).
//!
//! In the published rules, the ranking only determines each entrant's position in the
//! [brackets](crate::formats::brackets). Once all games are played it has no ties: after points and wins, a lot
//! decides. All lots are drawn at the start, so they do not depend on the results.

use crate::format::{
    Arrival, Departure, EntrantId, FormatError, GameId, OrganizerBot, Plan, Results, Schedule, ScheduleFacts,
    StageInput, StageRemark, Standing, StandingsColumn, rank,
};
use crate::formats::keys::{fill_in_board, named};
use crate::formats::scoring::{Bonus, Scoring};
use crate::formats::series::{Series, SeriesGame};
use crate::formats::{BoardNumber, FormatSettings, SettingsError, distinct, everyone};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::{Range, RangeInclusive};

/// The settings of a seeding (F1–F3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct SeedingSettings {
    /// The board of all games (F1).
    pub board: Option<BoardNumber>,
    /// The seed programs: every entrant plays them, and they do not compete. The published rules have three (F1).
    pub programs: Vec<OrganizerBot>,
    /// The bonuses for wins and ties (F2).
    pub bonus: Bonus,
}

impl FormatSettings for SeedingSettings {
    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        fill_in_board(&mut self.board, next_board)
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        named(&self.board)
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Seeding::new(start, self)?))
    }

    fn seed_programs(&self) -> &[OrganizerBot] {
        &self.programs
    }

    fn seed_programs_mut(&mut self) -> Option<&mut Vec<OrganizerBot>> {
        Some(&mut self.programs)
    }
}

/// A seeding whose entrants are known (F1–F3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeding {
    stage: u8,
    entrants: Vec<EntrantId>,
    programs: Vec<EntrantId>,
    /// The match of each entrant with each program.
    series: Series,
    scoring: Scoring,
    /// The lot of each entrant, in their order: the higher, the better.
    lots: Vec<i64>,
    /// The entrants that have left: their unplayed games stay unplayed.
    gone: Vec<EntrantId>,
}

/// What the lots decide, in words.
const EQUAL: &str = "entrants with equal points and wins (F3)";

impl Seeding {
    /// The seeding of the entrants in `start`.
    ///
    /// # Errors
    /// When there are no seed programs, one of them does not exist or competes, a bot is listed twice, or there are too
    /// many games.
    pub fn new(start: &StageInput, settings: &SeedingSettings) -> Result<Seeding, FormatError> {
        let &StageInput { stage, entrants, field, seed, journal } = start;
        let programs = settings.programs.iter().map(|&program| field.organizer(program));
        let programs = programs.collect::<Result<Vec<_>, _>>()?;
        let begun_with = entrants.len();
        let entrants = everyone(start)?;
        distinct(&programs)?;
        if programs.is_empty() {
            return Err(FormatError(
                "seeding needs at least one seed program (F1): name it in `programs`".to_string(),
            ));
        }
        let series = Series::on([settings.board.map_or(0, |board| board.0)]);
        series.check(entrants.len() * programs.len(), 2)?;
        if let Some(program) = programs.iter().find(|program| entrants.contains(program)) {
            let why = format!("entrant {} cannot be both a seed program and a competitor (F1)", program.0 + 1);
            return Err(FormatError(why));
        }
        let mut rng = Rng::new(seed);
        let mut numbers: Vec<usize> = (0..begun_with).collect();
        rng.shuffle(&mut numbers);
        let mut best_first: Vec<usize> = (0..begun_with).collect();
        best_first.sort_by_key(|&at| Reverse(numbers[at]));
        // Entrants that were admitted late join at random places, so the others keep their order.
        for late in begun_with..entrants.len() {
            best_first.insert(rng.below(late as u64 + 1) as usize, late);
        }
        journal.keep_lots(stage, EQUAL, &mut best_first, |&at| entrants[at]);
        let mut lots = vec![0; entrants.len()];
        for (lot, at) in (1..).zip(best_first.into_iter().rev()) {
            lots[at] = lot;
        }
        let gone = entrants.iter().copied().filter(|id| journal.has_left(stage, *id)).collect();
        Ok(Seeding { stage, entrants, programs, series, scoring: Scoring::Bonus(settings.bonus), lots, gone })
    }

    /// Every game: each entrant meets each program twice, and each side is first once (F1).
    fn games(&self) -> impl Iterator<Item = SeriesGame> {
        let against = |&entrant| self.programs.iter().map(move |&program| [entrant, program]);
        (0..).zip(self.entrants.iter().flat_map(against)).flat_map(|(table, pair)| {
            self.series.games(GameId { stage: self.stage, round: 0, table, game: 0, attempt: 0 }, pair)
        })
    }

    /// The standings by totals alone, without lots.
    fn totals(&self, done: &Results) -> Vec<Standing> {
        rank(self.scoring.totals(&self.entrants, self.games().filter_map(|game| game.played(done))))
    }

    /// The groups of entrants that share a place, each in the order of their lots; none until all games are played.
    fn tied(&self, done: &Results) -> Vec<Vec<EntrantId>> {
        let plays = |game: &SeriesGame| !game.seats.iter().any(|id| self.gone.contains(id));
        if self.games().filter(plays).any(|game| game.played(done).is_none()) {
            return Vec::new();
        }
        let totals = self.totals(done);
        let groups = totals.chunk_by(|a, b| a.place == b.place).filter(|group| group.len() > 1);
        let mut groups: Vec<Vec<EntrantId>> =
            groups.map(|group| group.iter().map(|standing| standing.entrant).collect()).collect();
        for group in &mut groups {
            group.sort_by_key(|&entrant| Reverse(self.lot(entrant)));
        }
        groups
    }

    fn lot(&self, entrant: EntrantId) -> i64 {
        self.entrants.iter().zip(&self.lots).find(|&(&id, _)| id == entrant).map_or(0, |(_, &lot)| lot)
    }
}

impl Schedule for Seeding {
    fn plan(&self, done: &Results) -> Plan {
        Plan::from_games(self.games().filter(|game| game.played(done).is_none()).map(SeriesGame::pairing))
    }

    /// `lot` is 0 if none was needed; otherwise, the higher, the better.
    fn columns(&self) -> Vec<StandingsColumn> {
        [self.scoring.columns(), &[StandingsColumn::LOT]].concat()
    }

    /// Entrants with equal totals share a place until all games are played.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let tied = self.tied(done);
        let with_lot = |mut standing: Standing| {
            let drawn = tied.iter().any(|group| group.contains(&standing.entrant));
            standing.figures.push(if drawn { self.lot(standing.entrant) } else { 0 });
            (standing.entrant, standing.figures)
        };
        rank(self.totals(done).into_iter().map(with_lot).collect())
    }

    fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        let lot = |order| StageRemark::Lot { about: EQUAL.to_string(), order };
        self.tied(done).into_iter().map(lot).collect()
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts::new(Departure::Pairs, Arrival::Appended)
    }
}

#[cfg(test)]
mod tests;
