//! Copies of folders, of bounded size.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// How much may still be copied.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of files.
    pub bytes: u64,
    /// Files, links and folders.
    pub files: u64,
}

impl Room {
    /// Where something else bounds it.
    pub fn unbounded() -> Room {
        Room { bytes: u64::MAX, files: u64::MAX }
    }

    fn take(&mut self, bytes: u64) -> io::Result<()> {
        let full = |what: &str| io::Error::new(io::ErrorKind::FileTooLarge, format!("too much: {what}"));
        self.files = self.files.checked_sub(1).ok_or_else(|| full("there are more files than are wanted"))?;
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| full("the files are larger than is wanted"))?;
        Ok(())
    }
}

/// Copies the file or folder `from` to `to`, but for entries of the names in `but`, wherever they are. Links stay
/// links; sockets, pipes and devices are left out. Files keep their mode and when they were written, by which
/// builds decide what is to be done.
///
/// # Errors
/// When the system refuses, or there is more than `room` for.
pub fn copy(from: &Path, to: &Path, but: &[&str], room: &mut Room) -> io::Result<()> {
    let found = fs::symlink_metadata(from)?;
    if found.is_dir() {
        room.take(0)?;
        return copy_content(from, to, but, room);
    }
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    if found.is_symlink() {
        room.take(0)?;
        return symlink(fs::read_link(from)?, to);
    }
    if found.is_file() {
        room.take(found.len())?;
        fs::copy(from, to)?;
        let written = fs::File::open(to)?;
        written.set_modified(found.modified()?)?;
    }
    Ok(())
}

/// The same of what the folder `from` holds, which may be named by a link.
///
/// # Errors
/// As those of [`copy`].
pub fn copy_content(from: &Path, to: &Path, but: &[&str], room: &mut Room) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !but.iter().any(|name| entry.file_name() == *name) {
            copy(&entry.path(), &to.join(entry.file_name()), but, room)?;
        }
    }
    Ok(())
}
