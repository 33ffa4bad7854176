//! Reading TOML files that people write: each mistake is reported with its file, its line and the nearest known key.

use crate::nearest::did_you_mean;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A mistake in a file, shown as `FILE:LINE: message`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {message}", path.display())]
pub struct Mistake {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The message: what is wrong.
    pub message: String,
}

/// A file that is being read.
#[derive(Clone, Copy)]
pub struct SourceFile<'a> {
    /// Its path, as messages show it.
    pub path: &'a Path,
    /// Its whole text.
    pub text: &'a str,
}

impl SourceFile<'_> {
    /// Parses the file as a `T`.
    ///
    /// # Errors
    /// The first mistake; for an unknown key, with the nearest known one.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, Mistake> {
        toml::from_str(self.text).map_err(|wrong| self.explain(&wrong, &[]))
    }

    /// A mistake at byte `at` of the text.
    pub fn mistake(self, at: usize, message: impl Into<String>) -> Mistake {
        Mistake { path: self.path.into(), line: self.line(at), message: message.into() }
    }

    /// The mistake that `wrong` reports. For an unknown key the suggestion comes from the keys that `wrong` lists and
    /// from `also`, further keys that are allowed there.
    pub fn explain(self, wrong: &toml::de::Error, also: &[&str]) -> Mistake {
        let message = in_plain_words(wrong.message());
        let unknown = message.strip_prefix("unknown field `").or(message.strip_prefix("unknown variant `"));
        let hint = unknown.and_then(|rest| rest.split_once('`')).map_or(String::new(), |(key, rest)| {
            let listed = rest.split('`').skip(1).step_by(2);
            did_you_mean(key, listed.chain(also.iter().copied()))
        });
        self.mistake(wrong.span().map_or(0, |span| span.start), format!("{message}{hint}"))
    }

    /// The line of byte `at`, from 1.
    pub fn line(self, at: usize) -> usize {
        1 + self.text[..at.min(self.text.len())].matches('\n').count()
    }
}

/// `message` of a parser, with the names of types in words.
fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("expected i64", "expected a whole number"),
        ("expected u64", "expected a whole number from 0"),
        ("expected u16", "expected a whole number from 0"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list in brackets"),
    ];
    let plain = |text: String, (from, to): &(&str, &str)| match text.strip_suffix(from) {
        Some(start) => format!("{start}{to}"),
        None => text,
    };
    WORDS.iter().fold(message.replace("expected a borrowed string", "expected a string"), plain)
}

/// A number from `LEAST` to `MOST`. Its default, for keys that may be left out, is 0 whatever the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Within<const LEAST: u64, const MOST: u64>(pub u64);

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(from)?;
        match u64::try_from(number) {
            Ok(number) if (LEAST..=MOST).contains(&number) => Ok(Within(number)),
            _ => Err(D::Error::custom(format!("{number} is out of range: {LEAST} to {MOST}"))),
        }
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for Within<LEAST, MOST> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("{LEAST} to {MOST}").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

/// A value and its place in the file, for mistakes that only a comparison with other values shows.
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it is: a byte offset into the text of the file.
    pub at: usize,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(from)?;
        Ok(Placed { at: spanned.span().start, value: spanned.into_inner() })
    }
}

impl<T: JsonSchema> JsonSchema for Placed<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
