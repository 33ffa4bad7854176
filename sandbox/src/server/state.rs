//! The state file of a mark.

use crate::tree::remove;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The only file in which a bot may keep anything (B9).
pub fn path(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// A regular file's content, never through a link, never waiting for the other end of a pipe.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => fs::File::from(opened),
        // Not there, a link, a socket, or closed by the bot itself.
        Err(Errno::NOENT | Errno::LOOP | Errno::NXIO | Errno::ACCESS) => return Ok(None),
        Err(failed) => return Err(failed.into()),
    };
    let mut content = Vec::new();
    let is_regular = file.metadata()?.is_file();
    if is_regular {
        file.read_to_end(&mut content)?;
    }
    Ok(is_regular.then_some(content))
}

pub fn write(path: &Path, content: Option<&[u8]>) -> io::Result<()> {
    match remove(path) {
        Err(failed) if failed.kind() != io::ErrorKind::NotFound => return Err(failed),
        _ => {}
    }
    // Only ever a new file: nothing that stands there by now is followed.
    content.map_or(Ok(()), |content| fs::File::create_new(path)?.write_all(content))
}
