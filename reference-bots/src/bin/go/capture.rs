//! `go-capture`: writes its moves, one on each line, and reads the opponent's.

use reference_bots::games::go::{capture, serve};

fn main() -> std::process::ExitCode {
    serve(capture)
}
