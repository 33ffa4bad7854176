//! Compares the files that a record was created with to the present ones.

use super::{EntrantRecord, Header, Record, RecordError};
use serde_json::Value;
use similar::TextDiff;

/// Keys of a contest file that do not affect which games are played or how they end.
const IGNORED: [&str; 1] = ["workers"];

/// Keys of stages whose numbers may be raised while the contest is under way, because a greater one only allows more
/// (B12).
const RAISABLE: [&str; 1] = ["max_entrants"];

/// How a file that a record was created with has changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Not in any way that matters.
    Same,
    /// It only allows more: a number that may be raised was raised.
    AllowsMore,
    /// In another way, as this unified diff shows.
    Other(String),
}

/// The change from `then` to `now`, two TOML texts. Comments, white space and the number of workers do not matter.
pub(super) fn of_files(then: &str, now: &str) -> Change {
    let meaning = |text: &str| {
        let mut table: toml::Table = toml::from_str(text).ok()?;
        for key in &IGNORED {
            table.remove(*key);
        }
        serde_json::to_value(table).ok()
    };
    change(then, now, meaning)
}

/// The change from `then` to `now`, two JSON texts.
pub(super) fn of_json(then: &str, now: &str) -> Change {
    change(then, now, |text| serde_json::from_str(text).ok())
}

fn change(then: &str, now: &str, meaning: impl Fn(&str) -> Option<Value>) -> Change {
    match meaning(then).zip(meaning(now)) {
        _ if then == now => Change::Same,
        Some((then, now)) if then == now => Change::Same,
        Some((then, now)) if allows_more(&then, &now) => Change::AllowsMore,
        _ => Change::Other(diff(then, now)),
    }
}

/// Whether `now` differs from `then` at most in numbers that were raised.
fn allows_more(then: &Value, now: &Value) -> bool {
    match (then, now) {
        (Value::Array(then), Value::Array(now)) => {
            then.len() == now.len() && then.iter().zip(now).all(|(then, now)| allows_more(then, now))
        }
        (Value::Object(then), Value::Object(now)) => {
            let is_kept = |(key, then): (&String, &Value)| match now.get(key) {
                Some(now) if RAISABLE.contains(&key.as_str()) => then.as_u64() <= now.as_u64(),
                Some(now) => allows_more(then, now),
                None => false,
            };
            // A number that was left out had a default, which is compared in the resolved contest.
            let may_be_new = |key: &String| then.contains_key(key) || RAISABLE.contains(&key.as_str());
            then.iter().all(is_kept) && now.keys().all(may_be_new)
        }
        _ => then == now,
    }
}

/// Checks that the record was created with `header`, or one that allows less. Returns whether the new one allows more.
///
/// # Errors
/// [`RecordError::Changed`] or [`RecordError::BoardChanged`], with what differs.
pub(super) fn unchanged(record: &Record, header: &Header) -> Result<bool, RecordError> {
    let then = record.header()?;
    let mut allows_more = false;
    for (what, change) in [
        ("the contest file", of_files(&then.contest_text, &header.contest_text)),
        ("the ruleset", of_files(&then.ruleset_text, &header.ruleset_text)),
        // Another version of the kit may have other defaults for the same file.
        ("this kit's interpretation of the contest file", of_json(&then.contest_json, &header.contest_json)),
    ] {
        match change {
            Change::Same => {}
            Change::AllowsMore => allows_more = true,
            Change::Other(diff) => return Err(RecordError::Changed { path: record.path().into(), what, diff }),
        }
    }
    match (0..).zip(then.boards.iter().zip(&header.boards)).find(|(_, (then, now))| then != now) {
        Some((number, _)) => Err(RecordError::BoardChanged { path: record.path().into(), number }),
        None => Ok(allows_more),
    }
}

/// What must not change about the entrants, one line for each.
pub(super) fn identities(entrants: &[EntrantRecord]) -> String {
    let line = |(number, who): (usize, &EntrantRecord)| {
        let author = who.author.as_deref().unwrap_or("-");
        let name = &who.name;
        let spec = &who.spec;
        let role = who.role.name();
        let out = if who.out.is_some() { ", out" } else { "" };
        format!("{} {name} by {author} from {spec} ({role}{out})\n", number + 1)
    };
    entrants.iter().enumerate().map(line).collect()
}

impl Header {
    /// Whether the contest file was this `text`, apart from changes that a contest under way may have.
    pub(crate) fn has_same_contest_text(&self, text: &str) -> bool {
        !matches!(of_files(&self.contest_text, text), Change::Other(_))
    }
}

/// The unified diff from `then` to `now`.
pub(super) fn diff(then: &str, now: &str) -> String {
    let text = TextDiff::from_lines(then, now);
    text.unified_diff().context_radius(1).header("as recorded", "now").missing_newline_hint(false).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(then: &str, now: &str, wanted: Change) {
        assert_eq!(of_files(then, now), wanted, "{then}, then {now}");
    }

    fn other(diff: &str) -> Change {
        Change::Other(format!("--- as recorded\n+++ now\n{diff}"))
    }

    #[test]
    fn comments_and_the_number_of_workers_may_change() {
        check("seed = 1\n", "seed = 1\n", Change::Same);
        check("seed = 1\nworkers = 2\n", "# a comment\nworkers = 3\nseed=1", Change::Same);
    }

    #[test]
    fn other_changes_are_shown_as_a_diff() {
        check("seed = 1\n", "seed = 2\n", other("@@ -1 +1 @@\n-seed = 1\n+seed = 2\n"));
        check("", "seed = 2", other("@@ -0,0 +1 @@\n+seed = 2\n"));
    }

    #[test]
    fn the_most_entrants_of_a_stage_may_be_raised() {
        let stages = |keys: &str| format!("[[stages]]\nkind = \"permutations\"\n{keys}");
        check(&stages("max_entrants = 7"), &stages("max_entrants = 8"), Change::AllowsMore);
        check(&stages(""), &stages("max_entrants = 8"), Change::AllowsMore);
        for (then, now) in [
            ("max_entrants = 8", "max_entrants = 7"),
            ("max_entrants = 7", ""),
            ("max_entrants = 7", "max_entrants = 8\nboard = 1"),
            ("max_entrants = 7", "max_entrants = 8\n[[stages]]"),
        ] {
            let change = of_files(&stages(then), &stages(now));
            assert!(matches!(change, Change::Other(_)), "{then}, then {now}: {change:?}");
        }
    }

    #[test]
    fn a_default_that_is_raised_is_compared_in_the_resolved_contest() {
        let json =
            |most: u32| format!("{{ \"stages\": [{{ \"permutations\": {{ \"max_entrants\": {most} }} }}] }}");
        assert_eq!(of_json(&json(7), &json(7)), Change::Same);
        assert_eq!(of_json(&json(7), &json(8)), Change::AllowsMore);
        assert!(matches!(of_json(&json(7), &json(6)), Change::Other(_)));
    }
}
