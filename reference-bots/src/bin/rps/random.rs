//! `rps-random`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{random, serve};

fn main() -> std::process::ExitCode {
    serve("Random", random)
}
