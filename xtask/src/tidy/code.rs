//! What must not stand in the code: `unsafe` outside its one module, floats in the rules; and the attributes
//! by which every crate makes the compiler hold that too.

use super::Problem;

/// The one module that may talk to the kernel: its file, and the folder of its parts.
const UNSAFE_MODULE: &str = "sandbox/src/sys";
/// The root of the crate that module is in, which cannot forbid what it allows there.
const UNSAFE_ROOT: &str = "sandbox/src/lib.rs";
/// The root of the rules.
const RULES_ROOT: &str = "src/lib.rs";

/// Checks one source.
pub fn check(file: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(without_comments(text).lines()) {
        let may_talk = file.strip_prefix(UNSAFE_MODULE).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'));
        if !may_talk && words(line).any(|word| word == "unsafe") {
            let hint = "all of it is in sandbox/src/sys, each block with its safety argument";
            problems.push(Problem::new(file, number, "`unsafe` outside its one module", hint));
        }
        if file.starts_with("src/") && (words(line).any(|word| word == "f32" || word == "f64") || has_float(line))
        {
            let hint = "count in integers: floats differ between machines";
            problems.push(Problem::new(file, number, "a float in the rules", hint));
        }
    }
    problems
}

/// Checks the root file of a library or program.
pub fn check_root(file: &str, text: &str) -> Vec<Problem> {
    let code = without_comments(text);
    let mut due = vec![if file == UNSAFE_ROOT { "#![deny(unsafe_code)]" } else { "#![forbid(unsafe_code)]" }];
    if file == RULES_ROOT {
        due.push("#![no_std]");
    }
    due.retain(|attribute| !code.contains(attribute));
    let missing = |attribute: &str| Problem::new(file, None, format!("no `{attribute}`"), "add it below the head");
    due.into_iter().map(missing).collect()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

/// Whether a number with a decimal point stands in `line`; `pair.0.1` is none, nor is `0..1`.
fn has_float(line: &str) -> bool {
    let bytes = line.as_bytes();
    (1..bytes.len().saturating_sub(1)).filter(|&at| bytes[at] == b'.').any(|point| {
        let digits = bytes[..point].iter().rev().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
        let before = (point - digits).checked_sub(1).map(|at| bytes[at]);
        let is_number = digits > 0 && !before.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_');
        is_number && bytes[point + 1].is_ascii_digit()
    })
}

/// `text` with its comments and what its strings contain blanked; lines stay where they are.
pub fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let hidden = comment(rest).or_else(|| if after_word { None } else { raw_string(rest) });
        match hidden.or_else(|| string(rest)).or_else(|| character(rest)) {
            Some(length) => {
                let (hidden, after) = rest.split_at(length);
                code.extend(hidden.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
                rest = after;
            }
            None => {
                code.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    code
}

/// The length of the comment that `text` begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.strip_prefix("/*")?;
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return Some(at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    Some(text.len())
}

/// The length of the raw string, of text or bytes, that `text` begins with.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| text.starts_with(prefix))?;
    let opening = &text[prefix.len()..];
    let hashes = opening.bytes().take_while(|&b| b == b'#').count();
    let body = opening[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = text.len() - body.len();
    Some(body.find(&end).map_or(text.len(), |at| start + at + end.len()))
}

/// The length of the string that `text` begins with.
fn string(text: &str) -> Option<usize> {
    text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    Some(text.len())
}

/// The length of the character that `text` begins with; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    let mut chars = body.char_indices();
    let end = match chars.next()?.1 {
        '\\' => body.get(2..)?.find('\'')? + 2,
        _ => chars.next().filter(|&(_, c)| c == '\'')?.0,
    };
    Some(1 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lines(file: &str, text: &str, due: &[usize]) {
        let lines: Vec<usize> = check(file, text).iter().filter_map(|problem| problem.line).collect();
        assert_eq!(lines, due, "{file}: {text}");
    }

    #[test]
    fn unsafe_lives_in_one_module() {
        let text = "fn f() {\n    unsafe { g() }\n}\n";
        check_lines("sandbox/src/sys.rs", text, &[]);
        check_lines("sandbox/src/sys/spawn.rs", text, &[]);
        check_lines("sandbox/src/system.rs", text, &[2]);
        check_lines("sandbox/src/mod.rs", text, &[2]);
        check_lines("tests/main.rs", text, &[2]);
        check_lines("xtask/src/main.rs", "unsafe fn f() {}\nunsafe impl T for U {}\n", &[1, 2]);
    }

    #[test]
    fn a_word_in_a_comment_or_string_is_no_code() {
        for text in [
            "#![forbid(unsafe_code)]",
            "// unsafe",
            "/* a /* b */ unsafe */",
            "\"unsafe\"",
            r#""\" unsafe""#,
            "r\"\\\" ; \"unsafe\"",
            "r#\"\" unsafe\"#",
            "br##\"\"# unsafe\"##",
            "b\"unsafe\"",
            "'\"'; \"unsafe\"",
            "'\\''; \"unsafe\"",
            "b'\\\\'; \"unsafe\"",
        ] {
            check_lines("xtask/src/main.rs", text, &[]);
        }
    }

    #[test]
    fn code_after_a_comment_or_string_is_code() {
        for text in [
            "\n/* a /* b */ c */ unsafe {}",
            "// \"\nunsafe {}",
            "\"a\n\"; unsafe {}",
            "'a: loop {}\nfn f<'a>() { unsafe {} }",
            "let c = '\"';\nunsafe {}",
            "r#\"\n\"#; unsafe {}",
            "let bar = \"\\\\\";\nunsafe {}",
        ] {
            check_lines("xtask/src/main.rs", text, &[2]);
        }
    }

    #[test]
    fn the_rules_have_no_floats() {
        check_lines("src/lots.rs", "fn f(x: f64) {}\nlet x = 0.5;\nlet y = 1_0.0e3;\nx as f32\n", &[1, 2, 3, 4]);
        check_lines("src/lots.rs", "// 0.5 of f64\npair.0.1\n(0..1)\n0x1f32\nbits.0[1]\n\"0.5\"\n1.max(2)\n", &[]);
        check_lines("sandbox/src/lib.rs", "fn f(x: f64) {}\n", &[]);
    }

    #[test]
    fn a_crate_has_the_compiler_forbid_unsafe() {
        let missing = |file: &str, text: &str| check_root(file, text).len();
        assert_eq!(missing("xtask/src/main.rs", "//! A.\n#![forbid(unsafe_code)]\n"), 0);
        assert_eq!(missing("xtask/src/main.rs", "//! A.\n// #![forbid(unsafe_code)]\n"), 1);
        assert_eq!(missing("xtask/src/main.rs", "//! A.\n#![deny(unsafe_code)]\n"), 1);
        assert_eq!(missing("sandbox/src/lib.rs", "//! A.\n#![deny(unsafe_code)]\n"), 0);
        assert_eq!(missing("sandbox/src/lib.rs", "//! A.\n"), 1);
        assert_eq!(missing("src/lib.rs", "//! A.\n#![forbid(unsafe_code)]\n"), 1);
        assert_eq!(missing("src/lib.rs", "//! A.\n#![no_std]\n#![forbid(unsafe_code)]\n"), 0);
    }
}
