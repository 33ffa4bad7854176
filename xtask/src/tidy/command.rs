//! `tidy`: checks that the checkout keeps the promises of `ARCHITECTURE.md`.

use super::Found;
use anyhow::Context;
use std::path::Path;
use std::process::ExitCode;

/// Prints the problems. The exit code is 1 if there are any, 2 outside a checkout, and 3 if it cannot be read.
pub fn main() -> ExitCode {
    let failed = |error: anyhow::Error, code: u8| {
        anstream::eprintln!("error: {error:#}");
        ExitCode::from(code)
    };
    let root = match checkout() {
        Ok(root) => root,
        Err(error) => return failed(error, 2),
    };
    let Found { problems, counts } = match super::run(&root) {
        Ok(found) => found,
        Err(error) => return failed(error, 3),
    };
    anstream::println!("{counts}");
    for problem in &problems {
        anstream::println!("{problem}");
    }
    match problems.len() {
        0 => anstream::println!("tidy: the checkout keeps the promises of ARCHITECTURE.md"),
        1 => anstream::println!("tidy: 1 problem"),
        n => anstream::println!("tidy: {n} problems"),
    }
    ExitCode::from(u8::from(!problems.is_empty()))
}

/// The checkout around the current folder.
///
/// # Errors
/// Outside a checkout.
pub(crate) fn checkout() -> anyhow::Result<std::path::PathBuf> {
    let here = std::env::current_dir().context("finding the current folder")?;
    let found = here.ancestors().find(|folder| folder.join("xtask/src/tidy").is_dir()).map(Path::to_path_buf);
    found.with_context(|| format!("{} is not inside a checkout of Cornerman", here.display()))
}
