//! The cache of verdicts: a bot is not checked again while nothing has changed that could change its verdict.
//!
//! A verdict is a file, named by a hash of the bot's program and sources, its toolchain, its limits, the options of the
//! check, the isolation of this machine, and Cornerman's own program. It is written to a temporary file and renamed, so
//! that it is never seen half-written. A verdict is not cached if another check might come out differently: after
//! failures of time or of the machine.

use crate::bot_report::BotReport;
use crate::finding::{CheckResult, Outcome};
use crate::games::{self, Suites};
use crate::language::Language;
use crate::serde_fields;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Ended, Isolation};
use elf::ElfStream;
use elf::endian::AnyEndian;
use elf::note::Note;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A verdict that has not been used for this long is removed.
const LONGEST_UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// A folder of cached verdicts.
#[derive(Clone, Debug)]
pub struct VerdictCache {
    folder: PathBuf,
    /// What identifies Cornerman's own program, and the isolation of this machine.
    environment: Vec<u8>,
    /// Whether cached verdicts are ignored and replaced.
    refresh: bool,
}

/// The place of one verdict in the cache, whether it is there or not.
pub struct CacheEntry {
    path: PathBuf,
    refresh: bool,
}

impl VerdictCache {
    /// Opens the cache in `folder`, creating the folder if necessary, for this program on a machine with this
    /// `isolation`. Old verdicts are removed. With `refresh`, every bot is checked again and its new verdict cached.
    ///
    /// # Errors
    /// When the folder cannot be created, or this program's own file cannot be read.
    pub fn open(folder: &Path, isolation: &Isolation, refresh: bool) -> io::Result<VerdictCache> {
        fs::create_dir_all(folder)?;
        let is_old = |entry: &fs::DirEntry| {
            let used = entry.metadata().and_then(|found| found.modified());
            used.is_ok_and(|used| {
                SystemTime::now().duration_since(used).is_ok_and(|unused| unused > LONGEST_UNUSED)
            })
        };
        fs::read_dir(folder)?.flatten().filter(is_old).for_each(|entry| drop(fs::remove_file(entry.path())));
        let environment =
            [program_id(Path::new("/proc/self/exe"))?.as_slice(), isolation.level.name().as_bytes()].concat();
        Ok(VerdictCache { folder: folder.to_path_buf(), environment, refresh })
    }

    /// The entry for `bot` when it is checked with these `options`; `None` for a bot whose program has no hash.
    pub fn entry(&self, bot: &Bot, options: impl Serialize) -> Option<CacheEntry> {
        bot.program_sha256.as_ref()?;
        let of_bot =
            (&bot.program_sha256, &bot.source_sha256, &bot.toolchain, &bot.game, &bot.limits, &bot.program.argv);
        let mut hash = Sha256::new();
        hash.update(&self.environment);
        hash.update(postcard::to_allocvec(&(of_bot, options)).ok()?);
        let name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(CacheEntry { path: self.folder.join(name), refresh: self.refresh })
    }
}

impl CacheEntry {
    /// The cached verdict, if there is one, as a report about `bot`, which plays one of `games`.
    pub fn load(&self, bot: &Bot, games: Suites) -> Option<BotReport> {
        if self.refresh {
            return None;
        }
        let bytes = fs::read(&self.path).ok()?;
        serde_fields::use_catalogues(games.iter().map(|suite| suite.catalogue()).collect());
        let (game, report): (Option<String>, BotReport) = postcard::from_bytes(&bytes).ok()?;
        let suite = match game {
            Some(game) => Some(games::suite(games, &game)?),
            None => None,
        };
        // The time of the last use decides when the verdict is removed.
        fs::File::options()
            .write(true)
            .open(&self.path)
            .and_then(|file| file.set_modified(SystemTime::now()))
            .ok();
        let (name, spec, program) = (bot.name.clone(), bot.spec.clone(), bot.program.clone());
        let (is_built, language) = (bot.built.is_some(), Language::of(bot));
        Some(BotReport { suite, name, spec, program, is_built, language, is_cached: true, ..report })
    }

    /// Caches `report`, unless another check might come out differently. If writing fails, the bot is checked again
    /// next time.
    pub fn store(&self, report: &BotReport) {
        if !is_repeatable(report) {
            return;
        }
        let write = || -> io::Result<()> {
            let game = report.suite.map(|suite| suite.game());
            let mut file = tempfile::NamedTempFile::new_in(self.path.parent().unwrap_or(Path::new(".")))?;
            file.write_all(&postcard::to_allocvec(&(game, report)).map_err(io::Error::other)?)?;
            file.persist(&self.path)?;
            Ok(())
        };
        write().ok();
    }
}

/// What identifies the content of `program`: the build id that the linker wrote into it, or else a hash of it all.
fn program_id(program: &Path) -> io::Result<Vec<u8>> {
    if let Ok(Some(id)) = build_id(fs::File::open(program)?) {
        return Ok(id);
    }
    let mut hash = Sha256::new();
    io::copy(&mut fs::File::open(program)?, &mut hash)?;
    Ok(hash.finalize().to_vec())
}

/// The build id of `program`, if it has one. Only the headers and the note are read.
fn build_id(program: fs::File) -> Result<Option<Vec<u8>>, elf::ParseError> {
    let mut program = ElfStream::<AnyEndian, _>::open_stream(program)?;
    let Some(section) = program.section_header_by_name(".note.gnu.build-id")?.copied() else { return Ok(None) };
    let mut ids = program.section_data_as_notes(&section)?.filter_map(|note| match note {
        Note::GnuBuildId(id) => Some(id.0.to_vec()),
        _ => None,
    });
    Ok(ids.next())
}

/// Whether another check would give the same verdict.
fn is_repeatable(report: &BotReport) -> bool {
    report.kit_failure.is_none() && report.results.iter().all(|result| !is_of_time(result))
}

/// Whether a check failed because of time, or because a run was stopped.
fn is_of_time(result: &CheckResult) -> bool {
    let Outcome::Fail(findings) = &result.outcome else { return false };
    let ended = |ended: &Ended| matches!(ended, Ended::TimedOut | Ended::Starved | Ended::Stopped);
    result.check.group == "time" || findings.iter().any(|finding| ended(&finding.evidence.report.ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_a_build_id_is_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let id = |content: &[u8]| {
            let path = folder.path().join("program");
            fs::write(&path, content).unwrap();
            program_id(&path).unwrap()
        };
        assert_eq!(id(b"#!/bin/sh\n").len(), 32);
        assert_ne!(id(b"#!/bin/sh\n"), id(b"#!/bin/sh\n\n"));
        assert_eq!(id(b"\x7fELF cut off").len(), 32);
    }

    #[test]
    fn a_build_id_is_found_in_this_program() {
        let program = fs::File::open("/proc/self/exe").unwrap();
        assert_eq!(build_id(program).unwrap().map(|id| id.len()), Some(20));
    }
}
