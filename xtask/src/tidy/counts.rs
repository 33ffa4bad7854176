//! Counts what shows whether the code keeps to the field's idiom and to rooms worth a name. They are printed, not
//! judged: a change that makes one of them worse should have a reason.

use super::{code, rooms};
use std::fmt;

/// Counts over the product's source files, without tests and benchmarks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The lines of each file.
    lines: Vec<usize>,
    /// `let (a, b) = (x, y);`, which is better a `let` a line.
    paired_lets: usize,
    /// Constructors that do not say from what.
    fn_of: usize,
    /// Items that are public, and those that are public in their crate or module only.
    public: [usize; 2],
}

impl Counts {
    /// Adds a source file.
    pub fn add(&mut self, file: &str, text: &str) {
        if rooms::is_tests(file) {
            return;
        }
        let code = rooms::without_tests(&code::without_comments(text));
        self.lines.push(text.lines().count());
        for line in code.lines().map(str::trim_start) {
            let is_paired = line.starts_with("let (") && line.contains(") = (") && line.ends_with(");");
            self.paired_lets += usize::from(is_paired);
            self.fn_of += usize::from(line.contains("fn of(") || line.contains("fn of<"));
            let [public, within] = &mut self.public;
            *public += usize::from(line.starts_with("pub "));
            *within += usize::from(line.starts_with("pub("));
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut lines = self.lines.clone();
        lines.sort_unstable();
        let median = lines.get(lines.len() / 2).copied().unwrap_or_default();
        let short = lines.iter().filter(|&&lines| lines < rooms::SLIVER).count();
        let [public, within] = self.public;
        writeln!(
            f,
            "{} lines in {} files, median {median}, {short} under {}",
            lines.iter().sum::<usize>(),
            lines.len(),
            rooms::SLIVER
        )?;
        write!(f, "{} paired lets; {} `fn of`; {public} `pub`, {within} `pub(…)`", self.paired_lets, self.fn_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_counted_without_comments_and_tests() {
        let text = "//! let (a, b) = (1, 2);\npub fn of(a: u8) {\n    let (b, c) = (a, a);\n}\npub(crate) struct X;\n\
                    #[cfg(test)]\nmod tests {\n    pub fn of() {}\n}\n";
        let mut counts = Counts::default();
        counts.add("src/lib.rs", text);
        counts.add("tests/main.rs", text);
        assert_eq!(counts, Counts { lines: vec![9], paired_lets: 1, fn_of: 1, public: [1, 1] });
    }
}
