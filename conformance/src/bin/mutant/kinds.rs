//! A kind of mutant: what is wrong with it, and the ids of the checks that fail because of it, and no others.
//!
//! Each game's folder has a list of its kinds: plain data, so that tests of the suite can include these files.

/// One kind of mutant.
pub struct Kind {
    /// Its name, the program's first argument.
    pub name: &'static str,
    /// What is wrong with it.
    pub fault: &'static str,
    /// The ids of all checks that fail; none for a bot that must pass.
    pub expect: &'static [&'static str],
}

/// A kind, by name, fault and failing checks.
pub const fn kind(name: &'static str, fault: &'static str, expect: &'static [&'static str]) -> Kind {
    Kind { name, fault, expect }
}
