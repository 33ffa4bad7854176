//! `boxing-tree MARK [POSITIONS]`: reads the arena from standard input, and writes it with one more move to standard
//! output. It keeps its memory in `/tmp/arena.MARK`.

use reference_bots::games::boxing::{play_thinking, tree};
use std::process::ExitCode;

fn main() -> ExitCode {
    play_thinking("tree", tree)
}
