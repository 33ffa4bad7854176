//! The kit of the Boxing Match: one process for each move, which reads the arena and writes it back (B5, B6).

use crate::kit::{
    BoardError, GameFacts, GameKit, JsonSchema, KeyError, ParsedRules, SeedUse, Spanned, WallLimits, Within,
};
use crate::player::protocol::{FaultRules, Pipe, Protocol};
use crate::text::Reason;
use cornerman::formats::GameDefaults;
use cornerman::game::{MAX_SEATS, Seat, Setup};
use cornerman::games::boxing::{Arena, Boxing, HEIGHT, LARGEST_SQUARE, Square, WIDTH, marks_of};
use serde::Deserialize;

/// The kit of the Boxing Match.
pub const KIT: BoxingGame = BoxingGame;

/// The type of [`KIT`].
pub struct BoxingGame;

/// The table `[rules]`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxingRulesTable {
    /// The largest side of a square (B2).
    max_square: Within<1, { LARGEST_SQUARE as u64 }>,
    /// The fewest and the most seats of a game (B4).
    #[schemars(with = "[Within<2, { MAX_SEATS as u64 }>; 2]")]
    seats: Spanned<[Within<2, { MAX_SEATS as u64 }>; 2]>,
    /// The marks in order of play, one character for each of the most seats (B5).
    #[schemars(with = "String")]
    marks: Spanned<String>,
}

/// The numbers of the rules that faults break.
const FAULTS: FaultRules =
    FaultRules { late: "B10", slow: "B10", died: "B5", left: "B5", flood: "B6", status: "B5", leftovers: "B9" };

impl GameKit for BoxingGame {
    type Rules = Boxing;
    type RulesTable = BoxingRulesTable;
    type Limits = WallLimits;

    fn facts(&self) -> GameFacts<'_> {
        GameFacts {
            rulesets: &[
                ("boxing-1994", include_str!("../../../rulesets/boxing-1994.toml")),
                ("boxing-small-squares", include_str!("../../../rulesets/boxing-small-squares.toml")),
            ],
            seed_use: SeedUse::Board("arena"),
            fillers: &["random", "smallest", "first-fit"],
            seed_programs: &["first-fit", "greedy", "parity"],
            ..GameFacts::new("boxing", "The Boxing Match", "row, column and size, such as `3 5 4`")
        }
    }

    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, Reason>> {
        if wanted.is_empty() {
            return Some(Err(format!("no marks for {seats} seats").into()));
        }
        if let Some(mark) = wanted.chars().find(|mark| !mark.is_ascii()) {
            let message = format!("`{mark}` cannot be a mark: a mark is one byte, a printable ASCII character");
            return Some(Err(message.into()));
        }
        let setup = Setup { seats, marks: wanted.as_bytes().to_vec(), ..Setup::default() };
        Some(marks_of(&setup).map_err(|error| Reason(error.0)))
    }

    fn rules(&self, table: BoxingRulesTable) -> Result<ParsedRules<Boxing>, KeyError> {
        let [least, most] = table.seats.get_ref().map(|seats| seats.0 as u8);
        if least > most {
            let message = format!("the minimum of {least} seats is greater than the maximum of {most}");
            return Err(KeyError { at: table.seats.span().start, message });
        }
        let at = table.marks.span().start;
        let setup = Setup { seats: most, marks: table.marks.into_inner().into_bytes(), ..Setup::default() };
        let marks = marks_of(&setup).map_err(|error| KeyError { at, message: error.0 })?;
        Ok(ParsedRules { rules: Boxing { max_square: table.max_square.0 as u8 }, seats: (least, most), marks })
    }

    fn protocol(&self, _: &Boxing, _: Seat, mark: u8) -> Protocol {
        Protocol::Pipe(Pipe { mark, faults: FAULTS })
    }

    fn board(&self, _: &Boxing, seed: u64) -> Vec<u8> {
        Arena::generate(seed).to_bytes().to_vec()
    }

    fn check_board(&self, _: &Boxing, board: &[u8]) -> Result<(), BoardError> {
        let wrong = |at, message| Err(BoardError { at, message });
        if board.is_empty() {
            return wrong(None, "the file is empty; an arena is 16 lines of 32 characters (B6)".to_string());
        }
        match Arena::parse(board) {
            Err(broken) => wrong(
                broken.spots.first().copied(),
                format!("{}; an arena is 16 lines of 32 characters (B6)", broken.detail),
            ),
            Ok(arena) if arena.vacant().is_empty() => {
                wrong(None, "the arena has no vacant spot (`-`): nothing to play for (B1)".to_string())
            }
            Ok(_) => Ok(()),
        }
    }

    /// Reads a line such as `3 5 4`: row, column and size, counted from 1.
    fn parse_typed(&self, rules: &Boxing, line: &str) -> Result<String, Reason> {
        let numbers = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        let numbers: Option<Vec<u8>> = numbers.map(|word| word.parse().ok().filter(|&n| n > 0)).collect();
        let Some(&[row, col, size]) = numbers.as_deref() else {
            return Err("expected three numbers from 1 up: row, column, size".into());
        };
        let square = Square { row: row - 1, col: col - 1, size };
        if size > rules.max_square {
            return Err(format!("squares have sides of at most {}", rules.max_square).into());
        }
        if !square.in_arena() {
            return Err(format!(
                "{square} is not wholly inside the arena, which has {HEIGHT} rows and {WIDTH} columns"
            )
            .into());
        }
        Ok(square.to_string())
    }

    /// Every pair plays on three arenas (B11).
    fn stage_defaults(&self, _: &Boxing) -> GameDefaults {
        GameDefaults { boards: 3, ..GameDefaults::default() }
    }
}
