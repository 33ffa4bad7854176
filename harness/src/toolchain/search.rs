//! Finding programs by name, in the PATH that bots have and in the user's.

use crate::sandbox::PATH;
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The path of the program `name` in the PATH that bots have.
pub(crate) fn for_bots(name: &str) -> Option<PathBuf> {
    search(name, PATH.as_ref())
}

/// The path of the program `name` in the user's PATH, or else in the folders in which Debian installs engines.
pub(crate) fn for_user(name: &str) -> Option<PathBuf> {
    search(name, &path_of_user()).or_else(|| search(name, GAMES.as_ref()))
}

/// The folders in which Debian installs engines such as `gnugo`. Not every user has them in the PATH, and no bot has.
const GAMES: &str = "/usr/local/games:/usr/games";

/// Whether the program `name` is in the PATH that bots have or in the user's.
pub(crate) fn exists(name: &str) -> bool {
    is_on_path_of_bots(name) || search(name, &path_of_user()).is_some()
}

/// Whether the program `name` is in the PATH that bots have.
pub(crate) fn is_on_path_of_bots(name: &str) -> bool {
    search(name, PATH.as_ref()).is_some()
}

/// Whether `path` is a regular file with a permission to execute it.
pub(crate) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Whether `path` is on a file system that is mounted so that no program on it can be started.
pub(crate) fn is_on_noexec(path: &Path) -> bool {
    statvfs(path).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

fn path_of_user() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

fn search(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}
