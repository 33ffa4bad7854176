//! `go-monte`: writes its moves, one on each line, and reads the opponent's.

use reference_bots::games::go::{monte, serve};

fn main() -> std::process::ExitCode {
    serve(monte::choose)
}
