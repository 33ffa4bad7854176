//! The machine's programs: where they are, and what they say of their version.

use super::cache;
use super::hash::Key;
use super::language::{Languages, Toolchain};
use crate::sandbox::PATH;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program of this name where bots look for programs, else where the user does. A user's name for it may be a
/// chooser among versions: then it is asked where the program itself is, as `languages` says how.
pub fn find(name: &str, languages: &Languages) -> Option<PathBuf> {
    search(name, PATH.as_ref()).or_else(|| {
        let found = search(name, &path_of_user()).or_else(|| search(name, GAMES.as_ref()))?;
        match languages.locating(name) {
            Some(question) => locate(name, question),
            None => Some(found),
        }
    })
}

/// Where Debian puts engines (`gnugo`, `pachi`): not every user has it in the path, and no bot has.
const GAMES: &str = "/usr/local/games:/usr/games";

/// Whether [`find`] would find it, without asking any chooser.
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

fn locate(name: &str, question: &[String]) -> Option<PathBuf> {
    let said = output_of(&question.iter().map(String::as_str).collect::<Vec<_>>())?;
    let place = PathBuf::from(said.lines().next()?.trim());
    let itself = if place.is_dir() { place.join("bin").join(name) } else { place };
    is_executable(&itself).then_some(itself)
}

/// What a toolchain says of its version: the first line of it. It is asked once for every state of the program.
pub fn version(toolchain: &Toolchain, languages: &Languages) -> Option<String> {
    let words = toolchain.version.as_ref()?.get_ref();
    let program = find(&words[0], languages)?;
    let whole: Vec<&str> = [program.to_str()?].into_iter().chain(words[1..].iter().map(String::as_str)).collect();
    let mut key = Key::default().word("version");
    // A toolchain whose version another program tells is known by its own programs.
    for tool in toolchain.tools().filter_map(|tool| find(tool, languages)).chain([program.clone()]) {
        let state = fs::metadata(&tool).ok()?;
        let stamp = format!("{} {} {}", state.len(), state.mtime(), state.mtime_nsec());
        key = key.word(tool.as_os_str().as_bytes()).word(stamp);
    }
    let key = words[1..].iter().fold(key, |key, word| key.word(word)).done();
    cache::answer(&key, || output_of(&whole))
}

/// The first line that a command writes, to its standard output or else to the other.
fn output_of(words: &[&str]) -> Option<String> {
    let out = Command::new(words[0]).args(&words[1..]).stdin(Stdio::null()).output().ok()?;
    if !out.status.success() {
        return None;
    }
    let said = if out.stdout.is_empty() { out.stderr } else { out.stdout };
    let text = String::from_utf8_lossy(&said);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.to_string())
}
