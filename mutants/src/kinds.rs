//! A kind of mutant: its fault, and the ids of exactly the checks that fail because of it.
//!
//! Each game's folder has a list of its kinds. The lists are plain data, so that tests of the suite can include them.

/// One kind of mutant.
pub struct Kind {
    /// Its name, the program's first argument.
    pub name: &'static str,
    /// Its fault, in words.
    pub fault: &'static str,
    /// The ids of all checks that fail; empty for a bot that must pass.
    pub expect: &'static [&'static str],
}

/// A kind, by name, fault and failing checks.
pub const fn kind(name: &'static str, fault: &'static str, expect: &'static [&'static str]) -> Kind {
    Kind { name, fault, expect }
}
