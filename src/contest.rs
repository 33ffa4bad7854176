//! A contest: one or more stages, each played in a format; the standings of a stage can choose and seed the entrants
//! of later ones.
//!
//! Like a format, a contest keeps no state. Which stages have begun, and with which entrants in which order, follows
//! from the results and from the [`Journal`] of the organizer's decisions. Each stage draws its lots from the contest's
//! seed alone, so they do not depend on the order of events.

mod decided;
mod progress;
mod simulate;
#[cfg(test)]
mod tests;
pub use crate::format::{Field, FormatError, OrganizerBot, Schedule, StageInput};
pub use crate::journal::{Admit, Again, Annul, Award, Decision, Journal, Leave, Leaving, Replace, Versions};
pub use decided::DecisionError;
pub use progress::{StageProgress, StageState};
pub use simulate::{OutcomeModel, Simulation};

use crate::format::{EntrantId, Pairing, Plan, Results, StageRemark, Standing, StandingsColumn, rank};
use crate::formats::Format;
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

/// A contest whose field and stages have been checked, with the organizer's decisions so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    field: Field,
    stages: Vec<Stage>,
    seed: u64,
    journal: Journal,
}

/// A stage: a format and its entrants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The format, with its settings.
    pub format: Format,
    /// The entrants that take part.
    pub who: Participants,
}

/// The entrants that take part in a stage, the best seed first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Participants {
    /// Every entrant, in the contest's order.
    All,
    /// The entrants of the group with this number, from 0: one of several preliminaries (S1).
    Group(u16),
    /// The best entrants of other stages: the first of each stage, in the order of this list, then the second of each,
    /// and so on; an entrant of several of them counts once. Lots order entrants that share a place.
    Best(Vec<Quota>),
    /// Every entrant that advances from another stage: the finalists of brackets (F8), all entrants of other formats,
    /// in the order of the standings. Lots order entrants that share a place.
    Qualified {
        /// The other stage, from 0.
        stage: u8,
    },
    /// The entrants that share first place in another stage. If one leads alone, this stage is skipped (B12).
    TiedForFirst {
        /// The other stage, from 0.
        stage: u8,
    },
}

/// How many entrants advance from a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Quota {
    /// The stage, from 0.
    pub stage: u8,
    /// The number of entrants that advance; all of them if there are fewer.
    #[cfg_attr(feature = "serde", serde(rename = "top"))]
    pub best: u16,
}

/// The reason why a contest cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestError {
    /// The stage, from 0; `None` for the contest as a whole.
    pub stage: Option<u8>,
    /// What is wrong, and how to fix it.
    pub why: String,
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.stage {
            Some(stage) => write!(f, "stage {}: {}", u16::from(stage) + 1, self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl core::error::Error for ContestError {}

impl Contest {
    /// The contest of `field` in `stages`. All lots are drawn from `seed`.
    ///
    /// # Errors
    /// When there are fewer than two entrants or too many, no stages or more than 256, or an entrant that is not in any
    /// stage; or when a stage has settings that contradict each other, names entrants that do not exist or stages that
    /// are not earlier ones, or cannot be played by its entrants as far as they are known.
    pub fn new(field: Field, stages: Vec<Stage>, seed: u64) -> Result<Contest, ContestError> {
        let refuse = |why: String| Err(ContestError { stage: None, why });
        if field.entrants < 2 {
            let entrants = if field.entrants == 1 { "entrant" } else { "entrants" };
            return refuse(format!("a contest of {} {entrants} has no games: enter at least two", field.entrants));
        }
        if field.entrants.checked_add(field.organizer_bots).is_none() {
            return refuse("too many entrants: at most 65535 can take part, with the organizer's bots".into());
        }
        if stages.is_empty() || stages.len() > 256 {
            return refuse(format!("a contest has 1 to 256 stages, not {}", stages.len()));
        }
        let contest = Contest { field, stages, seed, journal: Journal::new() };
        for (number, stage) in (0..=u8::MAX).zip(&contest.stages) {
            contest.check(number, stage).map_err(|why| ContestError { stage: Some(number), why: why.0 })?;
        }
        let known = contest.stages.iter().filter_map(|stage| contest.fixed_entrants(&stage.who)).flatten();
        let known: BTreeSet<EntrantId> = known.collect();
        match (0..contest.field.entrants).map(EntrantId).find(|id| !known.contains(id)) {
            Some(id) => refuse(format!("entrant {} is not in any stage: add it to one", id.0 + 1)),
            None => Ok(contest),
        }
    }

    /// The contest with these decisions of the organizer.
    pub fn with_journal(self, journal: Journal) -> Contest {
        Contest { journal, ..self }
    }

    /// The organizer's decisions.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The stages, in order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The participants.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Every game that may start and has no result, in all stages under way.
    ///
    /// # Errors
    /// When a stage is due that the entrants that have qualified for it cannot play (B12). The standings so far remain
    /// valid.
    pub fn plan(&self, done: &Results) -> Result<Plan, ContestError> {
        let mut games: Vec<Pairing> = Vec::new();
        for (stage, progress) in (0..=u8::MAX).zip(self.progress(done)) {
            match progress.state {
                StageState::Refused(error) => {
                    return Err(ContestError { stage: Some(stage), why: error.0 });
                }
                StageState::Playing(due) => games.extend(due),
                StageState::Waiting | StageState::Skipped | StageState::Done => {}
            }
        }
        Ok(Plan::from_games(games))
    }

    /// The progress of every stage, in order.
    pub fn progress(&self, done: &Results) -> Vec<StageProgress> {
        self.progress_until(done, self.stages.len() as u8)
    }

    /// The progress of the first `count` stages.
    fn progress_until(&self, done: &Results, count: u8) -> Vec<StageProgress> {
        let mut stages = Vec::with_capacity(usize::from(count));
        for number in 0..count {
            let is_chosen = self.stages[usize::from(number)].who.sources().next().is_some();
            let before = self.journal.before_stage(number).filter(|_| is_chosen);
            let stage = match before {
                None => StageProgress::for_stage(self, number, &stages, done),
                Some(journal) => {
                    // The stage keeps the entrants that it began with, whatever was decided since.
                    let then = Contest { journal, ..self.clone() };
                    let before = then.progress_until(done, number);
                    let StageProgress { entrants, lots, .. } =
                        StageProgress::for_stage(&then, number, &before, done);
                    StageProgress::with_entrants(self, number, entrants, lots, done)
                }
            };
            stages.push(stage);
        }
        stages
    }

    /// Whether a recorded game counts, after the organizer's decisions.
    pub fn counts(&self, done: &Results, game: &Pairing) -> bool {
        self.journal.is_empty()
            || self.progress(done).get(usize::from(game.id.stage)).is_none_or(|stage| stage.counts(game))
    }

    /// The columns of the contest's standings. If there is only one stage, these are its columns; otherwise they are
    /// the number of successive stages that an entrant has reached and its place in the last of them.
    pub fn columns(&self, done: &Results) -> Vec<StandingsColumn> {
        match &self.progress(done)[..] {
            [only] => only.columns(),
            _ => ["stages reached", "place there"].map(StandingsColumn::count).to_vec(),
        }
    }

    /// The contest's standings: those of its only stage; otherwise by the number of successive stages that an entrant
    /// has reached, then by its place in the last of them.
    pub fn standings(&self, done: &Results) -> Vec<Standing> {
        let stages = self.progress(done);
        if let [only] = &stages[..] {
            return only.standings(done);
        }
        const NOWHERE: Reached = Reached { depth: 0, place: 1 };
        let mut reached: BTreeMap<EntrantId, Reached> = self.competing().map(|id| (id, NOWHERE)).collect();
        for (progress, depth) in stages.iter().zip(self.depths()).filter(|(progress, _)| progress.has_begun()) {
            for standing in progress.standings(done) {
                let last = reached.entry(standing.entrant).or_insert(NOWHERE);
                if last.depth <= depth {
                    *last = Reached { depth, place: standing.place };
                }
            }
        }
        let disqualified =
            |id| self.journal.leaving(0).any(|(leave, _)| leave.disqualified && leave.entrant == id);
        decided::without(rank_by_stages(reached), |id| !disqualified(id))
    }

    /// The bots that compete, in the order of their numbers: the entrants, and those that were admitted late.
    fn competing(&self) -> impl Iterator<Item = EntrantId> {
        let entered = (0..self.field.entrants).map(EntrantId);
        entered.chain(self.journal.admitted().map(|admit| admit.entrant))
    }

    /// Whether a bot competes; the organizer's bots do not.
    fn competes(&self, entrant: EntrantId) -> bool {
        self.competing().any(|id| id == entrant)
    }

    /// The byes, repeated pairings, fillers, lots and notes so far, each with its stage, from 0.
    pub fn remarks(&self, done: &Results) -> Vec<(u8, StageRemark)> {
        let stages = (0..=u8::MAX).zip(self.progress(done));
        stages.flat_map(|(number, stage)| stage.remarks(done).into_iter().map(move |r| (number, r))).collect()
    }

    /// For each stage, the length of the longest chain of stages that leads to it, itself included.
    fn depths(&self) -> Vec<u32> {
        let mut depths: Vec<u32> = Vec::new();
        for stage in &self.stages {
            let before = stage.who.sources().map(|source| depths[usize::from(source)]).max();
            depths.push(before.unwrap_or(0) + 1);
        }
        depths
    }

    /// The seeds of the lots of a stage. Each stage takes two numbers from the contest's generator.
    fn seeds(&self, stage: u8) -> StageSeeds {
        let mut rng = Rng::new(self.seed);
        for _ in 0..2 * u16::from(stage) {
            rng.draw();
        }
        StageSeeds { format: rng.draw(), shared_places: rng.draw() }
    }

    /// Checks that the stage with this number can be played, as far as that is known before the first game.
    fn check(&self, number: u8, stage: &Stage) -> Result<(), FormatError> {
        let refuse = |why: String| Err(FormatError(why));
        let known = self.field.entrants + self.field.organizer_bots;
        if let Some(source) = stage.who.sources().find(|&source| source >= number) {
            let source = u16::from(source) + 1;
            return refuse(format!("its entrants come from stage {source}, which is not an earlier stage"));
        }
        match &stage.who {
            Participants::Group(group) => {
                let Some(ids) = self.field.groups.get(usize::from(*group)) else {
                    let last = self.field.groups.len();
                    let group = u32::from(*group) + 1;
                    return refuse(format!("there is no group {group}: the last is {last}"));
                };
                if let Some(id) = ids.iter().find(|id| id.0 >= known) {
                    let id = u32::from(id.0) + 1;
                    return refuse(format!("there is no entrant {id}: the last is {known}"));
                }
                if ids.len() < 2 {
                    return refuse(format!("a group of {} has no games: name at least two", ids.len()));
                }
            }
            Participants::Best(quotas) if quotas.iter().any(|quota| quota.best == 0) => {
                return refuse(
                    "no entrant advances to it from one of its stages: let at least one advance".into(),
                );
            }
            Participants::Best(quotas) if quotas.iter().map(|quota| u64::from(quota.best)).sum::<u64>() < 2 => {
                return refuse("at most one entrant advances to it: let at least two advance".into());
            }
            Participants::All
            | Participants::Best(_)
            | Participants::TiedForFirst { .. }
            | Participants::Qualified { .. } => {}
        }
        stage.format.clone().fill_in_defaults(&self.field.seats, 0)?;
        if stage.format.min_fillers() > Some(self.field.fillers.len()) {
            let name = stage.format.name();
            return refuse(format!("{name} need a filler, a bot of the organizer's (F4): name one in `fillers`"));
        }
        match self.fixed_entrants(&stage.who) {
            Some(ids) => self.start(number, &ids).map(drop),
            None => self.check_games(number, self.most_entrants(number)),
        }
    }

    /// Checks that a stage of this many entrants has games, or else passes all of them on to a later stage: without
    /// games, only their seeds would decide who advances.
    fn check_games(&self, stage: u8, entrants: usize) -> Result<(), FormatError> {
        let format = &self.stages[usize::from(stage)].format;
        let name = format.name();
        let needed = format.min_entrants();
        let passes_all_on = |later: &Stage| match &later.who {
            Participants::Qualified { stage: source } => *source == stage,
            Participants::Best(quotas) => {
                quotas.iter().any(|quota| quota.stage == stage && usize::from(quota.best) >= entrants)
            }
            Participants::All | Participants::Group(_) | Participants::TiedForFirst { .. } => false,
        };
        if entrants >= needed || self.stages.iter().any(passes_all_on) {
            return Ok(());
        }
        Err(FormatError(format!(
            "{name} of {entrants} entrants have no games, so the order of seeding would decide: let at least {needed} \
             take part, or use another kind, such as `knockout`"
        )))
    }

    /// The most entrants that a stage can have.
    fn most_entrants(&self, stage: u8) -> usize {
        let mut most: Vec<usize> = Vec::new();
        for stage in &self.stages[..=usize::from(stage)] {
            let of = |source: u8| most.get(usize::from(source)).copied().unwrap_or(0);
            most.push(match &stage.who {
                Participants::All => usize::from(self.field.entrants),
                Participants::Group(number) => self.field.groups.get(usize::from(*number)).map_or(0, Vec::len),
                Participants::Best(quotas) => {
                    quotas.iter().map(|quota| of(quota.stage).min(usize::from(quota.best))).sum()
                }
                Participants::Qualified { stage } | Participants::TiedForFirst { stage } => of(*stage),
            });
        }
        most.last().copied().unwrap_or(0)
    }

    /// The schedule of the stage with this number for `entrants`.
    fn start(&self, stage: u8, entrants: &[EntrantId]) -> Result<Box<dyn Schedule>, FormatError> {
        self.check_games(stage, entrants.len())?;
        let start = StageInput {
            stage,
            entrants,
            field: &self.field,
            seed: self.seeds(stage).format,
            journal: &self.journal,
        };
        let schedule = self.stages[usize::from(stage)].format.schedule(&start)?;
        Ok(decided::DecidedSchedule::schedule(self, stage, schedule))
    }

    /// The entrants of a stage, if they do not depend on results.
    fn fixed_entrants(&self, who: &Participants) -> Option<Vec<EntrantId>> {
        match who {
            Participants::All => Some((0..self.field.entrants).map(EntrantId).collect()),
            Participants::Group(number) => self.field.groups.get(usize::from(*number)).cloned(),
            Participants::Best(_) | Participants::TiedForFirst { .. } | Participants::Qualified { .. } => None,
        }
    }
}

impl Participants {
    /// The stages whose standings choose the entrants, from 0.
    fn sources(&self) -> impl Iterator<Item = u8> {
        match self {
            Participants::All | Participants::Group(_) => vec![],
            Participants::Best(quotas) => quotas.iter().map(|quota| quota.stage).collect(),
            Participants::TiedForFirst { stage } | Participants::Qualified { stage } => vec![*stage],
        }
        .into_iter()
    }
}

/// The seeds of a stage's lots.
struct StageSeeds {
    /// For the lots that its format draws.
    format: u64,
    /// For the order of entrants that share a place in it.
    shared_places: u64,
}

/// How far an entrant has come.
struct Reached {
    /// The number of successive stages up to the last one that it plays in; 0 before its first one begins.
    depth: u32,
    /// Its place in that stage.
    place: u32,
}

/// The standings of entrants by how far each has come.
fn rank_by_stages(reached: BTreeMap<EntrantId, Reached>) -> Vec<Standing> {
    // Larger figures rank first, so places are negative until the entrants are ranked.
    let row = |(id, it): (EntrantId, Reached)| (id, vec![i64::from(it.depth), -i64::from(it.place)]);
    let mut standings = rank(reached.into_iter().map(row).collect());
    for standing in &mut standings {
        standing.figures[1] = -standing.figures[1];
    }
    standings
}
