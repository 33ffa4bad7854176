//! The clock of a whole game: a budget of processor time for all moves together, then a minimum for each move (G3).
//!
//! A bot is charged its processor time, or a fraction of the wall time if that is more, so that a bot that sleeps
//! instead of thinking uses up its time as well. Reading a bot's processor time can cost more than its answer, so it is
//! read only where it could matter.

use std::time::Duration;

/// How much time a bot has for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Processor time for all moves together. The bot is notified when it is used up.
    pub budget: Duration,
    /// Processor time for each move after that; more forfeits the game.
    pub minimum: Duration,
    /// The number of seconds of wall time that are charged as one second of processor time, if the bot used less.
    pub guard: u32,
}

/// The clock of a game in progress.
#[derive(Clone, Copy, Debug)]
pub struct RunningClock {
    clock: GameClock,
    /// The sum of what earlier answers were charged.
    charged: Duration,
    /// Whether the bot has been notified that its budget is used up.
    notified: bool,
    /// What this answer may be charged before the budget or the minimum is used up.
    allowance: Duration,
}

/// Where the clock stands while the bot is thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockStatus {
    /// Time is left: check again after this much wall time.
    Wait(Duration),
    /// The budget has just been used up: the caller must notify the bot, which has the minimum from now on.
    BudgetSpent,
    /// The minimum is used up too: the bot forfeits.
    Exhausted,
}

/// The shortest time that [`ClockStatus::Wait`] asks for: checking more often would slow the bot down.
const MIN_WAIT: Duration = Duration::from_millis(5);

impl RunningClock {
    /// A clock before the first move.
    pub fn new(clock: GameClock) -> RunningClock {
        RunningClock { clock, charged: Duration::ZERO, notified: false, allowance: Duration::ZERO }
    }

    /// Starts a move. Returns true if the budget has been used up since the last move, so that the caller must notify
    /// the bot together with the request.
    pub fn start_move(&mut self) -> bool {
        let left = self.clock.budget.saturating_sub(self.charged);
        let notify = !self.notified && left.is_zero();
        self.notified |= notify;
        self.allowance = if self.notified { self.clock.minimum } else { left };
        notify
    }

    /// The cost of an answer for which the bot used `cpu` of processor time within the wall time `wall`.
    pub fn charge(&self, cpu: Duration, wall: Duration) -> Duration {
        cpu.max(wall / self.clock.guard)
    }

    /// Checks the clock of a bot that has thought for `wall` and used `cpu` of processor time, on at most `cores`
    /// processors.
    pub fn check(&mut self, cpu: Duration, wall: Duration, cores: u32) -> ClockStatus {
        let charged = self.charge(cpu, wall);
        let left = self.allowance.saturating_sub(charged);
        if !left.is_zero() {
            // Even on all processors the bot cannot use up the rest sooner.
            return ClockStatus::Wait((left / cores.max(1)).max(MIN_WAIT));
        }
        if self.notified {
            return ClockStatus::Exhausted;
        }
        self.notified = true;
        self.allowance = charged + self.clock.minimum;
        ClockStatus::BudgetSpent
    }

    /// Charges an answer that took `cpu` of processor time within `wall`.
    pub fn end_move(&mut self, cpu: Duration, wall: Duration) {
        self.charged += self.charge(cpu, wall);
    }

    /// The wall time after which the clock must be checked for the first time, on at most `cores` processors.
    pub fn first_check(&self, cores: u32) -> Duration {
        self.allowance / cores.max(1)
    }

    /// The wall time after which a bot that uses no processor time has used up its time for this move.
    pub fn longest(&self) -> Duration {
        let after = if self.notified { Duration::ZERO } else { self.clock.minimum };
        (self.allowance + after) * self.clock.guard
    }

    /// The minimum for each move, which forfeits the game when it is used up.
    pub fn minimum(&self) -> Duration {
        self.clock.minimum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    fn clock() -> RunningClock {
        RunningClock::new(GameClock { budget: S(60), minimum: S(15), guard: 4 })
    }

    /// Plays `answers`, as (processor time, wall time) in seconds; the last request notifies the bot if `notified`.
    #[track_caller]
    fn check(answers: &[(u64, u64)], notified: bool) {
        let mut clock = clock();
        let each: Vec<bool> = answers
            .iter()
            .map(|&(cpu, wall)| {
                let notify = clock.start_move();
                clock.end_move(S(cpu), S(wall));
                notify
            })
            .collect();
        assert_eq!(each.last(), Some(&notified));
        assert!(each.iter().filter(|&&notify| notify).count() <= 1, "notified more than once");
    }

    #[test]
    fn the_budget_is_for_all_moves_together() {
        check(&[(20, 20), (39, 39), (0, 0)], false);
        check(&[(20, 20), (40, 40), (0, 0)], true);
        check(&[(20, 20), (40, 40), (0, 0), (1, 1)], false);
    }

    #[test]
    fn a_quarter_of_the_wall_time_is_charged_at_least() {
        check(&[(0, 239), (0, 0)], false);
        check(&[(0, 240), (0, 0)], true);
        check(&[(59, 239), (0, 0)], false);
    }

    #[test]
    fn a_bot_that_runs_out_while_thinking_is_notified_and_has_the_minimum_from_there() {
        let mut clock = clock();
        assert!(!clock.start_move());
        assert_eq!(clock.longest(), S(4 * 75));
        assert_eq!(clock.check(S(20), S(20), 1), ClockStatus::Wait(S(40)));
        assert_eq!(clock.check(S(20), S(20), 2), ClockStatus::Wait(S(20)));
        assert_eq!(clock.check(S(61), S(61), 1), ClockStatus::BudgetSpent);
        assert_eq!(clock.check(S(70), S(70), 1), ClockStatus::Wait(S(6)));
        assert_eq!(clock.check(S(76), S(76), 1), ClockStatus::Exhausted);
    }

    #[test]
    fn after_the_notification_each_move_has_the_minimum() {
        let mut clock = clock();
        clock.start_move();
        clock.end_move(S(60), S(60));
        assert!(clock.start_move());
        assert_eq!(clock.longest(), S(60));
        assert_eq!(clock.check(S(14), S(14), 1), ClockStatus::Wait(S(1)));
        assert_eq!(clock.check(S(0), S(60), 1), ClockStatus::Exhausted);
        clock.end_move(S(14), S(14));
        assert!(!clock.start_move());
        assert_eq!(clock.check(S(14), S(14), 1), ClockStatus::Wait(S(1)));
        assert_eq!((clock.charged, clock.minimum(), clock.first_check(2)), (S(74), S(15), S(15) / 2));
    }
}
