//! What a game provides so that it can be run: rulesets, protocols, limits, boards, and what people type.
//!
//! A game implements the typed [`GameKit`] once, in its own folder. All other code uses it through the object-safe
//! [`AnyKit`] and through [`Ruleset`](crate::ruleset::Ruleset), which contains the game's rules, and so names no game.
//! The program lists its games in one place and passes them on as [`Games`].

mod erased;
mod game;
mod keys;
mod limits;
mod read;

pub use crate::engine::Engine;
pub use crate::player::clock::GameClock;
pub use crate::ruleset::{AnyKit, BoardError, Games, RulesInForce, SeedUse};
pub use crate::toml_file::{Mistake, Placed, Source, Within};
pub use game::{GameFacts, GameKit};
pub use keys::Key;
pub use limits::{ClockLimits, LimitsTable, WallLimits};
pub use read::{KeyError, ParsedRules};
pub use schemars::{self, JsonSchema};
