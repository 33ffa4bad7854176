//! `boxing-parity MARK`: the arena on standard input, the arena with one move more on standard output.

#![forbid(unsafe_code)]

use reference_bots::boxing::{parity, play};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(parity::choose)
}
