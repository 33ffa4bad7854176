//! Why nothing is checked: the errors of the suite as a whole.

use cornerman_harness::sandbox::SandboxError;
use std::path::PathBuf;

/// Why a selection is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// It fits no check.
    #[error("no check is called `{asked}`{hint}; `check --list` lists them")]
    Unknown {
        /// What was asked for.
        asked: String,
        /// The nearest that there is, if any is near.
        hint: String,
    },
    /// What was asked for and what was to be left out leave nothing.
    #[error("no check is left to run: everything that was selected is skipped as well")]
    Nothing,
    /// There are checks to run, but none of the game of this bot.
    #[error("{bot} plays {game}, and no check of that game is selected")]
    NothingOf {
        /// The bot's name.
        bot: String,
        /// The game's title.
        game: &'static str,
    },
}

/// Why nothing was checked. What a bot does wrong is in its report, as is a sandbox that fails midway.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// What was selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// No sandbox can be had as demanded.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// There are no checks of this game.
    #[error("there are no checks of the game `{game}`{hint}; there are of {known}")]
    NoChecks {
        /// Its name.
        game: String,
        /// The nearest that there are, if any is near.
        hint: String,
        /// The names of all games that have checks.
        known: String,
    },
    /// There are no games at all.
    #[error("no game has checks that a bot could be put through")]
    NoGame,
    /// An engine was given: the checks are of the protocol of a contest, which it does not speak.
    #[error(
        "{bot} speaks {protocol}, and `check` is about the lines of the contest, which engines do not speak; `play` and \
         `tournament` take engines as they are"
    )]
    Engine {
        /// What it speaks.
        protocol: String,
        /// How it was asked for.
        bot: String,
    },
    /// No bot was given.
    #[error("no bot was given to be checked")]
    NoBot,
    /// The files of failures cannot be written.
    #[error("cannot write the bytes of a failure to {path}: {why}", path = .path.display())]
    Files {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        why: std::io::Error,
    },
}
