//! `cargo xtask`: the tasks of those who change Cornerman, which only work in a checkout. Everything else is the command
//! line that users have.

#![forbid(unsafe_code)]

mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|command| command == "tidy") {
        tidy::main()
    } else {
        cornerman_cli::main(cornerman_cli::games::all())
    }
}
