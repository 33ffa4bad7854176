//! The progress of one stage of a contest, and the entrants that have qualified for it.

use super::{Contest, Participants, Quota};
use crate::format::{
    EntrantId, FormatError, Measure, Pairing, Plan, Ranking, Results, Rounds, Schedule, StageRemark, Standing,
    StandingsColumn, rank,
};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// A stage of a contest after the results so far.
pub struct StageProgress {
    /// Whether the stage is waiting, being played or over.
    pub state: StageState,
    /// The entrants that take part, the best seed first; empty while they are not known.
    pub entrants: Vec<EntrantId>,
    /// The lots that ordered the entrants.
    pub(super) lots: Vec<StageRemark>,
    /// The schedule, once the stage has begun.
    pub(super) schedule: Option<Box<dyn Schedule>>,
}

/// Whether a stage is waiting, being played or over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageState {
    /// Its entrants depend on stages that are not over.
    Waiting,
    /// It is not played because fewer than two entrants qualified, such as a single leader where ties are played off
    /// (B12).
    Skipped,
    /// It is due, but the entrants that qualified cannot play it.
    Refused(FormatError),
    /// It is being played: these games may start and have no result.
    Playing(Vec<Pairing>),
    /// No game is left to play.
    Done,
}

impl StageProgress {
    /// The progress of stage `number` of `contest`; `before` is that of the stages before it.
    pub(super) fn for_stage(
        contest: &Contest,
        number: u8,
        before: &[StageProgress],
        done: &Results,
    ) -> StageProgress {
        let stage = &contest.stages[usize::from(number)];
        if !stage.who.sources().all(|source| before[usize::from(source)].is_over()) {
            return StageProgress {
                state: StageState::Waiting,
                entrants: Vec::new(),
                lots: Vec::new(),
                schedule: None,
            };
        }
        let (mut entrants, lots) = entrants(contest, number, before, done);
        for admitted in contest.journal.last_seeds(number) {
            if !entrants.contains(&admitted) && !contest.journal.is_unpaired(number, 0, admitted) {
                entrants.push(admitted);
            }
        }
        StageProgress::with_entrants(contest, number, entrants, lots, done)
    }

    /// The progress of stage `number` of `contest`, which began with `entrants`; those that were admitted later join
    /// them.
    pub(super) fn with_entrants(
        contest: &Contest,
        number: u8,
        mut entrants: Vec<EntrantId>,
        lots: Vec<StageRemark>,
        done: &Results,
    ) -> StageProgress {
        let late: Vec<EntrantId> = contest.journal.late(number).map(|(entrant, _)| entrant).collect();
        entrants.retain(|id| !late.contains(id));
        let started = (entrants.len() > 1).then(|| contest.start(number, &entrants));
        entrants.extend(late);
        let known = StageProgress { state: StageState::Waiting, entrants, lots, schedule: None };
        let Some(started) = started else { return StageProgress { state: StageState::Skipped, ..known } };
        match started {
            Err(error) => StageProgress { state: StageState::Refused(error), ..known },
            Ok(schedule) => {
                let state = match schedule.plan(done) {
                    Plan::Play(due) => StageState::Playing(due),
                    Plan::Finished => StageState::Done,
                };
                StageProgress { state, schedule: Some(schedule), ..known }
            }
        }
    }

    /// Whether no more games follow, so that later stages can take their entrants from it.
    pub fn is_over(&self) -> bool {
        matches!(self.state, StageState::Skipped | StageState::Done)
    }

    /// Whether it is being played or has been played.
    pub fn has_begun(&self) -> bool {
        self.schedule.is_some()
    }

    /// Whether a recorded game of it counts, after the organizer's decisions.
    pub fn counts(&self, game: &Pairing) -> bool {
        self.schedule.as_ref().is_none_or(|schedule| schedule.counts(game))
    }

    /// The columns of its standings; empty until it begins.
    pub fn columns(&self) -> Vec<StandingsColumn> {
        self.schedule.as_ref().map(|schedule| schedule.columns()).unwrap_or_default()
    }

    /// Its standings. In a stage that has not begun, all entrants share first place.
    pub fn standings(&self, done: &Results) -> Vec<Standing> {
        match &self.schedule {
            Some(schedule) => schedule.standings(done),
            None => rank(self.entrants.iter().map(|&id| (id, Vec::new())).collect()),
        }
    }

    /// Its further rankings, which decide nothing (R9).
    pub fn further_rankings(&self, done: &Results) -> Vec<Ranking> {
        self.schedule.as_ref().map(|schedule| schedule.further_rankings(done)).unwrap_or_default()
    }

    /// The largest margin, over all games of a pair, that counts as a tie in the cross-table; `None` until the stage
    /// begins, and if no ranking counts margins (R9).
    pub fn tie_margin(&self) -> Option<u32> {
        self.schedule.as_ref()?.facts().tie_margin
    }

    /// What decides its games; `None` until it begins, and if the game's own winners do.
    pub fn measure(&self) -> Option<Measure> {
        self.schedule.as_ref()?.facts().measure
    }

    /// Its rounds; `None` until it begins, and for a format whose games are all known from the start.
    pub fn rounds(&self, done: &Results) -> Option<Rounds> {
        self.schedule.as_ref()?.rounds(done)
    }

    /// The byes, repeated pairings, fillers, lots and notes so far.
    pub fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        let state = match &self.state {
            StageState::Skipped => Some(StageRemark::Note("not played: fewer than two entrants qualified".into())),
            StageState::Refused(error) => Some(StageRemark::Note(format!("cannot be played: {error}"))),
            StageState::Waiting | StageState::Playing(_) | StageState::Done => None,
        };
        let played = self.schedule.iter().flat_map(|schedule| schedule.remarks(done));
        self.lots.iter().cloned().chain(state).chain(played).collect()
    }
}

/// The entrants that qualify for a stage once its source stages are over, and the lots drawn to order them.
fn entrants(
    contest: &Contest,
    number: u8,
    before: &[StageProgress],
    done: &Results,
) -> (Vec<EntrantId>, Vec<StageRemark>) {
    let who = &contest.stages[usize::from(number)].who;
    let keep = |about: &str, drawn: &mut [EntrantId]| contest.journal.keep_lots(number, about, drawn, |id| *id);
    let plays = |id: &EntrantId| !contest.journal.is_unpaired(number, 0, *id);
    let standings_of = |stage: u8| {
        let mut standings = before[usize::from(stage)].standings(done);
        // The organizer's bots do not advance (S2).
        standings.retain(|standing| contest.competes(standing.entrant) && plays(&standing.entrant));
        standings
    };
    match who {
        Participants::All | Participants::Group(_) => {
            let all = contest.fixed_entrants(who).unwrap_or_default();
            (all.into_iter().filter(plays).collect(), Vec::new())
        }
        Participants::Qualified { stage } => {
            let schedule = before[usize::from(*stage)].schedule.as_ref();
            if let Some(advancing) = schedule.and_then(|schedule| schedule.advancing(done)) {
                return (advancing.into_iter().filter(plays).collect(), Vec::new());
            }
            let all = Quota { stage: *stage, best: u16::MAX };
            best(&standings_of(*stage), all, contest.seeds(*stage).shared_places, keep)
        }
        Participants::TiedForFirst { stage } => {
            let standings = standings_of(*stage);
            let first = standings.first().map(|leader| leader.place);
            let tied = standings.iter().filter(|standing| Some(standing.place) == first);
            (tied.map(|standing| standing.entrant).collect(), Vec::new())
        }
        Participants::Best(quotas) => {
            let mut lists = Vec::new();
            let mut lots = Vec::new();
            for quota in quotas {
                let seed = contest.seeds(quota.stage).shared_places;
                let (best, drawn) = best(&standings_of(quota.stage), *quota, seed, keep);
                lists.push(best);
                lots.extend(drawn);
            }
            (interleaved(&lists), lots)
        }
    }
}

/// The best of `standings`, and the lots needed to order them or to choose the last of them. `keep` reorders what a lot
/// has drawn by [the earlier lot that holds](crate::journal::Journal::keep_lots), given what the lot is about.
pub(super) fn best(
    standings: &[Standing],
    quota: Quota,
    seed: u64,
    keep: impl Fn(&str, &mut [EntrantId]),
) -> (Vec<EntrantId>, Vec<StageRemark>) {
    let mut rng = Rng::new(seed);
    let mut order = Vec::new();
    let mut drawn = Vec::new();
    for tied in standings.chunk_by(|a, b| a.place == b.place) {
        if order.len() >= usize::from(quota.best) {
            break;
        }
        let mut tied_order: Vec<EntrantId> = tied.iter().map(|standing| standing.entrant).collect();
        if tied_order.len() > 1 {
            rng.shuffle(&mut tied_order);
            let about =
                format!("entrants tied for place {} of stage {}", tied[0].place, u16::from(quota.stage) + 1);
            keep(&about, &mut tied_order);
            drawn.push(StageRemark::Lot { about, order: tied_order.clone() });
        }
        order.extend(tied_order);
    }
    order.truncate(usize::from(quota.best));
    (order, drawn)
}

/// The first entrant of each list, then the second of each, and so on; an entrant on two lists counts once.
fn interleaved(lists: &[Vec<EntrantId>]) -> Vec<EntrantId> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut order: Vec<EntrantId> = Vec::new();
    for id in (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at))) {
        if !order.contains(id) {
            order.push(*id);
        }
    }
    order
}
