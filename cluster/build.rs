//! Computes a hash of the sources, so that only a manager and a worker of the same build play together.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose code decides how games are played, relative to the root of the workspace.
const FOLDERS: [&str; 4] = ["src", "sandbox/src", "harness/src", "cluster/src"];

fn main() {
    let root = Path::new("..");
    let mut hash = Sha256::new();
    for folder in FOLDERS.map(|folder| root.join(folder)) {
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        list_files(&folder, &mut files);
        files.sort();
        for file in files {
            let content = fs::read(&file).unwrap_or_default();
            hash.update(format!("{} {} ", file.display(), content.len()));
            hash.update(content);
        }
    }
    let digits: String = hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rustc-env=CORNERMAN_SOURCES={digits}");
}

fn list_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => list_files(&entry.path(), files),
            _ => files.push(entry.path()),
        }
    }
}
