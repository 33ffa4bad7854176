//! `go-monte`: a move a line on standard output, for the opponent's on standard input.

use reference_bots::games::go::{monte, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(monte::choose)
}
