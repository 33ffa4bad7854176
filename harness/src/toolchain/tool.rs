//! The tools of toolchains: where they are on this machine, which version they are, and which files they need.

use super::cache;
use super::hash::WordsHash;
use super::language::{Languages, Toolchain};
use crate::entry_files;
use crate::sandbox::PATH;
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The path of the program `name`, in the PATH that bots have or else [for the user](for_user). The latter may be only
/// a wrapper that chooses among versions, like those of pyenv and rustup: if `languages` has a command that locates the
/// program itself, the path is the one that this command prints.
pub(crate) fn find(name: &str, languages: &Languages) -> Option<PathBuf> {
    for_bots(name).or_else(|| {
        let found = for_user(name)?;
        match languages.locate_command(name) {
            Some(command) => locate(name, command),
            None => Some(found),
        }
    })
}

/// The path of the tool `name`, to which the `command` of its wrapper leads: the command prints the path of the tool
/// itself, or the folder of its installation.
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

/// The first line of the version that a toolchain prints. It is cached, and asked for again when one of its programs
/// has changed.
pub(crate) fn version(toolchain: &Toolchain, languages: &Languages) -> Option<String> {
    let command = toolchain.version.as_ref()?.get_ref();
    let program = find(&command[0], languages)?;
    let whole: Vec<&str> =
        [program.to_str()?].into_iter().chain(command[1..].iter().map(String::as_str)).collect();
    let mut key = WordsHash::default().with("version");
    // The version may be that of another program, so the key includes the toolchain's own programs.
    for tool in toolchain.tools().filter_map(|tool| find(tool, languages)).chain([program.clone()]) {
        let state = fs::metadata(&tool).ok()?;
        let stamp = format!("{} {} {}", state.len(), state.mtime(), state.mtime_nsec());
        key = key.with(tool.as_os_str().as_bytes()).with(stamp);
    }
    let key = command[1..].iter().fold(key, |key, word| key.with(word)).hex();
    cache::cached_answer(&key, || output_of(&whole))
}

/// The first line that is not empty of a command's standard output, or of its standard error if it has no output;
/// `None` if the command fails.
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

/// The files that a tool found by its name needs: itself, or the whole installation that it belongs to, and the link by
/// which it was found. Never call it for a file of a bot: a folder `lib` nearby would make everything there visible.
pub(crate) fn installation_of(named: &Path) -> Vec<PathBuf> {
    let program = fs::canonicalize(named).unwrap_or_else(|_| named.to_path_buf());
    let installation = program.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
    // Not `/` or a folder right below it, such as `/usr`, of which every bot sees the tools and libraries anyway.
    let whole = installation.filter(|prefix| prefix.join("lib").is_dir() && prefix.components().count() > 2);
    vec![whole.map_or(program.clone(), Path::to_path_buf), named.to_path_buf()]
}

/// Sorts `parts` and removes those that lie in others: they are mounted one after another, and a later mount would hide
/// an earlier one inside it.
pub(crate) fn remove_nested(parts: &mut Vec<PathBuf>) {
    parts.sort();
    parts.dedup_by(|inner, outer| inner.starts_with(&*outer));
}

/// A hint if the `output` of a compiler, or of the bot with the source file `from`, names a file beside the source that
/// the bot cannot read, and so may need; `None` if it names none, or `from` is a folder. `sees` says whether it can
/// read a file, given as a path from its folder.
pub fn hint_for_unseen_file(from: &Path, sees: impl Fn(&Path) -> bool, output: &str) -> Option<String> {
    let folder = from.parent().filter(|_| from.is_file())?;
    let source = Path::new(from.file_name()?);
    let names = output.split(|c: char| c.is_whitespace() || "\"'`‘’“”<>()[],;:".contains(c));
    // Compilers name modules without their extension.
    let extension = from.extension().unwrap_or_default().to_string_lossy();
    let mut files = names.flat_map(|name| [PathBuf::from(name), PathBuf::from(format!("{name}.{extension}"))]);
    let is_unseen = |file: &PathBuf| file != source && !sees(file) && entry_files::is_file_beneath(folder, file);
    let file = files.find(is_unseen)?;
    let source = source.display();
    let file = file.display();
    Some(format!(
        "`{file}` lies beside {source}, but a bot that is one file can read only files handed in with it: add `with = \
         [\"{file}\"]` to the contest file or `--with {file}`, or hand in a folder with a `bot.toml`"
    ))
}

/// The path of the program `name` in the PATH that bots have.
pub(crate) fn for_bots(name: &str) -> Option<PathBuf> {
    search(name, PATH.as_ref())
}

/// The path of the program `name` in the user's PATH, or else in the folders for games.
pub(crate) fn for_user(name: &str) -> Option<PathBuf> {
    search(name, &path_of_user()).or_else(|| search(name, GAMES.as_ref()))
}

/// The folders for games, in which Debian installs engines such as `gnugo`. Not every user has them in the PATH, and no
/// bot has.
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

/// The first executable file `name` in the folders of `path`, which are separated by colons.
fn search(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}
