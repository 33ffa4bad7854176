//! `boxing-parity MARK`: the arena on standard input, the arena with one move more on standard output.

use reference_bots::games::boxing::{parity, play};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(parity::choose)
}
