//! Go bots with one fault each: the faultless one is a sequence of steps, of which each fault replaces one or, rarely,
//! several. Some only look as if they had a fault.

mod board;
mod faults;

use crate::protocol::{self, Steps};
use crate::{MutantKind, Mutants};
use board::{Board, Captures};
use cornerman::rng::Rng;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::LazyLock;

/// The letters of the columns.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The steps of a game.
pub struct GoSteps {
    /// Those that no game decides.
    protocol: Steps,
    /// Returns the size of the board, from the second argument.
    size: fn(Option<usize>) -> usize,
    /// Returns whether it makes the first move.
    opens: fn(&KnownGame) -> bool,
    /// Parses the opponent's move; `None` if the line is not a move.
    understand: fn(&KnownGame, &str) -> Option<MutantMove>,
    /// Runs when the bot is sent `time`.
    hurry: fn(&GoSteps, &mut KnownGame),
    /// Runs on a line that is not a move.
    junk: fn(&str),
    /// Runs before a move is chosen.
    heed: fn(&mut KnownGame),
    /// Chooses the move.
    choose: fn(&KnownGame) -> MutantMove,
    /// Whether it removes captured stones from its board: the opponent's, and its own.
    takes: [bool; 2],
    /// Which captured stones leave its board.
    captures: Captures,
    /// Returns the move as text, with its line feed.
    render: fn(&KnownGame, MutantMove) -> String,
    /// Runs after two passes; the argument is whether the last one was its own.
    end: fn(&GoSteps, bool),
}

/// A point, or `None` to pass.
pub type MutantMove = Option<usize>;

/// What the bot knows of its game.
pub struct KnownGame {
    /// Whether it plays Black.
    pub black: bool,
    /// The board as the bot keeps it.
    pub board: Board,
    /// The moves of both colours so far.
    pub moves: Vec<MutantMove>,
    /// Whether it was sent `time`.
    pub hurried: bool,
}

impl KnownGame {
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

    /// The number of its own moves so far, when it is its turn.
    pub fn own_moves(&self) -> usize {
        self.moves.len() / 2
    }

    /// A random one of `points`, always the same in the same position.
    pub fn drawn(&self, points: &[usize]) -> MutantMove {
        let seed =
            self.board.cells.iter().fold(self.moves.len() as u64, |seed, &cell| {
                (seed ^ u64::from(cell)).wrapping_mul(0x0100_0000_01b3)
            });
        Rng::new(seed).pick(points).copied()
    }

    /// The faultless move: a random legal point that is not one of its own eyes, or a pass if there is none.
    pub fn sound(&self) -> MutantMove {
        self.drawn(&self.legal(true))
    }

    /// The legal points, without its own eyes if those are to be `kept`.
    pub fn legal(&self, kept: bool) -> Vec<usize> {
        self.board.legal(self.own(), kept)
    }

    /// The letter and number of a point.
    pub fn name(&self, at: usize) -> String {
        let size = self.board.size;
        format!("{}{}", char::from(LETTERS[at % size]), size - at / size)
    }
}

/// The bot without a fault.
impl Default for GoSteps {
    fn default() -> GoSteps {
        GoSteps::with(Steps::default())
    }
}

impl GoSteps {
    /// The bot that plays faultlessly with these steps.
    fn with(protocol: Steps) -> GoSteps {
        GoSteps {
            protocol,
            size: |size| size.unwrap_or(19),
            opens: |game| game.black,
            understand,
            hurry: |_, game| game.hurried = true,
            junk: |_| (),
            heed: |_| (),
            choose: KnownGame::sound,
            takes: [true, true],
            captures: Captures::Right,
            render: |game, m| m.map_or("pass".to_string(), |at| game.name(at)) + "\n",
            end: |_, _| (),
        }
    }

    /// Plays a game; the arguments are the colour, and the size of the board if it is not 19.
    pub fn run(&self, args: &[OsString]) -> ExitCode {
        let word = |at: usize| args.get(at).and_then(|arg| arg.to_str());
        let black = match word(0) {
            Some("black") => true,
            Some("white") => false,
            _ => {
                eprintln!("error: expected `black` or `white`");
                return ExitCode::from(2);
            }
        };
        self.protocol.run(|| {
            let size = (self.size)(word(1).and_then(|size| size.parse().ok()));
            self.play(KnownGame {
                black,
                board: Board::new(size, self.captures),
                moves: Vec::new(),
                hurried: false,
            });
        })
    }

    fn play(&self, mut game: KnownGame) {
        if (self.opens)(&game) {
            self.turn(&mut game);
        }
        while let Some(line) = (self.protocol.read)() {
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

    /// Makes a move and writes it.
    pub fn turn(&self, game: &mut KnownGame) {
        let turn = game.moves.iter().skip(usize::from(!game.black)).step_by(2).count() + 1;
        (self.heed)(game);
        (self.protocol.heed)(turn);
        let m = (self.choose)(game);
        let line = (self.protocol.answer)(turn, &(self.render)(game, m));
        game.board.make(m, game.own(), self.takes[0]);
        game.moves.push(m);
        (self.protocol.write)(&line);
    }
}

/// Parses the opponent's line: a point of the board or a pass.
fn understand(game: &KnownGame, line: &str) -> Option<MutantMove> {
    let word = line.trim().to_ascii_uppercase();
    if word == "PASS" {
        return Some(None);
    }
    let size = game.board.size;
    let col = LETTERS.iter().position(|&letter| word.as_bytes().first() == Some(&letter))?;
    let row: usize = word.get(1..)?.parse().ok()?;
    (col < size && (1..=size).contains(&row)).then(|| Some((size - row) * size + col))
}

/// The mutants of Go.
pub fn mutants() -> Mutants {
    let kinds: LazyLock<Vec<MutantKind>> = LazyLock::new(|| protocol::kinds("go"));
    let usage = "go-KIND black|white [SIZE]";
    Mutants { id: "go", prefix: "go-", kinds, usage, play: |kind, args| Some(bot(kind)?.run(&args)) }
}

/// The bot of this kind, if there is one.
pub fn bot(kind: &str) -> Option<GoSteps> {
    let of_protocol = || Some(GoSteps::with(protocol::steps(kind.strip_prefix("go-")?)?));
    faults::bot(kind).or_else(of_protocol)
}
