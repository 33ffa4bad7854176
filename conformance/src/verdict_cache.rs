//! VerdictCache that are kept: a bot that was judged once is not judged again while nothing that could change the verdict has
//! changed.
//!
//! A verdict is a file, named by a hash of the bot's program and sources, its toolchain, its limits, what was asked, the
//! isolation that the machine gives, and the kit's own program. It comes into its place by one renaming, as soon as it is
//! there. Failures that another run could be spared are never kept: those of time, of the machine, and those seen only
//! sometimes.

use crate::bot_report::BotReport;
use crate::finding::{CheckResult, Outcome};
use crate::games::{self, Suites};
use crate::serde_fields;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Ended, Isolation};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A verdict that was not asked for in so long is removed.
const LONGEST_UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// A folder of verdicts.
#[derive(Clone, Debug)]
pub struct VerdictCache {
    folder: PathBuf,
    /// The hash of the kit's own program, and the isolation that the machine gives.
    surroundings: Vec<u8>,
    /// Whether those that are there are passed over.
    anew: bool,
}

/// Where the verdict of a bot is, or will be.
pub struct CacheEntry {
    path: PathBuf,
    anew: bool,
}

impl VerdictCache {
    /// Those in `folder`, judged by this program on a machine that gives `isolation`. Old ones are removed. `anew`: every
    /// bot is judged again, and that verdict kept.
    ///
    /// # Errors
    /// When the folder cannot be made, or this program not be read.
    pub fn open(folder: &Path, isolation: &Isolation, anew: bool) -> io::Result<VerdictCache> {
        fs::create_dir_all(folder)?;
        let is_old = |entry: &fs::DirEntry| {
            let used = entry.metadata().and_then(|found| found.modified());
            used.is_ok_and(|used| {
                SystemTime::now().duration_since(used).is_ok_and(|unused| unused > LONGEST_UNUSED)
            })
        };
        fs::read_dir(folder)?.flatten().filter(is_old).for_each(|entry| drop(fs::remove_file(entry.path())));
        let mut kit = Sha256::new();
        io::copy(&mut fs::File::open("/proc/self/exe")?, &mut kit)?;
        let surroundings = [kit.finalize().as_slice(), isolation.level.name().as_bytes()].concat();
        Ok(VerdictCache { folder: folder.to_path_buf(), surroundings, anew })
    }

    /// Where the verdict of `bot` is when this is `asked` about it; `None` for a bot whose program has no hash.
    pub fn key(&self, bot: &Bot, asked: impl Serialize) -> Option<CacheEntry> {
        bot.program_sha256.as_ref()?;
        let of_bot =
            (&bot.program_sha256, &bot.source_sha256, &bot.toolchain, &bot.game, &bot.limits, &bot.program.argv);
        let mut hash = Sha256::new();
        hash.update(&self.surroundings);
        hash.update(postcard::to_allocvec(&(of_bot, asked)).ok()?);
        let name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(CacheEntry { path: self.folder.join(name), anew: self.anew })
    }
}

impl CacheEntry {
    /// The verdict, if it was kept, as that of `bot`, which plays one of `games`.
    pub fn kept(&self, bot: &Bot, games: Suites) -> Option<BotReport> {
        if self.anew {
            return None;
        }
        let bytes = fs::read(&self.path).ok()?;
        serde_fields::use_catalogues(games.iter().map(|suite| suite.catalogue()).collect());
        let (game, report): (Option<String>, BotReport) = postcard::from_bytes(&bytes).ok()?;
        let suite = match game {
            Some(game) => Some(games::suite(games, &game)?),
            None => None,
        };
        // It is used: it stays for longer.
        fs::File::options()
            .write(true)
            .open(&self.path)
            .and_then(|file| file.set_modified(SystemTime::now()))
            .ok();
        let (name, spec, program) = (bot.name.clone(), bot.spec.clone(), bot.program.clone());
        Some(BotReport { suite, name, spec, program, is_cached: true, ..report })
    }

    /// Keeps `report`, unless it could be another one next time. What cannot be written is judged again.
    pub fn keep(&self, report: &BotReport) {
        if !lasts(report) {
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

/// Whether the bot would be judged so again.
fn lasts(report: &BotReport) -> bool {
    report.kit_failure.is_none() && report.results.iter().all(|result| !is_of_time(result))
}

/// Whether a check failed because of time, or something that was waited for.
fn is_of_time(result: &CheckResult) -> bool {
    let Outcome::Fail(findings) = &result.outcome else { return false };
    let ended = |ended: &Ended| matches!(ended, Ended::TimedOut | Ended::Starved | Ended::Stopped);
    result.check.group == "time" || findings.iter().any(|finding| ended(&finding.evidence.report.ended))
}
