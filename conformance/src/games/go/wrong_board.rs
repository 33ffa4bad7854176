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
    /// Those that the bot captures.
    ByTheBot,
    /// Those that the opponent captures.
    ByTheOpponent,
    /// Chains of at most this many stones.
    AtMost(usize),
    /// Chains of at least this many stones.
    AtLeast(usize),
    /// The first captured chain beside the new stone, in this order of the first four [`STEPS`].
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

/// The steps down and to the right from a point to those beside it, and then to the diagonal ones.
const STEPS: [(isize, isize); 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A board that allows illegal moves, unlike [`Position`](cornerman::games::go::Position).
#[derive(Clone)]
pub(super) struct Board {
    size: u8,
    bot: Colour,
    removal: Removal,
    /// The stones, row by row from the top left.
    cells: Vec<Option<Colour>>,
}

impl Board {
    /// The empty board of `size` lines per side of a bot that plays the colour `bot`.
    pub(super) fn new(size: u8, bot: Colour, removal: Removal) -> Board {
        Board { size, bot, removal, cells: vec![None; usize::from(size) * usize::from(size)] }
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

    /// The point at a step from `at`; `None` if the step leads over the edge, where this board ends there.
    fn at_step(&self, at: usize, (down, right): (isize, isize)) -> Option<usize> {
        let n = usize::from(self.size);
        let line = |line: usize, step: isize| match line.checked_add_signed(step).filter(|&to| to < n) {
            None if self.removal == Removal::AroundTheEdge => Some(if step > 0 { 0 } else { n - 1 }),
            on_board => on_board,
        };
        Some(line(at / n, down)? * n + line(at % n, right)?)
    }

    /// The points that are adjacent to `at` on this board.
    fn beside(&self, at: usize) -> impl Iterator<Item = usize> {
        let steps = if self.removal == Removal::Diagonally { &STEPS } else { &STEPS[..4] };
        steps.iter().filter_map(move |&step| self.at_step(at, step))
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
        let beside: Vec<usize> = match self.removal {
            Removal::FirstChain(order) => {
                order.into_iter().filter_map(|which| self.at_step(at, STEPS[which])).collect()
            }
            _ => self.beside(at).collect(),
        };
        let mut removed: Vec<usize> = Vec::new();
        for next in beside {
            if self.cells[next] != Some(colour.other()) {
                continue;
            }
            let (stones, liberties) = self.chain(next);
            let edges = |at: usize| [at / n, at % n].into_iter().filter(|line| [0, n - 1].contains(line)).count();
            let is_removed = match self.removal {
                Removal::StoneByStone => {
                    removed.extend(self.beside(next).all(|point| self.cells[point].is_some()).then_some(next));
                    false
                }
                _ if !liberties.is_empty() => false,
                Removal::All | Removal::Diagonally | Removal::AroundTheEdge => true,
                Removal::Nothing => false,
                Removal::ByTheBot => colour == self.bot,
                Removal::ByTheOpponent => colour != self.bot,
                Removal::AtMost(most) => stones.len() <= most,
                Removal::AtLeast(least) => stones.len() >= least,
                Removal::FirstChain(_) => removed.is_empty(),
                Removal::AwayFromEdge => stones.iter().all(|&stone| edges(stone) == 0),
                Removal::AwayFromCorner => stones.iter().all(|&stone| edges(stone) < 2),
            };
            if is_removed {
                removed.extend(stones);
            }
        }
        for &stone in &removed {
            self.cells[stone] = None;
        }
        removed.into_iter().map(|stone| self.spot(stone)).collect()
    }
}
