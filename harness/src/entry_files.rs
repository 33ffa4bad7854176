//! Files of an entry. A stranger made them, so only regular files of bounded size are read, and a name that the
//! stranger wrote leads only to what is beneath the entry's folder.

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open as open_at, openat, openat2};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The most bytes that a file, or all files of a folder together, may have.
pub const MOST_BYTES: u64 = 512 << 20;

/// The most files, links and folders that a folder may hold.
pub const MOST_FILES: usize = 65_536;

/// The most folders that may lie within each other.
pub const DEEPEST: usize = 64;

/// Only finds the file: opening a pipe or a device would wait for it or set it going.
const FIND: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// `path` without `.`, if it names something beneath a folder: it is relative and never leads upwards.
pub fn beneath(path: &Path) -> Option<PathBuf> {
    let mut names = path.components().filter(|part| *part != Component::CurDir).peekable();
    names.peek()?;
    names.map(|part| if let Component::Normal(name) = part { Some(name) } else { None }).collect()
}

/// Opens the regular file at `path`, which the organizer named: links are followed.
///
/// # Errors
/// When it is something else, is too large, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    regular(open_at(path, FIND, Mode::empty())?, MOST_BYTES)
}

/// Opens the regular file at `path` beneath `folder`; no part of `path` may be a link.
///
/// # Errors
/// As those of [`open`], and when `path` leads elsewhere.
pub fn open_beneath(folder: &Path, path: &Path) -> io::Result<File> {
    regular(find_beneath(folder, path)?, MOST_BYTES)
}

/// Whether there is a regular file at `path` beneath `folder`.
pub fn is_beneath(folder: &Path, path: &Path) -> bool {
    let kind = find_beneath(folder, path).and_then(|found| Ok(fstat(found)?));
    kind.is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_file())
}

/// The text of the file `name` in `folder`, of at most `most` bytes.
///
/// # Errors
/// As those of [`open_beneath`], and when it is no UTF-8.
pub fn read_text(folder: &Path, name: &str, most: u64) -> io::Result<String> {
    let file = regular(find_beneath(folder, Path::new(name))?, most)?;
    let mut text = String::new();
    // It may have grown since.
    file.take(most).read_to_string(&mut text)?;
    Ok(text)
}

/// An error of this kind of file, or its size.
pub fn refused(words: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, words.into())
}

fn find_beneath(folder: &Path, path: &Path) -> io::Result<OwnedFd> {
    let path = beneath(path).ok_or_else(|| refused("it is not in the folder"))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let top = open_at(folder, FIND | OFlags::DIRECTORY, Mode::empty())?;
    let rules = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(&top, &path, FIND, Mode::empty(), rules) {
        // Older kernels, and filters of system calls made for them.
        Err(Errno::NOSYS | Errno::PERM) => walk(top, &path),
        Err(Errno::LOOP) => Err(a_link()),
        found => Ok(found?),
    }
}

/// What `openat2` does, a name at a time.
fn walk(top: OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    path.iter().try_fold(top, |folder, name: &OsStr| {
        let found = openat(&folder, name, FIND | OFlags::NOFOLLOW, Mode::empty())?;
        match FileType::from_raw_mode(fstat(&found)?.st_mode) {
            FileType::Symlink => Err(a_link()),
            _ => Ok(found),
        }
    })
}

fn a_link() -> io::Error {
    refused("it is a link, or lies behind one, and only files of the folder itself are used")
}

/// Opens what was `found` for reading, if it is a regular file of at most `most` bytes.
fn regular(found: OwnedFd, most: u64) -> io::Result<File> {
    let state = fstat(&found)?;
    let kind = match FileType::from_raw_mode(state.st_mode) {
        FileType::RegularFile if state.st_size as u64 <= most => {
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            let path = format!("/proc/self/fd/{}", found.as_raw_fd());
            return Ok(openat(CWD, path, flags, Mode::empty())?.into());
        }
        FileType::RegularFile => return Err(refused(too_large(state.st_size as u64, most))),
        FileType::Directory => return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder, not a file")),
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        FileType::Symlink => return Err(a_link()),
        _ => "a device",
    };
    Err(refused(format!("it is {kind}, not a regular file")))
}

/// How large something is that may have `most` bytes.
pub fn too_large(bytes: u64, most: u64) -> String {
    let shown = |bytes: u64| match bytes {
        small if small < 1 << 20 => format!("{} KiB", small.div_ceil(1 << 10)),
        large => format!("{} MiB", large.div_ceil(1 << 20)),
    };
    format!("it has {}, and {} is the most", shown(bytes), shown(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    /// What opening `path` beneath a folder says, which holds `a/file`, a pipe, a socket, a large file and links.
    #[track_caller]
    fn check(path: &str, wanted: Result<(), &str>) {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("bot");
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/file"), "").unwrap();
        fs::write(outer.path().join("secret"), "").unwrap();
        fs::File::create(folder.join("large")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        rustix::fs::mknodat(CWD, folder.join("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _socket = UnixListener::bind(folder.join("socket")).unwrap();
        for (link, target) in
            [("out", "../secret"), ("in", "a/file"), ("up", ".."), ("b", "a"), ("zero", "/dev/zero")]
        {
            symlink(target, folder.join(link)).unwrap();
        }
        let walked = beneath(Path::new(path)).ok_or_else(|| refused("it is not in the folder")).and_then(|path| {
            let top = open_at(&folder, FIND, Mode::empty())?;
            regular(walk(top, &path)?, MOST_BYTES)
        });
        for opened in [open_beneath(&folder, Path::new(path)), walked] {
            let said = opened.map(drop).map_err(|error| error.to_string());
            assert_eq!(said, wanted.map_err(str::to_string), "{path}");
        }
    }

    #[test]
    fn only_regular_files_beneath_the_folder_are_opened() {
        check("a/file", Ok(()));
        check("./a/./file", Ok(()));
        for path in ["..", "../secret", "a/../../secret", "/etc/passwd", "", "."] {
            check(path, Err("it is not in the folder"));
        }
        let link = "it is a link, or lies behind one, and only files of the folder itself are used";
        for path in ["out", "in", "up/secret", "b/file", "zero"] {
            check(path, Err(link));
        }
        check("pipe", Err("it is a pipe, not a regular file"));
        check("socket", Err("it is a socket, not a regular file"));
        check("a", Err("it is a folder, not a file"));
        check("large", Err("it has 513 MiB, and 512 MiB is the most"));
        check("a/other", Err("No such file or directory (os error 2)"));
        check("a/file/x", Err("Not a directory (os error 20)"));
    }

    #[test]
    fn what_the_organizer_names_may_be_a_link_but_not_a_device() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        symlink("file", folder.path().join("link")).unwrap();
        assert!(open(&folder.path().join("link")).is_ok());
        assert_eq!(open(Path::new("/dev/zero")).unwrap_err().to_string(), "it is a device, not a regular file");
    }
}
