//! `boxing-first-fit MARK`: the arena on standard input, the arena with one move more on standard output.

use reference_bots::games::boxing::{first_fit, play};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(first_fit::choose)
}
