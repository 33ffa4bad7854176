//! `boxing-smallest MARK`: reads the arena from standard input, and writes it with one more move to standard output.

use reference_bots::games::boxing::{play, smallest};

fn main() -> std::process::ExitCode {
    play(smallest)
}
