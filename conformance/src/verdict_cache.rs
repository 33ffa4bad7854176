//! The cache of verdicts: a bot is not checked again while nothing has changed that could change its verdict.
//!
//! A verdict is a file, named by a hash of the bot's program and sources, its toolchain, its limits, the rules and
//! checks by which it is judged, the isolation of this machine, and Cornerman's own program. So every command finds the
//! verdicts of the others. If a check left nothing out, its verdict serves checks with any effort; otherwise it serves
//! only checks with the same time limit that also end, or do not end, at the first failed must. A file is written under
//! a temporary name and renamed, so that it is never seen half-written. A verdict is not cached if another check might
//! come out differently: after failures of time or of the machine.

use crate::bot_report::BotReport;
use crate::catalog::{Id, Severity, use_catalogue};
use crate::finding::{CheckResult, Finding, Outcome};
use crate::runner::SharedState;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Ended, Isolation};
use cornerman_harness::text::sha256;
use cornerman_harness::toolchain::cache::{is_unused_for, write_whole};
use elf::ElfStream;
use elf::endian::AnyEndian;
use elf::note::Note;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tracing::debug;

/// A verdict that has not been used for this long is removed.
const LONGEST_UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// A folder of cached verdicts, and of the games that bots are taken to play.
#[derive(Clone, Debug)]
pub struct VerdictCache {
    folder: PathBuf,
    /// What identifies Cornerman's own program, and the isolation of this machine.
    environment: Vec<u8>,
    /// Whether what is cached is ignored and replaced.
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
        for entry in fs::read_dir(folder)?.flatten() {
            if is_unused_for(&entry.path(), LONGEST_UNUSED) {
                fs::remove_file(entry.path()).ok();
            }
        }
        let environment =
            [program_id(Path::new("/proc/self/exe"))?.as_slice(), isolation.level.name().as_bytes()].concat();
        Ok(VerdictCache { folder: folder.to_path_buf(), environment, refresh })
    }

    /// The path of what is cached about `bot`, whose limits must be those that apply, and about what else decides it;
    /// `None` if the bot's program has no hash.
    fn path(&self, bot: &Bot, decided_by: impl Serialize) -> Option<PathBuf> {
        bot.program_sha256.as_ref()?;
        let of_bot = (&bot.program_sha256, &bot.source_sha256, &bot.toolchain, &bot.limits, &bot.program.argv);
        let decisive = postcard::to_allocvec(&(&self.environment, of_bot, decided_by)).ok()?;
        Some(self.folder.join(sha256(decisive)))
    }

    /// The path of the verdict on the bot of `check`, of a check that left nothing `out`, or one that did.
    fn path_of_verdict(&self, check: &SharedState, out: bool) -> Option<PathBuf> {
        let SharedState { suite, selected, ruleset, options, .. } = check;
        let clock = check.clock.map(|clock| (clock.budget, clock.minimum, clock.guard));
        let rules = suite.depends_on_rules().then_some(&ruleset.text);
        let level = options.conditions.at_most.map(|level| level.name());
        let effort = out.then_some((options.budget, options.fast));
        self.path(&check.bot, (suite.game(), selected, options.seed, clock, rules, level, effort))
    }

    /// What the file at `path` has. Its time is set to now, because files that have not been used for long are removed.
    fn read<T: DeserializeOwned>(&self, path: &Path) -> Option<T> {
        if self.refresh {
            return None;
        }
        let bytes = fs::read(path).ok();
        debug!(?path, found = bytes.is_some(), "looked for a verdict");
        let bytes = bytes?;
        let file = fs::File::options().write(true).open(path);
        file.and_then(|file| file.set_modified(SystemTime::now())).ok();
        postcard::from_bytes(&bytes).ok()
    }

    /// Writes the file at `path`. If that fails, what it has is found out again next time.
    fn write(path: &Path, what: &impl Serialize) {
        let bytes = postcard::to_allocvec(what).map_err(io::Error::other);
        bytes.and_then(|bytes| write_whole(path, bytes)).ok();
    }

    /// The id of the game among `games` that `bot` is taken to play, and the remark for the report, if they are cached.
    pub(crate) fn choice(&self, bot: &Bot, games: &[Id]) -> Option<(String, String)> {
        self.read(&self.path(bot, games)?)
    }

    /// Caches the id of the `game` among `games` that `bot` is taken to play, and the `remark` for the report.
    pub(crate) fn keep_choice(&self, bot: &Bot, games: &[Id], game: Id, remark: &str) {
        if let Some(path) = self.path(bot, games) {
            VerdictCache::write(&path, &(game, remark));
        }
    }

    /// The cached verdict on the bot of `check`, if there is one.
    pub(crate) fn verdict(&self, check: &SharedState) -> Option<BotReport> {
        use_catalogue(check.suite.catalogue());
        let verdict = |out| self.read::<BotReport>(&self.path_of_verdict(check, out)?);
        let verdict = verdict(false).or_else(|| verdict(true))?;
        let BotReport { suite, name, spec, program, is_built, language, .. } = BotReport::unchecked(check);
        Some(BotReport { suite, name, spec, program, is_built, language, is_cached: true, ..verdict })
    }

    /// Caches the `verdict` on the bot of `check`, unless another check might come out differently.
    pub(crate) fn keep_verdict(&self, check: &SharedState, verdict: &BotReport) {
        let path = self.path_of_verdict(check, verdict.left_out.is_some());
        if let Some(path) = path.filter(|_| is_repeatable(verdict)) {
            VerdictCache::write(&path, verdict);
        }
    }
}

/// The identity of `program`: the build id that the linker wrote into it, or else a hash of all its bytes.
fn program_id(program: &Path) -> io::Result<Vec<u8>> {
    if let Ok(Some(id)) = build_id(fs::File::open(program)?) {
        return Ok(id);
    }
    Ok(sha256(fs::read(program)?).into_bytes())
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
        assert_eq!(id(b"#!/bin/sh\n").len(), 64);
        assert_ne!(id(b"#!/bin/sh\n"), id(b"#!/bin/sh\n\n"));
        assert_eq!(id(b"\x7fELF cut off").len(), 64);
    }

    #[test]
    fn a_build_id_is_found_in_this_program() {
        let program = fs::File::open("/proc/self/exe").unwrap();
        assert_eq!(build_id(program).unwrap().map(|id| id.len()), Some(20));
    }
}
