//! `boxing-greedy MARK`: the arena on standard input, the arena with one move more on standard output.

#![forbid(unsafe_code)]

use reference_bots::boxing::{greedy, play};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(greedy::choose)
}
