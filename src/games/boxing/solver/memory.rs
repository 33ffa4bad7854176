//! What the solver remembers about groups: for each, the set of nimbers that it can have, a bit for each nimber.

use super::group::{SmallBoard, SolverGroup, conceivable};
use crate::games::boxing::SpotSet;
use crate::rng::mixed;
use alloc::vec;
use alloc::vec::Vec;

/// The possible nimbers of small groups: a table of fixed size, in which a new group replaces the smallest in its
/// bucket.
#[derive(Debug)]
pub(super) struct Nimbers {
    /// A board determines its bucket, and can be in any entry of it.
    buckets: Vec<[NimberEntry; WAYS]>,
}

/// The entries of a bucket.
const WAYS: usize = 4;

/// A board, or 0 if the entry is free, and the set of nimbers that it can have.
#[derive(Clone, Copy, Debug, Default)]
struct NimberEntry {
    board: u64,
    possible: u64,
}

impl Nimbers {
    /// A table for about 2^`bits` groups.
    pub(super) fn new(bits: u32) -> Nimbers {
        Nimbers { buckets: vec![[NimberEntry::default(); WAYS]; 1 << bits.saturating_sub(2)] }
    }

    fn bucket(&self, board: SmallBoard) -> usize {
        (mixed(board.0) >> 20) as usize & (self.buckets.len() - 1)
    }

    /// The nimbers that `board` can have, if anything is known.
    pub(super) fn get(&self, board: SmallBoard) -> Option<u64> {
        self.buckets[self.bucket(board)].iter().find(|entry| entry.board == board.0).map(|entry| entry.possible)
    }

    pub(super) fn set(&mut self, board: SmallBoard, possible: u64) {
        let at = self.bucket(board);
        let bucket = &mut self.buckets[at];
        let own = bucket.iter().position(|entry| entry.board == board.0);
        let smallest = || (0..WAYS).min_by_key(|&at| bucket[at].board.count_ones()).expect("a bucket has entries");
        let at = own.unwrap_or_else(smallest);
        bucket[at] = NimberEntry { board: board.0, possible };
    }

    /// All entries, 16 bytes each.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let entries = self.buckets.as_flattened().iter().filter(|entry| entry.board != 0);
        entries.flat_map(|entry| [entry.board.to_le_bytes(), entry.possible.to_le_bytes()]).flatten().collect()
    }

    /// Adds entries that [`to_bytes`](Nimbers::to_bytes) returned. Bytes that cannot be an entry are ignored.
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
    /// A hash table: the index of a group plus one, at a place that its spots determine or the next free one; 0 is
    /// free.
    places: Vec<u32>,
    /// The number of groups from which on no more should be added.
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

    /// Whether no more groups should be added.
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

    /// The group with these spots, which is added if it is new.
    pub(super) fn intern(&mut self, spots: SpotSet) -> SolverGroup {
        let place = self.place(&spots);
        if let Some(index) = self.places[place].checked_sub(1) {
            return SolverGroup::wide(index as usize);
        }
        let count = spots.count();
        self.groups.push(Wide { spots, possible: conceivable(count), cost: count + spots.grown().count() });
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

    /// The place of the group with these spots in the hash table, or a free one for it.
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
