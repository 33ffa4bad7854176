//! The licences of the crates in the program, collected from their packages.

use anyhow::Context;
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What is in the program besides crates.
const OTHERS: &str = "\
The standard library of Rust, and what zig links to unwind the stack (libunwind of LLVM), are in the program too: the
first under the licence MIT or Apache-2.0, the second under Apache-2.0 with LLVM exceptions. SQLite is in the public
domain.
";

/// The list of the crates in the program, each with its licence, and the texts of these licences.
pub fn text(metadata: &Metadata) -> anyhow::Result<String> {
    let mut texts = BTreeMap::<String, Vec<String>>::new();
    let mut list = String::new();
    for package in packages(metadata)? {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see its text");
        list += &format!("{name}: {licence}\n");
        let folder = package.manifest_path.parent().context("a package has no folder")?;
        for text in files(folder.as_std_path(), 1)? {
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

/// The packages of others that are linked into the program, sorted by name.
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

/// The texts of the licences in `folder`, and in the folders that are at most `depth` below it: of C code that a crate
/// brings along.
fn files(folder: &Path, depth: u32) -> anyhow::Result<Vec<String>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    entries.sort();
    let mut texts = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_dir() && depth > 0 {
            texts.extend(files(&path, depth - 1)?);
        } else if path.is_file()
            && ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|it| name.starts_with(it))
        {
            let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            texts.push(String::from_utf8_lossy(&bytes).replace('\r', ""));
        }
    }
    Ok(texts)
}
