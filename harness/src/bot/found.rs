//! Bots that a pattern means.

use super::Bot;
use crate::pattern::paths;
use crate::toolchain::language::Languages;
use std::path::{Path, PathBuf};

/// The bots that a pattern means, counted from `folder`, by name: how they would be named singly, and where they are.
/// Files that do not look like bots are passed over, unless the pattern ends with their extension.
pub fn like(folder: &Path, pattern: &str) -> Vec<(String, PathBuf)> {
    // A pattern that says which kind of files it means may mean a language that is the user's own (R2).
    let one_kind =
        pattern.rsplit_once('.').is_some_and(|(_, kind)| !kind.is_empty() && !kind.contains(['*', '?', '/']));
    let is_bot = |path: &Path| Bot::is_likely(path, Languages::built_in()) || one_kind && path.is_file();
    paths(folder, pattern).into_iter().filter(|(_, path)| is_bot(path)).collect()
}
