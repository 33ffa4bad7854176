//! What a game provides so that it can be run: rulesets, protocols, limits, boards, and what people type.
//!
//! A game implements the typed [`GameKit`] once, in its own module. All other code uses it through the object-safe
//! [`AnyKit`] and through [`Ruleset`](crate::ruleset::Ruleset), which contains the game's rules, and so names no game.
//! The program lists its games in one place and passes them on as [`Games`].

pub(crate) mod file;
pub(crate) mod keys;
pub use crate::bot::engine::Engine;
pub use crate::player::clock::GameClock;
pub use crate::ruleset::{AnyKit, BoardError, Games, RulesInForce, SeedUse};
pub use crate::toml_file::{Mistake, SourceFile, Within};
pub use file::{ClockLimits, LimitsTable, WallLimits};
pub use keys::RulesetKey;
pub use schemars::{self, JsonSchema};
pub use toml::Spanned;

use crate::player::protocol::Protocol;
use crate::text::Reason;
use cornerman::formats::GameDefaults;
use cornerman::game::{Game, Seat, Setup};
use serde::de::DeserializeOwned;

/// What a game says of itself, whatever the ruleset.
#[derive(Clone, Copy, Debug)]
pub struct GameFacts<'a> {
    /// Its name in files and on the command line, such as `boxing`.
    pub id: &'a str,
    /// Its display name.
    pub title: &'a str,
    /// What a human types to move, such as `row, column and size`.
    pub prompt: &'a str,
    /// The built-in rulesets as pairs of an id and the text of its file, the default one first.
    pub rulesets: &'static [(&'static str, &'static str)],
    /// The protocols of existing engines that the game supports too. A BOT argument `NAME:COMMAND` is such an engine.
    pub engines: &'static [Engine],
    /// What it uses the seed of a game for.
    pub seed_use: SeedUse,
    /// Whether the seed of a contest's game depends only on the contest's seed and on the number of its board, so that
    /// both sides of a pair and all entrants get the same luck.
    pub seeds_by_board: bool,
    /// The names of the reference bots that fill free places in a contest that lists no fillers (F4, S2).
    pub fillers: &'static [&'static str],
    /// The names of the reference bots that a seeding stage plays entrants against if it lists no programs (F1).
    pub seed_programs: &'static [&'static str],
}

impl<'a> GameFacts<'a> {
    /// The facts of a game without anything that is optional.
    pub fn new(id: &'a str, title: &'a str, prompt: &'a str) -> GameFacts<'a> {
        GameFacts {
            id,
            title,
            prompt,
            rulesets: &[],
            engines: &[],
            seed_use: SeedUse::Unused,
            seeds_by_board: false,
            fillers: &[],
            seed_programs: &[],
        }
    }
}

/// A game, with everything that is needed to run it.
pub trait GameKit: Send + Sync + 'static {
    /// The rules. Each ruleset has one value of this type.
    type Rules: Game;
    /// The table `[rules]` of a ruleset file, as it is written. The comment on each field says what its key means and
    /// ends with the numbers of its rules, such as `(B2)`: pages and messages show it.
    type RulesTable: DeserializeOwned + JsonSchema;
    /// The table `[limits]`: [`WallLimits`] for each answer, or [`ClockLimits`] for the whole game.
    type Limits: LimitsTable;

    /// What it says of itself.
    fn facts(&self) -> GameFacts<'_>;

    /// Checks the marks that a user chose for a game with this number of seats, and returns one byte for each seat or
    /// what is wrong with them. `None` if the game has no marks to choose.
    fn marks(&self, _wanted: &str, _seats: u8) -> Option<Result<Vec<u8>, Reason>> {
        None
    }

    /// The rules that the table `[rules]` of a file describes.
    ///
    /// # Errors
    /// What is wrong with the table, and where.
    fn rules(&self, table: Self::RulesTable) -> Result<ParsedRules<Self::Rules>, KeyError>;

    /// The game's own protocol, for a bot that plays in `seat` with `mark`.
    fn protocol(&self, rules: &Self::Rules, seat: Seat, mark: u8) -> Protocol;

    /// The protocol of the engine that the game lists as `name` ([`GameFacts::engines`]). It is called for no other, so
    /// a game without engines need not implement it.
    fn engine_protocol(&self, name: &str, _rules: &Self::Rules) -> Protocol {
        unreachable!("{} has no protocol {name}", self.facts().id)
    }

    /// The board that is made from a seed, in the game's text form; empty for a game that makes no boards.
    fn board(&self, _rules: &Self::Rules, _seed: u64) -> Vec<u8> {
        Vec::new()
    }

    /// Checks that a game can start from `board`, which a user wrote.
    ///
    /// # Errors
    /// What is wrong with the board, and where.
    fn check_board(&self, rules: &Self::Rules, board: &[u8]) -> Result<(), BoardError> {
        let setup = Setup { seats: 2, board: board.to_vec(), ..Setup::default() };
        rules.start(&setup).map(drop).map_err(|error| BoardError { at: None, message: error.0 })
    }

    /// Converts the `line` that a human typed into the notation of a move, which need not be legal.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn parse_typed(&self, _rules: &Self::Rules, line: &str) -> Result<String, Reason> {
        Ok(line.to_string())
    }

    /// What a contest file may leave out of a stage, such as the number of boards and the scoring. By default
    /// every pair plays twice, on one board, and wins count.
    fn stage_defaults(&self, _rules: &Self::Rules) -> GameDefaults {
        GameDefaults::default()
    }
}

/// The rules that the table `[rules]` of a ruleset file describes.
pub struct ParsedRules<R> {
    /// The rules, as a value of the game.
    pub rules: R,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// The mark of each seat, one byte each: as many as the most seats.
    pub marks: Vec<u8>,
}

impl<R> ParsedRules<R> {
    /// The rules of a game for two, whose seats have these marks.
    pub fn for_two(rules: R, marks: [u8; 2]) -> ParsedRules<R> {
        ParsedRules { rules, seats: (2, 2), marks: marks.to_vec() }
    }
}

/// A mistake in a table of a ruleset file.
pub struct KeyError {
    /// Where it is: a byte offset into the text of the file.
    pub at: usize,
    /// What is wrong, for people.
    pub message: String,
}
