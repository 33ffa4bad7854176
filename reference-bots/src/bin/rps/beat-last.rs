//! `rps-beat-last`: its name, then a hand a round on standard output, for what is sent to standard input.

use reference_bots::games::rps::{beat_last, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve("Beat Last", beat_last::start)
}
