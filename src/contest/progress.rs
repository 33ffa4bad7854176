//! How far one stage of a contest has come, and who has come into it.

use super::{Contest, Quota, Participants};
use crate::format::{
    Column, EntrantId, FormatError, Pairing, Plan, Ranking, Remark, Results, Rounds, Schedule, Standing, rank,
};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// A stage as the results so far have it.
pub struct Progress {
    /// Whether it is played.
    pub state: State,
    /// Who takes part, the best seed first; nobody while that is not known.
    pub entrants: Vec<EntrantId>,
    /// The lots that ordered them.
    lots: Vec<Remark>,
    /// There is one once the stage has begun.
    schedule: Option<Box<dyn Schedule>>,
}

/// Whether a stage is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Its entrants depend on stages that are not over.
    Waiting,
    /// It is due, but fewer than two have come into it: a leader that nobody is tied with (B12).
    Skipped,
    /// It is due, but cannot be played by those who have come into it.
    Refused(FormatError),
    /// These games may start and have no result.
    Playing(Vec<Pairing>),
    /// All has been played.
    Done,
}

impl Progress {
    /// Stage `number` of `contest`, where `before` is the progress of the stages before it.
    pub(super) fn of(contest: &Contest, number: u8, before: &[Progress], done: &Results) -> Progress {
        let stage = &contest.stages[usize::from(number)];
        let waiting = Progress { state: State::Waiting, entrants: Vec::new(), lots: Vec::new(), schedule: None };
        if !stage.who.sources().all(|source| before[usize::from(source)].is_over()) {
            return waiting;
        }
        let (entrants, lots) = entrants(contest, &stage.who, before, done);
        let known = Progress { entrants, lots, ..waiting };
        if known.entrants.len() < 2 {
            return Progress { state: State::Skipped, ..known };
        }
        match contest.start(number, &known.entrants) {
            Err(error) => Progress { state: State::Refused(error), ..known },
            Ok(schedule) => {
                let state = match schedule.plan(done) {
                    Plan::Play(games) => State::Playing(games),
                    Plan::Finished => State::Done,
                };
                Progress { state, schedule: Some(schedule), ..known }
            }
        }
    }

    /// Whether it will have no more games, and later stages may draw on it.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Skipped | State::Done)
    }

    /// Whether it is or has been played.
    pub fn has_begun(&self) -> bool {
        self.schedule.is_some()
    }

    /// What the figures of its standings are.
    pub fn columns(&self) -> Vec<Column> {
        self.schedule.as_ref().map(|schedule| schedule.columns()).unwrap_or_default()
    }

    /// Its standings; all share first place in a stage that is not played.
    pub fn standings(&self, done: &Results) -> Vec<Standing> {
        match &self.schedule {
            Some(schedule) => schedule.standings(done),
            None => rank(self.entrants.iter().map(|&id| (id, Vec::new())).collect()),
        }
    }

    /// Its rankings besides its standings, which decide nothing (R9).
    pub fn further_rankings(&self, done: &Results) -> Vec<Ranking> {
        self.schedule.as_ref().map(|schedule| schedule.further_rankings(done)).unwrap_or_default()
    }

    /// Its rounds; `None` while it has not begun, and where rounds mean nothing to people.
    pub fn rounds(&self, done: &Results) -> Option<Rounds> {
        self.schedule.as_ref()?.rounds(done)
    }

    /// What is to be known of it.
    pub fn remarks(&self, done: &Results) -> Vec<Remark> {
        let state = match &self.state {
            State::Skipped => Some(Remark::Note("not played: fewer than two came into it".into())),
            State::Refused(error) => Some(Remark::Note(format!("cannot be played: {error}"))),
            State::Waiting | State::Playing(_) | State::Done => None,
        };
        let played = self.schedule.iter().flat_map(|schedule| schedule.remarks(done));
        self.lots.iter().cloned().chain(state).chain(played).collect()
    }
}

/// Who comes into a stage, when all it draws on is over, and the lots that were drawn.
fn entrants(contest: &Contest, who: &Participants, before: &[Progress], done: &Results) -> (Vec<EntrantId>, Vec<Remark>) {
    match who {
        Participants::All | Participants::Group(_) => (contest.named(who).unwrap_or_default(), Vec::new()),
        Participants::Qualified { stage } => {
            let source = &before[usize::from(*stage)];
            if let Some(advancing) = source.schedule.as_ref().and_then(|schedule| schedule.advancing(done)) {
                return (advancing, Vec::new());
            }
            let all = Quota { stage: *stage, best: u16::MAX };
            best(&competing(contest, source, done), all, contest.seeds(*stage)[1])
        }
        Participants::TiedForFirst { stage } => {
            let standings = competing(contest, &before[usize::from(*stage)], done);
            let first = standings.first().map(|leader| leader.place);
            let tied = standings.iter().filter(|standing| Some(standing.place) == first);
            (tied.map(|standing| standing.entrant).collect(), Vec::new())
        }
        Participants::Best(quotas) => {
            let (mut lists, mut lots) = (Vec::new(), Vec::new());
            for quota in quotas {
                let standings = competing(contest, &before[usize::from(quota.stage)], done);
                let (best, drawn) = best(&standings, *quota, contest.seeds(quota.stage)[1]);
                lists.push(best);
                lots.extend(drawn);
            }
            (interleaved(&lists), lots)
        }
    }
}

/// The standings of a stage without the organizer's entrants, who do not advance (S2).
fn competing(contest: &Contest, stage: &Progress, done: &Results) -> Vec<Standing> {
    let mut standings = stage.standings(done);
    standings.retain(|standing| standing.entrant.0 < contest.field.entrants);
    standings
}

/// The best of `standings`, and the lots that were needed to order them or to end with the last.
pub(super) fn best(standings: &[Standing], quota: Quota, seed: u64) -> (Vec<EntrantId>, Vec<Remark>) {
    let mut rng = Rng::new(seed);
    let (mut order, mut drawn) = (Vec::new(), Vec::new());
    for tied in standings.chunk_by(|a, b| a.place == b.place) {
        if order.len() >= usize::from(quota.best) {
            break;
        }
        let mut tied_order: Vec<EntrantId> = tied.iter().map(|standing| standing.entrant).collect();
        if tied_order.len() > 1 {
            rng.shuffle(&mut tied_order);
            let about = format!("who shares place {} of stage {}", tied[0].place, u16::from(quota.stage) + 1);
            drawn.push(Remark::Lot { about, order: tied_order.clone() });
        }
        order.extend(tied_order);
    }
    order.truncate(usize::from(quota.best));
    (order, drawn)
}

/// All first ones, all second ones, and so on; who comes through two lists counts once.
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
