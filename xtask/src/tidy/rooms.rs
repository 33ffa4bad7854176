//! Checks that every source file begins with a head that says what is in it, and is not too long.

use super::{Problem, code};

/// The most lines of a source file, without its unit tests.
const ROOM: usize = 700;

/// A file of fewer lines is probably a part of another topic.
pub const SLIVER: usize = 60;

/// Checks that a source file has a head.
pub fn check_head(file: &str, text: &str) -> Option<Problem> {
    let hint = "begin the file with `//!` and a sentence that says what is in it";
    (!text.starts_with("//! ")).then(|| Problem::new(file, 1, "no head", hint))
}

/// Checks that a source file is not too long.
pub fn check_length(file: &str, text: &str) -> Option<Problem> {
    let lines = lines_without_tests(text);
    let what = format!("{lines} lines without tests, more than {ROOM}");
    let hint = "find a second topic in it, and move it to a file of its own";
    (lines > ROOM && !is_tests(file)).then(|| Problem::new(file, None, what, hint))
}

/// Whether a source file is all tests or benchmarks. Such files are mostly tables, and may be long.
pub fn is_tests(file: &str) -> bool {
    file.split('/').any(|part| ["tests", "tests.rs", "benches"].contains(&part))
}

/// The number of lines of a source file, without its `#[cfg(test)] mod … { … }`.
fn lines_without_tests(text: &str) -> usize {
    let tests: usize = test_modules(&code::without_comments(text)).map(|(_, block)| block.lines().count()).sum();
    text.lines().count() - tests
}

/// `code`, whose comments are already blanked, with each `#[cfg(test)] mod … { … }` blanked as well.
pub fn without_tests(code: &str) -> String {
    let mut left = code.to_string();
    // Strings are blanked for the search, because a brace in one would end a module too soon.
    for (start, block) in test_modules(&code::without_comments(code)) {
        left.replace_range(start..start + block.len(), &code::blank(block));
    }
    left
}

/// Each `#[cfg(test)] mod … { … }` of `code`, whose comments and strings are already blanked, with its start.
fn test_modules(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(start) = code[at..].find("#[cfg(test)]").map(|found| at + found) {
            let (block, _) = first_item(&code[start..]);
            at = start + block.len();
            if block.contains("mod ") && block.ends_with('}') {
                return Some((start, block));
            }
        }
        None
    })
}

/// Splits `text` behind its first item, which ends with its closing brace or with a semicolon.
fn first_item(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (c == '}' || c == ';') {
            return text.split_at(at + 1);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, text: &str, is_there: bool) {
        assert_eq!(check_head(file, text).is_none(), is_there, "{file}");
    }

    #[track_caller]
    fn check_room(file: &str, text: &str, is_enough: bool) {
        assert_eq!(check_length(file, text).is_none(), is_enough, "{file}");
    }

    #[test]
    fn a_source_file_needs_a_head() {
        check("src/lib.rs", "//! Rules.\n", true);
        check("src/lib.rs", "", false);
        check("src/lib.rs", "// Rules.\n", false);
        check("src/lib.rs", "//!\n", false);
        check("tests/main.rs", "use std::fs;\n//! Late.\n", false);
    }

    #[test]
    fn more_than_700_lines_without_tests_are_too_many() {
        let code = |lines: usize| format!("//! Head.\n{}", "f();\n".repeat(lines - 1));
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() { \"}\"; }\n".repeat(300));
        check_room("src/lib.rs", &code(700), true);
        check_room("src/lib.rs", &code(701), false);
        check_room("src/lib.rs", &(code(700) + &tests), true);
        check_room("src/lib.rs", &(code(701) + &tests), false);
        check_room("src/lib.rs", &(code(697) + &tests + "f();\nf();\nf();\n"), true);
        check_room("src/lib.rs", &(code(698) + &tests + "f();\nf();\nf();\n"), false);
        check_room("tests/main.rs", &code(900), true);
        check_room("src/games/boxing/tests.rs", &code(900), true);
    }

    #[test]
    fn a_test_module_in_another_file_takes_no_lines_away() {
        let text = format!("//! Head.\n#[cfg(test)]\nmod tests;\n{}", "fn f() {}\n".repeat(698));
        check_room("src/lib.rs", &text, false);
    }
}
