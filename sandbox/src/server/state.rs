//! Reads and writes the state file of a mark.

use crate::tree::remove;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The path of the only file in which a bot may keep anything (B9).
pub(super) fn path(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// Reads a regular file. Returns `None` if there is none. Never follows a link, and never waits for the other end of a
/// pipe.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => fs::File::from(opened),
        // It is missing, a link or a socket, or the bot has removed its permissions. `NOTDIR` is for the mark `/`,
        // whose path has a folder in place of a file.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO | Errno::ACCESS) => return Ok(None),
        Err(failed) => return Err(failed.into()),
    };
    let mut content = Vec::new();
    let is_regular = file.metadata()?.is_file();
    if is_regular {
        file.read_to_end(&mut content)?;
    }
    Ok(is_regular.then_some(content))
}

/// Replaces anything at `path` with a regular file with this content. If `content` is `None`, only removes it.
pub(super) fn write(path: &Path, content: Option<&[u8]>) -> io::Result<()> {
    match remove(path) {
        Err(failed) if ![io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&failed.kind()) => {
            return Err(failed);
        }
        _ => {}
    }
    // Fails if anything is there again by now, so that a link is never followed.
    content.map_or(Ok(()), |content| fs::File::create_new(path)?.write_all(content))
}
