//! Reading TOML files that people write: each mistake is reported with its file and its line, an unknown key also with
//! the nearest known one.

use crate::nearest::{did_you_mean, did_you_mean_file};
use crate::text::Reason;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use std::borrow::Cow;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

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

/// Why a file that a user names cannot be used. `what` is what the file should be, such as `ruleset`.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is no such file.
    #[error("no such {what}: {name}{hint}")]
    Missing {
        /// What it should be.
        what: &'static str,
        /// The name that was given.
        name: String,
        /// ` (did you mean …?)`, or another hint, such as what exists; may be empty.
        hint: String,
    },
    /// It cannot be read.
    #[error("cannot read the {what} {}", path.display())]
    Unreadable {
        /// What it should be.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It has mistakes.
    #[error("{}", .0.iter().map(Mistake::to_string).collect::<Vec<_>>().join("\n"))]
    Wrong(Vec<Mistake>),
    /// It is of another kind, or cannot be used for another reason.
    #[error(transparent)]
    Unusable(#[from] Reason),
}

impl From<Mistake> for FileError {
    fn from(mistake: Mistake) -> FileError {
        FileError::Wrong(vec![mistake])
    }
}

/// The text of the TOML file at `path`, which should be a `what`.
///
/// # Errors
/// Those of [`read_file`]; or if the file is an SQLite file, as records are.
pub fn read_toml(what: &'static str, path: &Path) -> Result<String, FileError> {
    if is_record(path) {
        let shown = path.display();
        return Err(
            Reason(format!("{shown} is a record, which `standings` shows; a {what} is a TOML file")).into()
        );
    }
    read_file(what, path, |path| fs::read_to_string(path))
}

/// Whether the file at `path` begins like one of SQLite.
fn is_record(path: &Path) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let mut begin = [0; MAGIC.len()];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == MAGIC
}

/// Reads the file at `path`, which should be a `what`, by `read`.
///
/// # Errors
/// If the file cannot be read, or does not exist; then with the most similar file that does.
pub(crate) fn read_file<T>(
    what: &'static str,
    path: &Path,
    read: impl FnOnce(&Path) -> io::Result<T>,
) -> Result<T, FileError> {
    read(path).map_err(|source| {
        if path.exists() {
            FileError::Unreadable { what, path: path.into(), source }
        } else {
            FileError::Missing { what, name: path.display().to_string(), hint: did_you_mean_file(path) }
        }
    })
}

/// All values, or else all mistakes.
pub(crate) fn all_of<T>(each: impl IntoIterator<Item = Result<T, Mistake>>) -> Result<Vec<T>, Vec<Mistake>> {
    let mut values = Vec::new();
    let mut mistakes = Vec::new();
    for one in each {
        match one {
            Ok(value) => values.push(value),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(values) } else { Err(mistakes) }
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
        let at = wrong.span().map_or(0, |span| span.start);
        let key = self.key_before(at).filter(|_| message.contains(" is out of range: "));
        let key = key.map_or(String::new(), |key| format!("{key}: "));
        self.mistake(at, format!("{key}{message}{hint}"))
    }

    /// The key whose value, or a part of it, is at byte `at`; `None` if it is not in the same line.
    fn key_before(&self, at: usize) -> Option<&str> {
        let line = self.text.get(..at)?.rsplit('\n').next()?;
        let (before, _) = line.rsplit_once('=')?;
        before.split([' ', ',', '{']).rfind(|word| !word.is_empty())
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
