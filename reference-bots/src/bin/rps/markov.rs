//! `rps-markov`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{markov, serve};

fn main() -> std::process::ExitCode {
    serve("Markov", markov)
}
