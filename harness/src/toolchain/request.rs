//! What a build takes and how it fails: the entry, the options and the errors.

use super::language::Languages;
use crate::bot::engine::Engine;
use crate::sandbox::{Level, SandboxError};
use std::io;
use std::path::{Path, PathBuf};

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
    /// Whether programs are built anew that an earlier run has built, unless another process uses them.
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
    /// A tool is missing.
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
        /// The beginning of what it printed.
        output: String,
    },
    /// The command exceeded a limit, was ended by a signal or did not start.
    #[error("the build was stopped: {why}: {command}\n{output}")]
    Stopped {
        /// The command as typed in a shell.
        command: String,
        /// The reason.
        why: String,
        /// The beginning of what it printed.
        output: String,
    },
    /// The sandbox failed.
    #[error("cannot build")]
    Sandbox(#[from] SandboxError),
    /// A file could not be read or written.
    #[error("cannot build {what}")]
    System {
        /// The path of the entry.
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
    /// Whether the machine is at fault, and not the bot.
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
        /// The beginning of what the build printed.
        output: String,
    },
}

impl<E> From<BuildError> for NotBuilt<E> {
    fn from(error: BuildError) -> NotBuilt<E> {
        NotBuilt::Build(error)
    }
}
