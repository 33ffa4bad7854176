//! Tests of Go, a file a subject, and the games and boards that they share.

mod moves;
mod oracle;
mod play;
mod positions;
mod scoring;
mod setups;

use super::*;
use crate::game::{InProgress, LiveGame};
use crate::rng::Rng;

/// Go on a small board without komi.
fn small(size: u8) -> Go {
    Go { size, komi_halves: 0, ..Go::default() }
}

/// The text form of a board: rows parted by blanks.
fn board(rows: &str) -> Vec<u8> {
    rows.split_whitespace().flat_map(|row| row.bytes().chain([b'\n'])).collect()
}

/// The game of `go` from `rows` on, black to move.
fn start(go: &Go, rows: &str) -> State {
    go.start(&Setup { seats: 2, board: board(rows), ..Setup::default() }).unwrap()
}

/// Makes the moves in `text`, names parted by blanks, black and white in turn. The last one may be illegal.
#[track_caller]
fn make(go: &Go, state: &mut State, text: &str) -> Result<(), Violation> {
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let seat = state.turn();
        assert_eq!(go.to_act(state), Seats::only(seat), "{text}: over before {word}");
        match go.read(state, seat, word.as_bytes()) {
            Ok(m) => go.apply(state, &[(seat, Act::Move(m))]),
            Err(violation) if at + 1 == words.len() => return Err(violation),
            Err(violation) => panic!("{word} of {text}: {violation}"),
        }
    }
    Ok(())
}

/// Plays `text` from `rows` on: `due` is the board afterwards.
#[track_caller]
fn check_board(rows: &str, text: &str, due: &str) {
    let go = small(rows.split_whitespace().count() as u8);
    let mut state = start(&go, rows);
    make(&go, &mut state, text).unwrap();
    assert_eq!(std::str::from_utf8(&go.board(&state)), std::str::from_utf8(&board(due)), "{text}");
}

/// The last move of `text` from `rows` on is illegal: `due` are the kind and the words.
#[track_caller]
fn check_illegal(go: &Go, rows: &str, text: &str, due: (&str, &str)) {
    let mut state = start(go, rows);
    let violation = make(go, &mut state, text).expect_err(text);
    assert_eq!((violation.kind, violation.detail.as_str()), due, "{text}");
    assert_eq!(violation.rule, if violation.kind == "no-move" { "G5" } else { "G6" });
}

/// All moves of `text` from `rows` on are legal.
#[track_caller]
fn check_legal(go: &Go, rows: &str, text: &str) {
    make(go, &mut start(go, rows), text).unwrap();
}
