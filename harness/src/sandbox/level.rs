//! How well a bot is shut in, and honesty about it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How well bots are shut in, from the least to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Own session and process group, and the deadline.
    Plain,
    /// Also resource limits, no new privileges, and a sweep of all descendants.
    Restricted,
}

impl Level {
    /// Every level, from the least to the best.
    pub const ALL: [Level; 2] = [Level::Plain, Level::Restricted];

    /// Its name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Level::Plain => "plain",
            Level::Restricted => "restricted",
        }
    }

    /// The level of this name.
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The level in force, and what the machine refused on the way to a better one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// What is in force.
    pub level: Level,
    /// What could not be had, from the best level down.
    pub refused: Vec<Refusal>,
}

/// A step towards a better level that the machine refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The level that the step belongs to.
    pub level: Level,
    /// What was tried.
    pub step: String,
    /// The machine's answer.
    pub why: String,
}
