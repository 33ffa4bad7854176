//! `rps-hydra`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{hydra, serve};

fn main() -> std::process::ExitCode {
    serve("Hydra", hydra::start)
}
