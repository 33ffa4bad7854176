//! From sources to programs: which command compiles and which runs what.

use crate::sandbox::PATH;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language in which a single source file is an entry.
struct Language {
    extension: &'static str,
    name: &'static str,
    tool: &'static str,
    /// What an organizer installs when the tool is missing.
    package: &'static str,
    how: How,
}

enum How {
    /// The tool runs the source itself.
    Interpreted,
    /// The tool makes a program: these options, then the output's option, the output and the source.
    Compiled { options: &'static [&'static str], output: &'static str },
}

const LANGUAGES: [Language; 3] = [
    Language {
        extension: "c",
        name: "C",
        tool: "cc",
        package: "gcc",
        how: How::Compiled { options: &["-O2", "-lm"], output: "-o" },
    },
    Language { extension: "py", name: "Python", tool: "python3", package: "python3", how: How::Interpreted },
    Language {
        extension: "rs",
        name: "Rust",
        tool: "rustc",
        package: "rustc",
        how: How::Compiled { options: &["-O", "--edition=2024"], output: "-o" },
    },
];

/// Why a source did not become a program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool is missing.
    #[error(
        "`{tool}` is not on this machine, and {wanted_for} needs it: install it (Debian: apt-get install {package})"
    )]
    NoTool {
        /// The command.
        tool: String,
        /// What needs it.
        wanted_for: String,
        /// The package that has it.
        package: String,
    },
    /// The compiler refused.
    #[error("the build failed: {command}\n{words}")]
    Failed {
        /// The command as typed in a shell.
        command: String,
        /// What it printed, the beginning.
        words: String,
    },
    /// The system refused.
    #[error("cannot build {what}: {source}")]
    System {
        /// What was to be built.
        what: String,
        /// The system's answer.
        source: io::Error,
    },
}

/// Where Debian puts engines (`gnugo`, `pachi`): not every user has it in the path, and no bot has.
const GAMES: &str = "/usr/local/games:/usr/games";

/// Lines of a compiler's words that are shown.
const WORDS_SHOWN: usize = 30;

/// Whether files of this extension are sources.
pub fn is_source(path: &Path) -> bool {
    language_of(path).is_some()
}

/// The extensions of sources, for messages.
pub fn extensions() -> String {
    LANGUAGES.map(|language| format!(".{}", language.extension)).join(", ")
}

fn language_of(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?;
    LANGUAGES.iter().find(|language| language.extension == extension)
}

/// The command that runs the single source file `source`, compiled if it has to be.
///
/// # Errors
/// When a tool is missing or the compiler refuses.
pub fn command_for(source: &Path) -> Result<Vec<OsString>, BuildError> {
    let language = language_of(source).expect("callers ask only for sources");
    let tool = find_tool(language.tool).ok_or_else(|| BuildError::NoTool {
        tool: language.tool.to_string(),
        wanted_for: format!("{} ({})", source.display(), language.name),
        package: language.package.to_string(),
    })?;
    match language.how {
        How::Interpreted => Ok(vec![tool.into(), source.into()]),
        How::Compiled { options, output } => {
            let program = compile(&tool, options, output, source)?;
            Ok(vec![program.into()])
        }
    }
}

/// Compiles `source` once for every content it has: the program's folder is named by a hash.
fn compile(tool: &Path, options: &[&str], output: &str, source: &Path) -> Result<PathBuf, BuildError> {
    let system = |error| BuildError::System { what: source.display().to_string(), source: error };
    let mut hash = Sha256::new();
    hash.update(tool.as_os_str().as_encoded_bytes());
    options.iter().for_each(|option| hash.update(option));
    hash.update(fs::read(source).map_err(system)?);
    let key: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let folder = cache_folder().join(format!("{stem}-{key}"));
    let program = folder.join("bot");
    if program.is_file() {
        return Ok(program);
    }
    fs::create_dir_all(&folder).map_err(system)?;
    // Built beside and moved into place, so that a build that is interrupted leaves no half of a program.
    let fresh = folder.join(format!("bot.{}", std::process::id()));
    let mut command = Command::new(tool);
    command.arg(output).arg(&fresh).arg(source).args(options);
    let built = run_build(&mut command, source.parent().unwrap_or(Path::new(".")))
        .and_then(|()| fs::rename(&fresh, &program).map_err(system));
    if built.is_err() {
        // The folder goes too, unless another build of the same source is at work in it.
        fs::remove_file(&fresh).ok();
        fs::remove_dir(&folder).ok();
    }
    built.map(|()| program)
}

/// Where programs built from single sources are kept: `$XDG_CACHE_HOME/cornerman` or `~/.cache/cornerman`.
fn cache_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("cornerman")
}

/// Runs a build command in `folder`.
///
/// # Errors
/// With the words of the compiler, the beginning of them, when it fails.
pub fn run_build(command: &mut Command, folder: &Path) -> Result<(), BuildError> {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let typed = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let (mut said, stderr) = io::pipe().map_err(|source| BuildError::System { what: typed.clone(), source })?;
    let stdout = stderr.try_clone().map_err(|source| BuildError::System { what: typed.clone(), source })?;
    command.current_dir(folder).stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    let mut child = command.spawn().map_err(|source| BuildError::System { what: typed.clone(), source })?;
    // The command holds the pipe's writing ends too; without them the end of the words comes with the child's.
    *command = Command::new("");
    let mut words = Vec::new();
    said.read_to_end(&mut words).ok();
    let status = child.wait().map_err(|source| BuildError::System { what: typed.clone(), source })?;
    if status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&words);
    let mut shown: Vec<&str> = words.lines().take(WORDS_SHOWN).collect();
    let left_out = words.lines().count() - shown.len();
    let more = format!("… and {left_out} more lines");
    if left_out > 0 {
        shown.push(&more);
    }
    Err(BuildError::Failed { command: typed, words: shown.join("\n") })
}

/// The program of this name where bots look for programs, else where the user does. A user's name for it may
/// be a small script that chooses among versions (pyenv's are): then the interpreter itself says where it is,
/// because such a script would be far too slow at every move.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    let path_of_user = std::env::var_os("PATH").unwrap_or_default();
    let places = [PATH.as_ref(), path_of_user.as_os_str(), GAMES.as_ref()];
    let found = places.into_iter().find_map(|path| search(name, path))?;
    let is_shim = fs::read(&found).is_ok_and(|content| content.starts_with(b"#!")) && name.starts_with("python");
    if !is_shim {
        return Some(found);
    }
    let asked = Command::new(&found).args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    let itself = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    itself.is_file().then_some(itself)
}

/// Whether bots find a program of this name.
pub fn is_on_path_of_bots(name: &str) -> bool {
    search(name, PATH.as_ref()).is_some()
}

fn search(name: &str, path: &std::ffi::OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

/// Whether someone may execute this file.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
