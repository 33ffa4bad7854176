//! Groups: connected sets of 2×2 corners with their spots. A group within 8×8 spots is one 64-bit number, which makes
//! its moves cheap; a larger one is a [`SpotSet`]. Either is stored as its canonical image: moved to the top left
//! corner, and the least of its mirrored images and, if it is small, of its turned ones.

use crate::games::boxing::{SpotSet, WIDTH};

/// A group as a number that identifies it.
///
/// A small group is its own board. A large one is its index in [`WideGroups`](super::memory::WideGroups), shifted by
/// eight bits: a board in the top left corner never has an empty first row, so the lowest eight bits tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SolverGroup(u64);

impl SolverGroup {
    pub(super) fn wide(index: usize) -> SolverGroup {
        SolverGroup((index as u64) << 8)
    }

    /// The board of a small group.
    pub(super) fn board(self) -> Option<SmallBoard> {
        (self.0 & 0xff != 0).then_some(SmallBoard(self.0))
    }

    /// The index of a large group.
    pub(super) fn index(self) -> usize {
        (self.0 >> 8) as usize
    }
}

/// A position as its independent parts.
pub(super) struct IndependentParts<I> {
    /// The number of spots that are in no group, of which only the parity counts.
    pub singles: u8,
    pub groups: I,
}

/// A group as it was found.
#[derive(Clone, Copy, Debug)]
pub(super) enum GroupPart {
    Small(SmallBoard),
    Wide(SpotSet),
    /// A large group in which every move can be answered by its image on the other side of the centre: its nimber is 0.
    Mirrored,
}

/// Spots within 8×8: a byte a row from the top, in which bit 0 is the leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SmallBoard(pub u64);

/// All spots of a board except those of its last column.
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares of each size, from 0, in the top left corner.
const SQUARES: [u64; 9] = {
    let mut squares = [0; 9];
    let mut size = 1;
    while size <= 8 {
        let mut row = 0;
        while row < size {
            squares[size] |= ((1 << size) - 1) << (8 * row);
            row += 1;
        }
        size += 1;
    }
    squares
};

/// Takes top left corners of squares of one size, and returns those of squares one spot larger.
fn grown(corners: u64) -> u64 {
    let across = corners & (corners >> 1 & NOT_LAST);
    across & across >> 8
}

impl SmallBoard {
    /// The group that is this board, which must be [canonical](SmallBoard::canonical).
    pub(super) fn group(self) -> SolverGroup {
        SolverGroup(self.0)
    }

    /// Its spots and 2×2 corners.
    pub(super) fn cost(self) -> u32 {
        self.0.count_ones() + grown(self.0).count_ones()
    }

    /// The boards after each move, the largest squares first.
    pub(super) fn moves(self, max_square: u8) -> impl Iterator<Item = SmallBoard> {
        let mut corners = [0; 9];
        corners[1] = self.0;
        for size in 2..=usize::from(max_square.min(8)) {
            corners[size] = grown(corners[size - 1]);
        }
        (1..=8).rev().flat_map(move |size| {
            let mut left = corners[size];
            core::iter::from_fn(move || {
                (left != 0).then(|| {
                    let at = left.trailing_zeros();
                    left &= left - 1;
                    SmallBoard(self.0 & !(SQUARES[size] << at))
                })
            })
        })
    }

    /// The groups and single spots of the board, by rules that allow squares with sides of two.
    pub(super) fn parts(self) -> IndependentParts<impl Iterator<Item = GroupPart>> {
        let mut corners = grown(self.0);
        let singles = self.0 & !covered(corners);
        let groups = core::iter::from_fn(move || {
            (corners != 0).then(|| {
                let mut group = corners & corners.wrapping_neg();
                loop {
                    let wide = group | group << 1 | group >> 1;
                    let wider = (wide | wide << 8 | wide >> 8) & corners;
                    if wider == group {
                        break;
                    }
                    group = wider;
                }
                corners &= !group;
                GroupPart::Small(SmallBoard(covered(group)).canonical())
            })
        });
        IndependentParts { singles: singles.count_ones() as u8, groups }
    }

    /// The least of its turned and mirrored images in the top left corner, among those that are at least as wide as
    /// tall.
    fn canonical(self) -> SmallBoard {
        let board = self.0;
        let board = board >> (board.trailing_zeros() & !7);
        let folded = board | board >> 32;
        let folded = folded | folded >> 16;
        let folded = (folded | folded >> 8) as u8;
        let board = board >> folded.trailing_zeros();
        let wide = 8 - folded.leading_zeros() - folded.trailing_zeros();
        let tall = 8 - board.leading_zeros() / 8;
        let flip = |board: u64, tall: u32| board.swap_bytes() >> (64 - 8 * tall);
        let mirror = |board: u64, wide: u32| board.reverse_bits().swap_bytes() >> (8 - wide);
        let least = |board: u64, wide: u32, tall: u32| {
            let flipped = flip(board, tall);
            board.min(flipped).min(mirror(board, wide)).min(mirror(flipped, wide))
        };
        let upright = if wide >= tall { least(board, wide, tall) } else { u64::MAX };
        let turned = if tall >= wide { least(transposed(board), tall, wide) } else { u64::MAX };
        SmallBoard(upright.min(turned))
    }
}

/// The nimbers that a group of `spots` spots can have: no game has more moves than spots, and no nimber is larger than
/// the number of moves in the longest game.
pub(super) fn conceivable(spots: u32) -> u64 {
    if spots < 63 { (2 << spots) - 1 } else { u64::MAX }
}

/// The spots of the 2×2 squares with these corners.
fn covered(corners: u64) -> u64 {
    let across = corners | corners << 1;
    across | across << 8
}

/// The board with its rows as columns.
fn transposed(board: u64) -> u64 {
    let swap = |board: u64, by: u32, mask: u64| {
        let moved = (board ^ board >> by) & mask;
        board ^ moved ^ moved << by
    };
    let board = swap(board, 7, 0x00aa_00aa_00aa_00aa);
    let board = swap(board, 14, 0x0000_cccc_0000_cccc);
    swap(board, 28, 0x0000_0000_f0f0_f0f0)
}

/// The groups and single spots of `spots`.
pub(super) fn parts_of_spots(spots: SpotSet, max_square: u8) -> IndependentParts<impl Iterator<Item = GroupPart>> {
    let mut corners = if max_square < 2 { SpotSet::NONE } else { spots.grown() };
    let singles = spots.count() - covered_spots(corners).count();
    let groups = core::iter::from_fn(move || {
        let (group, top, bottom) = first_group(&corners)?;
        for (row, group) in corners.0[top..=bottom].iter_mut().zip(&group.0[top..=bottom]) {
            *row &= !group;
        }
        Some(part(&covered_spots(group), top, bottom + 1))
    });
    IndependentParts { singles: (singles % 2) as u8, groups }
}

fn covered_spots(corners: SpotSet) -> SpotSet {
    let across = corners.0.map(|row| row | row << 1);
    SpotSet(core::array::from_fn(|row| across[row] | row.checked_sub(1).map_or(0, |above| across[above])))
}

/// The group of the first corner, with its first and its last row.
fn first_group(corners: &SpotSet) -> Option<(SpotSet, usize, usize)> {
    let start = corners.0.iter().position(|&row| row != 0)?;
    let mut group = SpotSet::NONE;
    group.0[start] = corners.0[start] & corners.0[start].wrapping_neg();
    let mut top = start;
    let mut bottom = start;
    let spread = |mut row: u32, within: u32| {
        row &= within;
        loop {
            let wider = (row | row << 1 | row >> 1) & within;
            if wider == row {
                return row;
            }
            row = wider;
        }
    };
    loop {
        let before = group;
        for row in top..corners.0.len() {
            let above = if row > top { group.0[row - 1] } else { 0 };
            group.0[row] = spread(group.0[row] | above | above << 1 | above >> 1, corners.0[row]);
            if group.0[row] == 0 {
                break;
            }
            bottom = bottom.max(row);
        }
        for row in (0..bottom).rev() {
            let below = group.0[row + 1];
            group.0[row] = spread(group.0[row] | below | below << 1 | below >> 1, corners.0[row]);
            if group.0[row] == 0 {
                break;
            }
            top = top.min(row);
        }
        if group == before {
            return Some((group, top, bottom));
        }
    }
}

/// The group with these spots, which are in the rows from `top` to `bottom`.
fn part(spots: &SpotSet, top: usize, bottom: usize) -> GroupPart {
    let columns = spots.0[top..=bottom].iter().fold(0, |all, row| all | row);
    let left = columns.trailing_zeros();
    let wide = WIDTH as u32 - columns.leading_zeros() - left;
    let tall = bottom + 1 - top;
    if wide <= 8 && tall <= 8 {
        let rows = spots.0[top..=bottom].iter().rev();
        return GroupPart::Small(
            SmallBoard(rows.fold(0, |board, row| board << 8 | u64::from(row >> left))).canonical(),
        );
    }
    let mut images = [SpotSet::NONE; 4];
    for (at, row) in spots.0[top..=bottom].iter().enumerate() {
        let row = row >> left;
        let mirrored = row.reverse_bits() >> (WIDTH as u32 - wide);
        images[0].0[at] = row;
        images[1].0[at] = mirrored;
        images[2].0[tall - 1 - at] = row;
        images[3].0[tall - 1 - at] = mirrored;
    }
    // The middle is one spot, two or four. A square that overlaps its image would contain all of them.
    let middle = images[0].0[(tall - 1) / 2] >> ((wide - 1) / 2) & 1;
    if images[0] == images[3] && middle == 0 {
        return GroupPart::Mirrored;
    }
    GroupPart::Wide(images.into_iter().min().expect("there are four"))
}
