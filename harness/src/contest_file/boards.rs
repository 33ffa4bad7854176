//! Reads the boards that a contest file lists.

use super::keys::folder_of;
use crate::nearest::did_you_mean_file;
use crate::ruleset::Ruleset;
use crate::toml_file::{Mistake, Source};
use cornerman::game::Setup;
use std::fs;
use toml::Spanned;

/// Reads boards from `files`, and checks that a game by `ruleset` can begin on each.
///
/// # Errors
/// A mistake for each file that cannot be used.
pub fn read(source: Source, files: &[Spanned<String>], ruleset: &Ruleset) -> Result<Vec<Vec<u8>>, Vec<Mistake>> {
    let (mut boards, mut mistakes) = (Vec::new(), Vec::new());
    for file in files {
        match board(source, file.get_ref(), ruleset) {
            Ok(board) => boards.push(board),
            Err(message) => mistakes.push(source.mistake(file.span().start, message)),
        }
    }
    if mistakes.is_empty() { Ok(boards) } else { Err(mistakes) }
}

fn board(source: Source, file: &str, ruleset: &Ruleset) -> Result<Vec<u8>, String> {
    let path = folder_of(source.path).join(file);
    if !path.exists() {
        return Err(format!("no such board: {}{}", path.display(), did_you_mean_file(&path)));
    }
    let board = fs::read(&path).map_err(|error| format!("cannot read the board {}: {error}", path.display()))?;
    let setup = Setup { seats: ruleset.seats.0, board, ..Setup::default() };
    ruleset.open(&setup).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(setup.board)
}
