//! Path patterns such as `bots/*.py`: `*` matches any part of a file name, `?` any one character.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether `spec` contains a `*` or `?`.
pub(crate) fn is_pattern(spec: &str) -> bool {
    spec.contains(['*', '?'])
}

/// The paths that match `pattern`, relative to `folder`, sorted by name. Each comes as it would be written without a
/// pattern, and as the path to open. A `pattern` without `*` and `?` yields itself, whether or not the file exists. `*`
/// and `?` do not match in names that begin with a dot.
pub(crate) fn paths(folder: &Path, pattern: &str) -> Vec<(String, PathBuf)> {
    let lead = if pattern.starts_with('/') { "/" } else { "" };
    let mut found = vec![(String::new(), folder.join(lead))];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        found = found.iter().flat_map(|(spec, path)| step(spec, path, part)).collect();
    }
    found.into_iter().map(|(spec, path)| (format!("{lead}{spec}"), path)).collect()
}

/// The files that `part`, one name of a pattern, matches in the folder `path`, which is written as `spec`. A name
/// without `*` and `?` yields itself.
fn step(spec: &str, path: &Path, part: &str) -> Vec<(String, PathBuf)> {
    let names = if is_pattern(part) { matching(path, part) } else { vec![part.to_string()] };
    let sep = if spec.is_empty() { "" } else { "/" };
    names.into_iter().map(|name| (format!("{spec}{sep}{name}"), path.join(&name))).collect()
}

/// The names in `folder` that `part` matches, sorted; none that begins with a dot.
fn matching(folder: &Path, part: &str) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.') && matches(name, part)).collect();
    names.sort();
    names
}

/// Whether `pattern` matches the whole of `name`: `*` any part of it, `?` any one character.
pub fn matches(name: &str, pattern: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return name.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let mut name_rest = name.chars();
    match first {
        '*' => name.char_indices().any(|(at, _)| matches(&name[at..], rest)) || matches("", rest),
        '?' => name_rest.next().is_some() && matches(name_rest.as_str(), rest),
        letter => name_rest.next() == Some(letter) && matches(name_rest.as_str(), rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_anything_and_a_question_mark_one_character() {
        for (name, pattern) in
            [("gull.py", "*.py"), ("gull.py", "g*l.??"), ("gull.py", "*"), ("é", "?"), ("a", "a*")]
        {
            assert!(matches(name, pattern), "{name} {pattern}");
        }
        for (name, pattern) in
            [("gull.py", "*.p"), ("gull.py", "gull"), ("gull", "gull?"), ("", "?"), ("ab", "b*")]
        {
            assert!(!matches(name, pattern), "{name} {pattern}");
        }
    }
}
