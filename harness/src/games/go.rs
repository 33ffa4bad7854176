//! Go as at USENIX (1983): a process a game, started with its colour, a move a line, and a clock (G3–G5). Engines are
//! spoken to in GTP.

mod gtp;

pub use gtp::read_gtp;

use crate::kit::{ClockLimits, Engine, GameKit, KeyError, ParsedRules, Within};
use crate::player::codec::Plain;
use crate::player::protocol::{FaultRules, Lines, Protocol};
use cornerman::game::Seat;
use cornerman::games::go::{self, Go};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::ffi::OsString;

/// Go.
pub const KIT: GoGame = GoGame;

/// See [`KIT`].
pub struct GoGame;

/// `[rules]`: lines a side, komi, whether positions may not repeat, and after how many moves a game is counted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesTable {
    size: Within<{ *go::SIZES.start() as u64 }, { *go::SIZES.end() as u64 }>,
    komi: Komi,
    superko: bool,
    move_cap: Within<2, 100_000>,
}

/// Points that white has on top, kept as half points: whole and half ones are what the game knows.
struct Komi(i32);

impl<'de> Deserialize<'de> for Komi {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Komi, D::Error> {
        let points = f64::deserialize(from)?;
        let halves = points * 2.0;
        if halves.fract() != 0.0 || halves.abs() > 1000.0 {
            let words = format!("komi = {points} is no number of whole or half points from -500 to 500");
            return Err(D::Error::custom(words));
        }
        Ok(Komi(halves as i32))
    }
}

/// The rules that faults break.
const FAULTS: FaultRules =
    FaultRules { late: "G3", slow: "G3", died: "G9", left: "G9", flood: "G5", status: "G9", leftovers: "G9" };

/// The protocol of Go engines.
pub const GTP: Engine = Engine { protocol: "gtp", game: "go", example: "gtp:gnugo --mode gtp" };

impl GameKit for GoGame {
    type Rules = Go;
    type RulesTable = RulesTable;
    type Limits = ClockLimits;

    fn id(&self) -> &'static str {
        "go"
    }

    fn title(&self) -> &'static str {
        "Go"
    }

    fn rulesets(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("go-usenix-1983", include_str!("../../../rulesets/go-usenix-1983.toml")),
            ("go-9x9", include_str!("../../../rulesets/go-9x9.toml")),
        ]
    }

    fn rules(&self, table: RulesTable) -> Result<ParsedRules<Go>, KeyError> {
        let rules = Go {
            size: table.size.0 as u8,
            komi_halves: table.komi.0,
            superko: table.superko,
            move_cap: table.move_cap.0 as u32,
        };
        Ok(ParsedRules::for_two(rules, *b"XO"))
    }

    /// A bot is started with its colour; a board of another size than 19 is named by a second argument. A line that is
    /// not a move is garbage (G4, G5).
    fn protocol(&self, rules: &Go, seat: Seat, _: u8) -> Protocol {
        let size = rules.size;
        let colour = if seat == Seat(0) { "black" } else { "white" };
        let size_named = (size != Go::default().size).then(|| size.to_string());
        let args = [Some(colour.to_string()), size_named].into_iter().flatten().map(OsString::from).collect();
        let codec = Plain::lines_matching(move |line| go::is_move(line, size));
        Protocol::Lines(Lines { args, greets: false, faults: FAULTS, codec })
    }

    fn engines(&self) -> &'static [Engine] {
        &[GTP]
    }

    fn engine_protocol(&self, _: &str, rules: &Go) -> Protocol {
        let codec = gtp::codec(rules.clone());
        Protocol::Lines(Lines { args: Vec::new(), greets: false, faults: FAULTS, codec })
    }

    fn prompt(&self) -> &'static str {
        "such as `D4`, or `pass`"
    }

    fn fillers(&self) -> &'static [&'static str] {
        &["go-random", "capture"]
    }

    fn seed_programs(&self) -> &'static [&'static str] {
        &["go-random", "capture", "monte"]
    }
}
