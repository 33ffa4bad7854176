//! What a bot consists of: the files and folders that it has to see.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Its file or folder at `place`, and the installation of its interpreter if that is not the system's own.
pub fn of(argv: &[OsString], place: &Path) -> Vec<PathBuf> {
    let mut parts = vec![place.to_path_buf()];
    parts.extend(installation_of(Path::new(&argv[0])));
    without_inner(&mut parts);
    parts
}

/// What the program `named` needs: itself, or all that was installed with it; and the link that it is found by.
pub(crate) fn installation_of(named: &Path) -> Vec<PathBuf> {
    let program = fs::canonicalize(named).unwrap_or_else(|_| named.to_path_buf());
    let installation = program.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
    let whole = installation.filter(|prefix| prefix.join("lib").is_dir() && prefix.components().count() > 2);
    vec![whole.map_or(program.clone(), Path::to_path_buf), named.to_path_buf()]
}

/// Sorts `parts` and leaves out those that lie in others. They are mounted one after another, so that none hides
/// what another one lies in.
pub(crate) fn without_inner(parts: &mut Vec<PathBuf>) {
    parts.sort();
    parts.dedup_by(|inner, outer| inner.starts_with(&*outer));
}
