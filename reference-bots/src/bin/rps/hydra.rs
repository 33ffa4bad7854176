//! `rps-hydra`: its name, then a hand a round on standard output, for what is sent to standard input.

use reference_bots::games::rps::{hydra, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve("Hydra", hydra::start)
}
