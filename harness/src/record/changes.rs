//! Compares the files that a record was created with to the present ones.

use super::Header;
use similar::TextDiff;

/// Keys of a contest file that do not affect which games are played or how they end.
const IGNORED: [&str; 1] = ["workers"];

/// The unified diff from `then` to `now`, two TOML texts; `None` if they differ at most in comments, white space and
/// the number of workers.
pub fn diff_of_files(then: &str, now: &str) -> Option<String> {
    let meaning = |text: &str| {
        let mut table: toml::Table = toml::from_str(text).ok()?;
        IGNORED.iter().for_each(|key| drop(table.remove(*key)));
        Some(table)
    };
    let same = then == now || meaning(then).is_some_and(|then| Some(then) == meaning(now));
    (!same).then(|| diff(then, now))
}

impl Header {
    /// Whether the contest file was this `text`, apart from what [`diff_of_files`] ignores.
    pub(crate) fn has_same_contest_text(&self, text: &str) -> bool {
        diff_of_files(&self.contest_text, text).is_none()
    }
}

/// The unified diff from `then` to `now`.
pub fn diff(then: &str, now: &str) -> String {
    let text = TextDiff::from_lines(then, now);
    text.unified_diff().context_radius(1).header("as recorded", "now").missing_newline_hint(false).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(then: &str, now: &str, wanted: Option<&str>) {
        assert_eq!(diff_of_files(then, now).as_deref(), wanted);
    }

    #[test]
    fn comments_and_the_number_of_workers_may_change() {
        check("seed = 1\n", "seed = 1\n", None);
        check("seed = 1\nworkers = 2\n", "# a comment\nworkers = 3\nseed=1", None);
    }

    #[test]
    fn other_changes_are_shown_as_a_diff() {
        check("seed = 1\n", "seed = 2\n", Some("--- as recorded\n+++ now\n@@ -1 +1 @@\n-seed = 1\n+seed = 2\n"));
        check("", "seed = 2", Some("--- as recorded\n+++ now\n@@ -0,0 +1 @@\n+seed = 2\n"));
    }
}
