//! `boxing-champion MARK [POSITIONS]`: reads the arena from standard input, and writes it with one more move to
//! standard output. It keeps its memory in `/tmp/arena.MARK`.

use reference_bots::games::boxing::{champion, play_thinking};

fn main() -> std::process::ExitCode {
    play_thinking("champion", champion)
}
