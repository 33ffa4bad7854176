//! The program `cornerman`: the command line with the built-in games, and `tidy`, which only works in a checkout.

mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args_os().nth(1).is_some_and(|command| command == "tidy") {
        true => tidy::main(),
        false => cornerman_cli::main(cornerman_cli::games::all()),
    }
}
