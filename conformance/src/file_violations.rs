//! Files that a bot touched: which of them count, and how reports describe them.

use crate::fault::{CommonCheckIds, Fault};
use crate::finding::Evidence;
pub(crate) use cornerman_harness::player::is_of_a_runtime;
use cornerman_harness::player::marks::{mark_of, state_file};
use cornerman_harness::sandbox::{FileViolation, FileViolationKind};
use cornerman_harness::text::escaped;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// No more files than this are named in one report.
const MOST_NAMED: usize = 4;

/// The faults of a bot with `mark` that touched these files: those of its language's runtime do not count. If nothing is
/// kept in any of them, the fault is a warning.
pub(crate) fn file_faults<'a>(
    ids: &CommonCheckIds,
    mark: Option<u8>,
    touched: impl Iterator<Item = &'a FileViolation>,
) -> Vec<Fault> {
    let own = mark.map(state_file);
    let is_foreign = |violation: &&FileViolation| {
        own.as_ref() != Some(&violation.path) && mark_of(&violation.path).is_some() && ids.foreign_state.is_some()
    };
    let touched = touched.filter(|violation| !is_of_a_runtime(&violation.path));
    let (foreign, others): (Vec<&FileViolation>, Vec<&FileViolation>) = touched.partition(is_foreign);
    let checks = [(ids.foreign_state.unwrap_or(ids.fresh), foreign), (ids.fresh, others)];
    let seen = checks.into_iter().filter(|(_, seen)| !seen.is_empty());
    seen.map(|(check, seen)| {
        let fault = Fault::new(check, format!("it {}", in_words(&seen)));
        let is_kept = seen.iter().any(|violation| violation.kind != FileViolationKind::Transient);
        if is_kept { fault } else { fault.warning() }
    })
    .collect()
}

/// The places touched in every one of `runs`. Other programs write to the same folders, but hardly to the same place
/// each time.
pub(crate) fn touched_always(runs: &[Evidence]) -> BTreeSet<PathBuf> {
    let places = |evidence: &Evidence| -> BTreeSet<PathBuf> {
        let paths = evidence.report.file_violations.iter().map(|violation| violation.path.as_path());
        paths.filter(|path| !is_of_a_runtime(path)).map(place).collect()
    };
    let first = places(&runs[0]);
    runs[1..].iter().map(places).fold(first, |all, some| &all & &some)
}

/// `path` without the digits at its end, which differ from one temporary file to the next: `/tmp/log.1234` and
/// `/tmp/log.987` are one place.
pub(crate) fn place(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let steady = name.trim_end_matches(|c: char| c.is_ascii_digit());
    path.with_file_name(steady)
}

/// A description of what was done to which files, with paths escaped.
pub(crate) fn in_words(seen: &[&FileViolation]) -> String {
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
