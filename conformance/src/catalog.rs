//! The catalogue of each game: all its checks in the order of reports, read from the files in `catalog/`.
//!
//! Ids are permanent, and no two games share one. The code of a game refers to its own checks by constants, which a
//! test compares with the catalogue, and the code of a protocol by the names that checks have in all its games: their
//! [base](Check::base) and [others](Check::also).

use crate::language::Language;
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

/// The id of a check, such as `BX-OUT-EOL`, or of a game, such as `boxing`.
pub(crate) type Id = &'static str;

/// How severe it is to fail a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// An observation: no bot fails it.
    Info,
    /// A bot that fails it gets a warning.
    Should,
    /// A bot that fails it cannot play.
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

    /// Whether a failure of this severity fails the bot. A should does so only if `strict`.
    pub fn fails(self, strict: bool) -> bool {
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
    /// Its permanent id, such as `BX-OUT-EOL`.
    pub id: String,
    /// Its group, which is a column of the table of a batch.
    pub group: String,
    /// How severe a failure is.
    pub severity: Severity,
    /// The numbers of the rules that it checks, separated by blanks, such as `B6`; or, where rules have no numbers, the
    /// part of the rules that it checks, such as `judge`.
    pub requirement: String,
    /// What a bot that passes does, in a few words.
    pub title: String,
    /// The rule, in a sentence or two.
    pub rule: String,
    /// What a bot that passes would have done.
    pub expected: String,
    /// How to fix a bot that fails, whatever its language.
    pub hint: String,
    /// What to add to the hint for a bot in one of these languages.
    #[serde(default)]
    pub hints: BTreeMap<Language, String>,
    /// The kind of illegal answer that this check reports, as the rules of the game name it.
    pub violation: Option<String>,
    /// Its name among the checks of the protocol, such as `LF`, if it is one of them.
    pub base: Option<String>,
    /// Other names by which the code of the protocol finds it, such as `BANNER`: what a bot can do to fail it.
    #[serde(default)]
    pub also: Vec<String>,
    /// The checks that show the same cause more directly. If one of them does, only that one reports it.
    #[serde(default)]
    pub follows: Vec<String>,
}

impl Check {
    /// How to fix a bot in `language`, if that is known.
    pub fn hint(&self, language: Option<Language>) -> String {
        let own = language.and_then(|language| self.hints.get(&language));
        [Some(&self.hint), own].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// All checks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    /// The game's id, such as `boxing`.
    pub game: Id,
    /// The checks, in the order of reports.
    pub checks: Vec<Check>,
}

/// The checks of the protocol of games in lines. Games with checks of their own replace some of them.
pub(crate) const LINES: &str = include_str!("../catalog/lines.toml");

/// The same of games with one process for each move.
pub(crate) const FILTER: &str = include_str!("../catalog/pipes.toml");

/// The checks of a file before they are completed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    check: Vec<toml::Table>,
}

fn entries(game: Id, text: &str) -> Vec<toml::Table> {
    let Entries { check } = toml::from_str(text).unwrap_or_else(|error| panic!("checks of {game}: {error}"));
    check
}

impl Catalogue {
    /// Parses `text`, a TOML file that is part of the program, as the catalogue of `game`. A check with the key
    /// `base` takes the keys that it leaves out from the check of that name in `protocol`, another such file.
    ///
    /// # Panics
    /// When a file is not well formed; a test of each game rules that out.
    pub fn read(game: Id, text: &str, protocol: &str) -> Catalogue {
        let common = entries(game, protocol);
        let mut own = entries(game, text);
        for check in &mut own {
            let Some(name) = check.get("base") else { continue };
            let base = common.iter().find(|common| common["id"] == *name);
            let base = base.unwrap_or_else(|| panic!("checks of {game}: there is no base {name}"));
            for (key, value) in base {
                check.entry(key.as_str()).or_insert_with(|| value.clone());
            }
        }
        Catalogue::from_entries(game, own)
    }

    fn from_entries(game: Id, entries: Vec<toml::Table>) -> Catalogue {
        let check =
            |check: toml::Table| check.try_into().unwrap_or_else(|error| panic!("checks of {game}: {error}"));
        Catalogue { game, checks: entries.into_iter().map(check).collect() }
    }

    /// The catalogue of a `game` that has only the checks of its `protocol`. Their ids begin with `prefix`; `rule` is
    /// the number of the rule that describes the protocol, or a word for it.
    ///
    /// # Panics
    /// When the file is not well formed; tests rule that out.
    pub fn of_protocol(game: Id, protocol: &str, prefix: &str, rule: &str) -> Catalogue {
        let mut entries = entries(game, protocol);
        // Where the length of the input is not known, a bot has to wait for its end.
        entries.retain(|check| check["id"].as_str() != Some("OPEN"));
        for check in &mut entries {
            let name = check["id"].as_str().unwrap_or_default().to_string();
            check.insert("id".to_string(), format!("{prefix}-{name}").into());
            check.insert("base".to_string(), name.into());
            check.insert("requirement".to_string(), rule.into());
        }
        Catalogue::from_entries(game, entries)
    }

    /// The id of this game's check that the code of the protocol calls `name`, if there is one.
    pub(crate) fn named(&self, name: &str) -> Option<&str> {
        let is_named =
            |check: &&Check| check.base.as_deref() == Some(name) || check.also.iter().any(|other| other == name);
        self.checks.iter().find(is_named).map(|check| check.id.as_str())
    }

    /// Whether the code of the protocol calls the check `id` by one of these `names`.
    pub(crate) fn is_any(&self, id: Id, names: &[&str]) -> bool {
        names.iter().any(|name| self.named(name) == Some(id))
    }

    /// The id of this game's check that the code of the protocol calls `name`.
    ///
    /// # Panics
    /// When there is none; a test of each game rules that out.
    pub(crate) fn id(&self, name: &str) -> &str {
        self.named(name).unwrap_or_else(|| panic!("the catalogue of {} has no check {name}", self.game))
    }

    /// The check with this id, if there is one.
    pub fn get(&self, id: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.id == id)
    }

    /// The check that reports illegal answers of this kind, if there is one.
    pub fn of_violation(&self, kind: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.violation.as_deref() == Some(kind))
    }
}

/// Defines a constant for each id that the code of a game uses, and a test that compares them with the function
/// `catalogue` of the parent module.
macro_rules! ids {
    ($($name:ident = $id:literal;)*) => {
        $(#[doc = concat!("`", $id, "`.")] pub(crate) const $name: &str = $id;)*

        #[cfg(test)]
        mod tests {
            #[test]
            fn a_check_is_named_in_code_or_of_the_protocol_or_of_a_kind_of_violation() {
                let catalogue = super::super::catalogue();
                let named = [$($id),*];
                for check in &catalogue.checks {
                    let is_named = named.contains(&check.id.as_str());
                    let is_of_protocol = check.base.is_some() || !check.also.is_empty();
                    assert!(is_named || is_of_protocol || check.violation.is_some(), "{}", check.id);
                }
                for id in named {
                    assert!(catalogue.get(id).is_some(), "{id} is not in the catalogue");
                }
            }
        }
    };
}
pub(crate) use ids;

thread_local! {
    /// The catalogue in which ids are looked up. A `deserialize` function has no parameter for it.
    static CATALOGUE: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
}

/// Makes this thread look up the ids that it deserializes in `catalogue`.
pub(crate) fn use_catalogue(catalogue: &'static Catalogue) {
    CATALOGUE.set(Some(catalogue));
}

/// A check is written as its id.
impl Serialize for Check {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.id.serialize(to)
    }
}

/// Reads an id and finds its check in the catalogue of this thread.
pub(crate) fn known_check<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Check, D::Error> {
    let id = String::deserialize(from)?;
    let found = CATALOGUE.get().and_then(|catalogue| catalogue.get(&id));
    found.ok_or_else(|| D::Error::custom(format!("no check {id}")))
}

/// Reads an id that is in the catalogue of this thread.
pub(crate) fn known_id<'de, D: Deserializer<'de>>(from: D) -> Result<Id, D::Error> {
    known_check(from).map(|check| check.id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{boxing, go, rps};
    use include_dir::{Dir, include_dir};

    static CODE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/protocol");

    /// Checks that `catalogue` has one check for each name by which the code of the protocol in `folder` must find
    /// one. Only games `without_suite` of their own use the code in `suite.rs`.
    fn check(folder: &str, catalogue: &Catalogue, without_suite: bool) {
        let files = CODE.get_dir(folder).unwrap().files().chain(CODE.get_file(format!("{folder}.rs")));
        let files = files.filter(|file| without_suite || !file.path().ends_with("suite.rs"));
        let code: String = files.filter_map(|file| file.contents_utf8()).collect();
        for before in ["id(\"", "cause(\""] {
            let names = code.split(before).skip(1).filter_map(|rest| rest.split('"').next());
            for name in names {
                assert!(catalogue.named(name).is_some(), "{} has no check {name}", catalogue.game);
            }
        }
        let names = |check: &Check| check.also.iter().chain(&check.base).cloned().collect::<Vec<_>>();
        let mut all: Vec<String> = catalogue.checks.iter().flat_map(names).collect();
        all.sort();
        assert!(all.windows(2).all(|two| two[0] != two[1]), "{all:?}");
    }

    #[test]
    fn games_have_the_checks_that_the_code_of_their_protocol_names() {
        check("lines", go::catalogue(), false);
        check("lines", rps::catalogue(), false);
        check("lines", &Catalogue::of_protocol("nim", LINES, "NM", "N3"), true);
        check("filter", boxing::catalogue(), false);
        check("filter", &Catalogue::of_protocol("heaps", FILTER, "HP", "N3"), true);
    }
}
