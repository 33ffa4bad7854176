//! `boxing-mirror MARK`: reads the arena from standard input, and writes it with one more move to standard output. It
//! keeps its memory in `/tmp/arena.MARK`.

use reference_bots::games::boxing::{mirror, play_remembering};

fn main() -> std::process::ExitCode {
    play_remembering("mirror", |turn, _notes| mirror(turn))
}
