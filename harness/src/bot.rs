//! A bot, ready to take a seat.

use crate::sandbox::{Limits, Program};

/// A bot whose program is built and can be run.
#[derive(Clone, Debug)]
pub struct Bot {
    /// How it was named by whoever asked for it: a path or `@name`.
    pub spec: String,
    /// Its name for people (B13).
    pub name: String,
    /// Who wrote it, as far as `bot.toml` says.
    pub author: Option<String>,
    /// The game it plays, as far as is known: `boxing`.
    pub game: Option<String>,
    /// What to run.
    pub program: Program,
    /// What a run may use.
    pub limits: Limits,
}
