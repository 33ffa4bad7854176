//! The clock of a whole game: processor time that adds up over all moves, then a minimum for each (G3).
//!
//! What a bot is charged is its user processor time, or a part of the wall time if that is more: a bot that sleeps
//! instead of thinking uses up its time as well. Reading a bot's processor time costs more than many an answer, so
//! it is read only where it could matter.

use std::time::Duration;

/// How much time a bot has for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Processor time for all moves together; when it is used up, the bot is told.
    pub budget: Duration,
    /// Processor time for each move after that; more forfeits the game.
    pub minimum: Duration,
    /// So many seconds of wall time count as one of processor time, if the bot uses less than that.
    pub guard: u32,
}

/// A clock that runs.
#[derive(Clone, Copy, Debug)]
pub struct RunningClock {
    clock: GameClock,
    /// What earlier answers were charged.
    charged: Duration,
    /// Whether the bot has been told that its budget is used up.
    told: bool,
    /// What this answer may be charged before something happens.
    allowance: Duration,
}

/// What follows when an answer has been thought about for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockStatus {
    /// Nothing yet: look again after this much wall time.
    Wait(Duration),
    /// The budget is used up: the bot is to be told, and has the minimum from now on.
    BudgetSpent,
    /// The minimum is used up too: forfeit.
    Exhausted,
}

/// Looking again sooner than this would cost the bot more than it gains.
const SHORTEST_WAIT: Duration = Duration::from_millis(5);

impl RunningClock {
    /// A clock before the first move.
    pub fn new(clock: GameClock) -> RunningClock {
        RunningClock { clock, charged: Duration::ZERO, told: false, allowance: Duration::ZERO }
    }

    /// The bot is asked for a move: whether it has to be told first that its budget is used up.
    pub fn ask(&mut self) -> bool {
        let left = self.clock.budget.saturating_sub(self.charged);
        let tell = !self.told && left.is_zero();
        self.told |= tell;
        self.allowance = if self.told { self.clock.minimum } else { left };
        tell
    }

    /// What an answer is charged for which the bot used `cpu`, user processor time, within `wall`.
    pub fn charge(&self, cpu: Duration, wall: Duration) -> Duration {
        cpu.max(wall / self.clock.guard)
    }

    /// The bot has thought about its answer for `wall` and used `cpu` of it, on at most `cores` processors.
    pub fn look(&mut self, cpu: Duration, wall: Duration, cores: u32) -> ClockStatus {
        let charged = self.charge(cpu, wall);
        let left = self.allowance.saturating_sub(charged);
        if !left.is_zero() {
            // Whatever it does, it cannot use up more in that time.
            return ClockStatus::Wait((left / cores.max(1)).max(SHORTEST_WAIT));
        }
        if self.told {
            return ClockStatus::Exhausted;
        }
        self.told = true;
        self.allowance = charged + self.clock.minimum;
        ClockStatus::BudgetSpent
    }

    /// The answer came.
    pub fn answered(&mut self, cpu: Duration, wall: Duration) {
        self.charged += self.charge(cpu, wall);
    }

    /// How long an answer may take before its processor time has to be looked at, on at most `cores` processors.
    pub fn unwatched(&self, cores: u32) -> Duration {
        self.allowance / cores.max(1)
    }

    /// What forfeits the game when it is used up.
    pub fn minimum(&self) -> Duration {
        self.clock.minimum
    }

    /// What has been charged so far.
    pub fn used(&self) -> Duration {
        self.charged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    fn clock() -> RunningClock {
        RunningClock::new(GameClock { budget: S(60), minimum: S(15), guard: 4 })
    }

    /// Answers as (processor time, wall time), in seconds; whether the bot was told before the last of them.
    #[track_caller]
    fn check(answers: &[(u64, u64)], told: bool) {
        let mut clock = clock();
        let told_before: Vec<bool> = answers
            .iter()
            .map(|&(cpu, wall)| {
                let told = clock.ask();
                clock.answered(S(cpu), S(wall));
                told
            })
            .collect();
        assert_eq!(told_before.last(), Some(&told));
        assert!(told_before.iter().filter(|&&told| told).count() <= 1, "told more than once");
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
    fn who_runs_out_while_thinking_is_told_then_and_has_the_minimum_from_there() {
        let mut clock = clock();
        assert!(!clock.ask());
        assert_eq!(clock.look(S(20), S(20), 1), ClockStatus::Wait(S(40)));
        assert_eq!(clock.look(S(20), S(20), 2), ClockStatus::Wait(S(20)));
        assert_eq!(clock.look(S(61), S(61), 1), ClockStatus::BudgetSpent);
        assert_eq!(clock.look(S(70), S(70), 1), ClockStatus::Wait(S(6)));
        assert_eq!(clock.look(S(76), S(76), 1), ClockStatus::Exhausted);
    }

    #[test]
    fn who_was_told_has_the_minimum_for_each_move() {
        let mut clock = clock();
        clock.ask();
        clock.answered(S(60), S(60));
        assert!(clock.ask());
        assert_eq!(clock.look(S(14), S(14), 1), ClockStatus::Wait(S(1)));
        assert_eq!(clock.look(S(0), S(60), 1), ClockStatus::Exhausted);
        clock.answered(S(14), S(14));
        assert!(!clock.ask());
        assert_eq!(clock.look(S(14), S(14), 1), ClockStatus::Wait(S(1)));
        assert_eq!((clock.used(), clock.minimum(), clock.unwatched(2)), (S(74), S(15), S(15) / 2));
    }
}
