//! The programs in games, line by line as a referee plays them (G4, G5).

use crate::playing::Playing;
use cornerman::game::Game;
use cornerman::games::go::{Colour, Go, Move, parse_move};
use reference_bots::games::go::{GoTurn, STRATEGIES};

/// The names of the programs and their paths, which Cargo sets when it builds this test.
pub const PROGRAMS: [(&str, &str); 3] = [
    ("go-random", env!("CARGO_BIN_EXE_go-random")),
    ("go-capture", env!("CARGO_BIN_EXE_go-capture")),
    ("go-monte", env!("CARGO_BIN_EXE_go-monte")),
];

#[test]
fn every_program_plays_its_strategy_line_by_line() {
    let go = Go { size: 7, ..Go::default() };
    for ((binary, path), (_, choose)) in PROGRAMS.iter().zip(STRATEGIES) {
        for colour in Colour::BOTH {
            let mut playing = Playing::start(path, &[colour.name(), "7"]);
            let mut turn = GoTurn::first(7, colour);
            for number in 0..5 {
                if number > 0 || colour == Colour::White {
                    let foe = foes_move(&turn);
                    turn.make(foe, colour.other());
                    playing.send(&format!("{}\n", go.notation(&foe)));
                }
                let own = choose(&turn);
                assert_eq!(parse_move(playing.line().as_bytes(), 7), Some(own), "{binary}, {colour:?}, {number}");
                turn.make(own, colour);
            }
            assert_eq!(playing.end(), (String::new(), String::new(), Some(0)), "{binary}");
        }
    }
}

/// The last legal point of the board.
fn foes_move(turn: &GoTurn) -> Move {
    let position = &turn.position;
    let legal = position.points().filter(|&point| position.is_legal(point, turn.colour.other())).last();
    legal.map_or(Move::Pass, |point| Move::Place(position.spot(point)))
}

#[test]
fn the_board_has_nineteen_lines_by_default() {
    for (binary, path) in PROGRAMS {
        let mut playing = Playing::start(path, &["white"]);
        playing.send("time\nT19\n");
        assert!(parse_move(playing.line().as_bytes(), 19).is_some(), "{binary}");
        assert_eq!(playing.end(), (String::new(), String::new(), Some(0)), "{binary}");
    }
}

#[test]
fn input_outside_the_protocol_is_refused() {
    for (binary, path) in PROGRAMS {
        let mut playing = Playing::start(path, &["white", "9"]);
        playing.send("T19\n");
        let (_, errors, status) = playing.end();
        assert_eq!(errors, "error: `T19` is not a vertex, `pass` or `time`\n", "{binary}");
        assert_eq!(status, Some(2), "{binary}");
        assert_eq!(Playing::start(path, &[]).end().2, Some(2), "{binary}");
    }
}
