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
    /// Also Landlock (files, signals, abstract sockets) and a filter of system calls: no network, no other way
    /// to keep or send anything. All bots share `/tmp`.
    Scoped,
    /// Also namespaces: a file system of its own with a private `/tmp`, no other processes, no network.
    Namespaced,
}

impl Level {
    /// Every level, from the least to the best.
    pub const ALL: [Level; 4] = [Level::Plain, Level::Restricted, Level::Scoped, Level::Namespaced];

    /// Its name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Level::Plain => "plain",
            Level::Restricted => "restricted",
            Level::Scoped => "scoped",
            Level::Namespaced => "namespaced",
        }
    }

    /// The next lesser one.
    pub fn next_lower(self) -> Option<Level> {
        Level::ALL.into_iter().rev().find(|&level| level < self)
    }

    /// Whether all bots share one `/tmp`, so that a mark can be used in one game at a time only (B9).
    pub fn shares_tmp(self) -> bool {
        self < Level::Namespaced
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

/// The result of setting up a level.
#[derive(Debug)]
pub enum LevelSetup<T> {
    /// The level is in force.
    Done(T),
    /// The machine refused a step.
    Refused(Refusal),
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
