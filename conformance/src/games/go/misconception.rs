//! Misconceptions: wrong boards on which a bot's illegal moves would be legal.
//!
//! A bot that does not remove captured stones, or that swaps columns and rows, plays on occupied points or commits
//! suicide. Its author is helped more by the mistake than by its effects, so the mistake is reported. It is confirmed
//! if every move of the bot in every game, including the illegal ones, would be legal on its wrong board.

use super::id;
use crate::lines::{LineEvent, Transcript};
use cornerman::game::Spot;
use cornerman::games::go::{Colour, Move, parse_move};

/// A game that was played with a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The size of the board in lines per side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    /// All moves of both colours in order, beginning with black's first one.
    pub moves: Vec<Move>,
}

/// A wrong idea of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misconception {
    /// Columns and rows are swapped where moves are read, or where they are written.
    AxesSwapped,
    /// Rows are numbered from the top where moves are read, or where they are written.
    RowsFromTop,
    /// Captured stones of both colours stay on the board.
    AllCapturedStay,
    /// The bot's own captured stones stay on the board.
    OwnCapturedStay,
    /// The opponent's captured stones stay on the board.
    OpponentsCapturedStay,
}

impl Misconception {
    const ALL: [Misconception; 5] = [
        Misconception::AxesSwapped,
        Misconception::RowsFromTop,
        Misconception::AllCapturedStay,
        Misconception::OwnCapturedStay,
        Misconception::OpponentsCapturedStay,
    ];

    /// The id of the check that fails.
    pub fn id(self) -> &'static str {
        match self {
            Misconception::AxesSwapped | Misconception::RowsFromTop => id::COORD,
            Misconception::AllCapturedStay
            | Misconception::OwnCapturedStay
            | Misconception::OpponentsCapturedStay => id::CAPTURE,
        }
    }

    /// A description of the misconception for the bot's author.
    pub fn in_words(self) -> &'static str {
        match self {
            Misconception::AxesSwapped => {
                "all its moves are legal if columns and rows are swapped either where it reads moves or where it \
                 writes them"
            }
            Misconception::RowsFromTop => {
                "all its moves are legal if rows are numbered from the top either where it reads moves or where it \
                 writes them"
            }
            Misconception::AllCapturedStay => "all its moves are legal if captured stones stay on the board",
            Misconception::OwnCapturedStay => {
                "all its moves are legal if its own captured stones stay on the board"
            }
            Misconception::OpponentsCapturedStay => {
                "all its moves are legal if the opponent's captured stones stay on the board"
            }
        }
    }

    /// Whether every move of the bot in `game` is legal on its wrong board.
    fn explains(self, game: &PlayedGame) -> bool {
        let mut board = Board::new(game.size);
        let mut colours = Colour::BOTH.into_iter().cycle();
        game.moves.iter().all(|&m| {
            let colour = colours.next().unwrap_or(Colour::Black);
            let Move::Place(spot) = m else { return true };
            let by_bot = colour == game.bot;
            let spot = if by_bot { spot } else { self.seen(spot, game.size) };
            let legal = !by_bot || board.is_legal(spot, colour);
            let captures = match self {
                Misconception::AxesSwapped | Misconception::RowsFromTop => true,
                Misconception::AllCapturedStay => false,
                Misconception::OwnCapturedStay => by_bot,
                Misconception::OpponentsCapturedStay => !by_bot,
            };
            board.place(spot, colour, captures);
            legal
        })
    }

    /// The spot on the bot's wrong board of an opponent's stone that was played at `spot`.
    fn seen(self, spot: Spot, size: u8) -> Spot {
        // `Spot` counts rows from the top and notation from the bottom, so swapping letter and number mirrors the board
        // along its other diagonal.
        let last = size - 1;
        match self {
            Misconception::AxesSwapped => Spot { row: last - spot.col, col: last - spot.row },
            Misconception::RowsFromTop => Spot { row: last - spot.row, col: spot.col },
            _ => spot,
        }
    }
}

/// The misconception that explains all of `games`, if there is one.
pub fn of(games: &[PlayedGame]) -> Option<Misconception> {
    Misconception::ALL.into_iter().find(|misconception| games.iter().all(|game| misconception.explains(game)))
}

/// A board that allows illegal moves, unlike [`Position`](cornerman::games::go::Position).
struct Board {
    size: u8,
    cells: Vec<Option<Colour>>,
}

impl Board {
    fn new(size: u8) -> Board {
        Board { size, cells: vec![None; usize::from(size) * usize::from(size)] }
    }

    fn index(&self, spot: Spot) -> usize {
        usize::from(spot.row) * usize::from(self.size) + usize::from(spot.col)
    }

    fn beside(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let n = usize::from(self.size);
        let (row, col) = (at / n, at % n);
        let all = [
            (row > 0, at.wrapping_sub(n)),
            (row + 1 < n, at + n),
            (col > 0, at.wrapping_sub(1)),
            (col + 1 < n, at + 1),
        ];
        all.into_iter().filter(|(is_on, _)| *is_on).map(|(_, at)| at)
    }

    /// The stones and the liberties of the chain of the stone at `at`.
    fn chain(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut stones, mut liberties, mut next) = (vec![at], Vec::new(), 0);
        while let Some(&stone) = stones.get(next) {
            next += 1;
            for beside in self.beside(stone) {
                if self.cells[beside].is_none() && !liberties.contains(&beside) {
                    liberties.push(beside);
                } else if self.cells[beside] == self.cells[at] && !stones.contains(&beside) {
                    stones.push(beside);
                }
            }
        }
        (stones, liberties)
    }

    /// Whether the point is empty and the stone would have a liberty or capture something. Ko is not checked.
    fn is_legal(&self, spot: Spot, colour: Colour) -> bool {
        let at = self.index(spot);
        self.cells[at].is_none()
            && self.beside(at).any(|beside| match self.cells[beside] {
                None => true,
                Some(other) => (other == colour) != (self.chain(beside).1.len() == 1),
            })
    }

    /// Places a stone, whether the point is empty or not. If `captures`, removes the stones that it captures.
    fn place(&mut self, spot: Spot, colour: Colour, captures: bool) {
        let at = self.index(spot);
        self.cells[at] = Some(colour);
        if !captures {
            return;
        }
        for beside in self.beside(at) {
            if self.cells[beside] == Some(colour.other()) {
                let (stones, liberties) = self.chain(beside);
                if liberties.is_empty() {
                    stones.into_iter().for_each(|stone| self.cells[stone] = None);
                }
            }
        }
    }
}

/// All moves in a dialogue, sent and received, in order.
pub fn moves(transcript: &Transcript, size: u8) -> Vec<Move> {
    let lines = transcript.0.iter().filter_map(|entry| match &entry.event {
        LineEvent::Sent(bytes) | LineEvent::Received(bytes) => Some(bytes),
        LineEvent::Note(_) => None,
    });
    lines.flat_map(|bytes| bytes.split(|&byte| byte == b'\n')).filter_map(|line| parse_move(line, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::go::parse_move;

    fn played(bot: Colour, moves: &str) -> PlayedGame {
        let moves = moves.split(' ').map(|word| parse_move(word.as_bytes(), 5).unwrap()).collect();
        PlayedGame { size: 5, bot, moves }
    }

    #[track_caller]
    fn check(misconception: Misconception, bot: Colour, moves: &str, explained: bool) {
        assert_eq!(misconception.explains(&played(bot, moves)), explained, "{misconception:?} {moves}");
    }

    /// Black lives with eyes at A1 and C1. White has lost a stone at A1 and plays C1.
    const TWO_EYES: &str = "A2 A1 B1 A3 B2 B3 C2 C3 D2 D3 D1 E2 pass E1 pass C1";

    #[test]
    fn a_misconception_explains_moves_that_it_makes_legal() {
        // The bot read A4 as D1, so A4 seems to be empty.
        check(Misconception::AxesSwapped, Colour::White, "A4 A4", true);
        check(Misconception::AxesSwapped, Colour::White, "D4 D4", false);
        check(Misconception::RowsFromTop, Colour::White, "D4 D4", true);
        check(Misconception::RowsFromTop, Colour::White, "D3 D3", false);
        check(Misconception::AllCapturedStay, Colour::White, TWO_EYES, true);
        check(Misconception::OwnCapturedStay, Colour::White, TWO_EYES, true);
        check(Misconception::OpponentsCapturedStay, Colour::White, TWO_EYES, false);
    }

    #[test]
    fn a_bot_that_plays_where_a_stone_was_captured_knows_of_the_capture() {
        let again = "A2 A1 B1 E5 A1";
        check(Misconception::AllCapturedStay, Colour::Black, again, false);
        check(Misconception::OpponentsCapturedStay, Colour::Black, again, false);
        check(Misconception::OwnCapturedStay, Colour::Black, again, true);
    }

    #[test]
    fn one_game_that_it_does_not_explain_refutes_a_misconception() {
        let swapped = played(Colour::White, "A4 A4");
        assert_eq!(of(std::slice::from_ref(&swapped)), Some(Misconception::AxesSwapped));
        assert_eq!(of(&[swapped, played(Colour::White, "C3 C3")]), None);
    }
}
