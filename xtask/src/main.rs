//! `cargo xtask`: the tasks of those who change Cornerman, which only work in a checkout. Everything else is the command
//! line that users have.

#![forbid(unsafe_code)]

#[cfg(feature = "dist")]
mod dist;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy::main(),
        Some("dist") => dist(),
        _ => cornerman_cli::main(cornerman_cli::games::all()),
    }
}

#[cfg(feature = "dist")]
fn dist() -> ExitCode {
    dist::main()
}

/// Runs `dist` in the build that has it, which cargo makes first.
#[cfg(not(feature = "dist"))]
fn dist() -> ExitCode {
    use std::os::unix::process::CommandExt;

    let run =
        ["run", "--quiet", "--package", "xtask", "--no-default-features", "--features", "dist", "--", "dist"];
    let mut command = std::process::Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    anstream::eprintln!("error: starting cargo: {}", command.args(run).args(std::env::args_os().skip(2)).exec());
    ExitCode::from(3)
}
