//! The trait that a game implements so that it can be run.

use super::limits::LimitsTable;
use super::read::{KeyError, ParsedRules};
use crate::engine::Engine;
use crate::player::protocol::Protocol;
use crate::ruleset::{BoardError, SeedUse};
use cornerman::formats::GameDefaults;
use cornerman::game::{Game, Seat, Setup};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A game, with everything that is needed to run it.
pub trait GameKit: Send + Sync + 'static {
    /// The rules. Each ruleset has one value of this type.
    type Rules: Game;
    /// The table `[rules]` of a ruleset file, as it is written. The comment on each field says what its key means and
    /// ends with the numbers of its rules, such as `(B2)`: pages and messages show it.
    type RulesTable: DeserializeOwned + JsonSchema;
    /// The table `[limits]`: [`WallLimits`](super::WallLimits) for each answer, or
    /// [`ClockLimits`](super::ClockLimits) for the whole game.
    type Limits: LimitsTable;

    /// Its name in files and on the command line, such as `boxing`.
    fn id(&self) -> &'static str;

    /// Its display name.
    fn title(&self) -> &'static str;

    /// The built-in rulesets as pairs of an id and the text of its file, the default one first.
    fn rulesets(&self) -> &'static [(&'static str, &'static str)];

    /// The rules that the table `[rules]` of a file describes.
    ///
    /// # Errors
    /// What is wrong with the table, and where.
    fn rules(&self, table: Self::RulesTable) -> Result<ParsedRules<Self::Rules>, KeyError>;

    /// The game's own protocol, for a bot that plays in `seat` with `mark`.
    fn protocol(&self, rules: &Self::Rules, seat: Seat, mark: u8) -> Protocol;

    /// The protocols of existing engines that the game supports too. A BOT argument `NAME:COMMAND` is such an engine.
    fn engines(&self) -> &'static [Engine] {
        &[]
    }

    /// The protocol called `name`, which is one of the [engines](GameKit::engines).
    ///
    /// # Panics
    /// If the game has no such engine protocol.
    fn engine_protocol(&self, name: &str, rules: &Self::Rules) -> Protocol {
        let _ = rules;
        unreachable!("{} has no protocol {name}", self.id())
    }

    /// What differs from game to game of a contest.
    fn seed_use(&self) -> SeedUse {
        SeedUse::Unused
    }

    /// The board that is made from `seed`, in the game's text form; empty for a game that makes no boards.
    fn board(&self, rules: &Self::Rules, seed: u64) -> Vec<u8> {
        let _ = (rules, seed);
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

    /// Checks the marks that a user chose for a game with this number of `seats`, and returns one byte for each seat or
    /// what is wrong with them. `None` if the game has no marks to choose.
    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, String>> {
        let _ = (wanted, seats);
        None
    }

    /// Describes what a human types to move, such as `row, column and size`.
    fn prompt(&self) -> &'static str;

    /// Converts the `line` that a human typed into the notation of a move, which need not be legal.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn parse_typed(&self, rules: &Self::Rules, line: &str) -> Result<String, String> {
        let _ = rules;
        Ok(line.to_string())
    }

    /// What a contest file may leave out of a stage, such as the number of boards and the scoring. By default
    /// every pair plays twice, on one board, and wins count.
    fn stage_defaults(&self, rules: &Self::Rules) -> GameDefaults {
        let _ = rules;
        GameDefaults::default()
    }

    /// The names of the reference bots that fill free places in a contest that lists no fillers (F4, S2).
    fn fillers(&self) -> &'static [&'static str] {
        &[]
    }

    /// The names of the reference bots that a seeding stage plays entrants against if it lists no programs (F1).
    fn seed_programs(&self) -> &'static [&'static str] {
        &[]
    }
}
