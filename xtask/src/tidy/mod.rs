//! Checks promises of the architecture that the compiler cannot check: which package uses which, where games are named,
//! that files have a head, that documents name files that exist, that every dependency has a reason, and so on.
//!
//! Each check is a function of what was read, such as a file's name and text, so that a test can see it fail. Only
//! [`run`] reads files.

mod names;
mod packages;
mod sources;

use anyhow::Context;
use sources::Counts;
use std::fmt;
use std::path::{Path, PathBuf};

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, from the root of the repository, with `/` between folders.
    pub file: String,
    /// The line, from 1, if it is on one.
    pub line: Option<usize>,
    pub what: String,
    pub hint: &'static str,
}

impl Problem {
    fn new(file: &str, line: impl Into<Option<usize>>, what: impl Into<String>, hint: &'static str) -> Problem {
        Problem { file: file.to_owned(), line: line.into(), what: what.into(), hint }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}; {}", self.what, self.hint)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct TidyFindings {
    pub problems: Vec<Problem>,
    pub counts: Counts,
}

/// Folders of data whose files are not checked, even if they look like sources.
const DATA_FOLDERS: &[&str] = &["cases", "data", "golden", "snapshots", "specimens", "templates"];

/// The documents outside `docs/` in which names of files are checked.
const DOCUMENTS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];

/// Checks the repository with the top folder `root`.
pub fn run(root: &Path) -> anyhow::Result<TidyFindings> {
    let files = files_under(root)?;
    let read =
        |file: &str| std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"));
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("cannot run `cargo metadata`")?;
    let mut problems = packages::check_uses(&metadata, root);

    let mut counts = Counts::default();
    let ids = sources::game_ids(&files);
    for file in files.iter().filter(|file| file.ends_with(".rs") && !is_data(file)) {
        let text = read(file)?;
        problems.extend(sources::check(file, &text, &ids));
        counts.add(file, &text);
    }
    let is_manifest = |file: &str| file == "Cargo.toml" || file.ends_with("/Cargo.toml");
    for file in files.iter().filter(|file| is_manifest(file) && !is_data(file)) {
        problems.extend(packages::check_manifest(file, &read(file)?));
    }
    for &document in DOCUMENTS {
        if !files.iter().any(|file| file == document) {
            let hint = "write it: readers look for it first";
            problems.push(Problem::new(document, None, "the file does not exist", hint));
        }
    }
    let is_document = |file: &str| DOCUMENTS.contains(&file) || file.starts_with("docs/") && file.ends_with(".md");
    for file in files.iter().filter(|file| is_document(file)) {
        let text = read(file)?;
        problems.extend(names::check(file, &text, &files));
        if file == "docs/requirements.md" {
            problems.extend(names::check_requirements(file, &text));
        }
    }
    problems.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Ok(TidyFindings { problems, counts })
}

fn is_data(file: &str) -> bool {
    file.split('/').any(|folder| DATA_FOLDERS.contains(&folder))
}

/// All files of the repository except links and what is in the top folders `target` and `.git`, sorted.
fn files_under(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let shown = root.join(&folder);
        let entries = std::fs::read_dir(&shown).with_context(|| format!("cannot list {}", shown.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", shown.display()))?;
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            match entry.file_type().with_context(|| format!("cannot examine {name}"))? {
                kind if kind.is_dir() && name != "target" && name != ".git" => folders.push(path),
                kind if kind.is_file() => files.push(name),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_formatted_like_a_compiler_error() {
        let problem = Problem::new("src/lib.rs", 3, "a float", "use integers");
        assert_eq!(problem.to_string(), "src/lib.rs:3: a float; use integers");
        assert_eq!(Problem { line: None, ..problem }.to_string(), "src/lib.rs: a float; use integers");
    }

    #[test]
    fn folders_of_data_are_not_sources() {
        assert!(is_data("reference-bots/templates/rust/src/main.rs"));
        assert!(!is_data("conformance/src/cases.rs"));
    }

    #[test]
    fn a_repository_is_checked_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "[package]\nname = \"cornerman\"\nedition = \"2024\"\n\n[workspace]\n");
        write("src/lib.rs", "//! Rules.\n#![no_std]\n");
        write("src/games/nim.rs", "//! Nim.\n");
        write("target/debug/build/built.rs", "fn built() {}\n");
        for document in DOCUMENTS {
            write(document, "See `src/lib.rs`.\n");
        }
        assert_eq!(run(folder.path()).unwrap().problems, []);

        write("src/lib.rs", "//! Rules.\n\nuse games::nim;\n");
        write("README.md", "See `src/game.rs`.\n");
        std::fs::remove_file(folder.path().join("CONTRIBUTING.md")).unwrap();
        let found: Vec<String> =
            run(folder.path()).unwrap().problems.iter().map(|p| format!("{}:{:?}", p.file, p.line)).collect();
        assert_eq!(found, ["CONTRIBUTING.md:None", "README.md:Some(1)", "src/lib.rs:None", "src/lib.rs:Some(3)"]);
    }
}
