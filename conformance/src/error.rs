//! Errors that prevent checking altogether.

use cornerman_harness::sandbox::SandboxError;

/// Why a selection of checks is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// A pattern matches no check.
    #[error("no check is called `{asked}`{hint}; `check --list` lists them")]
    Unknown {
        /// The pattern.
        asked: String,
        /// A suggestion with the nearest id, or nothing if no id is near.
        hint: String,
    },
    /// Every selected check is also skipped.
    #[error("no check is left to run: every selected check is also skipped")]
    Nothing,
    /// Checks are selected, but none of this bot's game.
    #[error("{bot} plays {game}, but no check of that game is selected")]
    NothingOf {
        /// The bot's name.
        bot: String,
        /// The game's title.
        game: &'static str,
    },
}

/// Why bots were not checked. What a bot does wrong is in its report instead, and so is a sandbox that fails while the
/// bot is checked.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The selection of checks was refused.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// No sandbox with the required isolation is available, or the sandbox failed when the bot's game was found out.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The game has no checks.
    #[error("there are no checks for the game `{game}`{hint}; games with checks: {known}")]
    NoChecks {
        /// The game's name.
        game: String,
        /// A suggestion with the nearest name, or nothing if no name is near.
        hint: String,
        /// The names of all games that have checks.
        known: String,
    },
    /// The bot does not name its game, and nothing shows it.
    #[error(
        "which game {bot} plays is not clear from what it writes, nor from the words of its sources: say it with \
         `--game`, or with `game = \"…\"` in its `bot.toml`; games: {known}{failed}"
    )]
    UnknownGame {
        /// The bot's name.
        bot: String,
        /// The names of all games that have checks.
        known: String,
        /// How it failed when it was tried out, in lines of their own; empty if it did not.
        failed: String,
    },
    /// The bot is an engine: the checks test the contest's own protocol, which engines do not speak.
    #[error(
        "{bot} speaks {protocol}, but `check` tests the contest's own protocol, which engines do not speak; `play` and \
         `tournament` accept engines as they are"
    )]
    Engine {
        /// The protocol that it speaks, in upper case.
        protocol: String,
        /// How the bot was named by the user.
        bot: String,
    },
}
