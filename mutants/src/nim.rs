//! A Nim bot, for a game that has no checks but those of the protocol.

use crate::Mutants;
use crate::protocol::{self, Steps};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::LazyLock;

/// The mutants of Nim.
pub fn mutants() -> Mutants {
    let play = |kind: &str, _: Vec<OsString>| Some(run(&protocol::steps(kind.strip_prefix("nim-")?)?));
    Mutants { id: "nim", kinds: LazyLock::new(|| protocol::kinds("nim", &[])), usage: "nim-KIND", play }
}

/// Plays a game with these steps: the bot is sent the heaps, such as `3 5 7`, and answers with a heap and a count.
fn run(steps: &Steps) -> ExitCode {
    if let Err(why) = (steps.prepare)() {
        eprintln!("error: {why}");
        return ExitCode::FAILURE;
    }
    let mut turn = 0;
    while let Some(line) = (steps.read)() {
        let heaps: Vec<u32> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        if heaps.iter().all(|&left| left == 0) {
            break;
        }
        turn += 1;
        (steps.heed)(turn);
        let (heap, count) = chosen(&heaps);
        (steps.write)(&(steps.answer)(turn, &format!("{} {count}\n", heap + 1)));
    }
    (steps.finish)()
}

/// The move that leaves a sum of 0, if there is one, or else one object of the largest heap.
fn chosen(heaps: &[u32]) -> (usize, u32) {
    let sum = heaps.iter().fold(0, |sum, left| sum ^ left);
    let wins = heaps.iter().enumerate().find(|(_, left)| **left ^ sum < **left);
    match wins {
        Some((heap, left)) => (heap, left - (left ^ sum)),
        None => (heaps.iter().enumerate().max_by_key(|(_, left)| **left).map_or(0, |(heap, _)| heap), 1),
    }
}
