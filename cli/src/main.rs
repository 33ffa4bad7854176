//! The program `cornerman`: the command line with the built-in games.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    cornerman_cli::main(cornerman_cli::games::all())
}
