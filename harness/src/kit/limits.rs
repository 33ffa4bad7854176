//! The table `[limits]` of ruleset files.

use super::KeyError;
use crate::player::clock::GameClock;
use crate::sandbox::Limits;
use crate::toml_file::{Placed, Within};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The table `[limits]` of a ruleset file. The comments on its fields say what its keys mean, as in
/// [`GameKit::RulesTable`](super::GameKit::RulesTable).
pub trait LimitsTable: DeserializeOwned + JsonSchema {
    /// The limits of a bot's run, and the clock of a game that has one.
    ///
    /// # Errors
    /// What is wrong with the table, and where.
    fn read(self) -> Result<(Limits, Option<GameClock>), KeyError>;
}

/// The limits of a game in which each answer is timed by itself (B10, R6).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallLimits {
    /// Milliseconds of wall time for an answer: a bot that takes longer is warned (B10, R6).
    soft_ms: Millis,
    /// Milliseconds of wall time for an answer: a bot that takes longer forfeits; not less than `soft_ms` (B10, R6).
    hard_ms: Placed<Millis>,
    /// Milliseconds of wall time until a bot has written its name, in a game in which it does that first (R3).
    #[serde(default = "usual_start")]
    start_ms: Millis,
    /// Memory of a bot, in MiB.
    memory_mib: MemoryLimit,
}

/// At most an hour.
type Millis = Within<1, 3_600_000>;

/// MiB, at most a TiB of them.
type MemoryLimit = Within<16, { 1 << 20 }>;

fn usual_start() -> Millis {
    Within(Limits::default().start.as_millis() as u64)
}

impl LimitsTable for WallLimits {
    fn read(self) -> Result<(Limits, Option<GameClock>), KeyError> {
        let soft = self.soft_ms.0;
        let hard = self.hard_ms.value.0;
        if hard < soft {
            let message = format!("hard_ms = {hard} is less than soft_ms = {soft}");
            return Err(KeyError { at: self.hard_ms.at, message });
        }
        let millis = Duration::from_millis;
        let start = millis(self.start_ms.0);
        let memory = self.memory_mib.0 << 20;
        Ok((Limits { soft: millis(soft), hard: millis(hard), start, memory, ..Limits::default() }, None))
    }
}

/// The limits of a game with a clock for all moves together (G3).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockLimits {
    /// Seconds of processor time, user and system, for all moves of a game together (G3).
    clock_s: Within<1, 86_400>,
    /// Seconds of processor time for each move after that (G3).
    minimum_s: Within<1, 3_600>,
    /// Seconds of wall time that count as one of processor time, so that a bot that sleeps uses up its time too (G3).
    guard: Within<1, 100>,
    /// Memory of a bot, in MiB.
    memory_mib: MemoryLimit,
}

impl LimitsTable for ClockLimits {
    fn read(self) -> Result<(Limits, Option<GameClock>), KeyError> {
        let clock = GameClock {
            budget: Duration::from_secs(self.clock_s.0),
            minimum: Duration::from_secs(self.minimum_s.0),
            guard: self.guard.0 as u32,
        };
        Ok((Limits { memory: self.memory_mib.0 << 20, ..Limits::default() }, Some(clock)))
    }
}
