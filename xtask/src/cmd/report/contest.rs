//! The contest that a record is of, made again from the contest file that the record keeps.

use crate::exit::Failure;
use cornerman::contest::Contest;
use cornerman_harness::contest_file::{ContestFile, ContestFileError};
use cornerman_harness::record::{EntrantRecord, Header, Role};
use std::path::Path;

/// The contest of the record at `db`: of the entrants in its file, those that the record has.
///
/// # Errors
/// When the file that the record keeps makes no sense any more.
pub fn contest_of(db: &Path, header: &Header, entrants: &[EntrantRecord]) -> Result<Contest, Failure> {
    let references: Vec<&str> = reference_bots::BOTS.iter().map(|bot| bot.id).collect();
    let path = db.with_extension("toml");
    let parsed = ContestFile::parse(&path, &header.contest_text, &references);
    let mut file = parsed.map_err(|wrong| {
        let words = ContestFileError::Wrong(wrong);
        Failure::usage(format!("the contest file in {} cannot be read: {words}", db.display()))
    })?;
    let plays = |spec: &str| entrants.iter().any(|entrant| entrant.role == Role::Entry && entrant.spec == spec);
    file.entrants.retain(|entrant| plays(&entrant.spec));
    file.contest().map_err(Failure::usage)
}
