//! `mutant KIND`: a bot that breaks exactly one rule.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    cornerman_mutants::main()
}
