//! The kit of rock-paper-scissors: one process for the whole game, which prints its name first and then a hand on each
//! line (R3–R6).

use crate::kit::{GameFacts, GameKit, JsonSchema, KeyError, ParsedRules, SeedUse, WallLimits, Within};
use crate::player::codec::Plain;
use crate::player::protocol::{FaultRules, Lines, Protocol};
use crate::text::Reason;
use cornerman::formats::scoring::ScoringKind;
use cornerman::formats::{GameDefaults, Repetition};
use cornerman::game::Seat;
use cornerman::games::rps::{MAX_ROUNDS, MAX_SEED, Rps};
use serde::Deserialize;

/// The kit of rock-paper-scissors.
pub const KIT: RpsGame = RpsGame;

/// The type of [`KIT`].
pub struct RpsGame;

/// The table `[rules]`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RpsRulesTable {
    /// Rounds in a game (R4).
    rounds: Within<1, { MAX_ROUNDS as u64 }>,
    /// The number that each seat is sent first, by seat; if left out, drawn for each match (R4).
    seeds: Option<[Within<0, { MAX_SEED as u64 }>; 2]>,
}

impl GameKit for RpsGame {
    type Rules = Rps;
    type RulesTable = RpsRulesTable;
    type Limits = WallLimits;

    fn facts(&self) -> GameFacts<'_> {
        GameFacts {
            rulesets: &[
                ("rps-polyglot", include_str!("../../../rulesets/rps-polyglot.toml")),
                ("rps-published", include_str!("../../../rulesets/rps-published.toml")),
            ],
            seed_use: SeedUse::Draws,
            fillers: &["rps-random", "rock", "rotate"],
            seed_programs: &["beat-last", "frequency", "markov"],
            ..GameFacts::new("rps", "Rock-paper-scissors", "rock, paper or scissors")
        }
    }

    fn rules(&self, table: RpsRulesTable) -> Result<ParsedRules<Rps>, KeyError> {
        let seeds = table.seeds.map(|seeds| seeds.map(|seed| seed.0 as u16));
        Ok(ParsedRules::for_two(Rps { rounds: table.rounds.0 as u32, seeds }, *b"AB"))
    }

    fn protocol(&self, _: &Rps, _: Seat, _: u8) -> Protocol {
        let faults = FaultRules::all("R6");
        Protocol::Lines(Lines { args: Vec::new(), greets: true, faults, codec: Plain::every_line() })
    }

    /// A hand's name, the beginning of one, or its number (R5).
    fn parse_typed(&self, _: &Rps, line: &str) -> Result<String, Reason> {
        const HANDS: [(&str, &str); 3] = [("0", "rock"), ("1", "paper"), ("2", "scissors")];
        let typed = line.to_lowercase();
        let is_meant =
            |(number, name): &&(&str, &str)| *number == typed || (!typed.is_empty() && name.starts_with(&typed));
        let hand = HANDS.iter().find(is_meant).map(|(number, _)| number.to_string());
        hand.ok_or_else(|| "expected rock, paper or scissors; r, p, s or 0, 1, 2 will do".into())
    }

    /// Every pair plays twice (R1). There is a table of games won minus lost and one of margins, with the square root
    /// of the number of rounds, rounded down, as the threshold (R9).
    fn stage_defaults(&self, rules: &Rps) -> GameDefaults {
        let scoring = ScoringKind::WonMinusLost;
        let tables = vec![ScoringKind::Margins];
        // Seeds in the rules are those of every game.
        let repetition = if rules.seeds.is_some() { Repetition::IsTheSame } else { Repetition::Varies };
        GameDefaults { boards: 1, scoring, tables, threshold: rules.rounds.isqrt(), repetition }
    }
}
