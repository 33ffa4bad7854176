//! A simple board: an array of stones, with chains searched for when they are needed.

/// Which stones the bot takes for captured.
#[derive(Clone, Copy, PartialEq)]
pub enum Captures {
    /// All.
    Right,
    /// The first captured chain.
    OneChain,
    /// Chains of at most this many stones.
    AtMost(usize),
    /// Chains of at least this many stones.
    AtLeast(usize),
    /// Each stone beside the new one without liberties of its own.
    Singly,
    /// Chains away from the edge.
    AwayFromEdge,
    /// Chains away from the corners.
    AwayFromCorner,
    /// All, where chains hold together and breathe diagonally too.
    Diagonally,
    /// All, where a point at the edge is adjacent to that at the opposite edge.
    AroundTheEdge,
}

/// The steps to adjacent points.
const STRAIGHT: &[(isize, isize)] = &[(-1, 0), (0, -1), (0, 1), (1, 0)];

/// The steps to diagonal points.
const DIAGONAL: &[(isize, isize)] = &[(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A board. 0 is an empty point, 1 a black stone, 2 a white one.
#[derive(Clone)]
pub struct Board {
    /// The number of lines in each direction.
    pub size: usize,
    /// The points, row by row from the top left.
    pub cells: Vec<u8>,
    /// The point that ko forbids.
    pub ko: Option<usize>,
    captures: Captures,
}

impl Board {
    /// The empty board.
    pub fn new(size: usize, captures: Captures) -> Board {
        Board { size, cells: vec![0; size * size], ko: None, captures }
    }

    /// The points of the board that are `steps` away.
    fn near(&self, at: usize, steps: &'static [(isize, isize)]) -> impl Iterator<Item = usize> + use<> {
        let size = self.size as isize;
        let row = at as isize / size;
        let col = at as isize % size;
        let wraps = self.captures == Captures::AroundTheEdge;
        let placed = move |line: isize| if wraps { line.rem_euclid(size) } else { line };
        let on = steps.iter().map(move |(down, right)| (placed(row + down), placed(col + right)));
        let on = on.filter(move |(row, col)| (0..size).contains(row) && (0..size).contains(col));
        on.map(move |(row, col)| (row * size + col) as usize)
    }

    /// The adjacent points.
    pub fn beside(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let diagonal = if self.captures == Captures::Diagonally { DIAGONAL } else { &[] };
        self.near(at, STRAIGHT).chain(self.near(at, diagonal))
    }

    /// The chain of the stone at `at`, and its liberties.
    pub fn chain(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let mut stones = vec![at];
        let mut liberties = Vec::new();
        let mut is_seen = vec![false; self.cells.len()];
        is_seen[at] = true;
        let mut next_stone = 0;
        while let Some(&stone) = stones.get(next_stone) {
            next_stone += 1;
            for next in self.beside(stone) {
                if std::mem::replace(&mut is_seen[next], true) {
                    continue;
                }
                let cell = self.cells[next];
                if cell == self.cells[at] {
                    stones.push(next);
                } else if cell == 0 {
                    liberties.push(next);
                }
            }
        }
        (stones, liberties)
    }

    /// Whether a stone at the empty point would have a liberty, or capture something.
    pub fn can_breathe(&self, at: usize, colour: u8) -> bool {
        self.beside(at).any(|next| match self.cells[next] {
            0 => true,
            cell => (cell == colour) != (self.chain(next).1.len() == 1),
        })
    }

    /// Whether `colour` may play there.
    pub fn is_legal(&self, at: usize, colour: u8) -> bool {
        self.cells[at] == 0 && self.ko != Some(at) && self.can_breathe(at, colour)
    }

    /// The legal points of `colour`, without its own eyes if those are to be `kept`.
    pub fn legal(&self, colour: u8, kept: bool) -> Vec<usize> {
        let legal = |&at: &usize| self.is_legal(at, colour) && !(kept && self.is_eye(at, colour));
        (0..self.cells.len()).filter(legal).collect()
    }

    /// Whether the empty point is a real eye of `colour`.
    pub fn is_eye(&self, at: usize, colour: u8) -> bool {
        let corners = || self.near(at, DIAGONAL);
        let foes = corners().filter(|&next| self.cells[next] == 3 - colour).count();
        self.beside(at).all(|next| self.cells[next] == colour) && foes + usize::from(corners().count() < 4) < 2
    }

    /// Places a stone, even on another one, and removes captured stones if it `takes`; or passes.
    pub fn make(&mut self, m: Option<usize>, colour: u8, takes: bool) {
        self.ko = None;
        let Some(at) = m else { return };
        self.cells[at] = colour;
        let mut taken = Vec::new();
        for next in self.beside(at) {
            if takes && self.cells[next] == 3 - colour {
                let (stones, liberties) = self.chain(next);
                let stones = if self.captures == Captures::Singly { vec![next] } else { stones };
                let at_edge = |&stone: &usize| self.beside(stone).count() < 4;
                let in_corner = |&stone: &usize| self.beside(stone).count() < 3;
                let captured = match self.captures {
                    Captures::Right | Captures::Diagonally | Captures::AroundTheEdge => liberties.is_empty(),
                    Captures::OneChain => liberties.is_empty() && taken.is_empty(),
                    Captures::AtMost(most) => liberties.is_empty() && stones.len() <= most,
                    Captures::AtLeast(least) => liberties.is_empty() && stones.len() >= least,
                    Captures::Singly => self.beside(next).all(|at| self.cells[at] != 0),
                    Captures::AwayFromEdge => liberties.is_empty() && !stones.iter().any(at_edge),
                    Captures::AwayFromCorner => liberties.is_empty() && !stones.iter().any(in_corner),
                };
                if captured {
                    for &stone in &stones {
                        self.cells[stone] = 0;
                    }
                    taken.extend(stones);
                }
            }
        }
        let (stones, liberties) = self.chain(at);
        if taken.len() == 1 && stones.len() == 1 && liberties.len() == 1 {
            self.ko = Some(taken[0]);
        }
    }
}
