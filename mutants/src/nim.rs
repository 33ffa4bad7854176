//! Nim bots, for a game that has no checks but those of the protocol: in lines, and with one process for each move.

use crate::filter::{self, FilterSteps, Invocation, log, state_file};
use crate::protocol::{self, Steps};
use crate::{MutantKind, Mutants, kinds_of};
use std::ffi::OsString;
use std::fs;
use std::process;
use std::sync::LazyLock;

/// The mutants of Nim in lines.
pub fn mutants() -> Mutants {
    let play = |kind: &str, _: Vec<OsString>| {
        let steps = protocol::steps(kind.strip_prefix("nim-")?)?;
        Some(steps.run(|| play(&steps)))
    };
    let kinds: LazyLock<Vec<MutantKind>> = LazyLock::new(|| protocol::kinds("nim"));
    Mutants { id: "nim", prefix: "nim-", kinds, usage: "nim-KIND", play }
}

/// Plays a game with these steps: the bot is sent the heaps, such as `3 5 7`, and answers with a heap and a count.
fn play(steps: &Steps) {
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
}

/// The kinds of the game with one process for each move whose faults are not of the protocol.
const OWN_KINDS: [&str; 4] = ["near-random", "takes-nothing", "tires", "trusts-notes"];

/// The mutants of Nim with one process for each move.
pub fn filter_mutants() -> Mutants {
    let kinds: LazyLock<Vec<MutantKind>> =
        LazyLock::new(|| kinds_of("heaps", include_str!("../kinds/heaps.txt"), "heaps-"));
    let play = |kind: &str, args: Vec<OsString>| {
        let kind = kind.strip_prefix("heaps-")?;
        let steps = if OWN_KINDS.contains(&kind) { FilterSteps::default() } else { filter::steps(kind)? };
        let length = |input: &[u8]| input.iter().position(|&byte| byte == b'\n').map(|end| end + 1);
        Some(steps.run(args, length, |position| position == b"3 5 7\n", |given| answer(kind, given)))
    };
    Mutants { id: "heaps", prefix: "heaps-", kinds, usage: "heaps-KIND MARK <heaps >move", play }
}

/// The answer to a position: heaps, such as `3 5 7`.
fn answer(kind: &str, given: &Invocation) -> Result<Vec<u8>, String> {
    let position = given.position.ok_or("standard input is not a line")?;
    let line = String::from_utf8_lossy(&given.input[..position]);
    let heaps: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
    let heaps = heaps.map_err(|error| error.to_string())?;
    let (heap, count) = match chosen(&heaps) {
        _ if kind == "takes-nothing" => (0, 0),
        _ if kind == "tires" && moves_before(given)? == 1 => (0, 0),
        (heap, _) if kind == "near-random" => (heap, 1 + process::id() % heaps[heap]),
        chosen => chosen,
    };
    if kind == "trusts-notes" {
        trust_notes(given, heaps.iter().sum())?;
    }
    Ok(format!("{} {count}\n", heap + 1).into_bytes())
}

/// How often the bot has moved in its game, by its state file, which then has one move more.
fn moves_before(given: &Invocation) -> Result<usize, String> {
    let path = state_file(given.mark()?);
    let moves = fs::read_to_string(&path).map_or(0, |notes| notes.matches("another move\n").count());
    log(path)?;
    Ok(moves)
}

/// Notes how many objects there are. Gives up if the state file has a smaller number.
fn trust_notes(given: &Invocation, objects: u32) -> Result<(), String> {
    let path = state_file(given.mark()?);
    let noted = fs::read_to_string(&path).ok().and_then(|text| text.strip_suffix(" objects\n")?.parse().ok());
    if noted.is_some_and(|noted: u32| noted < objects) {
        return Err("there were fewer objects before".to_string());
    }
    fs::write(path, format!("{objects} objects\n")).map_err(|error| error.to_string())
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
