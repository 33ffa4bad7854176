//! `boxing-mirror MARK`: the arena on standard input, the arena with one move more on standard output; what
//! it knows of the game stays in `/tmp/arena.MARK`.

use reference_bots::games::boxing::{mirror, play_remembering};
use std::process::ExitCode;

fn main() -> ExitCode {
    play_remembering("mirror", |turn, _notes| mirror::choose(turn))
}
