//! What any run of a bot can show besides its answers: how it ended, how long it took, what it left behind, and the
//! files that it touched.

use crate::catalog::{Catalogue, Id};
use crate::finding::Cause;
use crate::runner::{BotRunner, SharedState};
pub(crate) use cornerman_harness::player::is_of_a_runtime;
use cornerman_harness::player::marks::{mark_of, state_file};
use cornerman_harness::sandbox::{Ended, FileViolation, FileViolationKind, Limits, RunReport, SandboxError};
use cornerman_harness::text::{count, duration, escaped, signal_name};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// No more files than this are named in one report.
const MOST_NAMED: usize = 4;

/// Where other programs share folders with the bot, a file counts as touched by the bot if this many runs show it.
const WATCHED_RUNS: usize = 3;

/// Whether `id` is a check of how a process runs, and not of what it answers.
pub(crate) fn is_process_check(checks: &Catalogue, id: Id) -> bool {
    checks.is_any(id, &["EXIT", "SLOW", "ORPHAN", "STDERR"])
}

/// The cause of a warning that an answer exceeded the soft limit: `slow` says how long the answer took.
pub(crate) fn slow_cause(checks: &'static Catalogue, limits: &Limits, slow: String) -> Cause {
    let what = format!("{slow}; the soft limit is {}", duration(limits.soft));
    Cause::new(checks.id("SLOW"), what).warning().incidental()
}

/// What is wrong with the run of `report` besides its answers and their time: processes left behind, too much standard
/// error, and touched files, if these count. The bot has this `mark`, if it has one. `unit` is what was played: `move`
/// or `game`.
pub(crate) fn conduct_causes(
    shared: &SharedState,
    report: &RunReport,
    mark: Option<u8>,
    touched_count: bool,
    unit: &str,
) -> Vec<Cause> {
    let SharedState { checks, bot, .. } = shared;
    let mut causes = Vec::new();
    let running = left_running(report);
    if running > 0 {
        let were = if running == 1 { "was" } else { "were" };
        let what = format!("{} {were} still running when the program had ended", count(running, "process"));
        causes.push(Cause::new(checks.id("ORPHAN"), what).incidental());
    }
    if let Some(id) = checks.named("STDERR").filter(|_| report.stderr_total > bot.limits.stderr as u64) {
        let what = format!("{} bytes on standard error in one {unit}", report.stderr_total);
        causes.push(Cause::new(id, what).incidental());
    }
    if touched_count {
        let touched = file_causes(checks, mark, report.file_violations.iter());
        causes.extend(touched.into_iter().map(Cause::incidental));
    }
    causes
}

/// How many processes still ran when the bot of `report` had ended. Those of a bot that was stopped do not count: it
/// had no chance to end them.
pub(crate) fn left_running(report: &RunReport) -> u32 {
    match report.ended {
        Ended::Exited(_) | Ended::Signalled(_) => report.leftovers.saturating_sub(report.zombies),
        _ => 0,
    }
}

/// Why the bot of `report` could not be started, for reports; `None` if it was started.
pub(crate) fn not_started(report: &RunReport) -> Option<String> {
    match &report.ended {
        Ended::CannotStart { why, .. } => Some(format!("it cannot be started: {}", escaped(why.as_bytes()))),
        _ => None,
    }
}

/// How the bot of `report` died by a signal, or for using too much memory, for reports; `None` if it ended otherwise.
/// `limits` are those of the run.
pub(crate) fn killed(report: &RunReport, limits: &Limits) -> Option<String> {
    match report.ended {
        Ended::Signalled(signal) => Some(format!("it died by signal {signal}{}", signal_name(signal))),
        Ended::OutOfMemory => {
            Some(format!("it was killed for using more than {} MiB of memory", limits.memory >> 20))
        }
        _ => None,
    }
}

/// What is wrong with a bot with `mark` that touched these files. Those of its language's runtime do not count. A check
/// fails only with a warning if the bot itself made and removed all files that the check is about.
fn file_causes<'a>(
    checks: &'static Catalogue,
    mark: Option<u8>,
    touched: impl Iterator<Item = &'a FileViolation>,
) -> Vec<Cause> {
    let own = mark.map(state_file);
    let fresh = checks.id("FRESH");
    // In a game with state files.
    let foreign_state = checks.named("STATE-SEP");
    let is_foreign = |violation: &&FileViolation| {
        own.as_ref() != Some(&violation.path) && mark_of(&violation.path).is_some() && foreign_state.is_some()
    };
    let touched = touched.filter(|violation| !is_of_a_runtime(&violation.path));
    let (foreign, others): (Vec<&FileViolation>, Vec<&FileViolation>) = touched.partition(is_foreign);
    let seen = [(foreign_state.unwrap_or(fresh), foreign), (fresh, others)];
    let seen = seen.into_iter().filter(|(_, seen)| !seen.is_empty());
    seen.map(|(check, seen)| {
        let cause = Cause::new(check, format!("it {}", in_words(&seen)));
        let is_kept = seen.iter().any(|violation| violation.kind != FileViolationKind::Transient);
        if is_kept { cause } else { cause.warning() }
    })
    .collect()
}

/// The places that the bot of `report`, or another program, touched.
fn touched_places(report: &RunReport) -> BTreeSet<PathBuf> {
    let paths = report.file_violations.iter().map(|violation| violation.path.as_path());
    paths.filter(|path| !is_of_a_runtime(path)).map(place).collect()
}

impl BotRunner<'_> {
    /// What is wrong with the files that a bot with `mark` touched in a watched run, as its report `first` shows it.
    /// Where other programs may write to the same folders, the run is repeated by `again`: they hardly touch the same
    /// place each time. Elsewhere what is wrong was found already, because every run is watched.
    pub(crate) fn touched_each_time(
        &mut self,
        mark: Option<u8>,
        first: &RunReport,
        again: impl Fn(&mut Self) -> Result<RunReport, SandboxError>,
    ) -> Result<Vec<Cause>, SandboxError> {
        let mut places = touched_places(first);
        for _ in 1..WATCHED_RUNS {
            if places.is_empty() || self.watches_every_run() {
                return Ok(Vec::new());
            }
            places = &places & &touched_places(&again(self)?);
        }
        let touched = first.file_violations.iter().filter(|violation| places.contains(&place(&violation.path)));
        Ok(file_causes(self.shared.checks, mark, touched))
    }
}

/// `path` without the digits at its end, which differ from one temporary file to the next: `/tmp/log.1234` and
/// `/tmp/log.987` are one place.
fn place(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let steady = name.trim_end_matches(|c: char| c.is_ascii_digit());
    path.with_file_name(steady)
}

/// A description of what was done to which files, with paths escaped.
fn in_words(seen: &[&FileViolation]) -> String {
    let one = |violation: &&FileViolation| {
        let what = match violation.kind {
            FileViolationKind::Created => "created",
            FileViolationKind::Changed => "changed",
            FileViolationKind::Removed => "removed",
            FileViolationKind::Opened => "opened",
            FileViolationKind::NotAFile => "made something other than a regular file of",
            FileViolationKind::Transient => "made and removed",
        };
        format!("{what} {}", escaped(violation.path.as_os_str().as_bytes()))
    };
    let mut words: Vec<String> = seen.iter().take(MOST_NAMED).map(one).collect();
    if let Some(more @ 1..) = seen.len().checked_sub(MOST_NAMED) {
        words.push(format!("{more} more"));
    }
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, of_a_runtime: bool, at: &str) {
        let path = Path::new(path);
        assert_eq!((is_of_a_runtime(path), place(path)), (of_a_runtime, PathBuf::from(at)));
    }

    #[test]
    fn files_of_runtimes_are_ignored_and_numbered_files_are_one_place() {
        check("/tmp/hsperfdata_root", true, "/tmp/hsperfdata_root");
        check("/home/me/bot/__pycache__", true, "/home/me/bot/__pycache__");
        check(
            "/home/bot/.cache/guile/ccache/3.0/bot.scm.go",
            true,
            "/home/bot/.cache/guile/ccache/3.0/bot.scm.go",
        );
        check("/home/bot/.cache/notes", false, "/home/bot/.cache/notes");
        check("/var/tmp/hsperfdata_root", false, "/var/tmp/hsperfdata_root");
        check("/tmp/__pycache__.log", false, "/tmp/__pycache__.log");
        check("/tmp/boxing.log", false, "/tmp/boxing.log");
        check("/tmp/log.1234", false, "/tmp/log.");
        check("/tmp/arena.7", false, "/tmp/arena.");
    }
}
