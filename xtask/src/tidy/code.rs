//! Blanks the comments and strings of Rust source text, so that only code is searched.

use super::Problem;

/// The root of the rules crate.
const RULES_ROOT: &str = "src/lib.rs";

/// Checks that the rules crate is `no_std`, and so has no access to clocks, files and processes.
pub fn check(file: &str, text: &str) -> Option<Problem> {
    let is_wrong = file == RULES_ROOT && !without_comments(text).contains("#![no_std]");
    is_wrong.then(|| Problem::new(file, None, "has no `#![no_std]`", "add it below the head"))
}

/// `text` with comments and strings blanked.
pub fn without_comments(text: &str) -> String {
    blanked(text, true)
}

/// `text` with comments blanked.
pub fn with_strings(text: &str) -> String {
    blanked(text, false)
}

/// `text` with every byte but newlines replaced by a space, so that positions and line numbers stay the same.
pub fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

fn blanked(text: &str, strings: bool) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let quoted = || if after_word { None } else { raw_string(rest) };
        let quoted = || quoted().or_else(|| string(rest)).or_else(|| character(rest));
        let found =
            comment(rest).map(|length| (length, true)).or_else(|| quoted().map(|length| (length, strings)));
        match found {
            Some((length, is_blank)) => {
                let (hidden, after) = rest.split_at(length);
                if is_blank {
                    code += &blank(hidden);
                } else {
                    code += hidden;
                }
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

/// The length of the comment at the start of `text`.
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

/// The length of the raw string literal at the start of `text`.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| text.starts_with(prefix))?;
    let opening = &text[prefix.len()..];
    let hashes = opening.bytes().take_while(|&b| b == b'#').count();
    let body = opening[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = text.len() - body.len();
    Some(body.find(&end).map_or(text.len(), |at| start + at + end.len()))
}

/// The length of the string literal at the start of `text`.
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

/// The length of the character literal, but not of a lifetime, at the start of `text`.
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

    #[track_caller]
    fn check_words(text: &str, line: Option<usize>) {
        let code = without_comments(text);
        assert_eq!(code.len(), text.len(), "{text}");
        let found = code.lines().position(|line| line.contains("word")).map(|at| at + 1);
        assert_eq!(found, line, "{text}");
    }

    #[test]
    fn a_word_in_a_comment_or_string_is_not_code() {
        for text in [
            "// word",
            "/* a /* b */ word */",
            "\"word\"",
            "\"é word\"",
            r#""\" word""#,
            "r\"\\\" ; \"word\"",
            "r#\"\" word\"#",
            "br##\"\"# word\"##",
            "b\"word\"",
            "'\"'; \"word\"",
            "'\\''; \"word\"",
            "b'\\\\'; \"word\"",
        ] {
            check_words(text, None);
        }
    }

    #[test]
    fn code_after_a_comment_or_string_is_code() {
        for text in [
            "\n/* a /* b */ c */ word {}",
            "// \"\nword {}",
            "\"a\n\"; word {}",
            "'a: loop {}\nfn f<'a>() { word {} }",
            "let c = '\"';\nword {}",
            "r#\"\n\"#; word {}",
            "let bar = \"\\\\\";\nword {}",
        ] {
            check_words(text, Some(2));
        }
    }

    #[test]
    fn the_rules_must_be_no_std() {
        let is_wrong = |file: &str, text: &str| check(file, text).is_some();
        assert!(is_wrong("src/lib.rs", "//! A.\n// #![no_std]\n"));
        assert!(!is_wrong("src/lib.rs", "//! A.\n#![no_std]\n"));
        assert!(!is_wrong("sandbox/src/lib.rs", "//! A.\n"));
    }
}
