//! `tidy`: whether the checkout keeps what `ARCHITECTURE.md` promises.

use crate::exit::{Exit, Failure};
use crate::tidy;
use anyhow::Context;
use std::io::Write;
use std::path::Path;

/// Prints the problems found.
pub fn run() -> Result<Exit, Failure> {
    let root = checkout().map_err(Failure::Usage)?;
    let problems = tidy::run(&root).map_err(Failure::Kit)?;
    let mut out = anstream::stdout();
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    match problems.len() {
        0 => writeln!(out, "tidy: all is as ARCHITECTURE.md promises")?,
        1 => writeln!(out, "tidy: 1 problem")?,
        n => writeln!(out, "tidy: {n} problems")?,
    }
    Ok(if problems.is_empty() { Exit::Fine } else { Exit::No })
}

/// The checkout around the current folder.
fn checkout() -> anyhow::Result<std::path::PathBuf> {
    let here = std::env::current_dir().context("finding the current folder")?;
    let found = here.ancestors().find(|folder| folder.join("xtask/src/tidy").is_dir()).map(Path::to_path_buf);
    found.with_context(|| format!("{} is not inside a checkout of Cornerman", here.display()))
}
