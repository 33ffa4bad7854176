//! Finding the bots that a glob pattern matches.

use super::Bot;
use crate::pattern::paths;
use crate::toolchain::language::Languages;
use std::path::{Path, PathBuf};

/// The bots that `pattern` matches, relative to `folder` and sorted by name: each as it would be written in a contest
/// file, and its path. Files that do not look like bots are skipped, unless the pattern ends with their extension.
pub(crate) fn matching(folder: &Path, pattern: &str) -> Vec<(String, PathBuf)> {
    // The extension may be one of a language that only the user's own file of languages has (R2).
    let one_kind =
        pattern.rsplit_once('.').is_some_and(|(_, kind)| !kind.is_empty() && !kind.contains(['*', '?', '/']));
    let is_bot = |path: &Path| Bot::is_likely(path, Languages::built_in()) || one_kind && path.is_file();
    paths(folder, pattern).into_iter().filter(|(_, path)| is_bot(path)).collect()
}
