//! The times of recorded moves under other limits.

use super::judgement::{NewForfeit, TIMEOUT};
use crate::player::clock::{ClockStatus, GameClock, RunningClock};
use crate::record::{RecordedAction, TimeUsed};
use crate::replay::Deviation;
use crate::ruleset::Ruleset;
use std::time::Duration;

/// The times of moves by both rulesets.
pub(super) struct TimesByRuleset<'a> {
    then: &'a Ruleset,
    now: &'a Ruleset,
    /// The clocks of each seat, then and now, if both rulesets have clocks that differ.
    clocks: Option<Vec<[RunningClock; 2]>>,
}

/// The events of a clock at a move.
struct ClockEvents {
    /// Whether the bot is notified that its time is used up.
    notifies: bool,
    /// Whether it forfeits.
    forfeits: bool,
}

impl<'a> TimesByRuleset<'a> {
    /// The times of a game with this number of `seats`, whose clocks start now.
    pub(super) fn new(then: &'a Ruleset, now: &'a Ruleset, seats: u8) -> TimesByRuleset<'a> {
        let both = then.clock.zip(now.clock).filter(|(then, now)| then != now);
        let clocks =
            both.map(|both| (0..seats).map(|_| <[GameClock; 2]>::from(both).map(RunningClock::new)).collect());
        TimesByRuleset { then, now, clocks }
    }

    /// The forfeit, if the action is a forfeit by the limits of now and was not by those of then.
    ///
    /// # Errors
    /// When it is unknown what the bot would have done with more or less time.
    pub(super) fn judge(&mut self, action: RecordedAction) -> Result<Option<NewForfeit>, Deviation> {
        let number = action.number();
        let seat = action.seat();
        let used = action.used();
        let timed_out = matches!(action, RecordedAction::Forfeited(fault) if fault.kind == TIMEOUT);
        if let Some(clocks) = &mut self.clocks {
            let Some([then, now]) = clocks.get_mut(seat.index()) else { return Ok(None) };
            let events = run(now, used);
            if timed_out || run(then, used).notifies != events.notifies {
                let what =
                    format_args!(": {seat} would have been told at another time that its clock has run out");
                return Err(Deviation::at(number, what));
            }
            let took = used.cpu.max(own_wall(used));
            return Ok(events.forfeits.then_some(NewForfeit { number, seat, took, limit: now.minimum() }));
        }
        if self.then.clock.is_some() || self.now.clock.is_some() {
            return Ok(None);
        }
        let then = self.then.limits.hard;
        let now = self.now.limits.hard;
        if timed_out && now > then {
            return Err(Deviation::at(number, format_args!(": {seat} would have had more time")));
        }
        let took = own_wall(used);
        let is_late = matches!(action, RecordedAction::Moved(_)) && now < then && took > now;
        Ok(is_late.then_some(NewForfeit { number, seat, took, limit: now }))
    }
}

/// The wall time, without the time waited for a processor.
fn own_wall(used: TimeUsed) -> Duration {
    used.wall.saturating_sub(used.lag)
}

/// Lets a clock run for a move that used this time.
fn run(clock: &mut RunningClock, used: TimeUsed) -> ClockEvents {
    let mut notifies = clock.start_move();
    let mut status = clock.check(used.cpu, own_wall(used), 1);
    if status == ClockStatus::BudgetSpent {
        notifies = true;
        status = clock.check(used.cpu, own_wall(used), 1);
    }
    clock.end_move(used.cpu, own_wall(used));
    ClockEvents { notifies, forfeits: status == ClockStatus::Exhausted }
}
