//! The settings of each format as the file has them, with the defaults of the requirements.

use super::kinds::{Bonus, DecidedBy, Kind, RoundBoards, Scoring};
use crate::contest_file::entrants::{EntrantText, SeedPrograms};
use crate::toml_file::{Mistake, Within};
use serde::Deserialize;
use toml::Spanned;
use toml::de::Deserializer;

/// The names of the formats.
pub const KINDS: [&str; 8] =
    ["all-play-all", "permutations", "seeding", "brackets", "swiss", "pair-swiss", "gauntlet", "knockout"];

/// The seed programs where a stage names none (F1).
const USUAL_PROGRAMS: [&str; 3] = ["@first-fit", "@greedy", "@parity"];

/// Why a stage's settings make no sense.
pub enum Wrong {
    Toml(toml::de::Error),
    Mistake(Mistake),
    Words(String),
}

impl From<toml::de::Error> for Wrong {
    fn from(wrong: toml::de::Error) -> Wrong {
        Wrong::Toml(wrong)
    }
}

/// Reads stages one after the other: each has boards of its own unless it names them.
#[derive(Default)]
pub struct Kinds {
    next_board: u32,
}

impl Kinds {
    /// The settings of a stage of the `kind` of this name, one of [`KINDS`].
    pub fn read(&mut self, kind: &str, own: Deserializer, programs: &mut dyn SeedPrograms) -> Result<Kind, Wrong> {
        let next = self.next_board;
        let kind = match kind {
            "all-play-all" => AllPlayAll::deserialize(own)?.kind(next)?,
            "permutations" => Permutations::deserialize(own)?.kind(next)?,
            "seeding" => Seeding::deserialize(own)?.kind(next, programs)?,
            "brackets" => Brackets::deserialize(own)?.kind(next),
            "swiss" => Swiss::deserialize(own)?.kind(next)?,
            "pair-swiss" => PairSwiss::deserialize(own)?.kind(next)?,
            "gauntlet" => Gauntlet::deserialize(own)?.kind(next)?,
            _ => Knockout::deserialize(own)?.kind(next),
        };
        self.next_board = next.max(kind.boards_end());
        Ok(kind)
    }
}

/// The number of a board; people count from 1.
type Board = Within<1, 1_000_000>;
type Rounds = Within<1, 1000>;
type GamesPerOrder = Within<1, 1000>;

fn board(given: Option<Board>, next: u32) -> u32 {
    given.map_or(next, |board| board.0 as u32 - 1)
}

fn boards(given: Option<Vec<Board>>, next: u32, usual: u32) -> Vec<u32> {
    match given {
        Some(boards) if !boards.is_empty() => boards.iter().map(|board| board.0 as u32 - 1).collect(),
        _ => (next..next + usual).collect(),
    }
}

fn round_boards(same: Option<Board>, first: Option<Board>, next: u32) -> Result<RoundBoards, Wrong> {
    match (same, first) {
        (Some(_), Some(_)) => Err(Wrong::Words(
            "of `board`, the same in all rounds, and `first_board`, another each round, a stage has one".into(),
        )),
        (Some(same), None) => Ok(RoundBoards::Same(board(Some(same), next))),
        (None, first) => Ok(RoundBoards::EachRound(board(first, next))),
    }
}

fn games_per_order(given: Option<GamesPerOrder>) -> u16 {
    given.map_or(1, |games| games.0 as u16)
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ScoringName {
    Wins,
    Bonus,
    WonMinusLost,
    Margins,
}

fn scoring(
    name: ScoringName,
    bonus: Option<BonusTable>,
    threshold: Option<Within<0, 1_000_000>>,
) -> Result<Scoring, Wrong> {
    match (name, bonus, threshold) {
        (ScoringName::Bonus, bonus, None) => Ok(Scoring::Bonus(bonus.unwrap_or_default().into())),
        (ScoringName::Margins, None, threshold) => {
            Ok(Scoring::Margins { threshold: threshold.map_or(0, |t| t.0 as u32) })
        }
        (ScoringName::Wins, None, None) => Ok(Scoring::WinsThenScore),
        (ScoringName::WonMinusLost, None, None) => Ok(Scoring::WinsMinusLosses),
        (_, Some(_), _) => Err(Wrong::Words("`bonus` goes with scoring = \"bonus\"".into())),
        (_, _, Some(_)) => Err(Wrong::Words("`threshold` goes with scoring = \"margins\"".into())),
    }
}

/// What counts, and by what else there are tables. `bonus` and `threshold` are for whichever of them has them.
fn scorings(
    first: ScoringName,
    tables: &[ScoringName],
    bonus: Option<BonusTable>,
    threshold: Option<Within<0, 1_000_000>>,
) -> Result<(Scoring, Vec<Scoring>), Wrong> {
    let twice = |(at, name): (usize, &ScoringName)| *name == first || tables[..at].contains(name);
    if tables.iter().enumerate().any(twice) {
        return Err(Wrong::Words("`tables` are others than `scoring`, each once".into()));
    }
    let others = |name| tables.contains(&name) && first != name;
    let of_first = scoring(
        first,
        bonus.filter(|_| !others(ScoringName::Bonus)),
        threshold.filter(|_| !others(ScoringName::Margins)),
    )?;
    let of_table = |&name: &ScoringName| {
        let threshold = threshold.filter(|_| name == ScoringName::Margins);
        scoring(name, bonus.filter(|_| name == ScoringName::Bonus), threshold)
    };
    Ok((of_first, tables.iter().map(of_table).collect::<Result<_, _>>()?))
}

/// `bonus = { first_win = 1000, … }`; what is left out is the usual (F2).
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct BonusTable {
    first_win: Worth<1000>,
    second_win: Worth<1200>,
    first_tie: Worth<500>,
    second_tie: Worth<600>,
}

impl From<BonusTable> for Bonus {
    fn from(table: BonusTable) -> Bonus {
        Bonus {
            first_win: table.first_win.0,
            second_win: table.second_win.0,
            first_tie: table.first_tie.0,
            second_tie: table.second_tie.0,
        }
    }
}

/// Points, `USUAL` if not said.
#[derive(Clone, Copy)]
struct Worth<const USUAL: u32>(u32);

impl<const USUAL: u32> Default for Worth<USUAL> {
    fn default() -> Self {
        Worth(USUAL)
    }
}

impl<'de, const USUAL: u32> Deserialize<'de> for Worth<USUAL> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Within::<0, 1_000_000_000>::deserialize(from).map(|points| Worth(points.0 as u32))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllPlayAll {
    boards: Option<Vec<Board>>,
    games_per_order: Option<GamesPerOrder>,
    scoring: Option<ScoringName>,
    bonus: Option<BonusTable>,
    threshold: Option<Within<0, 1_000_000>>,
    #[serde(default)]
    tables: Vec<ScoringName>,
    head_to_head: Option<bool>,
}

impl AllPlayAll {
    fn kind(self, next: u32) -> Result<Kind, Wrong> {
        let first = self.scoring.unwrap_or(ScoringName::Wins);
        let (scoring, tables) = scorings(first, &self.tables, self.bonus, self.threshold)?;
        // The Boxing Match has three boards (B11), the finals' playoff one (F9).
        let with_bonus = matches!(scoring, Scoring::Bonus(_));
        Ok(Kind::AllPlayAll {
            boards: boards(self.boards, next, if with_bonus { 1 } else { 3 }),
            games_per_order: games_per_order(self.games_per_order),
            scoring,
            tables,
            head_to_head: self.head_to_head.unwrap_or(with_bonus),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Permutations {
    board: Option<Board>,
    scoring: Option<ScoringName>,
    bonus: Option<BonusTable>,
    threshold: Option<Within<0, 1_000_000>>,
    max_entrants: Option<Within<2, 8>>,
}

impl Permutations {
    fn kind(self, next: u32) -> Result<Kind, Wrong> {
        Ok(Kind::Permutations {
            board: board(self.board, next),
            scoring: scoring(self.scoring.unwrap_or(ScoringName::Wins), self.bonus, self.threshold)?,
            max_entrants: self.max_entrants.map_or(7, |most| most.0 as u8),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seeding {
    board: Option<Board>,
    programs: Option<Vec<Spanned<EntrantText>>>,
    #[serde(default)]
    bonus: BonusTable,
}

impl Seeding {
    fn kind(self, next: u32, programs: &mut dyn SeedPrograms) -> Result<Kind, Wrong> {
        let usual = || USUAL_PROGRAMS.map(|name| Spanned::new(0..0, EntrantText::named(name))).to_vec();
        let texts = self.programs.unwrap_or_else(usual);
        if texts.is_empty() {
            return Err(Wrong::Words("no seed programs: name some, or leave out `programs` for the usual".into()));
        }
        let programs = programs.next(&texts).map_err(Wrong::Mistake)?;
        Ok(Kind::Seeding { board: board(self.board, next), programs, bonus: self.bonus.into() })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Brackets {
    first_board: Option<Board>,
    k: Option<Within<1, 3>>,
    #[serde(default)]
    decided_by: DecidedBy,
}

impl Brackets {
    fn kind(self, next: u32) -> Kind {
        Kind::Brackets {
            first_board: board(self.first_board, next),
            k: self.k.map_or(2, |k| k.0 as u8),
            decided_by: self.decided_by,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Swiss {
    rounds: Option<Rounds>,
    board: Option<Board>,
    first_board: Option<Board>,
}

impl Swiss {
    fn kind(self, next: u32) -> Result<Kind, Wrong> {
        let boards = round_boards(self.board, self.first_board, next)?;
        Ok(Kind::Swiss { rounds: self.rounds.map(|rounds| rounds.0 as u16), boards })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PairSwiss {
    rounds: Option<Rounds>,
    games: Option<Within<1, 2>>,
    board: Option<Board>,
    first_board: Option<Board>,
    all_play_all_up_to: Option<Within<0, 65535>>,
}

impl PairSwiss {
    fn kind(self, next: u32) -> Result<Kind, Wrong> {
        Ok(Kind::PairSwiss {
            rounds: self.rounds.map(|rounds| rounds.0 as u16),
            games: self.games.map_or(2, |games| games.0 as u8),
            boards: round_boards(self.board, self.first_board, next)?,
            all_play_all_up_to: self.all_play_all_up_to.map_or(10, |most| most.0 as u16),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gauntlet {
    boards: Option<Vec<Board>>,
    games_per_order: Option<GamesPerOrder>,
    scoring: Option<ScoringName>,
    bonus: Option<BonusTable>,
    threshold: Option<Within<0, 1_000_000>>,
}

impl Gauntlet {
    fn kind(self, next: u32) -> Result<Kind, Wrong> {
        Ok(Kind::Gauntlet {
            boards: boards(self.boards, next, 1),
            games_per_order: games_per_order(self.games_per_order),
            scoring: scoring(self.scoring.unwrap_or(ScoringName::WonMinusLost), self.bonus, self.threshold)?,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knockout {
    boards: Option<Vec<Board>>,
    games_per_order: Option<GamesPerOrder>,
    #[serde(default)]
    third_place: bool,
}

impl Knockout {
    fn kind(self, next: u32) -> Kind {
        Kind::Knockout {
            boards: boards(self.boards, next, 1),
            games_per_order: games_per_order(self.games_per_order),
            third_place: self.third_place,
        }
    }
}
