//! `boxing-random MARK`: the arena on standard input, the arena with one move more on standard output.

#![forbid(unsafe_code)]

use reference_bots::boxing::{play, random};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(random::choose)
}
