//! The catalogues: every check there is of each game, as `catalog/GAME.toml` tells it, in the order of reports.
//!
//! CommonCheckIds are for ever, and no two games have one in common. Code names them by the constants beside a game's checks,
//! which tests compare with its catalogue.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of a check or a game, of which there is a list.
pub type Id = &'static str;

/// How much a check weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; neither right nor wrong.
    Info,
    /// A failure is a warning.
    Should,
    /// A failure is a failure.
    Must,
}

impl Severity {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Should => "should",
            Severity::Must => "must",
        }
    }

    /// Whether what weighs this much fails a bot: a should does if that is to be `strict`.
    pub(crate) fn fails(self, strict: bool) -> bool {
        self == Severity::Must || (strict && self == Severity::Should)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its name for ever, such as `BX-OUT-EOL`.
    pub id: String,
    /// What it belongs with: a column of the table of a batch.
    pub group: String,
    /// How much a failure weighs.
    pub severity: Severity,
    /// The requirements it holds a bot to, such as `B6`.
    pub requirement: String,
    /// What a bot that passes does, in a few words.
    pub title: String,
    /// The rule.
    pub rule: String,
    /// What should have been seen.
    pub expected: String,
    /// How to mend a bot that fails.
    pub hint: String,
    /// The kind of illegal answer that goes by this id, as the rules of the game name it.
    pub violation: Option<String>,
}

/// All checks of a game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The game's name in the registry: `boxing`.
    #[serde(skip)]
    pub game: Id,
    /// In the order of reports.
    #[serde(rename = "check")]
    pub checks: Vec<Check>,
}

impl Catalogue {
    /// The catalogue of `game`, written as `text`, which is part of the program.
    ///
    /// # Panics
    /// When it is not well formed, which a test of each game rules out.
    pub fn read(game: Id, text: &str) -> Catalogue {
        let read: Catalogue =
            toml::from_str(text).unwrap_or_else(|mistake| panic!("the catalogue of {game}: {mistake}"));
        Catalogue { game, ..read }
    }

    /// The check of this id.
    pub fn get(&self, id: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.id == id)
    }

    /// The check for illegal answers of this kind.
    pub fn of_violation(&self, kind: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.violation.as_deref() == Some(kind))
    }

    /// The groups, in the order of their first checks.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for check in &self.checks {
            if !groups.contains(&check.group.as_str()) {
                groups.push(&check.group);
            }
        }
        groups
    }
}

/// Every check of `catalogue` in a line each: id, severity, requirement, title.
pub fn list(catalogue: &Catalogue) -> String {
    let line =
        |check: &Check| format!("{:17} {:6} {:6} {}\n", check.id, check.severity, check.requirement, check.title);
    catalogue.checks.iter().map(line).collect()
}

/// The ids that the code of a game names, each a constant, and all of them in a list for tests.
macro_rules! ids {
    ($($name:ident = $id:literal;)*) => {
        $(#[doc = concat!("`", $id, "`.")] pub const $name: &str = $id;)*
        /// All of them.
        #[cfg(test)]
        pub const ALL: &[&str] = &[$($id),*];
    };
}
pub(crate) use ids;
