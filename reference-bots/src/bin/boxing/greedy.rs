//! `boxing-greedy MARK`: the arena on standard input, the arena with one move more on standard output.

use reference_bots::games::boxing::{greedy, play};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(greedy::choose)
}
