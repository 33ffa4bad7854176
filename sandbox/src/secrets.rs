//! What root can read in the system's folders and a bot is not to see.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where a system keeps its secrets among what every program may read.
const CONFIGURATION: &str = "/etc";

/// Files and folders below `/etc` that others than their owner may not read. Where the kit is not run by root
/// the kernel keeps them from bots already, and there are none.
pub fn secret_files() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = Vec::new();
        if rustix::process::geteuid().is_root() {
            collect(Path::new(CONFIGURATION), &mut found);
        }
        found
    })
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_symlink() {
            continue;
        }
        match (metadata.is_dir(), metadata.permissions().mode()) {
            (true, mode) if mode & 0o005 == 0o005 => collect(&entry.path(), found),
            (false, mode) if mode & 0o004 == 0o004 => {}
            _ => found.push(entry.path()),
        }
    }
}
