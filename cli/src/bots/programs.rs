//! The programs of reference bots in a checkout, or installed beside this program.

use crate::{CliError, own};
use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The program of a reference bot. If cargo built Cornerman in a checkout, the bot is in the same folder; otherwise it
/// is beside Cornerman or, if it is missing there, in the checkout's target folder. In a folder that cargo builds into,
/// the bot is built first if it is missing or older than its sources.
pub(super) fn locate(name: &str) -> Result<PathBuf, CliError> {
    found(name).map_err(CliError::of_machine)
}

fn found(name: &str) -> anyhow::Result<PathBuf> {
    let here = std::env::current_exe().context("finding this program's own folder")?;
    let folder = here.parent().unwrap_or(Path::new("/"));
    // Cargo puts examples into a folder below that of programs.
    let folder = folder.parent().filter(|_| folder.ends_with("examples")).unwrap_or(folder);
    let is_build = folder.ends_with("debug") || folder.ends_with("release");
    match own::checkout() {
        Some(root) if is_build => built(root, folder, name),
        _ if folder.join(name).is_file() => Ok(folder.join(name)),
        Some(root) => {
            let target =
                std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |target| root.join(target));
            built(root, &target.join("debug"), name)
        }
        None => anyhow::bail!(
            "the reference bot {name} is not beside {}: install it with `cargo install --path reference-bots`",
            here.display()
        ),
    }
}

/// The program `name` in `folder`, where cargo puts the programs of a profile. If it is missing or out of date, all
/// reference bots of the checkout `root` are built.
fn built(root: &Path, folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let program = folder.join(name);
    if is_fresh(&program, root) {
        return Ok(program);
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "reference-bots", "--bins"]).current_dir(root);
    cargo.args(folder.ends_with("release").then_some("--release"));
    if let Some(target) = folder.parent() {
        cargo.arg("--target-dir").arg(target);
    }
    let status = cargo.status().context("building the reference bots with cargo")?;
    anyhow::ensure!(status.success(), "`cargo build --package reference-bots` failed ({status})");
    // Cargo does not write a program again that it finds up to date, so its time is set here.
    let made = fs::File::options().write(true).open(&program);
    made.and_then(|made| made.set_modified(SystemTime::now()))
        .with_context(|| format!("`cargo build --package reference-bots` did not make {}", program.display()))?;
    Ok(program)
}

/// Whether the program exists and is not older than the sources of all reference bots in the checkout `root`.
fn is_fresh(binary: &Path, root: &Path) -> bool {
    let sources = ["src", "reference-bots/src", "reference-bots/Cargo.toml"];
    let newest = sources.iter().filter_map(|part| newest_below(&root.join(part))).max();
    newest_below(binary).is_some_and(|built| newest.is_none_or(|newest| newest <= built))
}

/// When the newest file in the folder `path`, or the file `path`, was changed.
fn newest_below(path: &Path) -> Option<SystemTime> {
    if path.is_dir() {
        return fs::read_dir(path).ok()?.flatten().filter_map(|entry| newest_below(&entry.path())).max();
    }
    fs::metadata(path).and_then(|found| found.modified()).ok()
}
