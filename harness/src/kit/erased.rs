//! From the typed [`GameKit`] that a game implements to the object-safe [`AnyKit`] that all other code uses.
//!
//! A ruleset file has keys that are the same for all games, and two tables whose keys the game chooses.

use super::GameKit;
use super::keys::{RulesetKey, keys_of};
use super::limits::LimitsTable;
use super::{KeyError, ParsedRules};
use crate::player::protocol::Protocol;
use crate::ruleset::{AnyKit, BoardError, RulesInForce, Ruleset};
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

impl<K: GameKit> AnyKit for K {
    fn keys(&self) -> Vec<RulesetKey> {
        keys_of::<KitRulesetFile<K::RulesTable, K::Limits>>()
    }
    fn read(&'static self, source: SourceFile) -> Result<Ruleset, Mistake> {
        read(self, source)
    }
}

/// Rules, together with the kit of their game.
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
        let known = self.kit.engines().iter().any(|engine| engine.protocol == name);
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
