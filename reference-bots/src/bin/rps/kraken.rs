//! `rps-kraken`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{kraken, serve};

fn main() -> std::process::ExitCode {
    serve("Kraken", kraken::start)
}
