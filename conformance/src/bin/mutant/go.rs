//! Go bots with one fault each: the faultless one as a row of steps, and every fault a single step replaced.

mod board;
pub mod kinds;
mod odd;
mod steps;

use crate::lines::{read, write};
use board::Board;
use cornerman::rng::Rng;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

/// The letters of the columns.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The steps of a game.
pub struct Bot {
    /// Before anything is said.
    pub prepare: fn() -> Result<(), String>,
    /// The lines a side, from the second argument.
    pub size: fn(Option<usize>) -> usize,
    /// Whether it makes the first move.
    pub opens: fn(&Game) -> bool,
    /// The next line of input, without its line feed; `None` at the end.
    pub read: fn() -> Option<String>,
    /// A line of the opponent's as it is understood.
    pub understand: fn(&Game, &str) -> Option<Move>,
    /// What it does when it is told that its time is up.
    pub hurry: fn(&Bot, &mut Game),
    /// What it does with a line that is no move.
    pub junk: fn(&str),
    /// Before a move is chosen.
    pub heed: fn(&Game),
    /// The move.
    pub choose: fn(&Game) -> Move,
    /// Whose captured stones leave its board: those of the opponent, and its own.
    pub takes: [bool; 2],
    /// A move as it is written, with its line feed.
    pub render: fn(&Game, Move) -> String,
    /// Puts text on standard output.
    pub write: fn(&str),
    /// Two passes have ended the game; whether the last of them was its own.
    pub end: fn(&Bot, bool),
    /// The input or the game has ended.
    pub finish: fn() -> ExitCode,
}

/// A point, or `None` to pass.
pub type Move = Option<usize>;

/// What it knows.
pub struct Game {
    /// Whether it plays black.
    pub black: bool,
    /// The stones, as it is_confirmed.
    pub board: Board,
    /// Moves of both so far.
    pub moves: Vec<Move>,
    /// Whether it was told that its time is up.
    pub hurried: bool,
}

impl Game {
    /// Its own colour and the opponent's.
    fn colours(&self) -> [u8; 2] {
        if self.black { [1, 2] } else { [2, 1] }
    }

    /// Its own colour.
    pub fn own(&self) -> u8 {
        self.colours()[0]
    }

    fn is_over(&self) -> bool {
        self.moves.ends_with(&[None, None])
    }

    /// How many moves it made itself.
    pub fn own_moves(&self) -> usize {
        (self.moves.len() + usize::from(!self.black)) / 2
    }

    /// One of `points`, drawn by lot; it is the same in the same position.
    pub fn drawn(&self, points: &[usize]) -> Move {
        let seed =
            self.board.cells.iter().fold(self.moves.len() as u64, |seed, &cell| {
                (seed ^ u64::from(cell)).wrapping_mul(0x0100_0000_01b3)
            });
        Rng::new(seed).pick(points).copied()
    }

    /// The faultless move: any legal point that is none of its own eyes.
    pub fn sound(&self) -> Move {
        self.drawn(&self.legal(true))
    }

    /// The legal points, those but its own eyes if they are to be `kept`.
    pub fn legal(&self, kept: bool) -> Vec<usize> {
        let own = self.own();
        let legal = |&at: &usize| self.board.is_legal(at, own) && !(kept && self.board.is_eye(at, own));
        (0..self.board.cells.len()).filter(legal).collect()
    }

    /// The letter and number of a point.
    pub fn name(&self, at: usize) -> String {
        let size = self.board.size;
        format!("{}{}", char::from(LETTERS[at % size]), size - at / size)
    }
}

/// The bot without a fault.
impl Default for Bot {
    fn default() -> Bot {
        Bot {
            prepare: || Ok(()),
            size: |size| size.unwrap_or(19),
            opens: |game| game.black,
            read,
            understand,
            hurry: |_, game| game.hurried = true,
            junk: |_| (),
            heed: |_| (),
            choose: Game::sound,
            takes: [true, true],
            render: |game, m| m.map_or("pass".to_string(), |at| game.name(at)) + "\n",
            write,
            end: |_, _| (),
            finish: || {
                // The one who asks ends the game.
                _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                ExitCode::SUCCESS
            },
        }
    }
}

impl Bot {
    /// Plays a game as the arguments say: the colour, and the lines a side if they are not 19.
    pub fn run(&self, args: &[OsString]) -> ExitCode {
        let word = |at: usize| args.get(at).and_then(|arg| arg.to_str());
        let black = match word(0) {
            Some("black") => true,
            Some("white") => false,
            _ => {
                eprintln!("error: `black` or `white` was due");
                return ExitCode::from(2);
            }
        };
        if let Err(why) = (self.prepare)() {
            eprintln!("error: {why}");
            return ExitCode::FAILURE;
        }
        let size = (self.size)(word(1).and_then(|size| size.parse().ok()));
        self.play(Game { black, board: Board::new(size), moves: Vec::new(), hurried: false });
        (self.finish)()
    }

    fn play(&self, mut game: Game) {
        if (self.opens)(&game) {
            self.turn(&mut game);
        }
        while let Some(line) = (self.read)() {
            if line.trim().eq_ignore_ascii_case("time") {
                (self.hurry)(self, &mut game);
                continue;
            }
            let Some(m) = (self.understand)(&game, &line) else {
                (self.junk)(&line);
                continue;
            };
            let [_, foe] = game.colours();
            game.board.make(m, foe, self.takes[1]);
            game.moves.push(m);
            if game.is_over() {
                return (self.end)(self, false);
            }
            self.turn(&mut game);
            if game.is_over() {
                return (self.end)(self, true);
            }
        }
    }

    /// Makes a move and tells it.
    pub fn turn(&self, game: &mut Game) {
        (self.heed)(game);
        let m = (self.choose)(game);
        let line = (self.render)(game, m);
        game.board.make(m, game.own(), self.takes[0]);
        game.moves.push(m);
        (self.write)(&line);
    }
}

/// A line of the opponent's: a point of the board or a pass.
fn understand(game: &Game, line: &str) -> Option<Move> {
    let word = line.trim().to_ascii_uppercase();
    if word == "PASS" {
        return Some(None);
    }
    let size = game.board.size;
    let col = LETTERS.iter().position(|&letter| word.as_bytes().first() == Some(&letter))?;
    let row: usize = word.get(1..)?.parse().ok()?;
    (col < size && (1..=size).contains(&row)).then(|| Some((size - row) * size + col))
}

/// The points where stones were placed so far.
pub fn placed(game: &Game) -> BTreeSet<usize> {
    game.moves.iter().flatten().copied().collect()
}

/// The bot of `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    steps::bot(kind).or_else(|| odd::bot(kind))
}
