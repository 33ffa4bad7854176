//! Opening files of an entry. Strangers made them, so only regular files of bounded size are opened, and a path that
//! a stranger wrote leads only to files beneath the entry's folder.

use crate::bot_file;
use crate::nearest::did_you_mean_file;
use crate::text::size;
use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open as open_at, openat, openat2};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The largest size, in bytes, of one file or of all files in a folder together.
pub(crate) const MAX_BYTES: u64 = 512 << 20;

/// The most files, links and folders that an entry's folder may contain.
pub(crate) const MAX_FILES: usize = 65_536;

/// The deepest nesting of folders.
pub(crate) const MAX_DEPTH: usize = 64;

/// Locates a file without opening it: opening a pipe would block, and opening a device could start it.
const FIND: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// `path` without its `.` parts if it names something beneath a folder, which means that it is relative, has no `..`
/// and has another part than `.`; else `None`.
pub(crate) fn beneath(path: &Path) -> Option<PathBuf> {
    let mut names = path.components().filter(|part| *part != Component::CurDir).peekable();
    names.peek()?;
    names.map(|part| if let Component::Normal(name) = part { Some(name) } else { None }).collect()
}

/// Opens the regular file at `path`. Links are followed, so no stranger may have written this path.
///
/// # Errors
/// If it is not a regular file, exceeds [`MAX_BYTES`], or cannot be opened.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    regular(open_at(path, FIND, Mode::empty())?, MAX_BYTES)
}

/// Opens the regular file at `path` beneath `folder`; no part of `path` may be a link.
///
/// # Errors
/// As for [`open`], and if `path` leads out of `folder` or through a link.
pub(crate) fn open_beneath(folder: &Path, path: &Path) -> io::Result<File> {
    regular(find_beneath(folder, path)?, MAX_BYTES)
}

/// Whether `path` names a regular file beneath `folder`, and no part of it is a link.
pub(crate) fn is_file_beneath(folder: &Path, path: &Path) -> bool {
    let kind = find_beneath(folder, path).and_then(|found| Ok(fstat(found)?));
    kind.is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_file())
}

/// Whether `path` names a file or folder beneath `folder`, and no part of it is a link.
pub(crate) fn exists_beneath(folder: &Path, path: &Path) -> bool {
    find_beneath(folder, path).is_ok()
}

/// The text of the file `name` in `folder`, of at most `most` bytes.
///
/// # Errors
/// As for [`open_beneath`], and if it is not UTF-8.
pub(crate) fn read_text(folder: &Path, name: &str, most: u64) -> io::Result<String> {
    let file = regular(find_beneath(folder, Path::new(name))?, most)?;
    let mut text = String::new();
    // The file may have grown since its size was checked.
    file.take(most).read_to_string(&mut text)?;
    Ok(text)
}

/// The error for a file that is of the wrong kind, too large, or in the wrong place.
pub(crate) fn refused(words: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, words.into())
}

/// Locates `path` beneath `folder` without opening it; no part of `path` may be a link.
fn find_beneath(folder: &Path, path: &Path) -> io::Result<OwnedFd> {
    let path = beneath(path).ok_or_else(|| refused("it is not in the folder"))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let top = open_at(folder, FIND | OFlags::DIRECTORY, Mode::empty())?;
    let rules = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(&top, &path, FIND, Mode::empty(), rules) {
        // Older kernels do not know the call, and seccomp filters written for them reject it.
        Err(Errno::NOSYS | Errno::PERM) => walk(top, &path),
        Err(Errno::LOOP) => Err(a_link()),
        found => Ok(found?),
    }
}

/// Does what `openat2` does, one name at a time.
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
    refused("it is a link, or its path leads through one; only files in the folder itself are used")
}

/// Opens `found` for reading if it is a regular file of at most `most` bytes.
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

/// The message for a file of `bytes` bytes where at most `most` are allowed.
pub(crate) fn too_large(bytes: u64, most: u64) -> String {
    format!("its size is {}; the limit is {}", size(bytes), size(most))
}

/// Why a file that `with` names cannot be handed in beside a bot.
#[derive(Debug, thiserror::Error)]
pub enum WithError {
    /// The entry is a folder.
    #[error("`with` applies only to a source file: a folder is an entry as it is")]
    Folder,
    /// The entry is a program; sources have these extensions.
    #[error("`with` applies only to a source file ({0}), and this is not one")]
    NoSource(String),
    /// There is no file of this name in the source's folder; with a suggestion, or an empty text.
    #[error("`with` names `{0}`, which is not in the source's folder{1}")]
    Elsewhere(String, String),
    /// The file is the source itself.
    #[error("`with` names `{0}`, which is the source itself")]
    Itself(String),
    /// The file is not a regular one of bounded size, or cannot be read.
    #[error("`with` names `{0}`: {1}")]
    Unusable(String, io::Error),
}

/// The files that `names` lists, as paths relative to the folder of the file `source`, sorted and without duplicates.
///
/// # Errors
/// When `source` is a folder or a `bot.toml`, or one of the files cannot be handed in.
pub(crate) fn resolve_with(source: &Path, names: &[String]) -> Result<Vec<PathBuf>, WithError> {
    let whole = fs::canonicalize(source).unwrap_or_else(|_| source.to_path_buf());
    let file = match (names, whole.file_name()) {
        ([], _) => return Ok(Vec::new()),
        (_, Some(file)) if !whole.is_dir() && file != bot_file::FILE_NAME => Path::new(file),
        _ => return Err(WithError::Folder),
    };
    let folder = whole.parent().unwrap_or(Path::new("/"));
    let mut files = Vec::new();
    for name in names {
        let name = name.clone();
        let Some(below) = beneath(Path::new(&name)) else {
            return Err(WithError::Elsewhere(name, String::new()));
        };
        match open_beneath(folder, &below) {
            Ok(_) if below == file => return Err(WithError::Itself(name)),
            Ok(_) => files.push(below),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let hint = did_you_mean_file(&folder.join(&below));
                return Err(WithError::Elsewhere(name, hint));
            }
            Err(why) => return Err(WithError::Unusable(name, why)),
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    /// Checks the result of opening `path` beneath a folder with `a/file`, a pipe, a socket, a large file and links.
    #[track_caller]
    fn check(path: &str, wanted: Result<(), &str>) {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("bot");
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/file"), "").unwrap();
        fs::write(outer.path().join("secret"), "").unwrap();
        fs::File::create(folder.join("large")).unwrap().set_len(MAX_BYTES + 1).unwrap();
        rustix::fs::mknodat(CWD, folder.join("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _socket = UnixListener::bind(folder.join("socket")).unwrap();
        for (link, target) in
            [("out", "../secret"), ("in", "a/file"), ("up", ".."), ("b", "a"), ("zero", "/dev/zero")]
        {
            symlink(target, folder.join(link)).unwrap();
        }
        let walked = beneath(Path::new(path)).ok_or_else(|| refused("it is not in the folder")).and_then(|path| {
            let top = open_at(&folder, FIND, Mode::empty())?;
            regular(walk(top, &path)?, MAX_BYTES)
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
        let link = "it is a link, or its path leads through one; only files in the folder itself are used";
        for path in ["out", "in", "up/secret", "b/file", "zero"] {
            check(path, Err(link));
        }
        check("pipe", Err("it is a pipe, not a regular file"));
        check("socket", Err("it is a socket, not a regular file"));
        check("a", Err("it is a folder, not a file"));
        check("large", Err("its size is 513 MiB; the limit is 512 MiB"));
        check("a/other", Err("No such file or directory (os error 2)"));
        check("a/file/x", Err("Not a directory (os error 20)"));
    }

    #[test]
    fn a_path_from_the_organizer_may_be_a_link_but_not_a_device() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        symlink("file", folder.path().join("link")).unwrap();
        assert!(open(&folder.path().join("link")).is_ok());
        assert_eq!(open(Path::new("/dev/zero")).unwrap_err().to_string(), "it is a device, not a regular file");
    }
}
