//! Serializes paths as their bytes, which need not be UTF-8.

use super::bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

#[derive(Serialize, Deserialize)]
struct Raw(#[serde(with = "bytes")] Vec<u8>);

impl From<&PathBuf> for Raw {
    fn from(path: &PathBuf) -> Raw {
        Raw(path.as_os_str().as_bytes().to_vec())
    }
}

impl From<Raw> for PathBuf {
    fn from(raw: Raw) -> PathBuf {
        OsString::from_vec(raw.0).into()
    }
}

/// A field that contains paths: one, an optional one, or several.
pub(crate) trait Paths: Sized {
    /// All paths of the field.
    fn paths(&self) -> impl Iterator<Item = &PathBuf>;
    /// The field with these paths; `None` if one is missing.
    fn from_paths(paths: impl Iterator<Item = PathBuf>) -> Option<Self>;
}

impl Paths for PathBuf {
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(self)
    }

    fn from_paths(mut paths: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
        paths.next()
    }
}

impl Paths for Option<PathBuf> {
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.iter()
    }

    fn from_paths(mut paths: impl Iterator<Item = PathBuf>) -> Option<Option<PathBuf>> {
        Some(paths.next())
    }
}

impl Paths for Vec<PathBuf> {
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.iter()
    }

    fn from_paths(paths: impl Iterator<Item = PathBuf>) -> Option<Vec<PathBuf>> {
        Some(paths.collect())
    }
}

/// Serializes the paths as byte strings, for `#[serde(with = "paths")]`.
pub(crate) fn serialize<S: Serializer, P: Paths>(paths: &P, serializer: S) -> Result<S::Ok, S::Error> {
    paths.paths().map(Raw::from).collect::<Vec<_>>().serialize(serializer)
}

/// Reads the paths back, for `#[serde(with = "paths")]`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, P: Paths>(deserializer: D) -> Result<P, D::Error> {
    let raw = Vec::<Raw>::deserialize(deserializer)?;
    P::from_paths(raw.into_iter().map(PathBuf::from)).ok_or_else(|| serde::de::Error::custom("a path is missing"))
}
