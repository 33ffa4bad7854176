//! The keys of a contest file as they are written, before anything is looked up.

use super::publish::PublishKeys;
use crate::bot_file::OwnLimits;
use crate::sandbox::Level;
use crate::toml_file::{Mistake, SourceFile, Within};
use serde::Deserialize;
use serde::de::{Deserializer as AnyDeserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, ValueDeserializer};

/// All keys of the file except `rules` and `stages`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Top {
    pub name: Spanned<String>,
    pub game: Option<Spanned<String>>,
    pub ruleset: Option<Spanned<String>>,
    #[serde(default)]
    pub seed: Within<0, { i64::MAX as u64 }>,
    #[serde(default)]
    pub boards: Vec<Spanned<String>>,
    #[serde(default)]
    pub entrants: Vec<Spanned<EntrantText>>,
    #[serde(default)]
    pub groups: Vec<EntrantGroup>,
    pub one_entry_per_author: Option<bool>,
    pub authors: Option<Spanned<String>>,
    pub fillers: Option<Vec<Spanned<EntrantText>>>,
    pub workers: Option<Within<1, 1024>>,
    pub isolation: Option<Level>,
    pub check_budget_s: Option<Within<0, 86_400>>,
    #[serde(default)]
    pub limits: OwnLimits,
    #[serde(default)]
    pub publish: PublishKeys,
}

impl Top {
    pub(super) fn group_names(&self) -> Vec<&str> {
        self.groups.iter().map(|group| group.name.get_ref().as_str()).collect()
    }
}

/// A group of entrants, which can have its own preliminary stage (S1).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntrantGroup {
    pub name: Spanned<String>,
    pub entrants: Vec<Spanned<EntrantText>>,
}

/// Read separately: the keys that a stage may have depend on its `kind`.
const STAGES: &str = "stages";

/// Read separately, because its keys depend on the game.
const RULES: &str = "rules";

/// A contest file whose stages and changes of rules are not checked yet.
pub(super) struct TopLevel<'a> {
    /// All other keys.
    pub top: Top,
    /// The keys of the ruleset to which the contest gives other values.
    pub rules: Vec<(Spanned<String>, toml::Value)>,
    /// The tables of the stages.
    pub stages: Vec<Spanned<DeTable<'a>>>,
}

/// Reads all keys of the file except those of its stages. The values in `rules` are not checked.
pub(super) fn top_level(source: SourceFile<'_>) -> Result<TopLevel<'_>, Mistake> {
    let explain = |wrong: toml::de::Error| source.explain(&wrong, &[RULES, STAGES]);
    let mut document = DeTable::parse(source.text).map_err(explain)?;
    let stages = document.get_mut().remove(STAGES);
    let rules = document.get_mut().remove(RULES).map_or(Ok(Vec::new()), |rules| changes(source, rules))?;
    let top = Top::deserialize(Deserializer::from(document)).map_err(explain)?;
    let Some(stages) = stages else {
        let message = "no stages: add one, such as\n  [[stages]]\n  kind = \"all-play-all\"";
        return Err(source.mistake(0, message));
    };
    Ok(TopLevel { top, rules, stages: tables(source, stages)? })
}

/// The keys and values of the table `rules`.
fn changes(source: SourceFile, rules: Spanned<DeValue>) -> Result<Vec<(Spanned<String>, toml::Value)>, Mistake> {
    let at = rules.span().start;
    let DeValue::Table(table) = rules.into_inner() else {
        return Err(source.mistake(at, "`rules` must be a table with the header [rules]"));
    };
    let change = |(key, value): (Spanned<Cow<str>>, Spanned<DeValue>)| {
        let key = Spanned::new(key.span(), key.into_inner().into_owned());
        let value = toml::Value::deserialize(ValueDeserializer::from(value));
        value.map(|value| (key, value)).map_err(|wrong| source.explain(&wrong, &[]))
    };
    let mut changes = table.into_iter().map(change).collect::<Result<Vec<_>, _>>()?;
    // In the order of the file.
    changes.sort_by_key(|(key, _)| key.span().start);
    Ok(changes)
}

/// The tables in the value of the key `stages`.
///
/// # Errors
/// If it is not a list of tables, or has none or too many of them.
fn tables<'a>(source: SourceFile, stages: Spanned<DeValue<'a>>) -> Result<Vec<Spanned<DeTable<'a>>>, Mistake> {
    let at = stages.span().start;
    let wrong = |at| source.mistake(at, "a stage must be a table with the header [[stages]]");
    let DeValue::Array(list) = stages.into_inner() else { return Err(wrong(at)) };
    if list.is_empty() || list.len() > 200 {
        return Err(source.mistake(at, format!("a contest has 1 to 200 stages, not {}", list.len())));
    }
    let table = |value: Spanned<DeValue<'a>>| {
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => Ok(Spanned::new(span, table)),
            _ => Err(wrong(span.start)),
        }
    };
    list.into_iter().map(table).collect()
}

/// The folder to which the paths in a file are relative.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// A table in a list of entrants: a path, a pattern or `@name`, and what the organizer says of the bot.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntrantKeys {
    pub path: String,
    pub name: Option<String>,
    pub author: Option<String>,
    #[serde(default)]
    pub with: Vec<String>,
}

/// An item in a list of entrants: a table of [`EntrantKeys`], or a path alone.
#[derive(Clone)]
pub(super) struct EntrantText(pub EntrantKeys);

impl EntrantText {
    pub(super) fn from_path(path: &str) -> EntrantText {
        EntrantText(EntrantKeys { path: path.to_string(), name: None, author: None, with: Vec::new() })
    }
}

impl<'de> Deserialize<'de> for EntrantText {
    fn deserialize<D: AnyDeserializer<'de>>(from: D) -> Result<EntrantText, D::Error> {
        struct Item;
        impl<'de> Visitor<'de> for Item {
            type Value = EntrantText;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a path, `@name` or a table such as ")?;
                f.write_str("{ path = \"bots/gull.c\", name = \"Gull\", author = \"Ann\" }")
            }

            fn visit_str<E>(self, path: &str) -> Result<EntrantText, E> {
                Ok(EntrantText::from_path(path))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EntrantText, A::Error> {
                EntrantKeys::deserialize(MapAccessDeserializer::new(map)).map(EntrantText)
            }
        }
        from.deserialize_any(Item)
    }
}
