//! The programs in games as a referee plays them: a line to each, a line from each (G4, G5).

use cornerman::game::Game;
use cornerman::games::go::{Colour, Go, Move, parse_move};
use reference_bots::go::{LADDER, Turn};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The programs by their binaries' names. Cargo builds them for this test and says where they are.
pub const PROGRAMS: [(&str, &str); 3] = [
    ("go-random", env!("CARGO_BIN_EXE_go-random")),
    ("go-capture", env!("CARGO_BIN_EXE_go-capture")),
    ("go-monte", env!("CARGO_BIN_EXE_go-monte")),
];

/// A program in a game.
struct Playing {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Playing {
    fn start(path: &str, args: &[&str]) -> Playing {
        let mut command = Command::new(path);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Playing { child, lines }
    }

    fn send(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.strip_suffix('\n').expect("a whole line").to_string()
    }

    /// Ends its input: the exit status, and what it wrote to standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

#[test]
fn every_program_plays_its_idea_line_by_line() {
    let go = Go { size: 7, ..Go::default() };
    for ((binary, path), (_, choose)) in PROGRAMS.iter().zip(LADDER) {
        for colour in Colour::BOTH {
            let mut playing = Playing::start(path, &[colour.name(), "7"]);
            let mut turn = Turn::first(7, colour);
            for number in 0..8 {
                if number > 0 || colour == Colour::White {
                    let foe = foes_move(&turn);
                    turn.make(foe, colour.other());
                    playing.send(&format!("{}\n", go.notation(&foe)));
                }
                let own = choose(&turn);
                assert_eq!(parse_move(playing.line().as_bytes(), 7), Some(own), "{binary}, {colour:?}, {number}");
                turn.make(own, colour);
            }
            assert_eq!(playing.end(), (Some(0), String::new()), "{binary}");
        }
    }
}

/// The last legal point of the board.
fn foes_move(turn: &Turn) -> Move {
    let position = &turn.position;
    let legal = position.points().filter(|&point| position.is_legal(point, turn.colour.other())).last();
    legal.map_or(Move::Pass, |point| Move::Place(position.spot(point)))
}

#[test]
fn the_board_has_nineteen_lines_unless_it_is_said() {
    for (binary, path) in PROGRAMS {
        let mut playing = Playing::start(path, &["white"]);
        playing.send("time\nT19\n");
        assert!(parse_move(playing.line().as_bytes(), 19).is_some(), "{binary}");
        assert_eq!(playing.end(), (Some(0), String::new()), "{binary}");
    }
}

#[test]
fn what_is_not_in_the_protocol_is_refused() {
    for (binary, path) in PROGRAMS {
        let mut playing = Playing::start(path, &["white", "9"]);
        playing.send("T19\n");
        let (status, errors) = playing.end();
        assert_eq!(errors, "error: `T19` is neither a vertex nor `pass` nor `time`\n", "{binary}");
        assert_eq!(status, Some(2), "{binary}");
        assert_eq!(Playing::start(path, &[]).end().0, Some(2), "{binary}");
    }
}
