//! Copies folders up to a limit, and removes folders regardless of what they contain.

use rustix::fs::{Mode, OFlags};
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::Path;

/// How much may still be copied.
#[derive(Clone, Copy, Debug)]
pub struct CopyLimit {
    /// Bytes of files.
    pub bytes: u64,
    /// Files, links and folders.
    pub files: u64,
}

impl CopyLimit {
    /// No limit, for copies that something else limits.
    pub fn unbounded() -> CopyLimit {
        CopyLimit { bytes: u64::MAX, files: u64::MAX }
    }

    fn take(&mut self, bytes: u64) -> io::Result<()> {
        let full = |what: &str| io::Error::new(io::ErrorKind::FileTooLarge, format!("too much: {what}"));
        self.files = self.files.checked_sub(1).ok_or_else(|| full("there are more files than are allowed"))?;
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| full("the files are larger than is allowed"))?;
        Ok(())
    }
}

/// Copies the file or folder `from` to `to`, except entries with the names in `except`, at any depth. Links stay links;
/// sockets, pipes and devices are left out. Files keep their modification time, because builds compare it, and the safe
/// part of their mode: no set-user-ID, set-group-ID or sticky bit, only the owner may write, and the owner may always
/// read.
///
/// # Errors
/// When the system refuses, or there is more to copy than `limit` allows.
pub fn copy(from: &Path, to: &Path, except: &[&str], limit: &mut CopyLimit) -> io::Result<()> {
    let found = fs::symlink_metadata(from)?;
    if found.is_dir() {
        limit.take(0)?;
        return copy_content(from, to, except, limit);
    }
    to.parent().map_or(Ok(()), make_folders)?;
    if found.is_symlink() {
        limit.take(0)?;
        return symlink(fs::read_link(from)?, to);
    }
    if found.is_file() {
        // By now a different file may be there, so look at the one that was opened.
        let file = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(from)?;
        let found = file.metadata()?;
        limit.take(if found.is_file() { found.len() } else { 0 })?;
        if found.is_file() {
            // The file is there already if an earlier part contained it.
            fs::remove_file(to).ok();
            let mut copy = File::create_new(to)?;
            io::copy(&mut file.take(found.len()), &mut copy)?;
            copy.set_modified(found.modified()?)?;
            copy.set_permissions(Permissions::from_mode(found.permissions().mode() & 0o755 | 0o400))?;
        }
    }
    Ok(())
}

/// Copies the entries of the folder `from`, which may be a link to one, like [`copy`].
///
/// # Errors
/// As for [`copy`].
pub fn copy_content(from: &Path, to: &Path, except: &[&str], limit: &mut CopyLimit) -> io::Result<()> {
    make_folders(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !except.iter().any(|name| entry.file_name() == *name) {
            copy(&entry.path(), &to.join(entry.file_name()), except, limit)?;
        }
    }
    Ok(())
}

/// Creates a folder and its parents, writable only by their owner even if the caller's umask allows more.
fn make_folders(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(folder)
}

/// Removes the file or folder at `path`, including folders without permissions and folders that are nested more deeply
/// than the length of a path allows. Because of the latter, each nested folder is first moved next to `path`.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let mut left = vec![path.to_path_buf()];
    let mut moved = 0;
    while let Some(one) = left.pop() {
        if !fs::symlink_metadata(&one)?.is_dir() {
            fs::remove_file(&one)?;
            continue;
        }
        permit(&one, 0o700)?;
        for entry in fs::read_dir(&one)? {
            let below = entry?.path();
            if !fs::symlink_metadata(&below)?.is_dir() {
                fs::remove_file(&below)?;
                continue;
            }
            permit(&below, 0o700)?;
            let beside = loop {
                moved += 1;
                let name = path.with_file_name(format!("cornerman-swept-{}-{moved}", std::process::id()));
                if fs::symlink_metadata(&name).is_err() {
                    break name;
                }
            };
            fs::rename(&below, &beside)?;
            left.push(beside);
        }
        fs::remove_dir(&one)?;
    }
    Ok(())
}

/// Gives a folder this mode if its owner lacks a right to it. Does nothing to a file, and never follows a link.
pub(crate) fn permit(folder: &Path, mode: u32) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() || found.mode() & 0o700 == 0o700 {
        return Ok(());
    }
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let held = rustix::fs::open(folder, flags, Mode::empty())?;
    // `fchmod` refuses such a descriptor, but accepts its name in `/proc`.
    let name = format!("/proc/self/fd/{}", held.as_raw_fd());
    fs::set_permissions(name, Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn a_copy_keeps_only_the_safe_bits_of_a_mode() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        let to = folder.path().join("to");
        fs::create_dir_all(from.join("sub")).unwrap();
        fs::set_permissions(from.join("sub"), Permissions::from_mode(0o1777)).unwrap();
        for (name, mode) in
            [("suid", 0o6777), ("open", 0o666), ("closed", 0o040), ("sub/plain", 0o644), ("program", 0o755)]
        {
            fs::write(from.join(name), name).unwrap();
            fs::set_permissions(from.join(name), Permissions::from_mode(mode)).unwrap();
        }
        let _socket = UnixListener::bind(from.join("socket")).unwrap();
        symlink("../secret", from.join("link")).unwrap();
        copy(&from, &to, &[], &mut CopyLimit::unbounded()).unwrap();
        copy(&from.join("program"), &to.join("program"), &[], &mut CopyLimit::unbounded()).unwrap();
        let mode =
            |name: &str| fs::symlink_metadata(to.join(name)).map(|found| found.permissions().mode() & 0o7777);
        for (name, wanted) in [
            ("suid", 0o755),
            ("open", 0o644),
            ("closed", 0o440),
            ("sub/plain", 0o644),
            ("program", 0o755),
            ("sub", 0o755),
        ] {
            assert_eq!(mode(name).unwrap(), wanted, "{name}");
        }
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("../secret"));
        assert!(mode("socket").is_err());
        assert_eq!(fs::read_to_string(to.join("suid")).unwrap(), "suid");
    }
}
