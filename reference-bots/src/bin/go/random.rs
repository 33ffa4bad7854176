//! `go-random`: writes its moves, one on each line, and reads the opponent's.

use reference_bots::games::go::{random, serve};

fn main() -> std::process::ExitCode {
    serve(random)
}
