//! Ruleset files: the keys that are the same for all games with a [`GameKit`], and the table `[limits]`. Here each
//! [`GameKit`], which a game implements with its own types, becomes an object-safe [`AnyKit`], which all other code
//! uses.

use super::keys::{RulesetKey, keys_of};
use super::{GameFacts, GameKit, KeyError, ParsedRules};
use crate::player::clock::GameClock;
use crate::player::protocol::Protocol;
use crate::ruleset::{AnyKit, BoardError, RulesInForce, Ruleset};
use crate::sandbox::Limits;
use crate::text::Reason;
use crate::toml_file::{Mistake, SourceFile, Within};
use cornerman::formats::GameDefaults;
use cornerman::game::{InProgress, LiveGame, Seat, Setup, SetupError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use toml::Spanned;

impl<K: GameKit> AnyKit for K {
    fn facts(&self) -> GameFacts<'_> {
        GameKit::facts(self)
    }
    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, Reason>> {
        GameKit::marks(self, wanted, seats)
    }
    fn keys(&self) -> Vec<RulesetKey> {
        keys_of::<KitRulesetFile<K::RulesTable, K::Limits>>()
    }
    fn read(&'static self, source: SourceFile) -> Result<Ruleset, Mistake> {
        read(self, source)
    }
}

/// The rules of a ruleset, with the kit of their game.
struct KitRules<K: GameKit> {
    kit: &'static K,
    rules: K::Rules,
}

impl<K: GameKit> Debug for KitRules<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.rules.fmt(f)
    }
}

impl<K: GameKit> RulesInForce for KitRules<K> {
    fn kit(&self) -> &'static dyn AnyKit {
        self.kit
    }
    fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError> {
        Ok(Box::new(InProgress::new(self.rules.clone(), setup)?))
    }
    fn protocol(&self, seat: Seat, mark: u8, engine: Option<&str>) -> Option<Protocol> {
        let Some(name) = engine else { return Some(self.kit.protocol(&self.rules, seat, mark)) };
        let known = GameKit::facts(self.kit).engines.iter().any(|engine| engine.protocol == name);
        known.then(|| self.kit.engine_protocol(name, &self.rules))
    }
    fn board(&self, seed: u64) -> Vec<u8> {
        self.kit.board(&self.rules, seed)
    }
    fn check_board(&self, board: &[u8]) -> Result<(), BoardError> {
        self.kit.check_board(&self.rules, board)
    }
    fn parse_typed(&self, line: &str) -> Result<String, Reason> {
        self.kit.parse_typed(&self.rules, line)
    }
    fn stage_defaults(&self) -> GameDefaults {
        self.kit.stage_defaults(&self.rules)
    }
    fn rules(&self) -> &dyn Any {
        &self.rules
    }
}

/// Reads `source`, a ruleset file of the game of `kit`.
fn read<K: GameKit>(kit: &'static K, source: SourceFile) -> Result<Ruleset, Mistake> {
    let file: KitRulesetFile<K::RulesTable, K::Limits> = source.read()?;
    let wrong = |KeyError { at, message }| source.mistake(at, message);
    let ParsedRules { rules, seats, marks } = kit.rules(file.rules).map_err(wrong)?;
    let (limits, clock) = file.limits.read().map_err(wrong)?;
    Ok(Ruleset {
        id: file.id,
        title: file.title,
        version: file.version.0,
        date: file.date.to_string(),
        seats,
        marks,
        limits,
        clock,
        pondering: file.pondering,
        text: source.text.to_string(),
        rules: Arc::new(KitRules { kit, rules }),
    })
}

/// A ruleset file. The comments on the fields say what its keys mean: pages and messages show them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "Rules: DeserializeOwned, Limits: DeserializeOwned")]
struct KitRulesetFile<Rules, Limits> {
    /// Its name in contest files, in records and on the command line.
    id: String,
    /// Its name on pages.
    title: String,
    /// Its version: a change of what any key says is a new one.
    version: Within<1, 9999>,
    /// The date of this version.
    #[schemars(with = "String", extend("format" = "date"))]
    date: toml::value::Date,
    /// The game: its id.
    #[serde(rename = "game")]
    _game: String,
    /// Whether bots may think while it is not their turn.
    #[serde(default)]
    pondering: bool,
    rules: Rules,
    limits: Limits,
}

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
    #[schemars(with = "Millis")]
    hard_ms: Spanned<Millis>,
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
        let hard = self.hard_ms.get_ref().0;
        if hard < soft {
            let message = format!("hard_ms = {hard} is less than soft_ms = {soft}");
            return Err(KeyError { at: self.hard_ms.span().start, message });
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
