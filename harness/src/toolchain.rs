//! From sources to programs: which commands build and run a bot, what is known about the result (R1, R2, B13), and how
//! a build fails.

mod build;
pub mod cache;
pub(crate) mod hash;
pub mod language;
pub(crate) mod tool;

pub use build::{Built, copied, unpacked, unpacked_folder};
pub use tool::hint_for_unseen_file;
pub(crate) use tool::{installation_of, remove_nested};

use crate::bot::engine::Engine;
use crate::entry_files::beneath;
use crate::sandbox::{Level, Limits, SandboxError};
use build::Build;
use hash::is_ignored;
use language::{Language, Languages, Toolchain};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The file beside the source that `{program}` stands for in a build: a name that no author is likely to use.
const PROGRAM: &str = "bot.program";

/// What an author handed in.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The path of a source file or a folder.
    pub from: &'a Path,
    /// Its SHA-256, which includes the files of `with`.
    pub sha256: &'a str,
    /// The files that are handed in beside a source file: paths relative to its folder.
    pub with: &'a [PathBuf],
}

/// How bots are built.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions<'a> {
    /// The languages that a source file can be in (R2).
    pub languages: &'a Languages,
    /// The lowest level of isolation that is accepted for builds; `None` accepts any.
    pub at_least: Option<Level>,
    /// Whether to build anew even programs that were built before, unless a process uses them.
    pub again: bool,
    /// The engine protocols that a `bot.toml` can name.
    pub engines: &'a [Engine],
}

impl Default for BuildOptions<'_> {
    /// The built-in languages, the best isolation that the machine offers, and no engine protocols.
    fn default() -> Self {
        BuildOptions { languages: Languages::built_in(), at_least: None, again: false, engines: &[] }
    }
}

/// How to install a tool of these Debian `packages`.
fn installed_by(packages: &[String]) -> String {
    match packages {
        [] => "install it".to_string(),
        known => format!("install it (Debian: apt-get install {})", known.join(" ")),
    }
}

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool that the build needs is not on this machine.
    #[error("`{tool}` is not on this machine, and {wanted_for} needs it: {}", installed_by(.packages))]
    NoTool {
        /// The tool's name.
        tool: String,
        /// What needs it.
        wanted_for: String,
        /// The Debian packages that contain it; empty if that is not known.
        packages: Vec<String>,
    },
    /// The command exited with an error.
    #[error("the build failed: {command}\n{output}")]
    Failed {
        /// The command as typed in a shell.
        command: String,
        /// The beginning of what it printed, perhaps with hints.
        output: String,
    },
    /// The command exceeded a limit, was ended by a signal or did not start.
    #[error("the build was stopped: {why}: {command}\n{output}")]
    Stopped {
        /// The command as typed in a shell.
        command: String,
        /// The reason.
        why: String,
        /// The beginning of what it printed, perhaps with hints.
        output: String,
    },
    /// The sandbox failed.
    #[error("cannot build")]
    Sandbox(#[from] SandboxError),
    /// A file could not be read or written.
    #[error("cannot build {what}")]
    System {
        /// The path of the entry, or the name of the program.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// The cache of builds cannot be used. The bot is not at fault.
    #[error("cannot use {}, where builds are kept (`XDG_CACHE_HOME` names another place)", named(folder))]
    Cache {
        /// The folder of the cache; `None` if the user has no home.
        folder: Option<PathBuf>,
        /// The system's error.
        source: io::Error,
    },
}

/// The folder of the cache in words.
fn named(folder: &Option<PathBuf>) -> String {
    folder.as_ref().map_or("a cache".to_string(), |folder| folder.display().to_string())
}

impl BuildError {
    /// Whether the machine is at fault, and not the bot. A missing tool does not count.
    pub fn is_of_machine(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        match self {
            BuildError::Sandbox(_) | BuildError::Cache { .. } => true,
            BuildError::System { source, .. } => {
                let is_out_of_files = matches!(source.raw_os_error(), Some(libc::EMFILE | libc::ENFILE));
                is_out_of_files || matches!(source.kind(), QuotaExceeded | ReadOnlyFilesystem | StorageFull)
            }
            _ => false,
        }
    }
}

/// Why there is no built program that can be used.
#[derive(Debug)]
pub enum NotBuilt<E> {
    /// The build failed.
    Build(BuildError),
    /// The build succeeded, but its program cannot be started.
    Unusable {
        /// The caller's reason.
        why: E,
        /// The beginning of what the build printed, perhaps with a hint.
        output: String,
    },
}

impl<E> From<BuildError> for NotBuilt<E> {
    fn from(error: BuildError) -> NotBuilt<E> {
        NotBuilt::Build(error)
    }
}

/// How a source file is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// The command, with absolute paths.
    pub argv: Vec<OsString>,
    /// The result of its build; `None` if the source itself is run.
    pub built: Option<Built>,
    /// The files and folders that a run may read: the installation of its interpreter, and the `reads` of its
    /// toolchain.
    pub reads: Vec<PathBuf>,
    /// The version line that the toolchain prints.
    pub version: Option<String>,
    /// The limits of a run in its language.
    pub limits: Limits,
}

/// Builds the source file `source`, written in `language`, if the language needs that, and returns how it is run. The
/// file is the `entry` itself, or lies in it. `usual` are the limits of languages that set no others. `startable` says
/// whether a program can be started, given the folder of a build and a path in it.
///
/// # Errors
/// When a tool is missing or the build fails; and those of `startable`.
pub fn prepare_source<E>(
    entry: Entry,
    source: &Path,
    language: &Language,
    options: BuildOptions,
    usual: Limits,
    startable: impl FnOnce(&Path, &Path) -> Result<(), E>,
) -> Result<Runnable, NotBuilt<E>> {
    let missing = |toolchain: &Toolchain, tool: &str| BuildError::NoTool {
        tool: tool.to_string(),
        wanted_for: format!("{} ({})", source.display(), language.name),
        packages: toolchain.packages.clone(),
    };
    let toolchain = language.choose().map_err(|(toolchain, tool)| missing(toolchain, &tool))?;
    let find = |tool: &str| tool::find(tool, options.languages).ok_or_else(|| missing(toolchain, tool));
    let version = tool::version(toolchain, options.languages);
    let below = source.strip_prefix(entry.from).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or(source.file_name().map(Path::new)).unwrap_or(source);
    let built = match &toolchain.build {
        None => None,
        Some(command) => {
            let command = fill_build_command(command.get_ref(), below);
            let build = Build {
                entry,
                tool: find(&command[0])?,
                command: &command,
                version: version.as_deref(),
                named: Vec::new(),
                others: &Vec::new,
                reads: toolchain.reads(),
                limits: toolchain.build_limits.limits(),
                at_least: options.at_least,
                again: options.again,
            };
            let program = &toolchain.run.get_ref()[0];
            Some(build.get(|folder| {
                let file = PathBuf::from(fill_run_word(program, &folder.join(below)));
                file.strip_prefix(folder).map_or(Ok(()), |below| startable(folder, below))
            })?)
        }
    };
    let source = built.as_ref().map_or(source.to_path_buf(), |built| built.folder.join(below));
    let mut reads = toolchain.reads();
    let mut argv: Vec<OsString> = Vec::new();
    for word in toolchain.run.get_ref() {
        argv.push(match word.as_str() {
            tool if argv.is_empty() && !tool.starts_with('{') => {
                let tool = find(tool)?;
                reads.extend(installation_of(&tool));
                tool.into()
            }
            // Taken as it is, because its name need not be UTF-8.
            "{source}" => source.clone().into(),
            word => fill_run_word(word, &source).into(),
        });
    }
    Ok(Runnable { argv, built, reads, version, limits: toolchain.run_limits.applied_to(usual) })
}

/// Builds the folder `entry` with `command`, which its author wrote; `tool` is the program that it begins with. Works
/// in a copy: the folder itself is not written to. `usable` says whether the result can be run by the command `run`. Of
/// folders that are not part of a bot, the result contains only what `run` names.
///
/// # Errors
/// When the build fails; and those of `usable`.
pub fn build_folder<E>(
    entry: Entry,
    tool: &Path,
    (command, run): (&[String], &[String]),
    options: BuildOptions,
    usable: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<Built, NotBuilt<E>> {
    let languages = options.languages;
    let version = version_of(command, languages);
    let elsewhere = || languages.tools_to_locate().filter(|tool| !tool::is_on_path_of_bots(tool));
    let build = Build {
        entry,
        tool: tool.to_path_buf(),
        command,
        version: version.as_deref(),
        named: run.iter().filter_map(|word| beneath(Path::new(word))).filter(|path| is_ignored(path)).collect(),
        others: &|| elsewhere().filter_map(|tool| tool::find(tool, languages)).collect(),
        limits: language::BuildLimits::default().limits(),
        // The command may be a script or `make`, which may start the tools of any language.
        reads: languages
            .all()
            .iter()
            .flat_map(|language| &language.toolchains)
            .flat_map(Toolchain::reads)
            .collect(),
        at_least: options.at_least,
        again: options.again,
    };
    build.get(usable)
}

/// The version line of the tool that a command begins with, if the tool belongs to one of `languages`.
pub fn version_of(command: &[String], languages: &Languages) -> Option<String> {
    tool::version(languages.toolchain_with(command.first()?)?, languages)
}

/// Fills in the placeholders of a build command for the source at `below` in the folder of the build. Paths are
/// relative, so that the paths that compilers write into programs do not depend on the folder.
fn fill_build_command(command: &[String], below: &Path) -> Vec<String> {
    let source = match below.to_string_lossy() {
        option if option.starts_with('-') => format!("./{option}"),
        name => name.into_owned(),
    };
    let folder = below.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    command.iter().map(|word| fill(word, &source, folder, below, "")).collect()
}

/// Fills in the placeholders of one word of a run command, for the source file `source` or its copy in the build.
fn fill_run_word(word: &str, source: &Path) -> String {
    let folder = source.parent().unwrap_or(Path::new("/"));
    // The published rules ask for a class called `Main`; a class with the file's name is allowed too.
    let has_main = folder.join("Main.class").is_file();
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let class = if has_main { "Main" } else { &stem };
    fill(word, &source.to_string_lossy(), folder, source, class)
}

/// Fills in the placeholders of one word, with `file` for its stem and `folder` for its program.
fn fill(word: &str, source: &str, folder: &Path, file: &Path, class: &str) -> String {
    let program = folder.join(PROGRAM);
    let program = program.strip_prefix(".").unwrap_or(&program);
    let mut filled = word.to_string();
    for (name, value) in [
        ("{source}", source),
        ("{program}", &program.to_string_lossy()),
        ("{folder}", &folder.to_string_lossy()),
        ("{stem}", &file.file_stem().unwrap_or_default().to_string_lossy()),
        ("{class}", class),
    ] {
        filled = filled.replace(name, value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_build(word: &str, below: &str, wanted: &str) {
        assert_eq!(fill_build_command(&[word.to_string()], Path::new(below)), [wanted]);
    }

    #[track_caller]
    fn check_run(word: &str, source: &str, wanted: &str) {
        assert_eq!(fill_run_word(word, Path::new(source)), wanted);
    }

    #[test]
    fn a_build_runs_in_its_folder() {
        check_build("{source}", "bot.c", "bot.c");
        check_build("{source}", "-bot.c", "./-bot.c");
        check_build("{source}", "src/bot.c", "src/bot.c");
        check_build("-out:{program}", "bot.cs", "-out:bot.program");
        check_build("{program}", "src/bot.c", "src/bot.program");
        check_build("{folder}/ghc", "bot.hs", "./ghc");
        check_build("{stem}.x", "src/My Bot.hs", "My Bot.x");
        check_build("-O2", "bot.c", "-O2");
    }

    #[test]
    fn a_run_is_independent_of_the_working_directory() {
        check_run("{source}", "/c/f/bot.c", "/c/f/bot.c");
        check_run("{program}", "/c/f/bot.c", "/c/f/bot.program");
        check_run("{folder}", "/c/f/Bot.java", "/c/f");
        check_run("{class}", "/c/f/Bot.java", "Bot");
    }
}
