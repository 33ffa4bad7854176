//! What a bot has to see besides its own file or folder.

use std::fs;
use std::path::{Path, PathBuf};

/// What a tool that was found by its name needs: itself, or all that was installed with it; and the link that it is
/// found by. Never asked of a file that a stranger put somewhere: a folder `lib` beside it would open what lies there.
pub(crate) fn installation_of(named: &Path) -> Vec<PathBuf> {
    let program = fs::canonicalize(named).unwrap_or_else(|_| named.to_path_buf());
    let installation = program.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
    let whole = installation.filter(|prefix| prefix.join("lib").is_dir() && prefix.components().count() > 2);
    vec![whole.map_or(program.clone(), Path::to_path_buf), named.to_path_buf()]
}

/// Sorts `parts` and leaves out those that lie in others. They are mounted one after another, so that none hides
/// what another one lies in.
pub(crate) fn remove_nested(parts: &mut Vec<PathBuf>) {
    parts.sort();
    parts.dedup_by(|inner, outer| inner.starts_with(&*outer));
}
