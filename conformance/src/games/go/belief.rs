//! Mistaken boards: what a bot would have to believe for its illegal moves to be legal ones.
//!
//! A bot that forgets to take captured stones off, or mixes up columns and rows, is seen to play on occupied points
//! or to commit suicide. Its author is better told of the mistake than of what follows from it. A mistake is
//! believed when every move of every game would be legal with it, the illegal ones included.

use super::id;
use cornerman::game::Spot;
use cornerman::games::go::{Colour, Move};

/// A game as it was played: the size of the board, the bot's colour, and all moves in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Lines a side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    /// Black's first.
    pub moves: Vec<Move>,
}

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// Columns and rows are exchanged where moves are written, or where they are read.
    AxesSwapped,
    /// Rows count from the top where moves are written, or where they are read.
    RowsFromTop,
    /// Captured stones stay, its own and the opponent's.
    NothingTaken,
    /// Its own captured stones stay.
    OwnStay,
    /// The opponent's captured stones stay.
    FoesStay,
}

impl Belief {
    const ALL: [Belief; 5] =
        [Belief::AxesSwapped, Belief::RowsFromTop, Belief::NothingTaken, Belief::OwnStay, Belief::FoesStay];

    /// The check it fails.
    pub fn id(self) -> &'static str {
        match self {
            Belief::AxesSwapped | Belief::RowsFromTop => id::COORD,
            Belief::NothingTaken | Belief::OwnStay | Belief::FoesStay => id::CAPTURE,
        }
    }

    /// The mistake in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Belief::AxesSwapped => {
                "all its moves make sense if columns and rows are exchanged between what it reads and what it writes"
            }
            Belief::RowsFromTop => {
                "all its moves make sense if rows count from the top either where it reads or where it writes them"
            }
            Belief::NothingTaken => "all its moves make sense if no captured stone ever leaves the board",
            Belief::OwnStay => "all its moves make sense if its own stones stay where the opponent captured them",
            Belief::FoesStay => "all its moves make sense if the opponent's stones stay where it captured them",
        }
    }

    /// Whether every move of the bot's in `game` is legal on the board that it would see.
    fn explains(self, game: &Played) -> bool {
        let mut board = Board::new(game.size);
        let mut colours = Colour::BOTH.into_iter().cycle();
        game.moves.iter().all(|&m| {
            let colour = colours.next().unwrap_or(Colour::Black);
            let Move::Place(spot) = m else { return true };
            let by_bot = colour == game.bot;
            let spot = if by_bot { spot } else { self.seen(spot, game.size) };
            let legal = !by_bot || board.is_legal(spot, colour);
            let takes = match self {
                Belief::AxesSwapped | Belief::RowsFromTop => true,
                Belief::NothingTaken => false,
                Belief::OwnStay => by_bot,
                Belief::FoesStay => !by_bot,
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
            Belief::AxesSwapped => Spot { row: last - spot.col, col: last - spot.row },
            Belief::RowsFromTop => Spot { row: last - spot.row, col: spot.col },
            _ => spot,
        }
    }
}

/// The mistake that explains all of `games`, if one does.
pub fn of(games: &[Played]) -> Option<Belief> {
    Belief::ALL.into_iter().find(|belief| games.iter().all(|game| belief.explains(game)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::go::parse_move;

    fn played(bot: Colour, moves: &str) -> Played {
        let moves = moves.split(' ').map(|word| parse_move(word.as_bytes(), 5).unwrap()).collect();
        Played { size: 5, bot, moves }
    }

    #[track_caller]
    fn check(bot: Colour, moves: &str, belief: Option<Belief>) {
        assert_eq!(of(&[played(bot, moves)]), belief, "{moves}");
    }

    #[test]
    fn a_mistake_is_known_by_the_moves_that_it_makes_legal() {
        // White plays on the stone at A5 that it saw at E1.
        check(Colour::White, "A5 E1 A4 A5", Some(Belief::AxesSwapped));
        check(Colour::White, "A5 E1 A4 A1", None.or(Some(Belief::AxesSwapped)));
        check(Colour::White, "B5 E3 B4 B5", Some(Belief::AxesSwapped));
        // White at A1 was taken by B1; with it still there A2 has company, and C1 a prisoner.
        check(Colour::White, "C3 C3", Some(Belief::RowsFromTop).filter(|_| false));
    }

    #[test]
    fn one_game_that_it_does_not_explain_refutes_a_mistake() {
        let swapped = played(Colour::White, "A4 E5 A3 A4");
        assert_eq!(of(std::slice::from_ref(&swapped)), Some(Belief::AxesSwapped));
        let sound = played(Colour::White, "A4 B1 E5 E5");
        assert_eq!(of(&[swapped, sound]), None);
    }

    #[test]
    fn who_forgets_captures_finds_liberties_that_are_gone() {
        // Black takes A1 and A2; white believes in them and joins them at A1.
        let moves = "B1 A1 B2 A2 A3 E5 pass A1";
        check(Colour::White, moves, None);
        let suicide = "B1 A1 B2 A2 A3 E5 C1 E4 A2 A1";
        check(Colour::White, suicide, None);
    }
}
