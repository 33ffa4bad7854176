//! An exact solver of the Boxing Match for two seats: who wins from an arena, and with which squares.
//!
//! For two seats the match is an impartial game in which the last move wins, so each arena has a *nimber* (Sprague and
//! Grundy): the seat to move loses exactly if it is 0. The nimber of independent parts is the exclusive or of theirs.
//! Only where a 2×2 square fits is there a choice, so the parts are *groups*: sets of 2×2 corners that touch,
//! diagonally too. No square reaches from one group into another. Every vacant spot outside all groups is one move, and
//! counts 1.
//!
//! A nimber is the least number that no position after one move has. To find out whether a group has the nimber `n`,
//! the solver looks for a move to `n`, which is usually soon found, and only if there is none for moves to all smaller
//! numbers. In a sum of groups it computes all but the hardest, and then tests that one for the number that is missing.
//! What is found out about a group is kept while there is room: most groups come up again, in other places, turned or
//! mirrored.
//!
//! A group that does not fit into 8×8 spots, that a half turn about its middle does not change, and whose middle is not
//! vacant has the nimber 0: every move can be answered by its image.
//!
//! Work is counted in positions looked at, never in time, so that an answer does not depend on the machine.

mod group;
mod memory;
#[cfg(test)]
mod tests;

use super::{SpotSet, Square};
use alloc::vec::Vec;
use group::{IndependentParts, SmallBoard, SolverGroup};
use memory::{Nimbers, WideGroups};

/// The vacant spots of an arena as the solver sees them: the nimber of what is known, and the groups left to compute.
///
/// Two arenas with equal sums have the same winner. A sum belongs to the solver that made it, up to its next
/// [`Solver::trim`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum {
    /// How hard it is to compute: the number of spots and 2×2 corners of all groups that are left.
    pub cost: u32,
    /// The same number for its largest group, which decides whether the sum can be computed at all.
    pub hardest: u32,
    nimber: u8,
    groups: Vec<SolverGroup>,
}

/// The solver, with all that it has found out so far.
#[derive(Debug)]
pub struct Solver {
    max_square: u8,
    small: Nimbers,
    wide: WideGroups,
    /// The positions looked at since the solver was made.
    spent: u64,
    /// The number of positions at which the solver stops.
    limit: u64,
    /// The children of the groups that are being computed, and the groups of these children. Both are stacks, with the
    /// entries of each level above those of its parent.
    children: Vec<ChildPosition>,
    groups: Vec<SolverGroup>,
}

/// A position after one move in a group.
#[derive(Clone, Copy, Debug)]
struct ChildPosition {
    cost: u32,
    /// The nimber of its parts that are known.
    nimber: u8,
    /// The index of the first of its other groups in [`Solver::groups`], where they stand by cost.
    first: u32,
    /// The number of its other groups.
    count: u32,
}

/// The solver has used up its positions or its room for groups, or needs a nimber that it does not distinguish.
struct Exhausted;

/// The number of positions that may be looked at for each child of a group at first.
const FIRST_POSITIONS: u64 = 256;
/// The factor by which this number grows from one pass over the children that are still open to the next.
const GROWTH: u64 = 8;

/// Stands for this nimber and all larger ones, which the solver does not distinguish.
const MANY: u8 = 63;

/// The set of nimbers, a bit for each, that contains only `nimber`.
fn only(nimber: u8) -> u64 {
    1 << nimber.min(MANY)
}

/// The one nimber in `possible`, if it is the only one.
fn exactly(possible: u64) -> Option<u8> {
    let least = possible.trailing_zeros() as u8;
    (possible.is_power_of_two() && least < MANY).then_some(least)
}

impl Solver {
    /// A solver of matches whose squares have sides of at most `max_square`. It remembers about 2^`bits` groups within
    /// 8×8 spots, 16 bytes each, and forgets some of them when there are more. It has room for an eighth as many larger
    /// groups.
    pub fn new(max_square: u8, bits: u32) -> Solver {
        Solver {
            max_square,
            small: Nimbers::new(bits),
            wide: WideGroups::new(1 << bits.saturating_sub(3)),
            spent: 0,
            limit: 0,
            children: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// The number of positions looked at so far.
    pub fn positions(&self) -> u64 {
        self.spent
    }

    /// Whether the seat to move loses when the spots of `vacancy` are vacant; `None` if this is not known after looking
    /// at `positions` more, or when there is no more room for groups.
    pub fn is_lost(&mut self, vacancy: SpotSet, positions: u64) -> Option<bool> {
        let sum = self.sum(vacancy);
        self.is_zero(&sum, positions)
    }

    /// The groups of `vacancy` whose nimbers are not known yet, and the nimber of the rest. Equal groups cancel each
    /// other.
    pub fn sum(&mut self, vacancy: SpotSet) -> Sum {
        let base = self.groups.len();
        let child = self.child(group::parts_of_spots(vacancy, self.max_square));
        let groups = self.groups.split_off(base);
        let hardest = groups.last().map_or(0, |&group| self.cost(group));
        Sum { cost: child.cost, hardest, nimber: child.nimber, groups }
    }

    /// Whether the seat to move loses `sum`; `None` as in [`is_lost`](Solver::is_lost).
    pub fn is_zero(&mut self, sum: &Sum, positions: u64) -> Option<bool> {
        self.limit = self.spent.saturating_add(positions);
        let base = self.groups.len();
        self.groups.extend_from_slice(&sum.groups);
        let answer = self.groups_have(base, sum.groups.len(), sum.nimber).ok();
        self.groups.truncate(base);
        answer
    }

    /// The squares that fit into `vacancy`, one for each sum that they leave, the least work first.
    pub fn replies(&mut self, vacancy: SpotSet) -> Vec<(Sum, Square)> {
        let max_square = self.max_square;
        let squares = vacancy.squares().take_while(|square| square.size <= max_square);
        let mut replies: Vec<(Sum, Square)> =
            squares.map(|square| (self.sum(vacancy.without(square)), square)).collect();
        // Of several squares that leave equal sums, the largest comes first and is kept.
        replies.sort_by(|(a, one), (b, two)| a.cmp(b).then(two.size.cmp(&one.size)));
        replies.dedup_by(|(a, _), (b, _)| a == b);
        replies
    }

    /// Forgets the groups that need the most memory, if there are many. Sums that were made before must not be used any
    /// more.
    pub fn trim(&mut self) {
        self.wide.trim();
    }

    /// What is known about the groups within 8×8 spots, for [`recall`](Solver::recall).
    pub fn notes(&self) -> Vec<u8> {
        self.small.to_bytes()
    }

    /// Takes over the [`notes`](Solver::notes) of another solver with the same `max_square`, without checking them.
    pub fn recall(&mut self, notes: &[u8]) {
        self.small.add_bytes(notes);
    }

    /// Which nimbers the group can have, as far as is known.
    fn possible(&self, group: SolverGroup) -> u64 {
        match group.board() {
            Some(board) => self.small.get(board).unwrap_or_else(|| group::conceivable(board.0.count_ones())),
            None => self.wide.get(group).possible,
        }
    }

    fn learn(&mut self, group: SolverGroup, possible: u64) {
        match group.board() {
            Some(board) => self.small.set(board, possible),
            None => self.wide.get_mut(group).possible = possible,
        }
    }

    /// Pushes the groups of a position whose nimbers are not known onto the stack, by cost. Equal groups cancel each
    /// other.
    fn child(&mut self, parts: IndependentParts<impl Iterator<Item = group::GroupPart>>) -> ChildPosition {
        let first = self.groups.len();
        let mut nimber = parts.singles % 2;
        for part in parts.groups {
            let group = match part {
                group::GroupPart::Small(board) => board.group(),
                group::GroupPart::Wide(spots) => self.wide.intern(spots),
                group::GroupPart::Mirrored => continue,
            };
            if let Some(known) = exactly(self.possible(group)) {
                nimber ^= known;
            } else if let Some(twin) = self.groups[first..].iter().position(|&other| other == group) {
                self.groups.swap_remove(first + twin);
            } else {
                self.groups.push(group);
            }
        }
        // Take the list out of the solver, which is borrowed to compute the costs.
        let mut groups = core::mem::take(&mut self.groups);
        groups[first..].sort_unstable_by_key(|&group| (self.cost(group), group));
        let cost = groups[first..].iter().map(|&group| self.cost(group)).sum();
        let count = (groups.len() - first) as u32;
        self.groups = groups;
        ChildPosition { cost, nimber, first: first as u32, count }
    }

    /// How hard a group is to compute: the number of its spots and 2×2 corners.
    fn cost(&self, group: SolverGroup) -> u32 {
        group.board().map_or_else(|| self.wide.get(group).cost, SmallBoard::cost)
    }

    /// Pushes the positions after each move in `group` whose nimbers are not known, by cost. Returns the set of the
    /// nimbers of the other positions.
    fn expand(&mut self, group: SolverGroup) -> Result<u64, Exhausted> {
        if self.spent >= self.limit || self.wide.is_full() {
            return Err(Exhausted);
        }
        let base = self.children.len();
        let mut seen = 0;
        let max_square = self.max_square;
        let mut add = |solver: &mut Solver, child: ChildPosition| {
            solver.spent += 1;
            if child.count == 0 {
                seen |= only(child.nimber) & !only(MANY);
            } else {
                solver.children.push(child);
            }
        };
        match group.board() {
            Some(board) => {
                for rest in board.moves(max_square) {
                    let child = self.child(rest.parts());
                    add(self, child);
                }
            }
            None => {
                let spots = self.wide.get(group).spots;
                for square in spots.squares().take_while(|square| square.size <= max_square) {
                    let child = self.child(group::parts_of_spots(spots.without(square), max_square));
                    add(self, child);
                }
            }
        }
        let groups = &self.groups;
        let of = |child: &ChildPosition| &groups[child.first as usize..][..child.count as usize];
        let children = &mut self.children[base..];
        children.sort_unstable_by(|a, b| {
            (a.cost, a.nimber, a.count).cmp(&(b.cost, b.nimber, b.count)).then_with(|| of(a).cmp(of(b)))
        });
        let mut kept = base;
        for at in base..self.children.len() {
            let child = self.children[at];
            let is_new = kept == base || {
                let last = self.children[kept - 1];
                last.nimber != child.nimber || of(&last) != of(&child)
            };
            if is_new {
                self.children[kept] = child;
                kept += 1;
            }
        }
        self.children.truncate(kept);
        Ok(seen)
    }

    /// Whether `group` has the nimber `nimber`.
    fn has(&mut self, group: SolverGroup, nimber: u8) -> Result<bool, Exhausted> {
        let possible = self.possible(group);
        if possible & only(nimber) == 0 {
            return Ok(false);
        }
        if nimber >= MANY {
            return Err(Exhausted);
        }
        if possible == only(nimber) {
            return Ok(true);
        }
        self.settle(group, Some(nimber)).map(|possible| possible == only(nimber))
    }

    /// The nimber of `group`.
    fn exact(&mut self, group: SolverGroup) -> Result<u8, Exhausted> {
        match exactly(self.possible(group)) {
            Some(nimber) => Ok(nimber),
            None => self.settle(group, None).and_then(|possible| exactly(possible).ok_or(Exhausted)),
        }
    }

    /// Finds out whether `group` has the nimber `goal`, or its nimber if there is no goal. Returns the set of nimbers
    /// that are still possible.
    fn settle(&mut self, group: SolverGroup, goal: Option<u8>) -> Result<u64, Exhausted> {
        let children = self.children.len();
        let groups = self.groups.len();
        let mut possible = self.possible(group);
        let settled = self.expand(group).and_then(|seen| {
            possible &= !seen;
            self.narrow(children, goal, &mut possible)
        });
        self.children.truncate(children);
        self.groups.truncate(groups);
        self.learn(group, possible);
        settled.map(|()| possible)
    }

    /// Rules out nimbers of the group whose children are those from `base` on.
    fn narrow(&mut self, base: usize, goal: Option<u8>, possible: &mut u64) -> Result<(), Exhausted> {
        if let Some(goal) = goal {
            if *possible & only(goal) != 0 && self.any_child_has(base, goal)? {
                *possible &= !only(goal);
            }
            if *possible & only(goal) == 0 {
                return Ok(());
            }
            // Without a move to `goal` the nimber is at most `goal`.
            *possible &= only(goal) | (only(goal) - 1);
        }
        while exactly(*possible).is_none() {
            let least = possible.trailing_zeros() as u8;
            if least >= MANY {
                return Err(Exhausted);
            }
            if self.any_child_has(base, least)? {
                *possible &= !only(least);
            } else {
                *possible = only(least);
            }
        }
        Ok(())
    }

    /// Whether one of the children from `base` on has the nimber `nimber`. Children that take long are put off, because
    /// a later one may show the answer sooner.
    fn any_child_has(&mut self, base: usize, nimber: u8) -> Result<bool, Exhausted> {
        let limit = self.limit;
        let end = self.children.len();
        let mut open = base..end;
        let mut each = FIRST_POSITIONS;
        while !open.is_empty() {
            let mut last_open = open.start;
            for at in open {
                let ChildPosition { nimber: known, first, count, .. } = self.children[at];
                let stop = self.spent.saturating_add(each);
                self.limit = limit.min(stop);
                let found = self.groups_have(first as usize, count as usize, known ^ nimber);
                self.limit = limit;
                match found {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(Exhausted) if stop >= limit || self.wide.is_full() => return Err(Exhausted),
                    Err(Exhausted) => {
                        self.children.swap(last_open, at);
                        last_open += 1;
                    }
                }
            }
            open = base..last_open;
            each = each.saturating_mul(GROWTH);
        }
        Ok(false)
    }

    /// Whether the sum of `count` groups on the stack has the nimber `nimber`. The last is the hardest.
    fn groups_have(&mut self, first: usize, count: usize, mut nimber: u8) -> Result<bool, Exhausted> {
        let Some(last) = count.checked_sub(1) else { return Ok(nimber == 0) };
        for at in first..first + last {
            nimber ^= self.exact(self.groups[at])?;
        }
        self.has(self.groups[first + last], nimber)
    }
}
