//! A board as a mistaken bot may keep it: illegal moves are possible on it, and stones are captured by wrong rules.

use cornerman::game::Spot;
use cornerman::games::go::Colour;

/// Which captured stones are removed from a wrong board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removal {
    /// All, as the rules say.
    All,
    /// None.
    Nothing,
    /// Those that this colour captures.
    By(Colour),
    /// Chains of at most this many stones.
    AtMost(usize),
    /// Chains of at least this many stones.
    AtLeast(usize),
    /// The first captured chain beside the new stone, in this order of the points beside it: 0 is above, 1 to the left,
    /// 2 to the right and 3 below.
    FirstChain([usize; 4]),
    /// Chains that do not touch the edge.
    AwayFromEdge,
    /// Chains without a stone in a corner.
    AwayFromCorner,
    /// Stones beside the new one that have no liberty of their own, whatever their chain has.
    StoneByStone,
    /// All, where diagonal points are adjacent too.
    Diagonally,
    /// All, where a point at the edge is adjacent to that at the opposite edge.
    AroundTheEdge,
}

/// A board that allows illegal moves, unlike [`Position`](cornerman::games::go::Position).
#[derive(Clone)]
pub(super) struct Board {
    size: u8,
    removal: Removal,
    /// The stones, row by row from the top left.
    cells: Vec<Option<Colour>>,
}

impl Board {
    /// The empty board of `size` lines per side.
    pub(super) fn new(size: u8, removal: Removal) -> Board {
        Board { size, removal, cells: vec![None; usize::from(size) * usize::from(size)] }
    }

    fn index(&self, spot: Spot) -> usize {
        usize::from(spot.row) * usize::from(self.size) + usize::from(spot.col)
    }

    fn spot(&self, at: usize) -> Spot {
        let n = usize::from(self.size);
        Spot { row: (at / n) as u8, col: (at % n) as u8 }
    }

    /// The stone at `spot`.
    pub(super) fn at(&self, spot: Spot) -> Option<Colour> {
        self.cells[self.index(spot)]
    }

    /// Puts a stone of `colour` at `spot`, and captures nothing.
    pub(super) fn put(&mut self, spot: Spot, colour: Colour) {
        let at = self.index(spot);
        self.cells[at] = Some(colour);
    }

    /// The points above, to the left, to the right and below; `None` beyond the edge.
    fn around(&self, at: usize) -> [Option<usize>; 4] {
        let n = usize::from(self.size);
        let row = at / n;
        let col = at % n;
        let on = |is_on: bool, at: usize| is_on.then_some(at);
        [
            on(row > 0, at.wrapping_sub(n)),
            on(col > 0, at.wrapping_sub(1)),
            on(col + 1 < n, at + 1),
            on(row + 1 < n, at + n),
        ]
    }

    /// The points that this board wrongly takes for adjacent.
    fn wrongly_adjacent(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let n = usize::from(self.size);
        let row = at / n;
        let col = at % n;
        let last = n - 1;
        let steps =
            |line: usize| [line.checked_sub(1), Some(line + 1).filter(|&next| next < n)].into_iter().flatten();
        let other_edge =
            |line: usize| [0, last].into_iter().filter(move |&other| other != line && [0, last].contains(&line));
        let points: Vec<(usize, usize)> = match self.removal {
            Removal::Diagonally => steps(row).flat_map(|row| steps(col).map(move |col| (row, col))).collect(),
            Removal::AroundTheEdge => {
                let down = other_edge(row).map(|row| (row, col));
                down.chain(other_edge(col).map(|col| (row, col))).collect()
            }
            _ => Vec::new(),
        };
        points.into_iter().map(move |(row, col)| row * n + col)
    }

    fn beside(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        self.around(at).into_iter().flatten().chain(self.wrongly_adjacent(at))
    }

    /// The stones and the liberties of the chain of the stone at `at`.
    fn chain(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let mut stones = vec![at];
        let mut liberties = Vec::new();
        let mut next = 0;
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

    /// Whether a stone of `colour` at `spot` would be legal on this board. Ko is not considered.
    pub(super) fn is_legal(&self, spot: Spot, colour: Colour) -> bool {
        let at = self.index(spot);
        self.cells[at].is_none()
            && self.beside(at).any(|beside| match self.cells[beside] {
                None => true,
                Some(other) => (other == colour) != (self.chain(beside).1.len() == 1),
            })
    }

    /// Whether a stone of `colour` at `spot` would be legal without capturing anything, and would not fill an eye of
    /// its own.
    pub(super) fn is_free(&self, spot: Spot, colour: Colour) -> bool {
        let at = self.index(spot);
        let breathes = |beside: usize| match self.cells[beside] {
            None => true,
            Some(other) => other == colour && self.chain(beside).1.len() > 1,
        };
        self.cells[at].is_none()
            && self.beside(at).any(breathes)
            && self.beside(at).any(|beside| self.cells[beside] != Some(colour))
    }

    /// Whether the stone at `spot` has no liberty of its own.
    pub(super) fn is_shut_in(&self, spot: Spot) -> bool {
        self.beside(self.index(spot)).all(|beside| self.cells[beside].is_some())
    }

    /// The stones of all chains beside `spot` that have no liberties.
    pub(super) fn without_liberties(&self, spot: Spot) -> Vec<Spot> {
        let stones = self.beside(self.index(spot)).filter(|&at| self.cells[at].is_some());
        let chains = stones.map(|at| self.chain(at)).filter(|(_, liberties)| liberties.is_empty());
        chains.flat_map(|(stones, _)| stones).map(|at| self.spot(at)).collect()
    }

    /// Places a stone, whether the point is empty or not, and removes what it captures by the rules of this board.
    /// Returns the spots from which stones were removed.
    pub(super) fn place(&mut self, spot: Spot, colour: Colour) -> Vec<Spot> {
        let at = self.index(spot);
        self.cells[at] = Some(colour);
        let n = usize::from(self.size);
        let around = self.around(at);
        let order = if let Removal::FirstChain(order) = self.removal { order } else { [0, 1, 2, 3] };
        let mut removed: Vec<usize> = Vec::new();
        for beside in order.into_iter().filter_map(|which| around[which]).chain(self.wrongly_adjacent(at)) {
            if self.cells[beside] != Some(colour.other()) {
                continue;
            }
            let (stones, liberties) = self.chain(beside);
            let edges = |at: usize| [at / n, at % n].into_iter().filter(|line| [0, n - 1].contains(line)).count();
            let captured = liberties.is_empty()
                && match self.removal {
                    Removal::All | Removal::StoneByStone | Removal::Diagonally | Removal::AroundTheEdge => true,
                    Removal::Nothing => false,
                    Removal::By(by) => by == colour,
                    Removal::AtMost(most) => stones.len() <= most,
                    Removal::AtLeast(least) => stones.len() >= least,
                    Removal::FirstChain(_) => removed.is_empty(),
                    Removal::AwayFromEdge => stones.iter().all(|&stone| edges(stone) == 0),
                    Removal::AwayFromCorner => stones.iter().all(|&stone| edges(stone) < 2),
                };
            match self.removal {
                Removal::StoneByStone if self.beside(beside).all(|next| self.cells[next].is_some()) => {
                    removed.push(beside);
                }
                Removal::StoneByStone => {}
                _ if captured => removed.extend(stones),
                _ => {}
            }
        }
        for &stone in &removed {
            self.cells[stone] = None;
        }
        removed.into_iter().map(|stone| self.spot(stone)).collect()
    }
}
