//! Building: in a sandbox, which has no network from [`Level::Scoped`] on, in a copy of what the author handed in, and
//! only once for the same content as long as the result is kept.

use super::cache;
use super::hash::{self, IGNORED, WordsHash, files_of};
use super::tool::{hint_for_unseen_file, installation_of, remove_nested};
use super::{BuildError, Entry, NotBuilt};
use crate::entry_files::{self, MAX_BYTES};
use crate::sandbox::{
    Conditions, Ended, Level, Limits, PATH, Program, RunReport, RunRequest, Sandbox, SandboxError,
};
use cornerman_sandbox::tree::{self, CopyLimit};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The most lines of a compiler's output that are shown.
const LINES_SHOWN: usize = 30;

/// The most files, links and folders that are copied into the folder of a build, and out of it at the end.
const MAX_FILES: u64 = 65_536;

/// The name of the built folder within a folder of the cache.
const FOLDER: &str = "files";

/// The name of the file with the compiler's output, beside the built folder.
const OUTPUT: &str = "words.txt";

/// A build to be done, unless the cache has its result.
pub(super) struct Build<'a> {
    /// What the author handed in.
    pub entry: Entry<'a>,
    /// The path of the program that the command begins with.
    pub tool: PathBuf,
    /// The command as it is shown in messages; paths in it are relative to the folder of the build.
    pub command: &'a [String],
    /// The version line of its tools.
    pub version: Option<&'a str>,
    /// The paths in [ignored](IGNORED) folders that the command for a run names, relative to the folder of the build.
    /// Of such folders, the result contains nothing else.
    pub named: Vec<PathBuf>,
    /// Finds other programs that it may start and that are not in the PATH that bots have.
    pub others: &'a dyn Fn() -> Vec<PathBuf>,
    /// The files and folders that it reads outside the system's folders.
    pub reads: Vec<PathBuf>,
    pub limits: Limits,
    /// The lowest level of isolation that is accepted.
    pub at_least: Option<Level>,
    /// Whether to build even if the cache has the result, unless a process uses that.
    pub again: bool,
}

/// The result of a build, done now or found in the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The folder with the files that the author handed in and those that the build created; of [ignored](IGNORED)
    /// folders only what the command for a run names.
    pub folder: PathBuf,
    /// A file with the compiler's output.
    pub output: PathBuf,
    /// The level of isolation at which it was built.
    pub isolation: Level,
    /// Whether it was built just now, and not found in the cache.
    pub fresh: bool,
    /// The hash of all files of the folder.
    pub sha256: String,
}

/// How a program was built: the content of `built.toml` beside it.
#[derive(Debug, Serialize, Deserialize)]
struct BuildNotes {
    command: String,
    toolchain: Option<String>,
    source_sha256: String,
    isolation: Level,
    milliseconds: u64,
    /// The hash of all files that were built.
    sha256: String,
}

impl Build<'_> {
    /// Returns the result from the cache, or builds it. A result goes into the cache only if `usable` accepts the
    /// folder that was built.
    ///
    /// # Errors
    /// When the build fails, exceeds one of its limits, or a file cannot be read or written; and those of `usable`.
    pub(super) fn get<E>(&self, usable: impl FnOnce(&Path) -> Result<(), E>) -> Result<Built, NotBuilt<E>> {
        let conditions = Conditions { is_build: true, at_least: self.at_least, ..Conditions::default() };
        let level = conditions.isolation().map_err(BuildError::Sandbox)?.level;
        let name = self.entry.from.file_stem().unwrap_or_default().to_string_lossy();
        let place = cache::place(&name, self.key(level)).map_err(in_cache)?;
        if self.again {
            cache::remove_unused(&place);
        }
        if let Some(known) = built_at(&place, false)? {
            return Ok(known);
        }
        let system = |source| BuildError::System { what: self.entry.from.display().to_string(), source };
        let staging = cache::staging().map_err(in_cache)?;
        let copy = staging.path().join(FOLDER);
        let made = staging.path().join("made");
        self.lay_out(&copy).map_err(system)?;
        DirBuilder::new().mode(0o755).create(&made).map_err(in_cache)?;
        let output = self.run(&copy, &made, conditions)?;
        let unusable = |why| NotBuilt::Unusable { why, output: excerpt(&output, level) };
        usable(&made.join(FOLDER)).map_err(unusable)?;
        cache::publish(&made, &place).map_err(in_cache)?;
        cache::prune();
        let built = built_at(&place, true)?;
        Ok(built.ok_or_else(|| in_cache(io::Error::other("the built program is gone")))?)
    }

    /// The hash under which the result is kept: of the content and name of the entry, of the command, its tool and its
    /// version, of the paths in `named`, and of `level`. At another level a compiler may be refused other system calls
    /// and make another program, so each level has results of its own.
    fn key(&self, level: Level) -> WordsHash {
        // The number is raised when builds are made or kept in another way.
        let head =
            WordsHash::default().with("build 4").with(level.name()).with(self.tool.as_os_str().as_encoded_bytes());
        let head = head.with(self.version.unwrap_or_default()).with(self.entry.sha256);
        let head = self.named.iter().fold(head, |key, path| key.with(path.as_os_str().as_encoded_bytes()));
        let name = self.entry.from.file_name().unwrap_or_default();
        self.command.iter().fold(head.with(name.as_encoded_bytes()), |key, word| key.with(word))
    }

    /// Copies what the author handed in into the folder `copy`.
    fn lay_out(&self, copy: &Path) -> io::Result<()> {
        let mut limit = CopyLimit { bytes: self.limits.file, files: MAX_FILES };
        if !self.entry.from.is_dir() {
            let folder = self.entry.from.parent().unwrap_or(Path::new("/"));
            let source = Path::new(self.entry.from.file_name().unwrap_or_default());
            let mut files = self.entry.with.iter().map(PathBuf::as_path).chain([source]);
            return files.try_for_each(|file| tree::copy(&folder.join(file), &copy.join(file), &[], &mut limit));
        }
        copy_files(self.entry.from, copy, &mut limit)
    }

    /// Runs the build in a sandbox, on the files of `copy`, and writes its result and notes into `made`. Returns
    /// what it printed.
    fn run(&self, copy: &Path, made: &Path, conditions: Conditions) -> Result<Vec<u8>, BuildError> {
        let system = |source| BuildError::System { what: self.entry.from.display().to_string(), source };
        let mut sandbox = Sandbox::open(&self.program(copy), &self.limits, conditions)?;
        let report = sandbox.run(&RunRequest::with_input(Vec::new(), b""))?;
        self.check(&report, sandbox.isolation().level)?;
        let folder = sandbox.folder()?;
        let folder = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        let mut limit = CopyLimit { bytes: self.limits.file, files: MAX_FILES };
        let result = made.join(FOLDER);
        tree::copy_content(&folder, &result, &IGNORED, &mut limit).map_err(system)?;
        for path in self.named.iter().filter(|path| entry_files::exists_beneath(&folder, path)) {
            tree::copy(&folder.join(path), &result.join(path), &[], &mut limit).map_err(system)?;
        }
        let notes = BuildNotes {
            command: self.command.join(" "),
            toolchain: self.version.map(str::to_string),
            source_sha256: self.entry.sha256.to_string(),
            isolation: sandbox.isolation().level,
            milliseconds: report.wall.as_millis() as u64,
            sha256: hash::of_all(&result).map_err(system)?,
        };
        let notes = toml::to_string(&notes).map_err(io::Error::other).map_err(system)?;
        fs::write(made.join(cache::NOTES), notes).map_err(in_cache)?;
        fs::write(made.join(OUTPUT), &report.output).map_err(in_cache)?;
        Ok(report.output)
    }

    /// The build's command as a program in a sandbox. Standard error goes to standard output, so that the lines of both
    /// stay in order.
    fn program(&self, copy: &Path) -> Program {
        const SCRIPT: &str = r#"export PATH="$1"; shift; exec "$@" 2>&1"#;
        let others = (self.others)();
        let tools = [&self.tool].into_iter().chain(&others);
        let mut path = vec![PATH.to_string()];
        path.extend(tools.clone().filter_map(|tool| Some(tool.parent()?.to_str()?.to_string())));
        path.dedup();
        // A program in the author's folder is started from the copy.
        let tool = match self.tool.strip_prefix(self.entry.from) {
            Ok(own) => copy.join(own),
            Err(_) => self.tool.clone(),
        };
        let head = ["/bin/sh", "-c", SCRIPT, "build", &path.join(":")].map(OsString::from);
        let argv = head.into_iter().chain([tool.into()]).chain(self.command[1..].iter().map(OsString::from));
        let elsewhere = tools.filter(|tool| !tool.starts_with(self.entry.from));
        let mut parts: Vec<PathBuf> = elsewhere.flat_map(|tool| installation_of(tool)).collect();
        parts.extend(self.reads.iter().cloned());
        parts.push(copy.to_path_buf());
        remove_nested(&mut parts);
        Program { argv: argv.collect(), folder: copy.to_path_buf(), parts }
    }

    /// Checks that the build succeeded, given the `report` of its run at `level`.
    fn check(&self, report: &RunReport, level: Level) -> Result<(), BuildError> {
        let command = self.command.join(" ");
        let mut output = excerpt(&report.output, level);
        let Entry { from, with, .. } = self.entry;
        output.extend(
            hint_for_unseen_file(from, |file| with.iter().any(|one| one == file), &output)
                .map(|hint| format!("\n({hint})")),
        );
        let why = match &report.ended {
            Ended::Exited(0) => return Ok(()),
            Ended::Exited(_) => return Err(BuildError::Failed { command, output }),
            Ended::Starved => {
                return Err(BuildError::Sandbox(SandboxError::Starved {
                    wall: report.wall,
                    waited: report.waited,
                }));
            }
            Ended::TimedOut | Ended::Stopped => {
                format!("it did not finish within {} s", self.limits.hard.as_secs())
            }
            Ended::TooMuchOutput => format!("it printed more than {} MiB", self.limits.output >> 20),
            Ended::OutOfMemory => format!("it used more than {} MiB of memory", self.limits.memory >> 20),
            Ended::Signalled(signal) => format!("signal {signal} ended it"),
            Ended::CannotStart { why, .. } => format!("it could not be started: {why}"),
        };
        Err(BuildError::Stopped { command, why, output })
    }
}

fn in_cache(source: io::Error) -> BuildError {
    BuildError::Cache { folder: cache::folder(), source }
}

/// A copy of the files of the bot in the folder `from`, whose hash is `sha256`. The copy is a folder of the same name,
/// and is kept in the cache like the result of a build.
///
/// # Errors
/// When a file cannot be read or written, or changes meanwhile.
pub fn copied(from: &Path, sha256: &str) -> Result<PathBuf, BuildError> {
    let name = from.file_name().unwrap_or_default();
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    let key = WordsHash::default().with("copy").with(sha256).with(name.as_encoded_bytes());
    let is_intact = |folder: &Path| hash::of_folder(&folder.join(name)).is_ok_and(|found| found == sha256);
    let make = |folder: &Path| {
        let system = |source| BuildError::System { what: from.display().to_string(), source };
        let to = folder.join(name);
        let mut limit = CopyLimit { bytes: MAX_BYTES, files: MAX_FILES };
        let hash = copy_files(from, &to, &mut limit).and_then(|()| hash::of_folder(&to)).map_err(system)?;
        if hash != sha256 {
            return Err(system(io::Error::other("its files change while they are read")));
        }
        Ok(())
    };
    Ok(kept(&stem, key, is_intact, make)?.join(name))
}

/// The program `name`, whose bytes `unpack` returns and whose hash is `sha256`, as a file that is kept in the cache
/// like the result of a build.
///
/// # Errors
/// Those of `unpack`, and when it cannot be written.
pub fn unpacked(
    name: &str,
    sha256: &str,
    unpack: impl FnOnce() -> io::Result<Vec<u8>>,
) -> Result<PathBuf, BuildError> {
    let key = WordsHash::default().with("program").with(sha256);
    let is_intact = |folder: &Path| hash::of_file(&folder.join(name)).is_ok_and(|found| found == sha256);
    let make = |folder: &Path| {
        let bytes = unpack().map_err(|source| BuildError::System { what: name.to_string(), source })?;
        let write = || {
            fs::create_dir(folder)?;
            fs::write(folder.join(name), bytes)?;
            fs::set_permissions(folder.join(name), Permissions::from_mode(0o755))
        };
        write().map_err(in_cache)
    };
    Ok(kept(name, key, is_intact, make)?.join(name))
}

/// A folder with these `files`: their paths, their bytes, and whether they may be executed. It is kept in the cache
/// like the result of a build. `key` is a hash of the files; `stem` comes before it in the folder's name, for people.
///
/// # Errors
/// When they cannot be written.
pub fn unpacked_folder(stem: &str, key: &str, files: &[(PathBuf, Vec<u8>, bool)]) -> Result<PathBuf, BuildError> {
    let is_intact = |folder: &Path| {
        files.iter().all(|(path, bytes, _)| fs::read(folder.join(path)).is_ok_and(|found| found == *bytes))
    };
    let make = |folder: &Path| {
        let write = |(path, bytes, program): &(PathBuf, Vec<u8>, bool)| {
            let file = folder.join(path);
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(&file, bytes)?;
            fs::set_permissions(&file, Permissions::from_mode(if *program { 0o755 } else { 0o644 }))
        };
        files.iter().try_for_each(write).map_err(in_cache)
    };
    kept(stem, WordsHash::default().with("folder").with(key), is_intact, make)
}

/// The folder in the cache under `key`, if it is there and `is_intact`; otherwise made anew: `make` creates it and
/// writes its content. `stem` comes before the hash in its name, for people.
///
/// # Errors
/// Those of `make`, and when the cache cannot be used.
fn kept(
    stem: &str,
    key: WordsHash,
    is_intact: impl FnOnce(&Path) -> bool,
    make: impl FnOnce(&Path) -> Result<(), BuildError>,
) -> Result<PathBuf, BuildError> {
    let place = cache::place(stem, key).map_err(in_cache)?;
    let folder = place.join(FOLDER);
    if locked(&place, || is_intact(&folder).then_some(()))?.is_none() {
        let staging = cache::staging().map_err(in_cache)?;
        let made = staging.path().join("made");
        fs::create_dir(&made).map_err(in_cache)?;
        make(&made.join(FOLDER))?;
        fs::write(made.join(cache::NOTES), "").map_err(in_cache)?;
        cache::publish(&made, &place).map_err(in_cache)?;
        cache::prune();
    }
    Ok(folder)
}

/// Copies the files in the folder `from` that are part of the bot into the folder `to`.
fn copy_files(from: &Path, to: &Path, limit: &mut CopyLimit) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(to)?;
    files_of(from)?.iter().try_for_each(|file| tree::copy(&from.join(file), &to.join(file), &[], limit))
}

/// Locks what is kept at `place` in the cache, so that no process removes it, and returns what `read` makes of it.
/// `None` if there is nothing, or `read` finds that it is not as it was built: then it is removed.
///
/// # Errors
/// When it is not as it was built, and another process uses it.
fn locked<T>(place: &Path, read: impl FnOnce() -> Option<T>) -> Result<Option<T>, BuildError> {
    if !cache::lock(place) {
        return Ok(None);
    }
    let found = read();
    if found.is_some() || cache::discard(place) {
        return Ok(found);
    }
    Err(in_cache(io::Error::other(format!("{} was changed, and another process uses it", place.display()))))
}

/// The result of a build that is kept at `place` in the cache, if it is as it was built; a `fresh` one is not checked.
fn built_at(place: &Path, fresh: bool) -> Result<Option<Built>, BuildError> {
    let folder = place.join(FOLDER);
    let notes = locked(place, || {
        let notes: BuildNotes = toml::from_str(&fs::read_to_string(place.join(cache::NOTES)).ok()?).ok()?;
        let is_as_built = fresh || hash::of_all(&folder).is_ok_and(|hash| hash == notes.sha256);
        is_as_built.then_some(notes)
    })?;
    let output = place.join(OUTPUT);
    Ok(notes.map(|BuildNotes { isolation, sha256, .. }| Built { folder, output, isolation, fresh, sha256 }))
}

/// The beginning of a compiler's output, with a hint if the compiler seems to have needed the network and had none at
/// `level`.
fn excerpt(output: &[u8], level: Level) -> String {
    /// A line longer than this is cut.
    const LONGEST: usize = 500;
    let output = String::from_utf8_lossy(output);
    let cut = |line: &str| match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    };
    let mut lines: Vec<String> = output.lines().take(LINES_SHOWN).map(cut).collect();
    let left_out = output.lines().count() - lines.len();
    if left_out > 0 {
        lines.push(format!("… and {left_out} more lines"));
    }
    if level >= Level::Scoped && wants_network(&output) {
        lines.push(
            "(a build has no network: put everything it needs into the folder; for Rust, use `cargo vendor`)"
                .to_string(),
        );
    }
    lines.join("\n")
}

/// Whether the `output` of a build looks like that of a tool that tried to use the network.
fn wants_network(output: &str) -> bool {
    const SIGNS: [&str; 12] = [
        "could not resolve host",
        "couldn't resolve host",
        "temporary failure in name resolution",
        "name or service not known",
        "failed to download",
        "download of",
        "network is unreachable",
        "network failure",
        "dial tcp",
        "getaddrinfo",
        "eai_again",
        "unable to update registry",
    ];
    let output = output.to_lowercase();
    SIGNS.iter().any(|sign| output.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, lines: usize, last: &str) {
        let shown = excerpt(output.as_bytes(), Level::Plain);
        assert_eq!((shown.lines().count(), shown.lines().last().unwrap_or_default()), (lines, last));
    }

    #[test]
    fn the_beginning_of_a_long_output_is_shown() {
        check("", 0, "");
        check("a\nb\n", 2, "b");
        check(&"x\n".repeat(30), 30, "x");
        check(&"x\n".repeat(32), 31, "… and 2 more lines");
        check(&"x".repeat(501), 1, &format!("{}…", "x".repeat(500)));
    }

    #[test]
    fn a_build_that_needs_the_network_gets_a_hint() {
        for output in [
            "warning: spurious network error: [6] Couldn't resolve host name",
            "error: failed to download from `https://example.org/`",
            "go: example.org/x: dial tcp: lookup example.org: no such host",
        ] {
            let hinted = |level| excerpt(output.as_bytes(), level).contains("a build has no network");
            assert_eq!(Level::ALL.map(hinted), Level::ALL.map(|level| level >= Level::Scoped), "{output}");
        }
        assert!(!excerpt(b"net.c:1: error: expected `;`", Level::Scoped).contains("network"));
    }
}
