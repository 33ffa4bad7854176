//! The programs in games as a manager plays them: a line to each, a line from each (R3–R5).

use crate::playing::Playing;
use cornerman::games::rps::Hand;
use reference_bots::games::rps::{IDEAS, Past};

/// The programs by their binaries' names. Cargo builds them for this test and says where they are.
pub const PROGRAMS: [(&str, &str); 7] = [
    ("rps-rock", env!("CARGO_BIN_EXE_rps-rock")),
    ("rps-random", env!("CARGO_BIN_EXE_rps-random")),
    ("rps-rotate", env!("CARGO_BIN_EXE_rps-rotate")),
    ("rps-beat-last", env!("CARGO_BIN_EXE_rps-beat-last")),
    ("rps-frequency", env!("CARGO_BIN_EXE_rps-frequency")),
    ("rps-markov", env!("CARGO_BIN_EXE_rps-markov")),
    ("rps-hydra", env!("CARGO_BIN_EXE_rps-hydra")),
];

#[test]
fn every_program_says_a_name_of_its_own_before_it_is_sent_anything() {
    let mut names = PROGRAMS.map(|(_, path)| Playing::start(path, &[]).line()).to_vec();
    assert!(names.iter().all(|name| !name.trim().is_empty()), "{names:?}");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), PROGRAMS.len());
}

/// The opponent's hands in a game: nothing that any of the bots follows.
fn foes() -> impl Iterator<Item = Hand> {
    (0u32..60).map(|round| Hand::ALL[(round * round / 7 + round / 5) as usize % 3])
}

#[test]
fn every_program_plays_its_idea_line_by_line() {
    for ((binary, path), (_, start)) in PROGRAMS.iter().zip(IDEAS) {
        let (mut playing, mut idea, mut past) = (Playing::start(path, &[]), start(4321), Past::default());
        playing.line();
        playing.send("4321\n60\n");
        for foe in foes() {
            let own = idea.choose(&past);
            assert_eq!(playing.line(), own.to_string(), "{binary}, round {}", past.rounds() + 1);
            playing.send(&format!("{foe}\n"));
            past.push(own, foe);
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
fn what_is_not_in_the_protocol_is_refused() {
    for (binary, path) in PROGRAMS {
        let mut playing = Playing::start(path, &[]);
        playing.send("7\n100\nrock\n");
        let (_, errors, status) = playing.end();
        assert_eq!(errors, "error: `rock` is a word: the number 0 stands for it\n", "{binary}");
        assert_eq!(status, Some(2), "{binary}");
    }
}
