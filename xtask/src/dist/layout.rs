//! Lays out the files of an installation: the program, its pages for `man`, completions, documents and licences.

use super::{Release, output, write};
use anyhow::Context;
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of an installation, in a folder that takes the place of `/usr` or `~/.local`.
pub struct InstallTree {
    pub folder: PathBuf,
    /// Its files, as sorted paths in it.
    pub files: Vec<PathBuf>,
}

/// The file of the program in an [`InstallTree`].
pub const PROGRAM: &str = "bin/cornerman";

/// The completions: the shell, and where its file is.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/cornerman"),
    ("fish", "share/fish/vendor_completions.d/cornerman.fish"),
    ("zsh", "share/zsh/site-functions/_cornerman"),
];

/// The documents and examples of the checkout, with all files that contests and pages name.
const DOCUMENTS: [&str; 12] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "bots",
    "contests",
    "docs",
    "examples",
    "reference-bots/templates",
    "tests/data/records/mini.db",
    "tests/data/records/potm-finals.db",
];

/// Writes the files of an installation of `program`.
pub fn write_tree(release: &Release, program: &Path) -> anyhow::Result<InstallTree> {
    let folder = release.out.join(format!("cornerman-{}-x86_64-linux", release.version));
    let documents = folder.join("share/doc/cornerman");
    copy(program, &folder.join(PROGRAM))?;
    for (shell, file) in COMPLETIONS {
        write(&folder.join(file), output(Command::new(program).args(["completions", shell]))?)?;
    }
    let pages = folder.join("share/man/man1");
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(cornerman_cli::command(), &pages).context("writing the pages for `man`")?;
    for name in listed_documents(&release.root)? {
        let (from, to) = (release.root.join(&name), documents.join(&name));
        copy(&from, &to)?;
        if name.starts_with("docs/") && name.ends_with(".md") {
            write(&to, cornerman_cli::page(&fs::read_to_string(&from)?))?;
        }
    }
    write(&documents.join("THIRD-PARTY.txt"), licences_text(&release.metadata)?)?;
    let files = set_all_permissions(&folder)?;
    Ok(InstallTree { folder, files })
}

/// The files of [`DOCUMENTS`] that git has, as paths from the checkout at `root`.
fn listed_documents(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--"]).args(DOCUMENTS).current_dir(root);
    Ok(output(&mut list)?.lines().map(str::to_string).collect())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(Path::new("")))?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

/// Gives all files below `root` permissions that do not depend on who made them, and returns their sorted paths there.
pub fn set_all_permissions(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    set_permissions_below(root, Path::new(""), &mut files)?;
    files.sort();
    Ok(files)
}

fn set_permissions_below(root: &Path, below: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let folder = root.join(below);
    fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(&folder)? {
        let path = below.join(entry?.file_name());
        if root.join(&path).is_dir() {
            set_permissions_below(root, &path, files)?;
        } else {
            let mode = fs::metadata(root.join(&path))?.permissions().mode();
            let mode = if mode & 0o100 != 0 { 0o755 } else { 0o644 };
            fs::set_permissions(root.join(&path), Permissions::from_mode(mode))?;
            files.push(path);
        }
    }
    Ok(())
}

/// What is in the program besides crates.
const OTHERS: &str = "\
The standard library of Rust, and what zig links to unwind the stack (libunwind of LLVM), are in the program too: the
first under the licence MIT or Apache-2.0, the second under Apache-2.0 with LLVM exceptions. SQLite is in the public
domain.
";

/// The list of the crates in the program, each with its licence, and the texts of these licences.
fn licences_text(metadata: &Metadata) -> anyhow::Result<String> {
    let mut texts = BTreeMap::<String, Vec<String>>::new();
    let mut list = String::new();
    for package in packages(metadata)? {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see its text");
        list += &format!("{name}: {licence}\n");
        let folder = package.manifest_path.parent().context("a package has no folder")?;
        for text in licence_files(folder.as_std_path(), 1)? {
            let named = texts.entry(text).or_default();
            if named.last() != Some(&name) {
                named.push(name.clone());
            }
        }
    }
    let mut whole = format!("The program contains these crates of others:\n\n{list}\n{OTHERS}");
    for (text, names) in &texts {
        whole += &format!("\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim_end());
    }
    Ok(whole)
}

/// The packages by others that are linked into the program, without those that only its build or tests need, sorted by
/// name and version.
fn packages(metadata: &Metadata) -> anyhow::Result<Vec<&Package>> {
    let resolve = metadata.resolve.as_ref().context("`cargo metadata` resolves nothing")?;
    let nodes: BTreeMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut reached = BTreeSet::new();
    let mut next = vec![resolve.root.as_ref().context("the command line has no package")?];
    while let Some(id) = next.pop() {
        if !reached.insert(id) {
            continue;
        }
        let linked = nodes[id]
            .deps
            .iter()
            .filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal));
        next.extend(linked.map(|dependency| &dependency.pkg));
    }
    let others =
        metadata.packages.iter().filter(|package| reached.contains(&package.id) && package.source.is_some());
    let mut others: Vec<&Package> = others.collect();
    others.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(others)
}

/// The texts of the licences in `folder`, and in the folders at most `depth` levels below it, where C code that a crate
/// brings along has its own.
fn licence_files(folder: &Path, depth: u32) -> anyhow::Result<Vec<String>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    entries.sort();
    let mut texts = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_dir() && depth > 0 {
            texts.extend(licence_files(&path, depth - 1)?);
        } else if path.is_file()
            && ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|it| name.starts_with(it))
        {
            let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            texts.push(String::from_utf8_lossy(&bytes).replace('\r', ""));
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contests_and_pages_name_is_handed_out() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let files = listed_documents(root).unwrap();
        let is_there = |named: &str| files.iter().any(|file| file.starts_with(named));
        let mut missing = Vec::new();
        for file in files.iter().filter(|file| file.starts_with("contests/") || file.starts_with("docs/")) {
            // Each is written as a text in a contest, or as an argument in a page.
            let begins: &[&str] = if file.starts_with("docs/") { &["tests/data/", "examples/"] } else { &["../"] };
            let text = fs::read(root.join(file)).unwrap();
            let text = String::from_utf8_lossy(&text);
            for word in text.split(['"', '`', '(', ')', ' ', '\n']) {
                let named = word.trim_start_matches("../").split('*').next().unwrap();
                let is_named = begins.iter().any(|begin| word.starts_with(begin));
                if is_named && file != "docs/releasing.md" && !is_there(named) {
                    missing.push(format!("{file}: {word}"));
                }
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }
}
