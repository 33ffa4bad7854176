//! `rps-echo`: writes its name and then a hand for each round, and reads the opponent's hands.

use reference_bots::games::rps::{echo, serve};

fn main() -> std::process::ExitCode {
    serve("Echo", echo)
}
