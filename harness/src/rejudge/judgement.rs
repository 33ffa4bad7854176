//! Judges a recorded game by other rules, move by move.

use super::timing::TimesByRuleset;
use crate::record::{FaultRecord, GameRecord, actions};
use crate::replay::{Deviation, Forfeits, begin, open, take};
use crate::ruleset::Ruleset;
use crate::text::duration;
use cornerman::game::{Outcome, Seat, Seats, Setup};
use std::fmt;
use std::time::Duration;

/// The kind of fault of an answer that came too late.
pub(super) const TIMEOUT: &str = "timeout";

/// A move that is a forfeit by other limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewForfeit {
    /// The move in the record, from 1.
    pub number: u32,
    /// The seat.
    pub seat: Seat,
    /// The time that the move took, without that in which the bot waited for a processor; in a game with a clock, its
    /// processor time if that is more.
    pub took: Duration,
    /// The time that it may take.
    pub limit: Duration,
}

impl NewForfeit {
    /// Why the game is unknown from this forfeit on.
    fn plays_on(&self) -> Deviation {
        let what = format_args!(": {} forfeits by its time, and the others play on", self.seat);
        Deviation::at(self.number, what)
    }
}

impl fmt::Display for NewForfeit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let NewForfeit { number, seat, took, limit } = self;
        write!(f, "{seat} took {} for move {number}, and may take {}", brief(*took), brief(*limit))
    }
}

/// `time` in words, without a decimal place that is 0: limits are usually whole milliseconds, such as `5 ms`.
fn brief(time: Duration) -> String {
    duration(time).replace(".0 ms", " ms")
}

/// The result of judging a recorded game by other rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It ends as it did.
    Same,
    /// It ends with another outcome: another score, other places, or a forfeit.
    Other {
        /// The outcome.
        outcome: Outcome,
        /// The move after which it is over, from 1.
        after: u32,
        /// The forfeits that decide it and that the record does not have: several if seats moved at once.
        forfeits: Vec<NewForfeit>,
    },
    /// The game is unknown from this move on.
    Diverges {
        /// The move, from 1; 0 if it is the start.
        at: u32,
        /// What is different.
        why: String,
    },
}

impl Judgement {
    /// The outcome, if it is known; `recorded` is the one before.
    pub fn outcome<'a>(&'a self, recorded: &'a Outcome) -> Option<&'a Outcome> {
        match self {
            Judgement::Same => Some(recorded),
            Judgement::Other { outcome, .. } => Some(outcome),
            Judgement::Diverges { .. } => None,
        }
    }
}

/// Judges the games of a contest that was played by the ruleset `then` by the ruleset `now`.
pub(super) struct GameJudge<'a> {
    then: &'a Ruleset,
    now: &'a Ruleset,
    /// Whether the rules may send or decide something else. If not, only limits differ.
    other_rules: bool,
}

impl<'a> GameJudge<'a> {
    /// A judge of games by these rulesets, which are of one game.
    pub(super) fn new(then: &'a Ruleset, now: &'a Ruleset) -> GameJudge<'a> {
        // The `Debug` form of the rules shows all their settings.
        let settings = |ruleset: &Ruleset| format!("{:?} {:?}", ruleset.rules, ruleset.marks);
        GameJudge { then, now, other_rules: settings(then) != settings(now) }
    }

    /// Judges a game, which would begin with the setup `start` now.
    pub(super) fn judge(&self, game: &GameRecord, start: &Setup) -> Judgement {
        match self.follow(game, start) {
            Ok(Judgement::Other { outcome, .. }) if outcome == game.outcome => Judgement::Same,
            Ok(ended) => ended,
            Err(deviation) => Judgement::Diverges { at: deviation.number, why: deviation.why },
        }
    }

    /// Follows a game to its end: [`Judgement::Other`], even with the same outcome.
    fn follow(&self, game: &GameRecord, start: &Setup) -> Result<Judgement, Deviation> {
        let GameJudge { then, now, other_rules } = *self;
        let has_less_memory = now.limits.memory < then.limits.memory;
        let over = game.seats.iter().position(|seat| seat.peak_memory > now.limits.memory);
        if let Some(seat) = over.filter(|_| has_less_memory) {
            let mib = game.seats[seat].peak_memory.div_ceil(1 << 20);
            let seat = Seat(seat as u8);
            return Err(Deviation::at_start(format!(
                "{seat} used {mib} MiB of memory, which is more than it may"
            )));
        }
        let mut timing = TimesByRuleset::new(then, now, start.seats);
        let mut live = begin(now, start)?;
        let mut recorded = other_rules.then(|| open(then, game)).transpose()?;
        let mut after = 0;
        let mut forfeits = Vec::<NewForfeit>::new();
        // The seats that acted at the same time as a new forfeit: they were sent the same as in the record.
        let mut together = Seats::NONE;
        for action in actions(game) {
            if let Some(outcome) = live.outcome() {
                return Ok(Judgement::Other { outcome, after, forfeits });
            }
            let number = action.number();
            let seat = action.seat();
            if let Some(first) = forfeits.first().filter(|_| !together.contains(seat)) {
                return Err(first.plays_on());
            }
            if !live.to_act().contains(seat) {
                return Err(Deviation::not_to_move(number, seat));
            }
            if recorded.as_ref().is_some_and(|recorded| recorded.view(seat) != live.view(seat)) {
                let what = format_args!(": {seat} would have been sent something else");
                return Err(Deviation::at(number, what));
            }
            after = number;
            if let Some(forfeit) = timing.judge(action)? {
                together = live.to_act();
                live.forfeit(seat);
                forfeits.push(forfeit);
            } else {
                take(&mut *live, action, if other_rules { Forfeits::Judged } else { Forfeits::AsRecorded })?;
            }
            together = together.without(seat);
            if let Some(recorded) = &mut recorded {
                take(&mut **recorded, action, Forfeits::AsRecorded)?;
            }
        }
        match (live.outcome(), forfeits.first()) {
            (Some(outcome), _) => Ok(Judgement::Other { outcome, after, forfeits }),
            (None, Some(first)) => Err(first.plays_on()),
            (None, None) => Err(Deviation::no_end(after)),
        }
    }
}

/// The record of a `game` that ends as the judgement by the ruleset `now` says: without what came after the last move,
/// and with the forfeit. How the bots behaved stays that of the whole game.
pub(super) fn as_judged(mut game: GameRecord, judgement: &Judgement, start: Setup, now: &Ruleset) -> GameRecord {
    game.setup = start;
    let Judgement::Other { outcome, after, forfeits } = judgement else { return game };
    game.outcome = outcome.clone();
    let mut faults: Vec<FaultRecord> = forfeits.iter().map(|forfeit| fault(&game, forfeit, now)).collect();
    // A forfeit takes the number of its move, which the next legal move then has: so later numbers are lower.
    let number = |number: u32| number - forfeits.iter().filter(|forfeit| forfeit.number < number).count() as u32;
    game.moves.retain(|made| made.number <= *after && forfeits.iter().all(|it| it.number != made.number));
    game.faults.retain(|fault| fault.number <= *after);
    for made in &mut game.moves {
        made.number = number(made.number);
    }
    game.faults.append(&mut faults);
    for fault in &mut game.faults {
        fault.number = number(fault.number);
    }
    game.faults.sort_by_key(|fault| fault.number);
    game
}

/// A `forfeit` that the record of its `game` does not have.
fn fault(game: &GameRecord, forfeit: &NewForfeit, now: &Ruleset) -> FaultRecord {
    let late = game.moves.iter().find(|made| made.number == forfeit.number);
    FaultRecord {
        number: forfeit.number,
        seat: forfeit.seat,
        kind: TIMEOUT.to_string(),
        detail: forfeit.to_string(),
        view: view_before(game, forfeit, now).unwrap_or_default(),
        answer: Vec::new(),
        used: late.map(|made| made.used).unwrap_or_default(),
        stderr: String::new(),
    }
}

/// What the bot was sent before its forfeit.
fn view_before(game: &GameRecord, forfeit: &NewForfeit, now: &Ruleset) -> Result<Vec<u8>, Deviation> {
    let mut live = open(now, game)?;
    let before = actions(game).into_iter().take_while(|action| action.number() < forfeit.number);
    before.into_iter().try_for_each(|action| take(&mut *live, action, Forfeits::Judged))?;
    Ok(live.view(forfeit.seat))
}
