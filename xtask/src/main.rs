//! `cargo xtask`: the tasks of those who change Cornerman, which only work in a checkout. Everything else is the
//! command line that users have.

#![forbid(unsafe_code)]

mod accept;
#[cfg(feature = "dist")]
mod dist;
mod tidy;

use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let task: fn(&Path) -> anyhow::Result<ExitCode> = match std::env::args_os().nth(1).as_deref() {
        Some(word) if word == "tidy" => tidy,
        Some(word) if word == "accept" => accept::run,
        Some(word) if word == "dist" => dist,
        _ => return cornerman_cli::main(cornerman_cli::games::all()),
    };
    // The exit code is 2 outside a checkout, and 3 if the task fails.
    let failed = |error: anyhow::Error, code: u8| {
        anstream::eprintln!("error: {error:#}");
        ExitCode::from(code)
    };
    match checkout() {
        Ok(root) => task(&root).unwrap_or_else(|error| failed(error, 3)),
        Err(error) => failed(error, 2),
    }
}

/// Prints the problems of the checkout; the exit code is 1 if there are any.
fn tidy(root: &Path) -> anyhow::Result<ExitCode> {
    let tidy::TidyFindings { problems, counts } = tidy::run(root)?;
    anstream::println!("{counts}");
    for problem in &problems {
        anstream::println!("{problem}");
    }
    match problems.len() {
        0 => anstream::println!("tidy: the checkout keeps the promises of ARCHITECTURE.md"),
        1 => anstream::println!("tidy: 1 problem"),
        n => anstream::println!("tidy: {n} problems"),
    }
    Ok(ExitCode::from(u8::from(!problems.is_empty())))
}

/// The checkout around the current folder.
fn checkout() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("finding the current folder")?;
    let found = here.ancestors().find(|folder| folder.join("xtask/src/tidy").is_dir()).map(Path::to_path_buf);
    found.with_context(|| format!("{} is not inside a checkout of Cornerman", here.display()))
}

#[cfg(feature = "dist")]
fn dist(root: &Path) -> anyhow::Result<ExitCode> {
    dist::main(root)
}

/// Runs `dist` in the build that has it, which cargo makes first.
#[cfg(not(feature = "dist"))]
fn dist(root: &Path) -> anyhow::Result<ExitCode> {
    use std::os::unix::process::CommandExt;

    let run =
        ["run", "--quiet", "--package", "xtask", "--no-default-features", "--features", "dist", "--", "dist"];
    let mut command = std::process::Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    Err(command.current_dir(root).args(run).args(std::env::args_os().skip(2)).exec()).context("starting cargo")
}
