//! The tools of toolchains: where they are on this machine, and which version they are.

use super::cache;
use super::hash::Key;
use super::language::{Languages, Toolchain};
use super::search::{self, is_executable};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The path of the program `name`, in the PATH that bots have or else in the user's. The latter may be only a wrapper
/// that chooses among versions, like those of pyenv and rustup: if `languages` has a command for that, it is asked for
/// the path of the program itself.
pub(crate) fn find(name: &str, languages: &Languages) -> Option<PathBuf> {
    search::for_bots(name).or_else(|| {
        let found = search::for_user(name)?;
        match languages.locate_command(name) {
            Some(command) => locate(name, command),
            None => Some(found),
        }
    })
}

fn locate(name: &str, command: &[String]) -> Option<PathBuf> {
    /// The answers so far, by command: a wrapper takes long, and is asked once however many bots need its tool.
    static ANSWERS: Mutex<BTreeMap<Vec<String>, Option<String>>> = Mutex::new(BTreeMap::new());
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let ask = || output_of(&command.iter().map(String::as_str).collect::<Vec<_>>());
    let output = answers.entry(command.to_vec()).or_insert_with(ask).clone()?;
    let place = PathBuf::from(output.lines().next()?.trim());
    let itself = if place.is_dir() { place.join("bin").join(name) } else { place };
    is_executable(&itself).then_some(itself)
}

/// The first line of the version that a toolchain prints. It is cached until one of its programs changes.
pub(crate) fn version(toolchain: &Toolchain, languages: &Languages) -> Option<String> {
    let command = toolchain.version.as_ref()?.get_ref();
    let program = find(&command[0], languages)?;
    let whole: Vec<&str> =
        [program.to_str()?].into_iter().chain(command[1..].iter().map(String::as_str)).collect();
    let mut key = Key::default().with("version");
    // The version may be that of another program, so the key includes the toolchain's own programs.
    for tool in toolchain.tools().filter_map(|tool| find(tool, languages)).chain([program.clone()]) {
        let state = fs::metadata(&tool).ok()?;
        let stamp = format!("{} {} {}", state.len(), state.mtime(), state.mtime_nsec());
        key = key.with(tool.as_os_str().as_bytes()).with(stamp);
    }
    let key = command[1..].iter().fold(key, |key, word| key.with(word)).hex();
    cache::cached_answer(&key, || output_of(&whole))
}

/// The first line that is not empty of a command's standard output, or else of its standard error.
fn output_of(command: &[&str]) -> Option<String> {
    let out = Command::new(command[0]).args(&command[1..]).stdin(Stdio::null()).output().ok()?;
    if !out.status.success() {
        return None;
    }
    let output = if out.stdout.is_empty() { out.stderr } else { out.stdout };
    let text = String::from_utf8_lossy(&output);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.to_string())
}
