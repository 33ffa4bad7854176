//! `boxing-parity MARK`: reads the arena from standard input, and writes it with one more move to standard output.

use reference_bots::games::boxing::{parity, play};

fn main() -> std::process::ExitCode {
    play(parity)
}
