//! `boxing-random MARK`: the arena on standard input, the arena with one move more on standard output.

use reference_bots::games::boxing::{play, random};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(random::choose)
}
