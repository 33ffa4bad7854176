//! `rps-beat-last`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{beat_last, serve};

fn main() -> std::process::ExitCode {
    serve("Beat Last", beat_last)
}
