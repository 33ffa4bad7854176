//! `boxing-greedy MARK`: reads the arena from standard input, and writes it with one more move to standard output.

use reference_bots::games::boxing::{greedy, play};

fn main() -> std::process::ExitCode {
    play(greedy)
}
