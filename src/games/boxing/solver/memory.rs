//! What the solver remembers of groups: for each, the set of nimbers that it can have.

use super::group::{SmallBoard, SolverGroup};
use crate::games::boxing::SpotSet;
use alloc::vec;
use alloc::vec::Vec;

/// The possible nimbers of small groups: a table of fixed size, in which new groups replace smaller ones.
#[derive(Debug)]
pub(super) struct Nimbers {
    /// The board and the set of its nimbers, where there is one; each board can be in one of the [`WAYS`] of its bucket.
    buckets: Vec<[(u64, u64); WAYS]>,
}

const WAYS: usize = 4;

impl Nimbers {
    /// A table for about 2^`bits` groups.
    pub(super) fn new(bits: u32) -> Nimbers {
        Nimbers { buckets: vec![[(0, 0); WAYS]; 1 << bits.saturating_sub(2)] }
    }

    fn bucket(&self, board: SmallBoard) -> usize {
        (mixed(board.0) >> 20) as usize & (self.buckets.len() - 1)
    }

    /// The nimbers that `board` can have, if anything is known.
    pub(super) fn get(&self, board: SmallBoard) -> Option<u64> {
        self.buckets[self.bucket(board)].iter().find(|entry| entry.0 == board.0).map(|entry| entry.1)
    }

    pub(super) fn set(&mut self, board: SmallBoard, possible: u64) {
        let at = self.bucket(board);
        let bucket = &mut self.buckets[at];
        let own = bucket.iter_mut().find(|entry| entry.0 == board.0);
        let entry = match own {
            Some(entry) => entry,
            None => bucket.iter_mut().min_by_key(|entry| entry.0.count_ones()).expect("a bucket has four"),
        };
        *entry = (board.0, possible);
    }

    /// All entries, 16 bytes each.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let entries = self.buckets.as_flattened().iter().filter(|(board, _)| *board != 0);
        entries.flat_map(|(board, possible)| [board.to_le_bytes(), possible.to_le_bytes()]).flatten().collect()
    }

    /// Adds entries as [`to_bytes`](Nimbers::to_bytes) gave them. What is not a group is ignored.
    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        let (numbers, _) = bytes.as_chunks::<8>();
        for pair in numbers.chunks_exact(2) {
            let [board, possible] = [pair[0], pair[1]].map(u64::from_le_bytes);
            if board & 0xff != 0 && possible != 0 {
                self.set(SmallBoard(board), possible);
            }
        }
    }
}

/// Mixes the bits of a board (the finalizer of SplitMix64).
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// A group that does not fit into 8×8 spots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    pub spots: SpotSet,
    /// The nimbers that it can have.
    pub possible: u64,
    /// Its spots and 2×2 corners.
    pub cost: u32,
}

/// The large groups, by their numbers.
#[derive(Debug)]
pub(super) struct WideGroups {
    groups: Vec<Wide>,
    /// The number of a group plus one, at a place that its spots determine or the next vacant one.
    places: Vec<u32>,
    most: usize,
}

impl WideGroups {
    /// Room for about `most` groups.
    pub(super) fn new(most: usize) -> WideGroups {
        WideGroups { groups: Vec::new(), places: vec![0; 1 << 10], most }
    }

    pub(super) fn get(&self, group: SolverGroup) -> &Wide {
        &self.groups[group.index()]
    }

    pub(super) fn get_mut(&mut self, group: SolverGroup) -> &mut Wide {
        &mut self.groups[group.index()]
    }

    /// Whether there are as many as there should be.
    pub(super) fn is_full(&self) -> bool {
        self.groups.len() >= self.most
    }

    /// Forgets all groups if half of the room is used.
    pub(super) fn trim(&mut self) {
        if 2 * self.groups.len() >= self.most {
            self.groups.clear();
            self.places.fill(0);
        }
    }

    /// The group with these spots.
    pub(super) fn intern(&mut self, spots: SpotSet) -> SolverGroup {
        let place = self.place(&spots);
        if let Some(index) = self.places[place].checked_sub(1) {
            return SolverGroup::wide(index as usize);
        }
        let count = spots.count();
        let possible = if count < 63 { (2 << count) - 1 } else { u64::MAX };
        self.groups.push(Wide { spots, possible, cost: count + spots.grown().count() });
        self.places[place] = self.groups.len() as u32;
        if 2 * self.groups.len() > self.places.len() {
            self.places = vec![0; 2 * self.places.len()];
            for index in 0..self.groups.len() {
                let place = self.place(&self.groups[index].spots);
                self.places[place] = index as u32 + 1;
            }
        }
        SolverGroup::wide(self.groups.len() - 1)
    }

    /// The place of the group with these spots, or a vacant one for it.
    fn place(&self, spots: &SpotSet) -> usize {
        let pairs = spots.0.as_chunks::<2>().0;
        let hash = pairs.iter().fold(0, |hash, [a, b]| mixed(hash ^ u64::from(*a) << 32 ^ u64::from(*b)));
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        while self.places[at].checked_sub(1).is_some_and(|index| self.groups[index as usize].spots != *spots) {
            at = (at + 1) & last;
        }
        at
    }
}
