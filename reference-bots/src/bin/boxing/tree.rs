//! `boxing-tree MARK [POSITIONS]`: reads the arena from standard input, and writes it with one more move to standard
//! output. It keeps its memory in `/tmp/arena.MARK`.

use reference_bots::games::boxing::{play_thinking, tree};

fn main() -> std::process::ExitCode {
    play_thinking("tree", tree)
}
