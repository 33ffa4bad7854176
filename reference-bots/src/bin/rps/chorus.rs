//! `rps-chorus`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{chorus, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve("Chorus", chorus)
}
