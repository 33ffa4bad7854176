//! `mutant KIND`: a bot that breaks one rule, or only looks as if it did.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    cornerman_mutants::main()
}
