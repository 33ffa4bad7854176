//! What one game is to the kit, as its author writes it.

use super::limits::LimitsTable;
use super::read::{KeyError, ParsedRules};
use crate::engine::Engine;
use crate::player::protocol::Protocol;
use crate::ruleset::{BoardError, SeedUse};
use cornerman::game::{Game, Seat, Setup};
use serde::de::DeserializeOwned;

/// What one game is to the kit, as its author writes it.
pub trait GameKit: Send + Sync + 'static {
    /// The rules in force: one value of this is one ruleset.
    type Rules: Game;
    /// The table `[rules]` of a ruleset file.
    type RulesTable: DeserializeOwned;
    /// The table `[limits]`: [`WallLimits`] for each answer, or [`ClockLimits`] for the whole game.
    type Limits: LimitsTable;

    /// Its name in files and on the command line, such as `boxing`.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// The rulesets that come along, the usual one first: their ids and the text of their files.
    fn rulesets(&self) -> &'static [(&'static str, &'static str)];

    /// The rules that a file's table stands for.
    ///
    /// # Errors
    /// What is wrong with the table, and where.
    fn rules(&self, table: Self::RulesTable) -> Result<ParsedRules<Self::Rules>, KeyError>;

    /// How a bot that plays in `seat` with `mark` is spoken to.
    fn protocol(&self, rules: &Self::Rules, seat: Seat, mark: u8) -> Protocol;

    /// Other protocols that programs of this game speak. A BOT `NAME:COMMAND` is such a program.
    fn engines(&self) -> &'static [Engine] {
        &[]
    }

    /// How a program is spoken to that speaks `name`, the protocol of one of the [engines](GameKit::engines).
    fn engine_protocol(&self, name: &str, rules: &Self::Rules) -> Protocol {
        let _ = rules;
        unreachable!("{} has no protocol {name}", self.id())
    }

    /// What differs from game to game of a contest.
    fn seed_use(&self) -> SeedUse {
        SeedUse::Unused
    }

    /// The board of this seed; empty for a game whose board is always the same or part of its rules.
    fn board(&self, rules: &Self::Rules, seed: u64) -> Vec<u8> {
        let _ = (rules, seed);
        Vec::new()
    }

    /// Whether a game can begin on `board`, which somebody gives.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    fn check_board(&self, rules: &Self::Rules, board: &[u8]) -> Result<(), BoardError> {
        let setup = Setup { seats: 2, board: board.to_vec(), ..Setup::default() };
        rules.start(&setup).map(drop).map_err(|error| BoardError { at: None, words: error.0 })
    }

    /// The marks that somebody wants for a game of so many seats, or what is wrong with them; `None` where marks cannot
    /// be chosen.
    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, String>> {
        let _ = (wanted, seats);
        None
    }

    /// What a human is to type, such as `row, column and size`.
    fn prompt(&self) -> &'static str;

    /// The notation of the move that a human's `line` means. Whether it is legal is for the rules to say.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn typed(&self, rules: &Self::Rules, line: &str) -> Result<String, String> {
        let _ = rules;
        Ok(line.to_string())
    }

    /// Reference bots, by name, that fill up where a contest names no fillers (F4, S2).
    fn fillers(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reference bots, by name, that seed entrants where a stage names no programs (F1).
    fn seed_programs(&self) -> &'static [&'static str] {
        &[]
    }
}
