//! The cache of built programs: one folder for each build, named by a hash of what the program is made from. Copies of
//! bots and unpacked programs are kept in the same way.
//!
//! A build works in a staging folder, which is renamed to its final place when it is complete. So an interrupted build
//! leaves no half of a program behind, and of two simultaneous builds of the same content the first is kept.
//!
//! Programs in the cache are run without being built again, so it must be this user's own: it is not used if it is
//! another's, or others can write into it.

use super::hash::WordsHash;
use crate::names;
use rustix::process::geteuid;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, SystemTime};
use tracing::debug;

/// The most bytes of programs that [`prune`] keeps. Programs in use are kept beyond that.
pub const MAX_BYTES: u64 = 2 << 30;

/// The time after which an unused program, or an answer, is removed.
const MAX_UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The name of the file that describes a build. Its modification time is when the build was last used, and every
/// process that uses the build has a shared lock on it.
pub const NOTES: &str = "built.toml";

/// The beginning of the names of staging folders, each of which is locked by the process that uses it.
const STAGING_PREFIX: &str = ".building-";

/// The beginning of the names of staging folders that are not locked yet.
const UNLOCKED_PREFIX: &str = ".new-";

/// The folder of the cache: `$XDG_CACHE_HOME/cornerman`, or `.cache/cornerman` in the user's home; `None` for a user
/// without a home.
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = named.or_else(|| std::env::home_dir().map(|home| home.join(".cache")))?;
    Some(folder.join("cornerman"))
}

/// The folder of the cache, which is created if it does not exist. Only this user can write into it.
///
/// # Errors
/// When the user has no home folder; or when the cache cannot be created, belongs to another user, or others can write
/// into it.
pub fn open() -> io::Result<PathBuf> {
    let refused = |why: String| io::Error::new(io::ErrorKind::PermissionDenied, why);
    let folder = folder().ok_or_else(|| refused("this user has no home folder".to_string()))?;
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let found = fs::metadata(&folder)?;
    if found.uid() != geteuid().as_raw() {
        return Err(refused(format!(
            "it belongs to the user {}, who may have changed the programs in it",
            found.uid()
        )));
    }
    if found.mode() & 0o022 != 0 {
        let path = folder.display();
        return Err(refused(format!("other users may write into it: see what is there, then `chmod 700 {path}`")));
    }
    Ok(folder)
}

/// The folder for the build with this `key`. `name` comes before the hash, for people.
///
/// # Errors
/// Those of [`open`].
pub fn place(name: &str, key: WordsHash) -> io::Result<PathBuf> {
    /// Digits of the hash: enough to avoid collisions, and short in messages.
    const DIGITS: usize = 24;
    /// Characters of the name: together with the hash, short enough for every file system.
    const CHARACTERS: usize = 40;
    let name: String = names::sanitized(name).chars().take(CHARACTERS).collect();
    Ok(open()?.join(format!("{name}-{}", &key.hex()[..DIGITS])))
}

/// A new staging folder, on the same file system as the cache. Removes the staging folders of processes that were
/// killed.
///
/// # Errors
/// When it cannot be created.
pub fn staging() -> io::Result<Staging> {
    staging_in(&open()?)
}

/// [`staging`] in the cache at `folder`.
fn staging_in(folder: &Path) -> io::Result<Staging> {
    /// After this time, the process that made a folder will not lock it any more.
    const OLD: Duration = Duration::from_secs(60 * 60);
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let path = entry.path();
        let has_prefix = |prefix| name.to_str().is_some_and(|name| name.starts_with(prefix));
        let is_unlocked = || File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok());
        if has_prefix(STAGING_PREFIX) && is_unlocked() || has_prefix(UNLOCKED_PREFIX) && is_unused_for(&path, OLD)
        {
            remove(&path);
        }
    }
    let unlocked = tempfile::Builder::new().prefix(UNLOCKED_PREFIX).tempdir_in(folder)?;
    let lock = File::open(unlocked.path())?;
    lock.try_lock()?;
    let name = unlocked.path().file_name().unwrap_or_default().to_string_lossy();
    let path = folder.join(name.replacen(UNLOCKED_PREFIX, STAGING_PREFIX, 1));
    fs::rename(unlocked.path(), &path)?;
    // The folder has another name now, so there is nothing to remove under this one.
    drop(unlocked.keep());
    Ok(Staging { path, _lock: lock })
}

/// Whether the file or folder was last changed more than the time `long` ago.
pub fn is_unused_for(path: &Path, long: Duration) -> bool {
    let used = fs::symlink_metadata(path).and_then(|found| found.modified());
    used.is_ok_and(|used| SystemTime::now().duration_since(used).is_ok_and(|unused| unused > long))
}

/// The staging folder of a build; removed when dropped.
pub struct Staging {
    path: PathBuf,
    _lock: File,
}

impl Staging {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes a folder, even if a build has created folders without permissions in it.
fn remove(folder: &Path) {
    fn open_all(folder: &Path) {
        fs::set_permissions(folder, Permissions::from_mode(0o700)).ok();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        for entry in folders {
            open_all(&entry.path());
        }
    }
    if fs::remove_dir_all(folder).is_err() {
        open_all(folder);
        fs::remove_dir_all(folder).ok();
    }
}

/// Moves `made`, the complete result of a build with its notes, to `place`, and locks it there like [`lock`]. If
/// another process has put a result there first, does neither.
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

/// The locks of the builds that this process uses. They are kept until it ends, so that no process removes the builds,
/// or until this process [discards](discard) a build.
static LOCKS: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

/// Keeps the lock on the build at `place`, which is the one on its `notes`.
fn keep(place: &Path, notes: File) {
    LOCKS.lock().unwrap_or_else(PoisonError::into_inner).entry(place.to_path_buf()).or_insert(notes);
}

/// Unlocks the build at `place`, if this process has locked it, and removes it unless another process uses it. Returns
/// whether it was removed.
pub fn discard(place: &Path) -> bool {
    drop(LOCKS.lock().unwrap_or_else(PoisonError::into_inner).remove(place));
    remove_unused(place)
}

/// Locks the build at `place` until this process ends, and marks it as used now. Returns false if there is none, or a
/// process is just removing it.
pub fn lock(place: &Path) -> bool {
    let file = place.join(NOTES);
    let Ok(notes) = File::open(&file) else {
        debug!(?place, "there is no such build yet");
        return false;
    };
    let is_removed = || {
        let inode = |found: io::Result<fs::Metadata>| found.map(|found| found.ino()).ok();
        inode(fs::metadata(&file)) != inode(notes.metadata())
    };
    if notes.try_lock_shared().is_err() || is_removed() {
        return false;
    }
    notes.set_modified(SystemTime::now()).ok();
    keep(place, notes);
    debug!(?place, "this build is used again");
    true
}

/// Removes the builds that were not used for 30 days, the least recently used others while there are more than
/// [`MAX_BYTES`], and the answers that were cached more than 30 days ago. Runs only once in a process, and never
/// removes a build that any process has locked.
pub fn prune() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Ok(folder) = open() else { return };
        prune_in(&folder, MAX_BYTES, SystemTime::now() - MAX_UNUSED);
        for answer in fs::read_dir(folder.join(ANSWERS)).into_iter().flatten().flatten() {
            if is_unused_for(&answer.path(), MAX_UNUSED) {
                fs::remove_file(answer.path()).ok();
            }
        }
    });
}

/// Removes the builds in `folder` that were last used before `oldest`, and the least recently used others while all
/// have more than `most` bytes together; but none that a process uses.
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
    // Renamed first, so that no process ever finds a part of it, even if the removal is interrupted.
    let Ok(staging) = staging_in(place.parent().unwrap_or(place)) else { return false };
    notes.try_lock().is_ok() && fs::rename(place, staging.path().join("gone")).is_ok()
}

/// The builds in `folder`: when each was last used, its size in bytes, and its path.
fn places(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let place = |path: PathBuf| Some((fs::metadata(path.join(NOTES)).ok()?.modified().ok()?, size(&path), path));
    entries.filter_map(|entry| place(entry.path())).collect()
}

/// The size of all builds in the cache, in bytes.
pub fn bytes() -> u64 {
    folder().map_or(0, |folder| places(&folder).iter().map(|(_, bytes, _)| bytes).sum())
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

/// The folder of cached answers: the version lines that the tools of toolchains printed.
const ANSWERS: &str = "answers";

/// The answer that is cached under `key`, or else that of `ask`, which is then cached if possible.
pub fn cached_answer(key: &str, ask: impl FnOnce() -> Option<String>) -> Option<String> {
    let path = open().map(|folder| folder.join(ANSWERS).join(key));
    if let Some(known) = path.as_ref().ok().and_then(|path| fs::read_to_string(path).ok()) {
        return Some(known);
    }
    let answer = ask()?;
    path.and_then(|path| write_whole(&path, &answer)).ok();
    Some(answer)
}

/// Writes the file at `path`, and its folder. No process ever sees a part of the file.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let fresh = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(fresh.path(), content)?;
    fresh.persist(path)?;
    Ok(())
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
    fn only_staging_folders_that_nobody_uses_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
        };
        let used = staging_in(folder.path()).unwrap();
        for (name, days) in [(".building-left", 0), (".new-left", 1), (".new-fresh", 0)] {
            fs::create_dir(folder.path().join(name)).unwrap();
            File::open(folder.path().join(name)).unwrap().set_modified(SystemTime::now() - days * DAY).unwrap();
        }
        let second = staging_in(folder.path()).unwrap();
        assert_eq!(names().len(), 3, "{:?}", names());
        assert!(used.path().exists() && second.path().exists() && folder.path().join(".new-fresh").exists());
        drop((used, second));
        assert_eq!(names(), [".new-fresh"]);
    }

    #[test]
    fn a_name_of_any_length_has_a_place() {
        let name = place(&"é".repeat(300), WordsHash::default()).unwrap().file_name().unwrap().len();
        assert!(name <= 255, "{name} bytes");
    }
}
