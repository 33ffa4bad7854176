//! What is asked of a build: what was handed in, on what options, and why no program may come of it.

use super::language::Languages;
use crate::engine::Engine;
use crate::sandbox::{Level, SandboxError};
use std::io;
use std::path::{Path, PathBuf};

/// What is never part of what a build makes.
pub const VERSION_CONTROL: [&str; 1] = [".git"];

/// What an author handed in.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// A source file, or a folder.
    pub from: &'a Path,
    /// Its hash, that of `with` included.
    pub sha256: &'a str,
    /// What a source file is handed with: paths from its folder.
    pub with: &'a [PathBuf],
}

/// On what options bots are built.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions<'a> {
    /// The languages that there are (R2).
    pub languages: &'a Languages,
    /// The isolation that is demanded of builds.
    pub at_least: Option<Level>,
    /// The protocols that bots can speak besides those of contests.
    pub engines: &'a [Engine],
}

impl Default for BuildOptions<'_> {
    /// The built-in languages, and the best isolation that the machine gives.
    fn default() -> Self {
        BuildOptions { languages: Languages::built_in(), at_least: None, engines: &[] }
    }
}

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
        /// The packages that have it.
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
    /// The compiler came to no end of its own.
    #[error("the build was stopped: {why}: {command}\n{words}")]
    Stopped {
        /// The command as typed in a shell.
        command: String,
        /// What was the matter.
        why: String,
        /// What it printed, the beginning.
        words: String,
    },
    /// The sandbox failed.
    #[error("cannot build: {0}")]
    Sandbox(#[from] SandboxError),
    /// The system refused.
    #[error("cannot build {what}: {source}")]
    System {
        /// What was to be built.
        what: String,
        /// The system's answer.
        source: io::Error,
    },
}
