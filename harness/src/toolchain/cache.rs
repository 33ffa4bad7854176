//! The cache of built programs: one folder for each build, named by a hash of all that the program is made from.
//!
//! A build works in a staging folder, which is renamed to its final place when it is complete. So an interrupted build
//! leaves no half of a program behind, and of two simultaneous builds of the same content the first is kept.

use super::hash::Key;
use crate::names;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The most bytes of programs that are kept. Programs in use are kept beyond that.
pub const MAX_BYTES: u64 = 2 << 30;

/// The time after which an unused program is removed.
const MAX_UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The name of the file that describes a build. Its modification time is when the build was last used, and every
/// process that uses the build has a shared lock on it.
pub const NOTES: &str = "built.toml";

/// The beginning of the names of staging folders; the id of the process that builds follows.
const STAGING_PREFIX: &str = ".building-";

/// The folder of the cache: `$XDG_CACHE_HOME/cornerman` or `~/.cache/cornerman`.
pub fn folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("cornerman")
}

/// The folder for the build with this `key`. `name` comes before the hash, for people.
pub fn place(name: &str, key: Key) -> PathBuf {
    /// Digits of the hash: enough to avoid collisions, and short in messages.
    const DIGITS: usize = 24;
    /// Characters of the name: together with the hash, short enough for every file system.
    const CHARACTERS: usize = 40;
    let name: String = names::sanitized(name).chars().take(CHARACTERS).collect();
    folder().join(format!("{name}-{}", &key.hex()[..DIGITS]))
}

/// A new staging folder, on the same file system as the cache. Removes the staging folders of processes that were
/// killed.
///
/// # Errors
/// When it cannot be created.
pub fn staging() -> io::Result<Staging> {
    let folder = folder();
    DirBuilder::new().recursive(true).mode(0o755).create(&folder)?;
    for entry in fs::read_dir(&folder)?.flatten() {
        let name = entry.file_name();
        let owner =
            name.to_str().and_then(|name| name.strip_prefix(STAGING_PREFIX)?.split_once('-')?.0.parse().ok());
        if owner.is_some_and(|pid: u32| !Path::new(&format!("/proc/{pid}")).exists()) {
            remove(&entry.path());
        }
    }
    let prefix = format!("{STAGING_PREFIX}{}-", std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempdir_in(folder).map(Staging)
}

/// The staging folder of a build; removed when dropped.
pub struct Staging(TempDir);

impl Staging {
    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        remove(self.path());
    }
}

/// Removes a folder, even if a build has created folders without permissions in it.
fn remove(folder: &Path) {
    fn open_all(folder: &Path) {
        fs::set_permissions(folder, Permissions::from_mode(0o700)).ok();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.for_each(|entry| open_all(&entry.path()));
    }
    if fs::remove_dir_all(folder).is_err() {
        open_all(folder);
        fs::remove_dir_all(folder).ok();
    }
}

/// Moves `made`, the complete result of a build with its notes, to `place`, unless another process was faster. The
/// result is locked until this process ends.
///
/// # Errors
/// When it cannot be moved or locked.
pub fn publish(made: &Path, place: &Path) -> io::Result<()> {
    let notes = File::open(made.join(NOTES))?;
    notes.try_lock_shared()?;
    match fs::rename(made, place) {
        Ok(()) => keep(place, notes),
        // The system does not rename a folder over one that is not empty: another process was faster.
        Err(_) if place.is_dir() => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The locks of the builds that this process uses. They are kept until it ends, so that no process removes the builds.
static LOCKS: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

fn keep(place: &Path, notes: File) {
    LOCKS.lock().unwrap_or_else(PoisonError::into_inner).entry(place.to_path_buf()).or_insert(notes);
}

/// Locks the build at `place` until this process ends, and marks it as used now. Returns false if there is none.
pub fn lock(place: &Path) -> bool {
    let file = place.join(NOTES);
    let Ok(notes) = File::open(&file) else { return false };
    let is_removed = || {
        let inode = |found: io::Result<fs::Metadata>| found.map(|found| found.ino()).ok();
        inode(fs::metadata(&file)) != inode(notes.metadata())
    };
    if notes.try_lock_shared().is_err() || is_removed() {
        return false;
    }
    notes.set_modified(SystemTime::now()).ok();
    keep(place, notes);
    true
}

/// Removes the builds that were not used for 30 days, and then the least recently used ones while there are
/// more than [`MAX_BYTES`]. Runs only once in a process, and never removes a build that any process has locked.
pub fn prune() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| prune_in(&folder(), MAX_BYTES, SystemTime::now() - MAX_UNUSED));
}

fn prune_in(folder: &Path, most: u64, oldest: SystemTime) {
    let mut places = places(folder);
    places.sort();
    let mut total: u64 = places.iter().map(|(_, bytes, _)| bytes).sum();
    for (used, bytes, place) in places {
        if total <= most && used >= oldest {
            return;
        }
        total -= if remove_unused(&place) { bytes } else { 0 };
    }
}

/// Removes the build at `place`, unless a process uses it. Returns whether it was removed.
pub fn remove_unused(place: &Path) -> bool {
    let Ok(notes) = File::open(place.join(NOTES)) else { return false };
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    // Renamed first, so that others never see half of it, even if the removal is interrupted.
    let gone = place.with_file_name(format!("{STAGING_PREFIX}{}-gone-{name}", std::process::id()));
    let moved = notes.try_lock().is_ok() && fs::rename(place, &gone).is_ok();
    if moved {
        remove(&gone);
    }
    moved
}

/// The builds in `folder`: when each was last used, its size in bytes, and its path.
fn places(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let place = |path: PathBuf| Some((fs::metadata(path.join(NOTES)).ok()?.modified().ok()?, size(&path), path));
    entries.filter_map(|entry| place(entry.path())).collect()
}

/// The size of all builds in the cache, in bytes.
pub fn bytes() -> u64 {
    places(&folder()).iter().map(|(_, bytes, _)| bytes).sum()
}

/// The size of all files in a folder, in bytes.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(&entry.path()),
        found => found.map_or(0, |found| found.len()),
    });
    sizes.sum()
}

/// The answer that is cached under `key`, or that of `ask`, which is cached for the next time if that is possible.
pub fn cached_answer(key: &str, ask: impl FnOnce() -> Option<String>) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Prunes a cache with `places`, each with a name, its bytes and the days since its last use, to `most` bytes, and
    /// checks which ones `stay`; `b` is locked.
    #[track_caller]
    fn check(places: &[(&str, u64, u32)], most: u64, stay: &str) {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let notes = |name: &str| folder.path().join(name).join(NOTES);
        for (name, bytes, days) in places {
            fs::create_dir_all(folder.path().join(name).join("files")).unwrap();
            File::create(folder.path().join(name).join("files/x")).unwrap().set_len(*bytes).unwrap();
            File::create(notes(name)).unwrap().set_modified(now - *days * DAY).unwrap();
        }
        fs::create_dir(folder.path().join("answers")).unwrap();
        let held = File::open(notes("b")).unwrap();
        held.try_lock_shared().unwrap();
        prune_in(folder.path(), most, now - 30 * DAY);
        let left =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut left: Vec<String> = left.collect();
        left.sort();
        assert_eq!(left.join(" "), stay, "{places:?}");
    }

    #[test]
    fn old_and_surplus_builds_are_removed_unless_in_use() {
        let places = [("a", 10, 1), ("b", 10, 40), ("c", 10, 31), ("d", 10, 2)];
        check(&places, 100, "a answers b d");
        check(&places, 30, "a answers b d");
        check(&places, 29, "a answers b");
        check(&places, 0, "answers b");
    }

    #[test]
    fn a_name_of_any_length_has_a_place() {
        let name = place(&"é".repeat(300), Key::default()).file_name().unwrap().len();
        assert!(name <= 255, "{name} bytes");
    }
}
