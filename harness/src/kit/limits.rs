//! The table `[limits]` of ruleset files.

use super::read::KeyError;
use crate::player::clock::GameClock;
use crate::sandbox::Limits;
use crate::toml_file::Within;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use toml::Spanned;

/// The table `[limits]` of a ruleset file.
pub trait LimitsTable: DeserializeOwned {
    /// The limits of a bot's run, and the clock of a game that has one.
    ///
    /// # Errors
    /// What is wrong with the table, and where.
    fn read(self) -> Result<(Limits, Option<GameClock>), KeyError>;
}

/// The limits of a game in which each answer is timed by itself (B10, R6).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WallLimits {
    soft_ms: Within<1, 3_600_000>,
    hard_ms: Spanned<Within<1, 3_600_000>>,
    start_ms: Option<Within<1, 3_600_000>>,
    memory_mib: Within<16, { 1 << 20 }>,
}

impl LimitsTable for WallLimits {
    fn read(self) -> Result<(Limits, Option<GameClock>), KeyError> {
        let (soft, hard) = (self.soft_ms.0, self.hard_ms.get_ref().0);
        if hard < soft {
            let message = format!("hard_ms = {hard} is less than soft_ms = {soft}");
            return Err(KeyError { at: self.hard_ms.span().start, message });
        }
        let millis = Duration::from_millis;
        let usual = Limits::default();
        let start = self.start_ms.map_or(usual.start, |start| millis(start.0));
        let limits =
            Limits { soft: millis(soft), hard: millis(hard), start, memory: self.memory_mib.0 << 20, ..usual };
        Ok((limits, None))
    }
}

/// The limits of a game with a clock for all moves together (G3).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockLimits {
    clock_s: Within<1, 86_400>,
    minimum_s: Within<1, 3_600>,
    guard: Within<1, 100>,
    memory_mib: Within<16, { 1 << 20 }>,
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
