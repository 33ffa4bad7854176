//! What it takes to run a game: rulesets, protocol, clock, boards, what people type.
//!
//! A game implements the typed [`GameKit`], once, in a folder of its own. Everything else sees it through the object-safe
//! [`AnyKit`], and through [`Ruleset`](crate::ruleset::Ruleset), which holds the game's rules in force; so nothing else
//! knows a game by name. Which games there are is said in one place, by the program that is made of them, and handed on
//! as [`Games`].

mod erased;
mod game;
mod limits;
mod read;

pub use crate::engine::Engine;
pub use crate::player::clock::GameClock;
pub use crate::ruleset::{AnyKit, BoardError, Games, RulesInForce, SeedUse};
pub use crate::toml_file::{Mistake, Source, Within};
pub use game::GameKit;
pub use limits::{ClockLimits, LimitsTable, WallLimits};
pub use read::{KeyError, ParsedRules};
