//! `boxing-smallest MARK`: the arena on standard input, the arena with one move more on standard output.

use reference_bots::games::boxing::{play, smallest};
use std::process::ExitCode;

fn main() -> ExitCode {
    play(smallest::choose)
}
