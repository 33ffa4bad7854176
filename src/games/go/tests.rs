//! Tests of Go, one file per subject, with the games and boards that they share.

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

/// The text form of a board, from its rows separated by spaces.
fn board(rows: &str) -> Vec<u8> {
    rows.split_whitespace().flat_map(|row| row.bytes().chain([b'\n'])).collect()
}

/// A game of `go` that starts from `rows`.
fn start(go: &Go, rows: &str) -> GoState {
    go.start(&Setup { seats: 2, board: board(rows), ..Setup::default() }).unwrap()
}

/// Makes the moves in `text`, separated by spaces, of black and white in turn. Only the last one may be illegal.
#[track_caller]
fn make(go: &Go, state: &mut GoState, text: &str) -> Result<(), Violation> {
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let seat = state.turn();
        assert_eq!(go.to_act(state), Seats::only(seat), "{text}: the game is over before {word}");
        match go.read(state, seat, word.as_bytes()) {
            Ok(m) => go.apply(state, &[(seat, Action::Move(m))]),
            Err(violation) if at + 1 == words.len() => return Err(violation),
            Err(violation) => panic!("{word} of {text}: {violation}"),
        }
    }
    Ok(())
}

/// Plays `text` from `rows`: `expected` is the board afterwards.
#[track_caller]
fn check_board(rows: &str, text: &str, expected: &str) {
    let go = small(rows.split_whitespace().count() as u8);
    let mut state = start(&go, rows);
    make(&go, &mut state, text).unwrap();
    assert_eq!(std::str::from_utf8(&go.board(&state)), std::str::from_utf8(&board(expected)), "{text}");
}

/// Plays `text` from `rows`, of which the last move is illegal: `expected` are the kind and the message.
#[track_caller]
fn check_illegal(go: &Go, rows: &str, text: &str, expected: (&str, &str)) {
    let mut state = start(go, rows);
    let violation = make(go, &mut state, text).expect_err(text);
    assert_eq!((violation.kind, violation.detail.as_str()), expected, "{text}");
    assert_eq!(violation.rule, if violation.kind == "no-move" { "G5" } else { "G6" });
}

/// Plays `text` from `rows`, of which all moves are legal.
#[track_caller]
fn check_legal(go: &Go, rows: &str, text: &str) {
    make(go, &mut start(go, rows), text).unwrap();
}
