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
    /// The clocks of each seat, then and now, if they differ.
    clocks: Option<Vec<[RunningClock; 2]>>,
}

/// The events of a clock at a move.
#[derive(PartialEq, Eq)]
struct ClockEvents {
    /// Whether the bot is notified that its time is used up.
    tells: bool,
    /// Whether it forfeits.
    ends: bool,
}

impl<'a> TimesByRuleset<'a> {
    /// The clocks of this many seats start anew.
    pub(super) fn new(then: &'a Ruleset, now: &'a Ruleset, seats: u8) -> TimesByRuleset<'a> {
        let both = then.clock.zip(now.clock).filter(|(then, now)| then != now);
        let clocks =
            both.map(|both| (0..seats).map(|_| <[GameClock; 2]>::from(both).map(RunningClock::new)).collect());
        TimesByRuleset { then, now, clocks }
    }

    /// The forfeit, if the action is one by the present limits and was not by the recorded ones.
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
            if timed_out {
                return Err(Deviation::OtherClock(number, seat));
            }
            let then = run(then, used);
            let now_events = run(now, used);
            if then.tells != now_events.tells {
                return Err(Deviation::OtherClock(number, seat));
            }
            let limit = now.minimum();
            return Ok(now_events.ends.then_some(NewForfeit {
                number,
                seat,
                took: used.cpu.max(own(used)),
                limit,
            }));
        }
        if self.then.clock.is_some() || self.now.clock.is_some() {
            return Ok(None);
        }
        let then = self.then.limits.hard;
        let now = self.now.limits.hard;
        if timed_out && now > then {
            return Err(Deviation::MoreTime(number, seat));
        }
        let took = own(used);
        let is_late = matches!(action, RecordedAction::Moved(_)) && now < then && took > now;
        Ok(is_late.then_some(NewForfeit { number, seat, took, limit: now }))
    }
}

/// The wall time, without the time waited for a processor.
fn own(used: TimeUsed) -> Duration {
    used.wall.saturating_sub(used.lag)
}

/// Lets a clock run for a move that took this long.
fn run(clock: &mut RunningClock, used: TimeUsed) -> ClockEvents {
    let mut tells = clock.start_move();
    let mut ends = false;
    loop {
        match clock.check(used.cpu, own(used), 1) {
            ClockStatus::Wait(_) => break,
            ClockStatus::BudgetSpent => tells = true,
            ClockStatus::Exhausted => {
                ends = true;
                break;
            }
        }
    }
    clock.end_move(used.cpu, own(used));
    ClockEvents { tells, ends }
}
