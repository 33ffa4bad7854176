//! Names the build for `--version`, records, pages and workers: the version, the commit, and whether the sources
//! differ from it.

use std::path::Path;
use std::process::Command;

/// What the program is made from, relative to the root of the checkout.
const SOURCES: [&str; 16] = [
    "Cargo.lock",
    "Cargo.toml",
    "cli/Cargo.toml",
    "cli/src",
    "cluster/src",
    "conformance/cases",
    "conformance/catalog",
    "conformance/specimens",
    "conformance/src",
    "harness/src",
    "reference-bots/src",
    "reference-bots/templates",
    "report/src",
    "rulesets",
    "sandbox/src",
    "src",
];

fn main() {
    // Only a new commit or a changed source changes the name of the build, so cargo runs this again for nothing else.
    let logs = ["HEAD", "logs/HEAD"].iter().filter_map(|log| git(&["rev-parse", "--git-path", log]));
    for path in SOURCES.map(String::from).into_iter().chain(logs) {
        let path = Path::new("..").join(path);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let is_clean =
        || git(&[&["status", "--porcelain", "--"][..], &SOURCES].concat()).is_some_and(|it| it.is_empty());
    // If this checkout is a folder of another repository, git would name a commit of that one.
    let is_ours = git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty());
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| is_ours);
    let build = match commit {
        Some(commit) if is_clean() => commit,
        Some(commit) => format!("{commit}.dirty"),
        None => "unknown".to_string(),
    };
    println!("cargo:rustc-env=CORNERMAN_VERSION={}+{build}", env!("CARGO_PKG_VERSION"));
}

/// What git prints when it is run with `args` at the root of the checkout; `None` if it fails or is not there.
fn git(args: &[&str]) -> Option<String> {
    let ran = Command::new("git").args(args).current_dir("..").output().ok()?;
    ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).trim().to_string())
}
