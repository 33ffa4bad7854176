//! The programs in games, line by line as a manager plays them (R3–R5).

use crate::playing::Playing;
use cornerman::games::rps::Hand;
use reference_bots::games::rps::{History, STRATEGIES};

/// The names of the programs and their paths, which Cargo sets when it builds this test.
pub const PROGRAMS: [(&str, &str); 11] = [
    ("rps-rock", env!("CARGO_BIN_EXE_rps-rock")),
    ("rps-random", env!("CARGO_BIN_EXE_rps-random")),
    ("rps-rotate", env!("CARGO_BIN_EXE_rps-rotate")),
    ("rps-frequency", env!("CARGO_BIN_EXE_rps-frequency")),
    ("rps-beat-last", env!("CARGO_BIN_EXE_rps-beat-last")),
    ("rps-markov", env!("CARGO_BIN_EXE_rps-markov")),
    ("rps-chorus", env!("CARGO_BIN_EXE_rps-chorus")),
    ("rps-echo", env!("CARGO_BIN_EXE_rps-echo")),
    ("rps-counter", env!("CARGO_BIN_EXE_rps-counter")),
    ("rps-hydra", env!("CARGO_BIN_EXE_rps-hydra")),
    ("rps-kraken", env!("CARGO_BIN_EXE_rps-kraken")),
];

#[test]
fn every_program_writes_a_unique_name_before_it_is_sent_anything() {
    let mut names = PROGRAMS.map(|(_, path)| Playing::start(path, &[]).line()).to_vec();
    assert!(names.iter().all(|name| !name.trim().is_empty()), "{names:?}");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), PROGRAMS.len());
}

/// The opponent's hands in a game, in a sequence that no bot predicts.
fn foes() -> impl Iterator<Item = Hand> {
    (0u32..60).map(|round| Hand::ALL[(round * round / 7 + round / 5) as usize % 3])
}

#[test]
fn every_program_plays_its_strategy_line_by_line() {
    for ((binary, path), (_, start)) in PROGRAMS.iter().zip(STRATEGIES) {
        let mut playing = Playing::start(path, &[]);
        let mut strategy = start(4321);
        let mut history = History::default();
        playing.line();
        playing.send("4321\n60\n");
        for foe in foes() {
            let own = strategy.choose(&history);
            assert_eq!(playing.line(), own.to_string(), "{binary}, round {}", history.rounds() + 1);
            playing.send(&format!("{foe}\n"));
            history.push(own, foe);
        }
        assert_eq!(playing.end(), (String::new(), String::new(), Some(0)), "{binary}");
    }
}

#[test]
fn every_program_ends_when_its_input_does() {
    for (binary, path) in PROGRAMS {
        for sent in ["", "7\n", "7\n100\n", "7\n100\n0\n2\n"] {
            let mut playing = Playing::start(path, &[]);
            playing.send(sent);
            let (_, errors, status) = playing.end();
            assert_eq!((errors.as_str(), status), ("", Some(0)), "{binary} after {sent:?}");
        }
    }
}

#[test]
fn input_outside_the_protocol_is_refused() {
    for (binary, path) in PROGRAMS {
        let mut playing = Playing::start(path, &[]);
        playing.send("7\n100\nrock\n");
        let (_, errors, status) = playing.end();
        assert_eq!(errors, "error: `rock` is a word: write its number, 0\n", "{binary}");
        assert_eq!(status, Some(2), "{binary}");
    }
}
