//! Levels of isolation: what separates a bot from the machine, and why no stronger level is in force.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How strictly bots are isolated. Each level includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A session and process group of its own, and a deadline.
    Plain,
    /// Resource limits, no new privileges, and an end to all descendants when the bot ends.
    Restricted,
    /// Landlock rules (files; from Linux 6.12 on also signals and abstract sockets) and a filter of system calls: no
    /// network, and few ways to keep or send anything (`docs/sandbox.md` lists them). All bots share `/tmp`.
    Scoped,
    /// Namespaces: a file system of its own with a private `/tmp`, no other processes, and an empty network.
    Namespaced,
}

impl Level {
    /// Every level, from the weakest to the strongest.
    pub const ALL: [Level; 4] = [Level::Plain, Level::Restricted, Level::Scoped, Level::Namespaced];

    /// The level's name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Level::Plain => "plain",
            Level::Restricted => "restricted",
            Level::Scoped => "scoped",
            Level::Namespaced => "namespaced",
        }
    }

    /// The level below this one; `None` for [`Level::Plain`].
    pub fn next_lower(self) -> Option<Level> {
        Level::ALL.into_iter().rev().find(|&level| level < self)
    }

    /// Whether all bots share one `/tmp`, so that two games with the same state file cannot run at the same time (B9).
    pub fn shares_tmp(self) -> bool {
        self < Level::Namespaced
    }

    /// The level called `name`.
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The level in force, and why no stronger one is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Isolation {
    /// The level in force.
    pub level: Level,
    /// The steps that the machine refused, from the strongest level down.
    pub refused: Vec<Refusal>,
}

/// A step towards a stronger level that the machine refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The level that needs this step.
    pub level: Level,
    /// What was tried, as a verb phrase: "mount a new root".
    pub step: String,
    /// The system's error message.
    pub why: String,
    /// The number of that error, if it has one.
    pub errno: Option<i32>,
}
