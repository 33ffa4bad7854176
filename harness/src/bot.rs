//! A bot, from what its author handed in to a program that can take a seat (B13).

mod engine;
pub(crate) mod found;
mod loader;
mod program;
pub mod twins;
pub(crate) mod with;

use crate::sandbox::{Limits, Program};
use crate::toolchain::{BuildError, Built};
use std::path::PathBuf;

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
    /// The protocol that it speaks, such as `gtp`; `None` for that of its game's contest.
    pub speaks: Option<String>,
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
    #[error("{spec}: {why}, such as `{example}`")]
    Command {
        /// The BOT.
        spec: String,
        /// One that makes sense.
        example: &'static str,
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
}

#[cfg(test)]
mod tests;
