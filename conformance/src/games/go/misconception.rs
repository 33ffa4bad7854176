//! Mistaken boards: what a bot would have to confirm for its illegal moves to be legal ones.
//!
//! A bot that forgets to take captured stones off, or mixes up columns and rows, is seen to play on occupied points
//! or to commit suicide. Its author is better told of the mistake than of what follows from it. A mistake is
//! confirmed when every move of every game would be legal with it, the illegal ones included.

use super::id;
use crate::lines::{LineEvent, Transcript};
use cornerman::game::Spot;
use cornerman::games::go::{Colour, Move, parse_move};

/// A game as it was played: the size of the board, the bot's colour, and all moves in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Lines a side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    /// Black's first.
    pub moves: Vec<Move>,
}

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misconception {
    /// Columns and rows are exchanged where moves are written, or where they are read.
    AxesSwapped,
    /// Rows count from the top where moves are written, or where they are read.
    RowsFromTop,
    /// Captured stones stay, its own and the opponent's.
    AllCapturedStay,
    /// Its own captured stones stay.
    OwnCapturedStay,
    /// The opponent's captured stones stay.
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

    /// The check it fails.
    pub fn id(self) -> &'static str {
        match self {
            Misconception::AxesSwapped | Misconception::RowsFromTop => id::COORD,
            Misconception::AllCapturedStay
            | Misconception::OwnCapturedStay
            | Misconception::OpponentsCapturedStay => id::CAPTURE,
        }
    }

    /// The mistake in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Misconception::AxesSwapped => {
                "all its moves make sense if columns and rows are exchanged between what it reads and what it writes"
            }
            Misconception::RowsFromTop => {
                "all its moves make sense if rows count from the top either where it reads or where it writes them"
            }
            Misconception::AllCapturedStay => {
                "all its moves make sense if no captured stone ever leaves the board"
            }
            Misconception::OwnCapturedStay => {
                "all its moves make sense if its own stones stay where the opponent captured them"
            }
            Misconception::OpponentsCapturedStay => {
                "all its moves make sense if the opponent's stones stay where it captured them"
            }
        }
    }

    /// Whether every move of the bot's in `game` is legal on the board that it would see.
    fn explains(self, game: &PlayedGame) -> bool {
        let mut board = Board::new(game.size);
        let mut colours = Colour::BOTH.into_iter().cycle();
        game.moves.iter().all(|&m| {
            let colour = colours.next().unwrap_or(Colour::Black);
            let Move::Place(spot) = m else { return true };
            let by_bot = colour == game.bot;
            let spot = if by_bot { spot } else { self.seen(spot, game.size) };
            let legal = !by_bot || board.is_legal(spot, colour);
            let takes = match self {
                Misconception::AxesSwapped | Misconception::RowsFromTop => true,
                Misconception::AllCapturedStay => false,
                Misconception::OwnCapturedStay => by_bot,
                Misconception::OpponentsCapturedStay => !by_bot,
            };
            board.place(spot, colour, takes);
            legal
        })
    }

    /// Where the opponent's stone at `spot` stands on the bot's board, as seen beside its own.
    fn seen(self, spot: Spot, size: u8) -> Spot {
        // Row 1 is the last one within this process, and so the exchange is about the other diagonal.
        let last = size - 1;
        match self {
            Misconception::AxesSwapped => Spot { row: last - spot.col, col: last - spot.row },
            Misconception::RowsFromTop => Spot { row: last - spot.row, col: spot.col },
            _ => spot,
        }
    }
}

/// The mistake that explains all of `games`, if one does.
pub fn of(games: &[PlayedGame]) -> Option<Misconception> {
    Misconception::ALL.into_iter().find(|misconception| games.iter().all(|game| misconception.explains(game)))
}

/// Stones, on a board on which anything can happen.
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

    /// The chain of the stone at `at`, and its liberties.
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

    /// Whether the point is empty and the stone would have a liberty, or take something.
    fn is_legal(&self, spot: Spot, colour: Colour) -> bool {
        let at = self.index(spot);
        self.cells[at].is_none()
            && self.beside(at).any(|beside| match self.cells[beside] {
                None => true,
                Some(other) => (other == colour) != (self.chain(beside).1.len() == 1),
            })
    }

    /// Places a stone, whatever was there, and takes what it takes if it `takes`.
    fn place(&mut self, spot: Spot, colour: Colour, takes: bool) {
        let at = self.index(spot);
        self.cells[at] = Some(colour);
        if !takes {
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

/// The moves of a dialogue: what was sent and what was heard, in order.
pub fn moves(transcript: &Transcript, size: u8) -> Vec<Move> {
    let lines = transcript.0.iter().filter_map(|entry| match &entry.said {
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

    /// Black lives with eyes at A1 and C1; white lost a stone at A1, and plays C1.
    const TWO_EYES: &str = "A2 A1 B1 A3 B2 B3 C2 C3 D2 D3 D1 E2 pass E1 pass C1";

    #[test]
    fn a_mistake_is_known_by_the_moves_that_it_makes_legal() {
        // D1 was read as A4, and A4 seems to be free.
        check(Misconception::AxesSwapped, Colour::White, "A4 A4", true);
        check(Misconception::AxesSwapped, Colour::White, "D4 D4", false);
        check(Misconception::RowsFromTop, Colour::White, "D4 D4", true);
        check(Misconception::RowsFromTop, Colour::White, "D3 D3", false);
        check(Misconception::AllCapturedStay, Colour::White, TWO_EYES, true);
        check(Misconception::OwnCapturedStay, Colour::White, TWO_EYES, true);
        check(Misconception::OpponentsCapturedStay, Colour::White, TWO_EYES, false);
    }

    #[test]
    fn who_plays_where_a_stone_was_taken_has_not_forgotten_that() {
        let again = "A2 A1 B1 E5 A1";
        check(Misconception::AllCapturedStay, Colour::Black, again, false);
        check(Misconception::OpponentsCapturedStay, Colour::Black, again, false);
        check(Misconception::OwnCapturedStay, Colour::Black, again, true);
    }

    #[test]
    fn one_game_that_it_does_not_explain_refutes_a_mistake() {
        let swapped = played(Colour::White, "A4 A4");
        assert_eq!(of(std::slice::from_ref(&swapped)), Some(Misconception::AxesSwapped));
        assert_eq!(of(&[swapped, played(Colour::White, "C3 C3")]), None);
    }
}
