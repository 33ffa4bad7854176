//! The catalogues: every check there is of each game, as `catalog/GAME.toml` tells it, in the order of reports.
//!
//! Ids are for ever, and no two games have one in common. The checks of The Boxing Match are named in code by the
//! constants of [`id`], those of other games by constants beside their checks; tests hold code and catalogues
//! together.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

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
    pub game: &'static str,
    /// In the order of reports.
    #[serde(rename = "check")]
    pub checks: Vec<Check>,
}

/// The catalogues as they are written.
const TEXTS: [(&str, &str); 3] = [
    ("boxing", include_str!("../catalog/boxing.toml")),
    ("rps", include_str!("../catalog/rps.toml")),
    ("go", include_str!("../catalog/go.toml")),
];

static ALL: LazyLock<Vec<Catalogue>> = LazyLock::new(|| {
    let read = |(game, text)| {
        let read: Catalogue = toml::from_str(text)
            .unwrap_or_else(|mistake| panic!("the catalogue of {game}, part of the program: {mistake}"));
        Catalogue { game, ..read }
    };
    TEXTS.map(read).into()
});

impl Catalogue {
    /// The catalogue of each game that has one, the usual game first.
    pub fn all() -> &'static [Catalogue] {
        &ALL
    }

    /// The checks of `game`, by its name in the registry.
    pub fn of(game: &str) -> Option<&'static Catalogue> {
        ALL.iter().find(|catalogue| catalogue.game == game)
    }

    /// The checks of The Boxing Match.
    pub fn boxing() -> &'static Catalogue {
        &ALL[0]
    }

    /// The check of this id, of whatever game.
    pub fn find(id: &str) -> Option<&'static Check> {
        ALL.iter().find_map(|catalogue| catalogue.get(id))
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

/// Every check of `game` in a line each: id, severity, requirement, title; of no other game than those that have
/// a catalogue there is any.
pub fn list(game: &str) -> String {
    let line =
        |check: &Check| format!("{:17} {:6} {:6} {}\n", check.id, check.severity, check.requirement, check.title);
    Catalogue::of(game).map_or(String::new(), |catalogue| catalogue.checks.iter().map(line).collect())
}

/// What the check `id`, in upper or lower case and of whatever game, is about: the rule, what is expected, how to
/// mend a bot that fails.
///
/// # Errors
/// When there is none, with the nearest that there is.
pub fn explain(id: &str) -> Result<String, crate::SelectionError> {
    let check = Catalogue::find(&id.to_ascii_uppercase());
    let check = check.ok_or_else(|| crate::SelectionError::unknown(id))?;
    let Check { id, severity, requirement, title, rule, expected, hint, .. } = check;
    Ok(format!(
        "{id}: {title}\n\nseverity     {severity}\nrequirement  {requirement}\nrule         {rule}\nexpected     \
         {expected}\nhint         {hint}\n"
    ))
}

/// The ids of The Boxing Match that code names.
pub mod id {
    macro_rules! ids {
        ($($name:ident = $id:literal;)*) => {
            $(#[doc = concat!("`", $id, "`.")] pub const $name: &str = $id;)*
            /// All of them.
            #[cfg(test)]
            pub const ALL: &[&str] = &[$($id),*];
        };
    }
    ids! {
        MOV_PASS = "BX-MOV-PASS";
        CHAIN = "BX-CHAIN";
        SELF = "BX-SELF";
        NPLAYER = "BX-NPLAYER";
        STATE_COLD = "BX-STATE-COLD";
        STATE_STALE = "BX-STATE-STALE";
        STATE_CORRUPT = "BX-STATE-CORRUPT";
        STATE_ONLY = "BX-STATE-ONLY";
        STATE_SEP = "BX-STATE-SEP";
        TIME_HARD = "BX-TIME-HARD";
        TIME_SOFT = "BX-TIME-SOFT";
        RUN_EXEC = "BX-RUN-EXEC";
        RUN_SIGNAL = "BX-RUN-SIGNAL";
        RUN_EXIT = "BX-RUN-EXIT";
        RUN_CHUNK = "BX-RUN-CHUNK";
        RUN_OPEN = "BX-RUN-OPEN";
        RUN_CWD = "BX-RUN-CWD";
        RUN_ENV = "BX-RUN-ENV";
        RUN_FILE = "BX-RUN-FILE";
        RUN_ORPHAN = "BX-RUN-ORPHAN";
        RUN_STDERR = "BX-RUN-STDERR";
        ODD_EMPTY = "BX-ODD-EMPTY";
        ODD_SHORT = "BX-ODD-SHORT";
        ODD_LONG = "BX-ODD-LONG";
        ODD_CRLF = "BX-ODD-CRLF";
        ODD_NUL = "BX-ODD-NUL";
        ODD_NOARG = "BX-ODD-NOARG";
        ODD_LONGARG = "BX-ODD-LONGARG";
        ODD_EPIPE = "BX-ODD-EPIPE";
        DETERMINISM = "BX-DETERMINISM";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_there_once() {
        let checks: Vec<&Check> = Catalogue::all().iter().flat_map(|catalogue| &catalogue.checks).collect();
        for (at, check) in checks.iter().enumerate() {
            assert!(checks[..at].iter().all(|other| other.id != check.id), "{} is there twice", check.id);
        }
    }

    #[test]
    fn a_check_is_named_in_code_or_by_a_kind_of_violation() {
        for check in &Catalogue::boxing().checks {
            let named = id::ALL.contains(&check.id.as_str());
            assert!(named || check.violation.is_some(), "nothing can make {} fail", check.id);
        }
        for id in id::ALL {
            assert!(Catalogue::boxing().get(id).is_some(), "{id} is not in the catalogue");
        }
    }

    #[test]
    fn every_kind_of_violation_has_its_check() {
        let kinds = [
            "length",
            "rows",
            "line-ending",
            "final-newline",
            "lead",
            "trail",
            "charset",
            "full",
            "none",
            "vacant",
            "mark",
            "square",
            "one",
            "filled",
        ];
        for kind in kinds {
            assert!(Catalogue::boxing().of_violation(kind).is_some(), "no check is for `{kind}`");
        }
    }

    #[test]
    fn an_unknown_id_is_answered_by_the_nearest() {
        let error = explain("BX-OUT-EOF").unwrap_err().to_string();
        assert!(error.contains("BX-OUT-EOL"), "{error}");
        assert!(explain("bx-out-eol").unwrap().starts_with("BX-OUT-EOL: "));
    }
}
