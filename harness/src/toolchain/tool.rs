//! The machine's programs: where they are, and what they say of their version.

use super::cache;
use super::hash::Key;
use super::language::{Languages, Toolchain};
use super::search::{self, is_executable};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The program of this name where bots look for programs, else where the user does. A user's name for it may be a
/// chooser among versions: then it is asked where the program itself is, as `languages` says how.
pub fn find(name: &str, languages: &Languages) -> Option<PathBuf> {
    search::for_bots(name).or_else(|| {
        let found = search::for_user(name)?;
        match languages.locating(name) {
            Some(question) => locate(name, question),
            None => Some(found),
        }
    })
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
    cache::cached_answer(&key, || output_of(&whole))
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
