//! Every source opens with a head that says what lives there, and is a room of at most 400 lines.

use super::{Problem, code};

/// The most lines of a source, its unit tests not counted.
const ROOM: usize = 400;

/// Checks one source.
pub fn check(file: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !text.starts_with("//! ") {
        let hint = "open with `//!` and one sentence on what lives here";
        problems.push(Problem::new(file, 1, "no head", hint));
    }
    let lines = lines_without_tests(text);
    if lines > ROOM && !is_tests(file) {
        let what = format!("{lines} lines besides tests, more than {ROOM}");
        problems.push(Problem::new(file, None, what, "look for the second noun and give it a file of its own"));
    }
    problems
}

/// Tests and benchmarks are tables, and may be as long as the rules they go through.
fn is_tests(file: &str) -> bool {
    file.split('/').any(|part| ["tests", "tests.rs", "benches"].contains(&part))
}

/// The lines of a source without its `#[cfg(test)] mod … { … }`.
fn lines_without_tests(text: &str) -> usize {
    let code = code::without_comments(text);
    let mut lines = text.lines().count();
    let mut rest = code.as_str();
    while let Some(start) = rest.find("#[cfg(test)]") {
        let (block, after) = first_item(&rest[start..]);
        if block.contains("mod ") && block.ends_with('}') {
            lines -= block.lines().count();
        }
        rest = after;
    }
    lines
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

    fn check_problems(file: &str, text: &str, due: usize) {
        assert_eq!(check(file, text).len(), due, "{file}");
    }

    #[test]
    fn a_source_has_a_head() {
        check_problems("src/lib.rs", "//! Rules.\n", 0);
        check_problems("src/lib.rs", "", 1);
        check_problems("src/lib.rs", "// Rules.\n", 1);
        check_problems("src/lib.rs", "//!\n", 1);
        check_problems("tests/main.rs", "use std::fs;\n//! Late.\n", 1);
    }

    #[test]
    fn a_room_has_400_lines_besides_its_tests() {
        let code = |lines: usize| format!("//! Head.\n{}", "f();\n".repeat(lines - 1));
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() { \"}\"; }\n".repeat(300));
        check_problems("src/lib.rs", &code(400), 0);
        check_problems("src/lib.rs", &code(401), 1);
        check_problems("src/lib.rs", &(code(400) + &tests), 0);
        check_problems("src/lib.rs", &(code(401) + &tests), 1);
        check_problems("src/lib.rs", &(code(397) + &tests + "f();\nf();\nf();\n"), 0);
        check_problems("src/lib.rs", &(code(398) + &tests + "f();\nf();\nf();\n"), 1);
        check_problems("tests/main.rs", &code(900), 0);
        check_problems("src/games/boxing/tests.rs", &code(900), 0);
    }

    #[test]
    fn tests_in_a_file_of_their_own_take_no_lines_with_them() {
        let text = format!("//! Head.\n#[cfg(test)]\nmod tests;\n{}", "fn f() {}\n".repeat(398));
        check_problems("src/lib.rs", &text, 1);
    }
}
