//! The one binary, `cornerman`: the command line with the games that come along, and `tidy`, which only a checkout needs.

mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args_os().nth(1).is_some_and(|command| command == "tidy") {
        true => tidy::main(),
        false => cornerman_cli::main(cornerman_cli::games::all()),
    }
}
