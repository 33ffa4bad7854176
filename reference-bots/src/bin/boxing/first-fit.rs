//! `boxing-first-fit MARK`: reads the arena from standard input, and writes it with one more move to standard output.

use reference_bots::games::boxing::{first_fit, play};

fn main() -> std::process::ExitCode {
    play(first_fit)
}
