//! The version of the program that runs, which records, pages and messages name.

use std::sync::OnceLock;

static PROGRAM: OnceLock<&'static str> = OnceLock::new();

/// Names the program's version with its commit, which only the program itself knows: libraries are not built anew for
/// each commit. Only the first call counts.
pub fn set(version: &'static str) {
    PROGRAM.get_or_init(|| version);
}

/// The version that the program has [set], or else that of this library: `0.1.0+039a2ca41c6e`.
pub fn get() -> &'static str {
    PROGRAM.get().unwrap_or(&env!("CARGO_PKG_VERSION"))
}
