//! Where programs are looked for by their names.

use crate::sandbox::PATH;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The program of this name where bots look for programs.
pub fn for_bots(name: &str) -> Option<PathBuf> {
    search(name, PATH.as_ref())
}

/// The program of this name where the user looks for programs, else where engines are.
pub fn for_user(name: &str) -> Option<PathBuf> {
    search(name, &path_of_user()).or_else(|| search(name, GAMES.as_ref()))
}

/// Where Debian puts engines (`gnugo`, `pachi`): not every user has it in the path, and no bot has.
const GAMES: &str = "/usr/local/games:/usr/games";

/// Whether there is a program of this name, for bots or for the user.
pub fn exists(name: &str) -> bool {
    is_on_path_of_bots(name) || search(name, &path_of_user()).is_some()
}

/// Whether bots find a program of this name.
pub fn is_on_path_of_bots(name: &str) -> bool {
    search(name, PATH.as_ref()).is_some()
}

/// Whether someone may execute this file.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn path_of_user() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

fn search(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}
