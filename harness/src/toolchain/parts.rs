//! Which files and folders of the machine a bot has to see besides its own.

use std::fs;
use std::path::{Path, PathBuf};

/// The files that a tool found by its name needs: itself, or the whole installation that it belongs to, and the link by
/// which it was found. Never call it for a file of a bot: a folder `lib` nearby would make everything there visible.
pub(crate) fn installation_of(named: &Path) -> Vec<PathBuf> {
    let program = fs::canonicalize(named).unwrap_or_else(|_| named.to_path_buf());
    let installation = program.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
    let whole = installation.filter(|prefix| prefix.join("lib").is_dir() && prefix.components().count() > 2);
    vec![whole.map_or(program.clone(), Path::to_path_buf), named.to_path_buf()]
}

/// Sorts `parts` and removes those that lie in others: they are mounted one after another, and a later mount would hide
/// an earlier one inside it.
pub(crate) fn remove_nested(parts: &mut Vec<PathBuf>) {
    parts.sort();
    parts.dedup_by(|inner, outer| inner.starts_with(&*outer));
}
