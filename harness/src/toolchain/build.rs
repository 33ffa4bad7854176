//! Builds: in a sandbox without network, in a copy of what the author handed in, once for every content of it.

use super::cache;
use super::hash::{Key, files_of};
use super::parts::{installation_of, remove_nested};
use super::request::{BuildError, Entry, VERSION_CONTROL};
use crate::entry_files;
use crate::sandbox::{
    Conditions, Ended, Level, Limits, PATH, Program, RunReport, RunRequest, Sandbox, SandboxError,
};
use cornerman_sandbox::tree::{self, CopyLimit};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Lines of a compiler's words that are shown.
const WORDS_SHOWN: usize = 30;

/// Files that a build may have in its folder in the end.
const MOST_FILES: u64 = 65_536;

/// Where in a place of the cache the built folder is.
const FOLDER: &str = "files";

/// Where the compiler's words are.
const WORDS: &str = "words.txt";

/// What is to be built.
pub struct Build<'a> {
    /// What its author handed in.
    pub entry: Entry<'a>,
    /// The program that the command begins with.
    pub tool: PathBuf,
    /// The command as it is written in messages; paths in it are relative to the folder of the build.
    pub words: &'a [String],
    /// What its tools say of their version.
    pub version: Option<&'a str>,
    /// Further programs that it may start and that are not where bots find programs.
    pub others: Vec<PathBuf>,
    /// What it reads outside the system's folders.
    pub reads: Vec<PathBuf>,
    /// What it may use.
    pub limits: Limits,
    /// The isolation that is demanded.
    pub at_least: Option<Level>,
}

/// What a build made, now or earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The folder with all that the author handed in and all that was made of it.
    pub folder: PathBuf,
    /// A file with what the compiler said.
    pub words: PathBuf,
    /// The level of isolation at which it was built.
    pub isolation: Level,
    /// Whether it was built just now.
    pub fresh: bool,
}

/// How a program was built, beside it.
#[derive(Debug, Serialize, Deserialize)]
struct Notes {
    command: String,
    toolchain: Option<String>,
    source_sha256: String,
    isolation: Level,
    milliseconds: u64,
}

impl Build<'_> {
    /// What the cache has of it, or else builds it.
    ///
    /// # Errors
    /// When the build fails, does not end, makes too much, or the system refuses.
    pub fn get(&self) -> Result<Built, BuildError> {
        let name = self.entry.from.file_stem().unwrap_or_default().to_string_lossy();
        let place = cache::place(&name, self.key());
        if let Some(known) = built_at(&place, false) {
            return Ok(known);
        }
        let system = |source| BuildError::System { what: self.entry.from.display().to_string(), source };
        let staging = cache::staging().map_err(system)?;
        let (copy, made) = (staging.path().join(FOLDER), staging.path().join("made"));
        self.lay_out(&copy).map_err(system)?;
        DirBuilder::new().mode(0o755).create(&made).map_err(system)?;
        self.run(&copy, &made)?;
        cache::publish(&made, &place).map_err(system)?;
        cache::prune();
        built_at(&place, true).ok_or_else(|| system(io::Error::other("the built program is gone")))
    }

    fn key(&self) -> Key {
        let head = Key::default().word("build 1").word(self.tool.as_os_str().as_encoded_bytes());
        let head = head.word(self.version.unwrap_or_default()).word(self.entry.sha256);
        let name = self.entry.from.file_name().unwrap_or_default();
        self.words.iter().fold(head.word(name.as_encoded_bytes()), |key, word| key.word(word))
    }

    /// Puts what the author handed in into the folder `copy`.
    fn lay_out(&self, copy: &Path) -> io::Result<()> {
        let mut room = CopyLimit { bytes: self.limits.file, files: MOST_FILES };
        if !self.entry.from.is_dir() {
            let folder = self.entry.from.parent().unwrap_or(Path::new("/"));
            let source = Path::new(self.entry.from.file_name().unwrap_or_default());
            let mut files = self.entry.with.iter().map(PathBuf::as_path).chain([source]);
            return files.try_for_each(|file| tree::copy(&folder.join(file), &copy.join(file), &[], &mut room));
        }
        fs::create_dir_all(copy)?;
        files_of(self.entry.from)?
            .iter()
            .try_for_each(|file| tree::copy(&self.entry.from.join(file), &copy.join(file), &[], &mut room))
    }

    /// Builds in a copy of `copy`, and puts what became of it into `made`.
    fn run(&self, copy: &Path, made: &Path) -> Result<(), BuildError> {
        let system = |source| BuildError::System { what: self.entry.from.display().to_string(), source };
        let conditions = Conditions { builds: true, at_least: self.at_least, ..Conditions::default() };
        let mut sandbox = Sandbox::open(&self.program(copy), &self.limits, conditions)?;
        let report = sandbox.run(&RunRequest::with_input(Vec::new(), b""))?;
        self.judge(&report)?;
        let folder = sandbox.folder()?;
        let folder = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        let mut room = CopyLimit { bytes: self.limits.file, files: MOST_FILES };
        tree::copy_content(&folder, &made.join(FOLDER), &VERSION_CONTROL, &mut room).map_err(system)?;
        let notes = Notes {
            command: self.words.join(" "),
            toolchain: self.version.map(str::to_string),
            source_sha256: self.entry.sha256.to_string(),
            isolation: sandbox.isolation().level,
            milliseconds: report.wall.as_millis() as u64,
        };
        let notes = toml::to_string(&notes).map_err(io::Error::other).map_err(system)?;
        fs::write(made.join(cache::NOTES), notes).map_err(system)?;
        fs::write(made.join(WORDS), &report.output).map_err(system)
    }

    /// The build's command as a program in a sandbox: its two outputs are one, so that its words stay in order.
    fn program(&self, copy: &Path) -> Program {
        const SCRIPT: &str = r#"export PATH="$1"; shift; exec "$@" 2>&1"#;
        let tools = [&self.tool].into_iter().chain(&self.others);
        let mut path = vec![PATH.to_string()];
        path.extend(tools.clone().filter_map(|tool| Some(tool.parent()?.to_str()?.to_string())));
        path.dedup();
        // A program of the folder itself is the copy's.
        let tool = match self.tool.strip_prefix(self.entry.from) {
            Ok(own) => copy.join(own),
            Err(_) => self.tool.clone(),
        };
        let head = ["/bin/sh", "-c", SCRIPT, "build", &path.join(":")].map(OsString::from);
        let argv = head.into_iter().chain([tool.into()]).chain(self.words[1..].iter().map(OsString::from));
        let elsewhere = tools.filter(|tool| !tool.starts_with(self.entry.from));
        let mut parts: Vec<PathBuf> = elsewhere.flat_map(|tool| installation_of(tool)).collect();
        parts.extend(self.reads.iter().cloned());
        parts.push(copy.to_path_buf());
        remove_nested(&mut parts);
        Program { argv: argv.collect(), folder: copy.to_path_buf(), parts }
    }

    /// A hint where the compiler's `words` name a file beside a single source, which it did not see.
    fn unseen(&self, words: &str) -> Option<String> {
        let Entry { from, with, .. } = self.entry;
        let (folder, source) = (from.parent().filter(|_| from.is_file())?, Path::new(from.file_name()?));
        let names = words.split(|c: char| c.is_whitespace() || "\"'`‘’“”<>()[],;:".contains(c));
        // Compilers name modules without their extension.
        let extension = from.extension().unwrap_or_default().to_string_lossy();
        let mut files = names.flat_map(|name| [PathBuf::from(name), PathBuf::from(format!("{name}.{extension}"))]);
        let is_unseen =
            |file: &PathBuf| file != source && !with.contains(file) && entry_files::is_beneath(folder, file);
        let (file, source) = (files.find(is_unseen)?, source.display());
        let file = file.display();
        Some(format!(
            "\n(`{file}` lies beside {source}, but a source sees only what is handed in with it: say \
             `with = [\"{file}\"]` in the contest file or `--with {file}`, or hand in a folder with a `bot.toml`)"
        ))
    }

    /// Whether the build ended well.
    fn judge(&self, report: &RunReport) -> Result<(), BuildError> {
        let command = self.words.join(" ");
        let mut words = shown(&report.output);
        words.extend(self.unseen(&words));
        let why = match &report.ended {
            Ended::Exited(0) => return Ok(()),
            Ended::Exited(_) => return Err(BuildError::Failed { command, words }),
            Ended::Starved => {
                return Err(BuildError::Sandbox(SandboxError::Starved {
                    wall: report.wall,
                    waited: report.waited,
                }));
            }
            Ended::TimedOut | Ended::Stopped => {
                format!("it had not ended after {} s", self.limits.hard.as_secs())
            }
            Ended::TooMuchOutput => format!("it wrote more than {} MiB of words", self.limits.output >> 20),
            Ended::OutOfMemory => format!("it used more than {} MiB of memory", self.limits.memory >> 20),
            Ended::Signalled(signal) => format!("it died of signal {signal}"),
            Ended::CannotStart { why, .. } => format!("it cannot be started: {why}"),
        };
        Err(BuildError::Stopped { command, why, words })
    }
}

/// What is built at this place of the cache.
fn built_at(place: &Path, fresh: bool) -> Option<Built> {
    if !cache::lock(place) {
        return None;
    }
    let notes: Notes = toml::from_str(&fs::read_to_string(place.join(cache::NOTES)).ok()?).ok()?;
    Some(Built { folder: place.join(FOLDER), words: place.join(WORDS), isolation: notes.isolation, fresh })
}

/// The beginning of a compiler's words, with a hint where it seems to have wanted what a build has not.
fn shown(words: &[u8]) -> String {
    /// A line longer than this is cut.
    const LONGEST: usize = 500;
    let words = String::from_utf8_lossy(words);
    let cut = |line: &str| match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    };
    let mut lines: Vec<String> = words.lines().take(WORDS_SHOWN).map(cut).collect();
    let left_out = words.lines().count() - lines.len();
    if left_out > 0 {
        lines.push(format!("… and {left_out} more lines"));
    }
    if wants_network(&words) {
        lines.push(
            "(a build has no network: what it needs has to be in the folder; for Rust `cargo vendor` does that)"
                .to_string(),
        );
    }
    lines.join("\n")
}

/// Whether these are the words of a tool that tried to fetch something.
fn wants_network(words: &str) -> bool {
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
    let words = words.to_lowercase();
    SIGNS.iter().any(|sign| words.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, lines: usize, last: &str) {
        let shown = shown(words.as_bytes());
        assert_eq!((shown.lines().count(), shown.lines().last().unwrap_or_default()), (lines, last));
    }

    #[test]
    fn the_beginning_of_long_words_is_shown() {
        check("", 0, "");
        check("a\nb\n", 2, "b");
        check(&"x\n".repeat(30), 30, "x");
        check(&"x\n".repeat(32), 31, "… and 2 more lines");
        check(&"x".repeat(501), 1, &format!("{}…", "x".repeat(500)));
    }

    #[test]
    fn what_wants_the_network_is_told_that_there_is_none() {
        for words in [
            "warning: spurious network error: [6] Couldn't resolve host name",
            "error: failed to download from `https://example.org/`",
            "go: example.org/x: dial tcp: lookup example.org: no such host",
        ] {
            assert!(shown(words.as_bytes()).contains("a build has no network"), "{words}");
        }
        assert!(!shown(b"net.c:1: error: expected `;`").contains("network"));
    }
}
