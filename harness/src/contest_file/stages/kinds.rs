//! The formats a stage can have, and their settings.

pub use cornerman::formats::scoring::{Bonus, Scoring};
pub use cornerman::formats::swiss::Boards as RoundBoards;
use serde::Deserialize;

/// Boards that a format is taken to need which has another one each round, in the choice of boards for the stages
/// after it.
const BOARDS_OF_ROUNDS: u32 = 1000;

/// How a stage is played. Boards are numbers, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everyone plays everyone (B11, F9).
    AllPlayAll {
        /// The boards, each played on in both orders.
        boards: Vec<u32>,
        /// How often each order of play is played on each board.
        games_per_order: u16,
        /// What counts.
        scoring: Scoring,
        /// By what else there is a table, which decides nothing (R9).
        tables: Vec<Scoring>,
        /// Whether the games between those who are tied tell them apart; by default with bonuses (F9).
        head_to_head: bool,
    },
    /// All in one game, in every order (B12).
    Permutations {
        /// The board.
        board: u32,
        /// What counts.
        scoring: Scoring,
        /// The most that may take part.
        max_entrants: u8,
    },
    /// Everyone against the seed programs (F1–F3).
    Seeding {
        /// The board.
        board: u32,
        /// The seed programs: places in [`ContestFile::organizers`](crate::contest_file::ContestFile::organizers).
        programs: Vec<usize>,
        /// What wins and ties add.
        bonus: Bonus,
    },
    /// Winners' and losers' bracket (F4–F8).
    Brackets {
        /// The board of the first round; each later round has the next.
        first_board: u32,
        /// How few go on: at most 2K of one bracket, about K of the other.
        k: u8,
        /// What wins a match.
        decided_by: DecidedBy,
    },
    /// The Modified Swiss system for four seats (S2–S6).
    Swiss {
        /// How many rounds; if not said, the fewest that are allowed (S6).
        rounds: Option<u16>,
        /// The boards of the rounds.
        boards: RoundBoards,
    },
    /// The Swiss system for two seats (G8).
    PairSwiss {
        /// How many rounds; if not said, what the number of entrants asks for.
        rounds: Option<u16>,
        /// Games a match, 1 or 2.
        games: u8,
        /// The boards of the rounds.
        boards: RoundBoards,
        /// Up to so many entrants, everyone plays everyone twice instead (G8); 0 is never.
        all_play_all_up_to: u16,
    },
    /// The first against each of the others.
    Gauntlet {
        /// The boards, each played on in both orders.
        boards: Vec<u32>,
        /// How often each order of play is played on each board.
        games_per_order: u16,
        /// What counts.
        scoring: Scoring,
    },
    /// Who loses a match is out.
    Knockout {
        /// The boards of the rounds; after the last the first comes again.
        boards: Vec<u32>,
        /// How often each order of play is played in a match.
        games_per_order: u16,
        /// Whether the losers of the semi-finals play for third place.
        third_place: bool,
    },
}

impl Kind {
    /// Its name in the file.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::AllPlayAll { .. } => "all-play-all",
            Kind::Permutations { .. } => "permutations",
            Kind::Seeding { .. } => "seeding",
            Kind::Brackets { .. } => "brackets",
            Kind::Swiss { .. } => "swiss",
            Kind::PairSwiss { .. } => "pair-swiss",
            Kind::Gauntlet { .. } => "gauntlet",
            Kind::Knockout { .. } => "knockout",
        }
    }

    /// The first number after those of its boards.
    pub(super) fn boards_end(&self) -> u32 {
        let after = |boards: &[u32]| boards.iter().max().map_or(0, |last| last + 1);
        match self {
            Kind::AllPlayAll { boards, .. } | Kind::Gauntlet { boards, .. } | Kind::Knockout { boards, .. } => {
                after(boards)
            }
            Kind::Permutations { board, .. } | Kind::Seeding { board, .. } => board + 1,
            Kind::Brackets { first_board, .. } => first_board + BOARDS_OF_ROUNDS,
            Kind::Swiss { boards, .. } | Kind::PairSwiss { boards, .. } => match boards {
                RoundBoards::Same(board) => board + 1,
                RoundBoards::EachRound(first) => first + BOARDS_OF_ROUNDS,
            },
        }
    }
}

/// What wins a match (F5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecidedBy {
    /// Games won.
    #[default]
    Wins,
    /// Points in all its games.
    Points,
}
