//! `go-monte`: writes its moves, one on each line, and reads the opponent's.

use reference_bots::games::go::{monte, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(monte::choose)
}
