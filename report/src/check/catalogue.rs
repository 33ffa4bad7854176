//! The checks of a catalogue in words.

use cornerman_conformance::{Catalogue, Check};

/// A line for each check of `catalogue`: id, severity, requirement, title.
pub fn list(catalogue: &Catalogue) -> String {
    let line =
        |check: &Check| format!("{:17} {:6} {:6} {}\n", check.id, check.severity, check.requirement, check.title);
    catalogue.checks.iter().map(line).collect()
}

/// Explains a check: the rule, what is expected, and how to fix a bot that fails.
pub fn explain(check: &Check) -> String {
    let Check { id, severity, requirement, title, rule, expected, hint, hints, .. } = check;
    let own = hints.iter().map(|(language, hint)| format!("in {:9} {hint}\n", language.title()));
    format!(
        "{id}: {title}\n\nseverity     {severity}\nrequirement  {requirement}\nrule         {rule}\nexpected     \
         {expected}\nhint         {hint}\n{}",
        own.collect::<String>()
    )
}
