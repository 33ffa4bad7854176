//! "Did you mean …": suggests the existing name most similar to a misspelt one.

use std::fs;
use std::path::Path;

/// The one of `names` most similar to `wanted`; `None` if none is similar.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// The least similarity that is worth a suggestion; 1 is the same name, but for capitals.
    const SIMILAR: f64 = 0.8;
    let similarity = |name: &str| strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
    let scored = names.into_iter().map(|name| (similarity(name), name));
    scored.filter(|&(score, _)| score >= SIMILAR).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// `did you mean …?` with the [`nearest`] name; `None` if there is none.
pub fn suggestion<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wanted, names).map(|name| format!("did you mean `{name}`?"))
}

/// The [`suggestion`] in brackets, for a message that it is a part of; empty if there is none.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    in_brackets(suggestion(wanted, names))
}

/// For a `path` that does not exist: the [`suggestion`] of a file in its folder, or that the folder does not exist
/// either. `None` if no file is similar.
pub fn file_suggestion(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Some(format!("the folder {} does not exist either", folder.display()));
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    suggestion(&wanted, names.iter().map(String::as_str))
}

/// The [`file_suggestion`] in brackets, for a message that it is a part of; empty if there is none.
pub fn did_you_mean_file(path: &Path) -> String {
    in_brackets(file_suggestion(path))
}

fn in_brackets(suggestion: Option<String>) -> String {
    suggestion.map_or(String::new(), |words| format!(" ({words})"))
}

/// A hint for the bot `spec`, a path from `folder` that does not exist. If `spec` looks like a command whose arguments
/// name a file, ` (did you mean …?)` with that file; otherwise the hint of [`did_you_mean_file`].
pub fn did_you_mean_bot(folder: &Path, spec: &str) -> String {
    let mut words = spec.split_whitespace().skip(1);
    match words.find(|word| folder.join(word).is_file()) {
        Some(word) => {
            format!(" (did you mean `{word}`? A bot is a path; a command is the `run` of a `bot.toml`)")
        }
        None => did_you_mean_file(&folder.join(spec)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_a_command_is_the_bot() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("jab.py"), "").unwrap();
        let check = |spec: &str, wanted: &str| {
            let hint = did_you_mean_bot(folder.path(), spec);
            assert!(hint.starts_with(wanted), "{spec}: {hint}");
        };
        check("python3 jab.py", " (did you mean `jab.py`? A bot is a path;");
        check("jap.py", " (did you mean `jab.py`?)");
        check("python3 cross.py", "");
    }

    #[test]
    fn a_typo_finds_its_name_and_nonsense_finds_none() {
        let names = ["greedy", "random", "first-fit"];
        assert_eq!(nearest("gredy", names), Some("greedy"));
        assert_eq!(nearest("firstfit", names), Some("first-fit"));
        assert_eq!(nearest("xyzzy", names), None);
    }
}
