//! Every source opens with a head that says what lives there, and is better a room of at most 400 lines.

use super::{Problem, code};

/// The most lines of a source, its unit tests not counted.
const ROOM: usize = 400;

/// Checks one source.
pub fn check(file: &str, text: &str) -> Option<Problem> {
    let hint = "open with `//!` and one sentence on what lives here";
    (!text.starts_with("//! ")).then(|| Problem::new(file, 1, "no head", hint))
}

/// What to look at in one source: advice, which may have its reasons not to be taken.
pub fn advise(file: &str, text: &str) -> Option<Problem> {
    let lines = lines_without_tests(text);
    let what = format!("{lines} lines besides tests, more than {ROOM}");
    let hint = "look for the second noun and give it a file of its own";
    (lines > ROOM && !is_tests(file)).then(|| Problem::new(file, None, what, hint))
}

/// Whether a source is all tests or benchmarks: those are tables, and may be as long as the rules they go through.
pub fn is_tests(file: &str) -> bool {
    file.split('/').any(|part| ["tests", "tests.rs", "benches"].contains(&part))
}

/// The lines of a source without its `#[cfg(test)] mod … { … }`.
fn lines_without_tests(text: &str) -> usize {
    let tests: usize = test_modules(&code::without_comments(text)).map(|(_, block)| block.lines().count()).sum();
    text.lines().count() - tests
}

/// `code`, whose comments are blanked, with what stands in its `#[cfg(test)] mod … { … }` blanked as well.
pub fn without_tests(code: &str) -> String {
    let mut left = code.to_string();
    // Braces in strings would end a module too soon.
    for (start, block) in test_modules(&code::without_comments(code)) {
        left.replace_range(start..start + block.len(), &code::blank(block));
    }
    left
}

/// Each `#[cfg(test)] mod … { … }` of `code`, whose comments and strings are blanked, and where it begins.
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

/// Splits behind the item that `text` begins with: behind its last brace, or its semicolon.
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
    fn check_head(file: &str, text: &str, is_there: bool) {
        assert_eq!(check(file, text).is_none(), is_there, "{file}");
    }

    #[track_caller]
    fn check_room(file: &str, text: &str, is_enough: bool) {
        assert_eq!(advise(file, text).is_none(), is_enough, "{file}");
    }

    #[test]
    fn a_source_has_a_head() {
        check_head("src/lib.rs", "//! Rules.\n", true);
        check_head("src/lib.rs", "", false);
        check_head("src/lib.rs", "// Rules.\n", false);
        check_head("src/lib.rs", "//!\n", false);
        check_head("tests/main.rs", "use std::fs;\n//! Late.\n", false);
    }

    #[test]
    fn a_room_has_400_lines_besides_its_tests() {
        let code = |lines: usize| format!("//! Head.\n{}", "f();\n".repeat(lines - 1));
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() { \"}\"; }\n".repeat(300));
        check_room("src/lib.rs", &code(400), true);
        check_room("src/lib.rs", &code(401), false);
        check_room("src/lib.rs", &(code(400) + &tests), true);
        check_room("src/lib.rs", &(code(401) + &tests), false);
        check_room("src/lib.rs", &(code(397) + &tests + "f();\nf();\nf();\n"), true);
        check_room("src/lib.rs", &(code(398) + &tests + "f();\nf();\nf();\n"), false);
        check_room("tests/main.rs", &code(900), true);
        check_room("src/games/boxing/tests.rs", &code(900), true);
    }

    #[test]
    fn tests_in_a_file_of_their_own_take_no_lines_with_them() {
        let text = format!("//! Head.\n#[cfg(test)]\nmod tests;\n{}", "fn f() {}\n".repeat(398));
        check_room("src/lib.rs", &text, false);
    }
}
