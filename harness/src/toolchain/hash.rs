//! Names for contents: the SHA-256 of files and of whole folders.

use crate::entry_files::{self, DEEPEST, MOST_BYTES, MOST_FILES, refused};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What is no part of a bot wherever it lies in its folder: histories, and what builds leave.
const IGNORED: [&str; 2] = [".git", "target"];

/// The hash of the bytes of the regular file at `path`: 64 hexadecimal digits.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn of_file(path: &Path) -> io::Result<String> {
    of_content(entry_files::open(path)?, &mut MOST_BYTES.clone())
}

/// The hash of a folder: of the list of its files in the order of their relative paths, each with its kind, its
/// path and the hash of its content. Links are taken by where they lead, and never followed.
///
/// # Errors
/// When something in it cannot be read, or there is too much of it.
pub fn of_folder(folder: &Path) -> io::Result<String> {
    of_files(folder, &files_of(folder)?)
}

/// The hash of a folder of which only `files`, relative paths, are taken.
///
/// # Errors
/// As those of [`of_folder`].
pub fn of_files(folder: &Path, files: &[PathBuf]) -> io::Result<String> {
    let (mut hash, mut room) = (Sha256::new(), MOST_BYTES);
    for path in files {
        let whole = folder.join(path);
        let found = fs::symlink_metadata(&whole)?;
        let (kind, content) = if found.is_symlink() {
            ("link", hex(&Sha256::digest(fs::read_link(&whole)?.as_os_str().as_bytes())))
        } else {
            let content = entry_files::open_beneath(folder, path).and_then(|file| of_content(file, &mut room));
            let kind = if found.permissions().mode() & 0o111 != 0 { "program" } else { "file" };
            (kind, content.map_err(|error| refused(format!("{}: {error}", path.display())))?)
        };
        let name = path.as_os_str().as_bytes();
        hash.update(format!("{kind} {content} {} ", name.len()));
        hash.update(name);
        hash.update("\n");
    }
    Ok(hex(&hash.finalize()))
}

/// The hash of what `file` holds, for which there has to be `room`, however much it grows meanwhile.
fn of_content(file: File, room: &mut u64) -> io::Result<String> {
    let mut hash = Sha256::new();
    let read = io::copy(&mut file.take(room.saturating_add(1)), &mut hash)?;
    *room = room.checked_sub(read).ok_or_else(|| {
        refused(format!("with it the files have more than {} MiB, which is the most", MOST_BYTES >> 20))
    })?;
    Ok(hex(&hash.finalize()))
}

/// The files and links that a folder's bot consists of: relative paths, sorted by their bytes. Sockets, pipes and
/// devices are no part of it, nor are `.git` and `target`.
///
/// # Errors
/// When a folder cannot be read, or there is too much in it.
pub fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut room) = (Vec::new(), MOST_FILES);
    collect(folder, Path::new(""), &mut files, &mut room)?;
    files.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    Ok(files)
}

fn collect(root: &Path, below: &Path, files: &mut Vec<PathBuf>, room: &mut usize) -> io::Result<()> {
    if below.components().count() > DEEPEST {
        return Err(refused(format!(
            "{} lies in more than {DEEPEST} folders, which is the most",
            below.display()
        )));
    }
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
        if IGNORED.iter().any(|ignored| entry.file_name() == *ignored) {
            continue;
        }
        *room = room.checked_sub(1).ok_or_else(|| {
            refused(format!("it holds more than {MOST_FILES} files and folders, which is the most"))
        })?;
        if kind.is_dir() {
            collect(root, &path, files, room)?;
        } else if kind.is_file() || kind.is_symlink() {
            files.push(path);
        }
    }
    Ok(())
}

/// A hash that is put together of words, none of which can run into the next.
#[derive(Default)]
pub struct Key(Sha256);

impl Key {
    /// Adds a word.
    pub fn word(mut self, word: impl AsRef<[u8]>) -> Key {
        let word = word.as_ref();
        self.0.update((word.len() as u64).to_le_bytes());
        self.0.update(word);
        self
    }

    /// The hash: 64 hexadecimal digits.
    pub fn done(self) -> String {
        hex(&self.0.finalize())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
    fn a_folder_is_its_files_in_whatever_order_they_came() {
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
        assert_ne!(Key::default().word("ab").word("c").done(), Key::default().word("a").word("bc").done());
    }

    #[test]
    fn a_program_is_another_file_than_a_text() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot");
        fs::write(&file, "x").unwrap();
        let text = of_folder(folder.path()).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(text, of_folder(folder.path()).unwrap());
    }
}
