//! Patterns of paths such as `bots/*.py`: `*` is any part of a name, `?` any one character.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether `spec` is a pattern.
pub fn is_one(spec: &str) -> bool {
    spec.contains(['*', '?'])
}

/// The paths that a pattern means, counted from `folder`, by name: how they would be named singly, and where they
/// are. One without a star or question mark means itself, whether it is there or not.
pub fn paths(folder: &Path, pattern: &str) -> Vec<(String, PathBuf)> {
    let lead = if pattern.starts_with('/') { "/" } else { "" };
    let mut found = vec![(String::new(), folder.join(lead))];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        found = found.iter().flat_map(|(spec, path)| step(spec, path, part)).collect();
    }
    found.into_iter().map(|(spec, path)| (format!("{lead}{spec}"), path)).collect()
}

/// What `part` means in the folder `path`.
fn step(spec: &str, path: &Path, part: &str) -> Vec<(String, PathBuf)> {
    let names = if is_one(part) { names_like(path, part) } else { vec![part.to_string()] };
    let sep = if spec.is_empty() { "" } else { "/" };
    names.into_iter().map(|name| (format!("{spec}{sep}{name}"), path.join(&name))).collect()
}

fn names_like(folder: &Path, part: &str) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut like: Vec<String> = names.filter(|name| !name.starts_with('.') && fits(name, part)).collect();
    like.sort();
    like
}

/// Whether a name fits a pattern.
fn fits(name: &str, pattern: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return name.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let mut name_rest = name.chars();
    match first {
        '*' => name.char_indices().any(|(at, _)| fits(&name[at..], rest)) || fits("", rest),
        '?' => name_rest.next().is_some() && fits(name_rest.as_str(), rest),
        letter => name_rest.next() == Some(letter) && fits(name_rest.as_str(), rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_anything_and_a_question_mark_one_character() {
        for (name, pattern) in
            [("gull.py", "*.py"), ("gull.py", "g*l.??"), ("gull.py", "*"), ("é", "?"), ("a", "a*")]
        {
            assert!(fits(name, pattern), "{name} {pattern}");
        }
        for (name, pattern) in
            [("gull.py", "*.p"), ("gull.py", "gull"), ("gull", "gull?"), ("", "?"), ("ab", "b*")]
        {
            assert!(!fits(name, pattern), "{name} {pattern}");
        }
    }
}
