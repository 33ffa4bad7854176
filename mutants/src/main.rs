//! `mutant KIND`: a bot that breaks exactly one rule.

use std::process::ExitCode;

fn main() -> ExitCode {
    cornerman_mutants::main()
}
