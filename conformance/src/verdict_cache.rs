//! The cache of verdicts: a bot is not checked again while nothing has changed that could change its verdict.
//!
//! A verdict is a file, named by a hash of the bot's program and sources, its toolchain, its limits, the rules and
//! checks by which it is judged, the isolation of this machine, and Cornerman's own program. So every command finds the
//! verdicts of the others. If a check left nothing out, its verdict serves checks with any effort; otherwise it serves
//! only checks with the same time limit that also end, or do not end, at the first failed must. A file is written under
//! a temporary name and renamed, so that it is never seen half-written. A verdict is not cached if another check might
//! come out differently: after failures of time or of the machine.

use crate::bot_report::BotReport;
use crate::catalog::{Severity, use_catalogue};
use crate::finding::{CheckResult, Finding, Outcome};
use crate::games::Suite;
use crate::language::Language;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Ended, Isolation};
use cornerman_harness::text::hex;
use elf::ElfStream;
use elf::endian::AnyEndian;
use elf::note::Note;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tracing::debug;

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

/// The paths of a bot's verdicts in the cache, whether or not they exist.
pub(crate) struct CacheEntry {
    /// The path of the verdict that left nothing out, or of the choice of the bot's game. The effort is added to its
    /// name for other verdicts.
    path: PathBuf,
    refresh: bool,
}

/// The time that a check is given, and whether it ends at the first failed must.
pub(crate) type Effort = (Option<Duration>, bool);

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
        for entry in fs::read_dir(folder)?.flatten().filter(is_old) {
            fs::remove_file(entry.path()).ok();
        }
        let environment =
            [program_id(Path::new("/proc/self/exe"))?.as_slice(), isolation.level.name().as_bytes()].concat();
        Ok(VerdictCache { folder: folder.to_path_buf(), environment, refresh })
    }

    /// The entry for `bot`, whose limits must be those that apply. `judged_by` is what else decides its verdict; for
    /// the entry of the game that the bot is taken to play, it is the list of games. `None` if the bot's program has
    /// no hash.
    pub(crate) fn entry(&self, bot: &Bot, judged_by: impl Serialize) -> Option<CacheEntry> {
        bot.program_sha256.as_ref()?;
        let of_bot = (&bot.program_sha256, &bot.source_sha256, &bot.toolchain, &bot.limits, &bot.program.argv);
        let mut hash = Sha256::new();
        hash.update(&self.environment);
        hash.update(postcard::to_allocvec(&(of_bot, judged_by)).ok()?);
        Some(CacheEntry { path: self.folder.join(hex(&hash.finalize())), refresh: self.refresh })
    }
}

impl CacheEntry {
    /// The id of the game that the bot is taken to play, and the remark for the report, if they are cached here.
    pub(crate) fn load_choice(&self) -> Option<(String, String)> {
        postcard::from_bytes(&self.read(&self.path)?).ok()
    }

    /// Caches the id of the `game` and the `remark` for the report. If writing fails, the game is found out again
    /// next time.
    pub(crate) fn store_choice(&self, game: &str, remark: &str) {
        self.write(&self.path, &(game, remark)).ok();
    }

    /// The file's bytes. Its time is set to now, because files that have not been used for long are removed.
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        if self.refresh {
            return None;
        }
        let bytes = fs::read(path).ok();
        debug!(?path, found = bytes.is_some(), "looked for a verdict");
        let bytes = bytes?;
        let file = fs::File::options().write(true).open(path);
        file.and_then(|file| file.set_modified(SystemTime::now())).ok();
        Some(bytes)
    }

    fn write(&self, path: &Path, what: &impl Serialize) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
        file.write_all(&postcard::to_allocvec(what).map_err(io::Error::other)?)?;
        file.persist(path)?;
        Ok(())
    }

    /// The path of a verdict that holds only for checks with this effort.
    fn path_for(&self, (time, fast): Effort) -> PathBuf {
        let time = time.map_or("all".to_string(), |time| time.as_millis().to_string());
        let mut path = self.path.clone();
        path.as_mut_os_string().push(format!("-{time}{}", if fast { "-fast" } else { "" }));
        path
    }

    /// The cached verdict, if there is one for this `effort`, as a report about `bot`, which plays the game of `suite`.
    pub(crate) fn load(&self, bot: &Bot, suite: &'static dyn Suite, effort: Effort) -> Option<BotReport> {
        let paths = [self.path.clone(), self.path_for(effort)];
        let bytes = paths.iter().find_map(|path| self.read(path))?;
        use_catalogue(suite.catalogue());
        let report: BotReport = postcard::from_bytes(&bytes).ok()?;
        let name = bot.name.clone();
        let spec = bot.spec.clone();
        let program = bot.program.clone();
        let is_built = bot.built.is_some();
        let language = Language::for_bot(bot);
        Some(BotReport { suite: Some(suite), name, spec, program, is_built, language, is_cached: true, ..report })
    }

    /// Caches `report` of a check with this `effort`, unless another check might come out differently. If writing
    /// fails, the bot is checked again next time.
    pub(crate) fn store(&self, report: &BotReport, effort: Effort) {
        if !is_repeatable(report) {
            return;
        }
        let path = if report.left_out.is_none() { self.path.clone() } else { self.path_for(effort) };
        self.write(&path, report).ok();
    }
}

/// The identity of `program`: the build id that the linker wrote into it, or else a hash of all its bytes.
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

/// Whether a must failed because of time, or a run was stopped. A warning that the bot is slow is repeatable.
fn is_of_time(result: &CheckResult) -> bool {
    let Outcome::Fail(findings) = &result.outcome else { return false };
    let ended = |ended: &Ended| matches!(ended, Ended::TimedOut | Ended::Starved | Ended::Stopped);
    let is_must = |finding: &Finding| finding.cause.severity == Severity::Must;
    let breaks_a_limit = result.check.group == "time" && findings.iter().any(is_must);
    breaks_a_limit || findings.iter().any(|finding| ended(&finding.evidence.report.ended))
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
