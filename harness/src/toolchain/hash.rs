//! Hashes of contents: the SHA-256 of files and of whole folders.

use crate::entry_files::{self, MAX_BYTES, MAX_DEPTH, MAX_FILES, refused};
use crate::text::hex;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Names of folders that are not part of a bot, wherever they lie in its folder: version control, and what builds,
/// interpreters and Cornerman leave behind. Files with these names are not part of it either.
pub(crate) const IGNORED: [&str; 4] = [".git", "target", "__pycache__", ".cornerman"];

/// Whether a name in `path`, which starts from a bot's folder, is one of [`IGNORED`].
pub(crate) fn is_ignored(path: &Path) -> bool {
    path.iter().any(|name| IGNORED.iter().any(|ignored| name == *ignored))
}

/// Whether nothing in `folder`, at any depth, has one of the names in [`IGNORED`].
pub(crate) fn is_whole(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_part = !is_ignored(Path::new(&entry.file_name()));
        if !is_part || entry.file_type()?.is_dir() && !is_whole(&entry.path())? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The hash of the bytes of the regular file at `path`: 64 hexadecimal digits.
///
/// # Errors
/// When it cannot be read, or is too large.
pub(crate) fn of_file(path: &Path) -> io::Result<String> {
    let mut room = MAX_BYTES;
    of_content(entry_files::open(path)?, &mut room)
}

/// The hash of a bot's folder, as 64 hexadecimal digits: of the list of its files in the order of their relative paths,
/// each with its kind, its path and the hash of its content. The content of a link is its target's path; links are not
/// followed.
///
/// # Errors
/// When a file cannot be read, or there are too many or too large files.
pub(crate) fn of_folder(folder: &Path) -> io::Result<String> {
    of_files(folder, &files_of(folder)?)
}

/// Like [`of_folder`], but also of what has a name in [`IGNORED`].
pub(crate) fn of_all(folder: &Path) -> io::Result<String> {
    of_files(folder, &listed(folder, &[])?)
}

/// Like [`of_folder`], for only those of its files that `files` lists as relative paths.
pub(crate) fn of_files(folder: &Path, files: &[PathBuf]) -> io::Result<String> {
    let named = |path: &Path, error| refused(format!("{}: {error}", path.display()));
    // Files that are too large together are refused before any of them is read.
    let mut room = MAX_BYTES;
    for path in files {
        let found = fs::symlink_metadata(folder.join(path))?;
        // One that is too large by itself is refused when it is opened.
        if found.is_file() && found.len() <= MAX_BYTES {
            room = room_after(room, found.len()).map_err(|error| named(path, error))?;
        }
    }
    let mut hash = Sha256::new();
    let mut room = MAX_BYTES;
    for path in files {
        let whole = folder.join(path);
        let found = fs::symlink_metadata(&whole)?;
        let (kind, content) = if found.is_symlink() {
            ("link", hex(&Sha256::digest(fs::read_link(&whole)?.as_os_str().as_bytes())))
        } else {
            let content = entry_files::open_beneath(folder, path).and_then(|file| of_content(file, &mut room));
            let kind = if found.permissions().mode() & 0o111 != 0 { "program" } else { "file" };
            (kind, content.map_err(|error| named(path, error))?)
        };
        let name = path.as_os_str().as_bytes();
        hash.update(format!("{kind} {content} {} ", name.len()));
        hash.update(name);
        hash.update("\n");
    }
    Ok(hex(&hash.finalize()))
}

/// The hash of the content of `file`, whose size is subtracted from `room`. Fails if the size is more than `room`, even
/// if the file grows while it is read.
fn of_content(file: File, room: &mut u64) -> io::Result<String> {
    let mut hash = Sha256::new();
    let read = io::copy(&mut file.take(room.saturating_add(1)), &mut hash)?;
    *room = room_after(*room, read)?;
    Ok(hex(&hash.finalize()))
}

/// How much of `room` is left after a file of `bytes`. Fails if there is not enough.
fn room_after(room: u64, bytes: u64) -> io::Result<u64> {
    room.checked_sub(bytes)
        .ok_or_else(|| refused(format!("with this file, the total exceeds the limit of {} MiB", MAX_BYTES >> 20)))
}

/// The files and links in the folder of a bot, as relative paths sorted by their bytes. Sockets, pipes and devices are
/// left out, and so is what is not part of a bot.
///
/// # Errors
/// When a folder cannot be read, is nested too deeply, or contains too many files.
pub(crate) fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    listed(folder, &IGNORED)
}

/// The files and links in `folder`, except those that have a name in `but` or are in a folder that has one, as sorted
/// relative paths.
fn listed(folder: &Path, but: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut room = MAX_FILES;
    collect(folder, Path::new(""), but, &mut files, &mut room)?;
    files.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    Ok(files)
}

/// Adds to `files` those in the folder `below` of `root`. `room` is how many more files and folders there may be.
fn collect(root: &Path, below: &Path, but: &[&str], files: &mut Vec<PathBuf>, room: &mut usize) -> io::Result<()> {
    if below.components().count() > MAX_DEPTH {
        return Err(refused(format!(
            "{} is more than {MAX_DEPTH} folders deep, which is the limit",
            below.display()
        )));
    }
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        let kind = entry.file_type()?;
        if but.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        *room = room.checked_sub(1).ok_or_else(|| {
            refused(format!("it contains more than {MAX_FILES} files and folders, which is the limit"))
        })?;
        if kind.is_dir() {
            collect(root, &path, but, files, room)?;
        } else if kind.is_file() || kind.is_symlink() {
            files.push(path);
        }
    }
    Ok(())
}

/// A hash of a list of words. The length of each is included, so that `ab c` and `a bc` differ.
#[derive(Default)]
pub struct WordsHash(Sha256);

impl WordsHash {
    /// The hash with one more word.
    pub fn with(mut self, word: impl AsRef<[u8]>) -> WordsHash {
        let word = word.as_ref();
        self.0.update((word.len() as u64).to_le_bytes());
        self.0.update(word);
        self
    }

    /// The hash as 64 hexadecimal digits.
    pub fn hex(self) -> String {
        hex(&self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash of a folder with these files, written in this order.
    fn hash(files: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        of_folder(folder.path()).unwrap()
    }

    #[test]
    fn the_hash_of_a_folder_does_not_depend_on_the_order_of_its_files() {
        let whole = hash(&[("a", "1"), ("b/c", "2")]);
        assert_eq!(whole, hash(&[("b/c", "2"), ("a", "1")]));
        assert_eq!(whole, hash(&[("a", "1"), ("b/c", "2"), (".git/HEAD", "x"), ("b/target/y", "z")]));
        for other in [
            hash(&[("a", "1"), ("b/c", "3")]),
            hash(&[("a", "1"), ("b/d", "2")]),
            hash(&[("a", "1"), ("b", "2")]),
            hash(&[("a", "1")]),
        ] {
            assert_ne!(whole, other);
        }
    }

    #[test]
    fn the_words_of_a_key_do_not_run_into_each_other() {
        assert_ne!(
            WordsHash::default().with("ab").with("c").hex(),
            WordsHash::default().with("a").with("bc").hex()
        );
    }

    #[test]
    fn the_permission_to_execute_changes_the_hash() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot");
        fs::write(&file, "x").unwrap();
        let text = of_folder(folder.path()).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(text, of_folder(folder.path()).unwrap());
    }
}
