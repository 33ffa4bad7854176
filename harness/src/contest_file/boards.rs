//! The boards of a contest: reads those that a contest file lists, and generates the others.

use super::keys::folder_of;
use crate::ruleset::Ruleset;
use crate::run::setup_for;
use crate::text::{Reason, with_sources};
use crate::toml_file::{FileError, Mistake, SourceFile, all_of, read_file};
use cornerman::contest::Contest;
use cornerman::format::Pairing;
use cornerman::game::Setup;
use cornerman::rng::Rng;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// How many boards are drawn for a number before an equal one is accepted, because the rules may not have more boards.
const MAX_DRAWS: u32 = 100;

/// The boards of a contest, by number from 0. Generated ones are made when they are first asked for.
pub struct Boards {
    ruleset: Ruleset,
    seed: u64,
    /// The numbers of the boards that games of the contest can have, in order.
    numbers: Vec<Range<u32>>,
    known: RefCell<BTreeMap<u32, Vec<u8>>>,
    /// All boards of lower numbers than this that games can have are known.
    made_below: Cell<u32>,
}

impl Boards {
    /// The boards of `contest`: those `given`, and others generated from `seed`. A generated board differs from all
    /// boards of lower numbers (F6), unless [`MAX_DRAWS`] draws give no other.
    pub(super) fn new(ruleset: &Ruleset, given: &[Vec<u8>], seed: u64, contest: &Contest) -> Boards {
        let of_stage = |(stage, played): (u8, &cornerman::contest::Stage)| played.format.boards(stage);
        let mut numbers: Vec<Range<u32>> = (0..=u8::MAX).zip(contest.stages()).flat_map(of_stage).collect();
        numbers.sort_by_key(|numbers| numbers.start);
        let known = (0..).zip(given.iter().cloned()).collect();
        let known = RefCell::new(known);
        let made_below = Cell::new(0);
        Boards { ruleset: ruleset.clone(), seed, numbers, known, made_below }
    }

    /// The board of this number: one from the contest file, or else generated (F6). Empty for games without boards.
    pub fn get(&self, number: u32) -> Vec<u8> {
        let mut known = self.known.borrow_mut();
        if let Some(board) = known.get(&number) {
            return board.clone();
        }
        // A board must differ from all of lower numbers, in whatever order they are asked for.
        let from = self.made_below.get();
        let missing = |numbers: &Range<u32>| numbers.start.max(from)..numbers.end.min(number);
        for lower in self.numbers.iter().flat_map(missing) {
            if !known.contains_key(&lower) {
                let board = self.generate(lower, &known);
                known.insert(lower, board);
            }
        }
        self.made_below.set(from.max(number));
        let board = self.generate(number, &known);
        known.insert(number, board.clone());
        board
    }

    /// The start of a game.
    pub fn setup(&self, pairing: &Pairing) -> Setup {
        setup_for(pairing, self.seed, &self.ruleset, self.get(pairing.board))
    }

    /// Generates the board of this number, which differs from those in `lower` if one of [`MAX_DRAWS`] does.
    fn generate(&self, number: u32, lower: &BTreeMap<u32, Vec<u8>>) -> Vec<u8> {
        let mut seed = Rng::new(self.seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)).draw();
        let mut board = self.ruleset.board(seed);
        if !board.is_empty() {
            for _ in 1..MAX_DRAWS {
                if !lower.values().any(|other| *other == board) {
                    break;
                }
                seed = Rng::new(seed).draw();
                board = self.ruleset.board(seed);
            }
        }
        board
    }
}

/// Reads boards from `files`, and checks that a game by `ruleset` can begin on each.
pub(super) fn read(
    source: SourceFile,
    files: &[Spanned<String>],
    ruleset: &Ruleset,
) -> Result<Vec<Vec<u8>>, Vec<Mistake>> {
    all_of(files.iter().map(|file| {
        read_board(&folder_of(source.path).join(file.get_ref()), ruleset)
            .map_err(|wrong| source.mistake(file.span().start, with_sources(&wrong)))
    }))
}

/// Reads a board, and checks that a game by `ruleset` can begin on it.
///
/// # Errors
/// If the file cannot be read, or a game cannot begin on the board.
pub fn read_board(path: &Path, ruleset: &Ruleset) -> Result<Vec<u8>, FileError> {
    let board = read_file("board", path, |path| fs::read(path))?;
    let setup = Setup { seats: ruleset.seats.0, board, ..Setup::default() };
    ruleset.open(&setup).map_err(|why| Reason(format!("{}: {why}", path.display())))?;
    Ok(setup.board)
}
