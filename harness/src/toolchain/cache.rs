//! Where built programs are kept: a folder a build, named by a hash of all that the program is made from.
//!
//! A folder comes into its place by one renaming when it is whole, so that no build that is interrupted leaves
//! half of a program, and of two builds of the same at once the first is kept.

use super::hash::Key;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How folders of builds under way begin; the number of the process that builds follows.
const UNDER_WAY: &str = ".building-";

/// `$XDG_CACHE_HOME/cornerman` or `~/.cache/cornerman`.
pub fn folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("cornerman")
}

/// The place of what is made from what `key` says, with a name for people before the hash.
pub fn place(name: &str, key: Key) -> PathBuf {
    /// Digits of the hash: enough that no two are ever the same, and short in messages.
    const DIGITS: usize = 24;
    folder().join(format!("{name}-{}", &key.done()[..DIGITS]))
}

/// A folder for a build under way, on the file system of the places; gone when dropped. Those of processes that
/// were killed are removed.
///
/// # Errors
/// When the system refuses.
pub fn workshop() -> io::Result<TempDir> {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(&folder)?.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(UNDER_WAY)?.split_once('-')?.0.parse().ok());
        if owner.is_some_and(|pid: u32| !Path::new(&format!("/proc/{pid}")).exists()) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
    tempfile::Builder::new().prefix(&format!("{UNDER_WAY}{}-", std::process::id())).tempdir_in(folder)
}

/// Moves `whole` to `place`, unless another build was faster.
///
/// # Errors
/// When the system refuses.
pub fn settle(whole: &Path, place: &Path) -> io::Result<()> {
    match fs::rename(whole, place) {
        // A folder is never renamed over one that is not empty.
        Err(taken) if place.is_dir() => drop(taken),
        other => return other,
    }
    Ok(())
}

/// The answer to a question that `key` names, from the cache or by asking. Without a cache it is asked again.
pub fn answer(key: &str, ask: impl FnOnce() -> Option<String>) -> Option<String> {
    let folder = folder().join("answers");
    let place = folder.join(key);
    if let Ok(known) = fs::read_to_string(&place) {
        return Some(known);
    }
    let answer = ask()?;
    let keep = || -> io::Result<()> {
        fs::create_dir_all(&folder)?;
        let fresh = tempfile::NamedTempFile::new_in(&folder)?;
        fs::write(fresh.path(), &answer)?;
        fresh.persist(&place)?;
        Ok(())
    };
    keep().ok();
    Some(answer)
}
