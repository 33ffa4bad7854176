//! `rps-echo`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{echo, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve("Echo", echo)
}
