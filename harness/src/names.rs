//! Names of bots and authors come from strangers: they must be short and must not alter the text around them.

use crate::text::alters_display;
use std::collections::BTreeSet;

/// The most characters that a name may have.
pub const LONGEST: usize = 100;

/// The reason why `name` is not allowed, worded to follow the name of a key; `None` if it is allowed.
pub fn problem(name: &str) -> Option<String> {
    let length = name.chars().count();
    if length > LONGEST {
        return Some(format!("has {length} characters; at most {LONGEST} are allowed"));
    }
    let character = name.chars().find(|&c| alters_display(c))?;
    let code = u32::from(character);
    Some(format!("contains the control or invisible character U+{code:04X}"))
}

/// An allowed name made from `name`: cut to [`LONGEST`] characters, each forbidden one replaced by U+FFFD.
pub fn sanitized(name: &str) -> String {
    name.chars().take(LONGEST).map(|c| if alters_display(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The names of bots, each given with its BOT argument, made unique: a name that several bots have is followed by
/// the part in which their arguments differ and, if that is not enough, by ` #2` (R3).
pub fn told_apart(bots: &[(String, String)]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut all = Vec::new();
    for (name, spec) in bots {
        let namesakes = bots.iter().filter(|(other, _)| other == name).map(|(_, spec)| spec.as_str()).collect();
        let longer = distinction(spec, namesakes).map(|words| format!("{name} ({})", sanitized(&words)));
        let whole = longer.filter(|longer| longer.chars().count() <= LONGEST).unwrap_or_else(|| name.clone());
        let numbered = (2..).map(|n| format!("{whole} #{n}"));
        let free = std::iter::once(whole.clone()).chain(numbered).find(|name| !taken.contains(name));
        let free = free.expect("some number is free");
        taken.insert(free.clone());
        all.push(free);
    }
    all
}

/// The part of the path `spec` that `paths`, which include it, do not all share: `ann` of `bots/ann/jab.py` beside
/// `bots/bob/jab.py`. `None` if all are the same.
fn distinction(spec: &str, paths: Vec<&str>) -> Option<String> {
    let paths: Vec<Vec<&str>> = paths.iter().map(|path| path.split('/').collect()).collect();
    let own: Vec<&str> = spec.split('/').collect();
    if paths.iter().all(|path| *path == own) {
        return None;
    }
    // At least one part of each path remains.
    let shortest = paths.iter().map(Vec::len).min().unwrap_or(1);
    let front = (0..shortest - 1).take_while(|&at| paths.iter().all(|path| path[at] == own[at])).count();
    let from_end = |path: &[&str], back: usize| path[path.len() - back].to_string();
    let is_common = |back: &usize| paths.iter().all(|path| from_end(path, *back) == from_end(&own, *back));
    let back = (1..shortest - front).take_while(is_common).count();
    Some(own[front..own.len() - back].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_all_scripts_are_allowed_and_control_characters_are_not() {
        for name in ["", "left-hook", "Łódź 2", "桜", "שלום", &"é".repeat(100)] {
            assert_eq!((problem(name), sanitized(name)), (None, name.to_string()));
        }
        for forbidden in ["\u{7f}", "\n", "\u{1b}", "\u{9b}", "\u{202e}", "\u{2066}", "\u{200f}", "\0"] {
            assert!(problem(&format!("a{forbidden}b")).is_some(), "{forbidden:?}");
            assert_eq!(sanitized(&format!("a{forbidden}b")), "a\u{fffd}b");
        }
        assert_eq!(problem("a\u{202e}").unwrap(), "contains the control or invisible character U+202E");
        assert_eq!(problem(&"é".repeat(101)).unwrap(), "has 101 characters; at most 100 are allowed");
        assert_eq!(sanitized(&"é".repeat(101)), "é".repeat(100));
    }

    #[test]
    fn bots_of_one_name_are_told_apart_by_their_arguments() {
        let check = |bots: &[(&str, &str)], expected: &[&str]| {
            let bots: Vec<_> = bots.iter().map(|(name, spec)| (name.to_string(), spec.to_string())).collect();
            assert_eq!(told_apart(&bots), expected);
        };
        check(&[("jab", "jab.py"), ("hook", "hook.py")], &["jab", "hook"]);
        check(
            &[("jab", "in/ann/jab.py"), ("hook", "in/hook"), ("jab", "in/bob/jab.py")],
            &["jab (ann)", "hook", "jab (bob)"],
        );
        check(&[("jab", "a/jab.py"), ("jab", "b")], &["jab (a/jab.py)", "jab (b)"]);
        check(&[("jab", "jab.py"), ("jab", "old/jab.py")], &["jab (jab.py)", "jab (old/jab.py)"]);
        check(&[("jab", "jab.py"), ("jab", "jab.py")], &["jab", "jab #2"]);
        check(
            &[("jab", "a.py"), ("jab", "a.py"), ("jab", "b.py")],
            &["jab (a.py)", "jab (a.py) #2", "jab (b.py)"],
        );
        check(&[("@greedy", "@greedy"), ("@greedy", "@greedy")], &["@greedy", "@greedy #2"]);
        let long = "x".repeat(100);
        check(&[("jab", &long), ("jab", "b")], &["jab", "jab (b)"]);
    }
}
