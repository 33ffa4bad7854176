//! How bytes and paths are serialized in messages.

/// Serializes bytes as postcard's byte strings, which are copied as a whole. Postcard would handle a plain `Vec<u8>`
/// byte by byte.
pub(crate) mod bytes {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    /// Serializes `bytes` as one byte string, for `#[serde(with = "bytes")]`.
    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    /// Reads a byte string back, for `#[serde(with = "bytes")]`.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>, B: From<Vec<u8>>>(
        deserializer: D,
    ) -> Result<B, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        deserializer.deserialize_byte_buf(Bytes).map(B::from)
    }
}

/// Serializes paths as their bytes, which need not be UTF-8.
pub(crate) mod paths {
    use super::bytes;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::PathBuf;
    use std::slice;

    #[derive(Serialize, Deserialize)]
    struct Raw(#[serde(with = "bytes")] Vec<u8>);

    /// A field that contains paths: one, an optional one, or several.
    pub(crate) trait Paths: Sized {
        /// All paths of the field.
        fn as_slice(&self) -> &[PathBuf];
        /// The field with these paths; `None` if one is missing.
        fn from_paths(paths: Vec<PathBuf>) -> Option<Self>;
    }

    impl Paths for PathBuf {
        fn as_slice(&self) -> &[PathBuf] {
            slice::from_ref(self)
        }

        fn from_paths(mut paths: Vec<PathBuf>) -> Option<PathBuf> {
            paths.pop()
        }
    }

    impl Paths for Option<PathBuf> {
        fn as_slice(&self) -> &[PathBuf] {
            self.as_slice()
        }

        fn from_paths(mut paths: Vec<PathBuf>) -> Option<Option<PathBuf>> {
            Some(paths.pop())
        }
    }

    impl Paths for Vec<PathBuf> {
        fn as_slice(&self) -> &[PathBuf] {
            self
        }

        fn from_paths(paths: Vec<PathBuf>) -> Option<Vec<PathBuf>> {
            Some(paths)
        }
    }

    /// Serializes the paths as byte strings, for `#[serde(with = "paths")]`.
    pub(crate) fn serialize<S: Serializer, P: Paths>(paths: &P, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.as_slice().iter().map(|path| Raw(path.as_os_str().as_bytes().to_vec())))
    }

    /// Reads the paths back, for `#[serde(with = "paths")]`.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>, P: Paths>(deserializer: D) -> Result<P, D::Error> {
        let raw = Vec::<Raw>::deserialize(deserializer)?;
        let paths = raw.into_iter().map(|Raw(bytes)| OsString::from_vec(bytes).into()).collect();
        P::from_paths(paths).ok_or_else(|| serde::de::Error::custom("a path is missing"))
    }
}
