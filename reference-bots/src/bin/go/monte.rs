//! `go-monte`: a move a line on standard output, for the opponent's on standard input.

#![forbid(unsafe_code)]

use reference_bots::go::{monte, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(monte::choose)
}
