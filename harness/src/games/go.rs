//! The kit of Go as it was played at USENIX in 1983: one process for the whole game, started with its colour, one move
//! on each line, and a clock (G3–G5). Engines that speak GTP are supported too.

pub mod gtp;

use crate::kit::{ClockLimits, Engine, GameFacts, GameKit, JsonSchema, KeyError, ParsedRules, Within};
use crate::player::codec::Plain;
use crate::player::protocol::{FaultRules, Lines, Protocol};
use cornerman::game::Seat;
use cornerman::games::go::{self, Go};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::ffi::OsString;

/// The kit of Go.
pub const KIT: GoGame = GoGame;

/// The type of [`KIT`].
pub struct GoGame;

/// The table `[rules]`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoRulesTable {
    /// Lines of the board in each direction (G1).
    size: Within<{ *go::SIZES.start() as u64 }, { *go::SIZES.end() as u64 }>,
    /// Points that white has on top (G2).
    komi: Komi,
    /// Whether no position at all may be repeated, rather than only the one before the last move (G6).
    superko: bool,
    /// Moves after which the game is scored as it stands (G2).
    move_cap: Within<2, 100_000>,
}

/// The points that white gets in addition, stored as half points. Only whole and half points are allowed.
struct Komi(i32);

/// The greatest komi, for either side, in points.
const MAX_KOMI: i32 = 500;

impl<'de> Deserialize<'de> for Komi {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Komi, D::Error> {
        let points = f64::deserialize(from)?;
        let halves = points * 2.0;
        if halves.fract() != 0.0 || points.abs() > MAX_KOMI.into() {
            let message =
                format!("komi = {points} is not a whole or half number of points from -{MAX_KOMI} to {MAX_KOMI}");
            return Err(D::Error::custom(message));
        }
        Ok(Komi(halves as i32))
    }
}

impl JsonSchema for Komi {
    fn schema_name() -> Cow<'static, str> {
        "komi".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": -MAX_KOMI, "maximum": MAX_KOMI, "multipleOf": 0.5 })
    }
}

/// The numbers of the rules that faults break.
const FAULTS: FaultRules =
    FaultRules { late: "G3", slow: "G3", died: "G9", left: "G9", flood: "G5", status: "G9", leftovers: "G9" };

/// GTP, the Go Text Protocol, which most Go engines speak.
pub const GTP: Engine = Engine { protocol: "gtp", game: "go", example: "gtp:gnugo --mode gtp" };

impl GameKit for GoGame {
    type Rules = Go;
    type RulesTable = GoRulesTable;
    type Limits = ClockLimits;

    fn facts(&self) -> GameFacts<'_> {
        GameFacts {
            rulesets: &[
                ("go-usenix-1983", include_str!("../../../rulesets/go-usenix-1983.toml")),
                ("go-9x9", include_str!("../../../rulesets/go-9x9.toml")),
            ],
            engines: &[GTP],
            fillers: &["go-random", "capture"],
            seed_programs: &["go-random", "capture", "monte"],
            ..GameFacts::new("go", "Go", "such as `D4`, or `pass`")
        }
    }

    fn rules(&self, table: GoRulesTable) -> Result<ParsedRules<Go>, KeyError> {
        let rules = Go {
            size: table.size.0 as u8,
            komi_halves: table.komi.0,
            superko: table.superko,
            move_cap: table.move_cap.0 as u32,
        };
        Ok(ParsedRules::for_two(rules, *b"XO"))
    }

    /// A bot is started with its colour, and with the size of the board as a second argument if that is not 19. A line
    /// that is not a move is garbage (G4, G5).
    fn protocol(&self, rules: &Go, seat: Seat, _: u8) -> Protocol {
        let size = rules.size;
        let colour = if seat == Seat(0) { "black" } else { "white" };
        let size_named = (size != Go::default().size).then(|| size.to_string());
        let args = [Some(colour.to_string()), size_named].into_iter().flatten().map(OsString::from).collect();
        let codec = Plain::lines_matching(move |line| go::is_move(line, size));
        Protocol::Lines(Lines { args, greets: false, faults: FAULTS, codec })
    }

    fn engine_protocol(&self, _: &str, rules: &Go) -> Protocol {
        let codec = gtp::codec(rules.clone());
        Protocol::Lines(Lines { args: Vec::new(), greets: false, faults: FAULTS, codec })
    }
}
