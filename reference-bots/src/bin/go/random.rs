//! `go-random`: writes its moves, one on each line, and reads the opponent's.

use reference_bots::games::go::{random, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(random)
}
