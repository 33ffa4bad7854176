//! A bot, from what its author handed in to a program that can take a seat (B13).

mod engine;
mod loader;
mod parts;
mod program;
mod twins;
mod with;

pub use engine::GTP;
pub(crate) use parts::{installation_of, without_inner};
pub use twins::twins;
pub(crate) use with::handed;

use crate::bot_file;
use crate::nearest::did_you_mean_file;
use crate::sandbox::{Level, Limits, Program};
use crate::toolchain::language::Languages;
use crate::toolchain::{BuildError, Built, tool};
use loader::Loader;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A bot whose program is built and can be run.
#[derive(Clone, Debug)]
pub struct Bot {
    /// How it was named by whoever asked for it: a path or `@name`.
    pub spec: String,
    /// Its name for people (B13).
    pub name: String,
    /// Whether it was given that name, by its author or by who asked for it; else it is that of its file.
    pub has_given_name: bool,
    /// Who wrote it, as far as `bot.toml` says.
    pub author: Option<String>,
    /// The game it plays, as far as is known: `boxing`.
    pub game: Option<String>,
    /// What it speaks.
    pub speaks: Speech,
    /// What to run.
    pub program: Program,
    /// What a run may use.
    pub limits: Limits,
    /// The SHA-256 of what its author handed in, where that is a source or a folder: 64 hexadecimal digits.
    pub source_sha256: Option<String>,
    /// The SHA-256 of what is run: the executable, or the files of the bot if there are several or an interpreter
    /// runs them.
    pub program_sha256: Option<String>,
    /// What the compiler or interpreter says of its version.
    pub toolchain: Option<String>,
    /// What was built for it, now or earlier, where something had to be.
    pub built: Option<Built>,
}

/// On what terms bots are built.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The languages that there are (R2).
    pub languages: &'a Languages,
    /// The isolation that is demanded of builds.
    pub at_least: Option<Level>,
}

impl Default for Terms<'_> {
    /// The built-in languages, and the best isolation that the machine gives.
    fn default() -> Self {
        Terms { languages: Languages::built_in(), at_least: None }
    }
}

/// What a bot speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speech {
    /// The protocol of its game's contest.
    #[default]
    Game,
    /// GTP, version 2: a Go engine.
    Gtp,
}

/// Why there is no bot to run.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// No such file.
    #[error("no such bot: {}{hint}", path.display())]
    Missing {
        /// What was asked for.
        path: PathBuf,
        /// The nearest that exists.
        hint: String,
    },
    /// A folder that does not say how it is run.
    #[error("{}: a folder is a bot only with a `bot.toml`, such as\n  name = \"My Bot\"\n  run = [\"python3\", \"bot.py\"]{hint}", path.display())]
    NoBotFile {
        /// The folder.
        path: PathBuf,
        /// A source in it that would do.
        hint: String,
    },
    /// A `bot.toml` that cannot be read.
    #[error("{0}")]
    BotFile(String),
    /// A file that is no program.
    #[error("{}: {why}", path.display())]
    NotAProgram {
        /// The file.
        path: PathBuf,
        /// Why it cannot run, and what would help.
        why: String,
    },
    /// Something is to be handed in with it that cannot be.
    #[error("{}: {why}", path.display())]
    With {
        /// The bot.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A source that did not become a program.
    #[error("{}: {source}", path.display())]
    Build {
        /// The source or folder.
        path: PathBuf,
        /// What went wrong.
        source: BuildError,
    },
    /// An engine whose command makes no sense.
    #[error("{GTP}{command}: {why}, such as `{GTP}gnugo --mode gtp`")]
    Command {
        /// The command.
        command: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It cannot play what it is to play.
    #[error("{spec} plays {plays}, and the game here is {wanted}")]
    OtherGame {
        /// The bot.
        spec: String,
        /// Its game.
        plays: String,
        /// The game that is played.
        wanted: String,
    },
    /// The file cannot be read.
    #[error("cannot use {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl Bot {
    /// The bot at `path`: an executable, a source file, a folder with a `bot.toml`, or that file itself; its
    /// language one of those built in.
    ///
    /// # Errors
    /// When there is none, it cannot run on this machine, or its build fails.
    pub fn load(path: &Path) -> Result<Bot, BotError> {
        Bot::load_on(path, Terms::default())
    }

    /// The same on other `terms`.
    ///
    /// # Errors
    /// As those of [`Bot::load`].
    pub fn load_on(path: &Path, terms: Terms) -> Result<Bot, BotError> {
        Bot::load_with(path, &[], terms)
    }

    /// The same, where a source at `path` is built and run with the files `with` beside it: paths from its folder. It
    /// sees no other files there.
    ///
    /// # Errors
    /// As those of [`Bot::load`], and when `with` names what is not a regular file of the source's folder, or the bot is
    /// not a source.
    pub fn load_with(path: &Path, with: &[String], terms: Terms) -> Result<Bot, BotError> {
        let absolute = |path: &Path| fs::canonicalize(path).map_err(|_| missing(path));
        let with = Bot::must_take(path, with, terms)?;
        let loader = Loader { path, with: &with, terms };
        if path.file_name().is_some_and(|name| name == bot_file::FILE_NAME) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return loader.folder(&absolute(folder.unwrap_or(Path::new(".")))?);
        }
        let absolute = absolute(path)?;
        match terms.languages.of(&absolute) {
            _ if absolute.is_dir() => loader.folder(&absolute),
            Some(language) => loader.source(&absolute, language),
            None => loader.executable(&absolute),
        }
    }

    /// The files `with` that a source at `path` is handed, as paths from its folder.
    ///
    /// # Errors
    /// When they are not regular files of the source's folder, or the bot is not a source.
    pub fn must_take(path: &Path, with: &[String], terms: Terms) -> Result<Vec<PathBuf>, BotError> {
        let refused = |why| BotError::With { path: path.to_path_buf(), why };
        let absolute = fs::canonicalize(path).map_err(|_| missing(path))?;
        let handed = handed(&absolute, with).map_err(refused)?;
        if !with.is_empty() && !absolute.is_dir() && terms.languages.of(&absolute).is_none() {
            let extensions = terms.languages.extensions();
            return Err(refused(format!("`with` goes with a source file ({extensions}), and this is not one")));
        }
        Ok(handed)
    }

    /// Nothing, unless it is known that the bot plays another game than `game`.
    ///
    /// # Errors
    /// Which game it plays.
    pub fn must_play(&self, game: &str) -> Result<(), BotError> {
        match &self.game {
            Some(plays) if plays != game => {
                let (spec, plays, wanted) = (self.spec.clone(), plays.clone(), game.to_string());
                Err(BotError::OtherGame { spec, plays, wanted })
            }
            _ => Ok(()),
        }
    }

    /// Whether `path` looks like a bot among other files: a folder with a `bot.toml`, a source in one of `languages`,
    /// an executable.
    pub fn is_likely(path: &Path, languages: &Languages) -> bool {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let source = || path.is_file() && languages.of(path).is_some();
        !hidden && (path.join(bot_file::FILE_NAME).is_file() || source() || tool::is_executable(path))
    }
}

fn missing(path: &Path) -> BotError {
    let hint = match path.as_os_str().is_empty() {
        true => "its name is empty".to_string(),
        false => did_you_mean_file(path),
    };
    BotError::Missing { path: path.to_path_buf(), hint }
}

#[cfg(test)]
mod tests;
