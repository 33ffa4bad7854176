//! Boxing bots with one fault each. The faultless one is here, as a sequence of steps; each other file has a group of
//! faults, and each fault replaces one step or, rarely, several, so its definition shows what is wrong with it.

mod bytes;
mod shape;
mod state;

use crate::filter::{self, FilterSteps, Invocation, PositionLength};
use crate::{MutantKind, Mutants, kinds_of};
use cornerman::game::Spot;
use cornerman::games::boxing::{
    ARENA_BYTES, Arena, BLOCKED, HEIGHT, SPOTS, SpotSet, Square, VACANT, WIDTH, all_spots, is_mark,
};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::LazyLock;

/// The mutants of Boxing.
pub fn mutants() -> Mutants {
    let play = |kind: &str, args| Some(bot(kind)?.run(args));
    let kinds: LazyLock<Vec<MutantKind>> =
        LazyLock::new(|| kinds_of("boxing", include_str!("../kinds/boxing.txt"), ""));
    Mutants { id: "boxing", prefix: "", kinds, usage: "KIND MARK <old.arena >new.arena", play }
}

/// The bot of this kind, if there is one.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    let of_game = [bytes::bot, shape::bot, state::bot].into_iter().find_map(|group| group(kind));
    of_game.or_else(|| Some(BoxingSteps { protocol: filter::steps(kind)?, ..BoxingSteps::default() }))
}

/// The steps of a move.
pub struct BoxingSteps {
    /// Those that no game decides.
    pub protocol: FilterSteps,
    /// Runs before the move is chosen; an error ends the bot.
    pub prepare: fn(&KnownTurn) -> Result<(), String>,
    /// Returns the arena after the move.
    pub choose: fn(&KnownTurn) -> Arena,
    /// Returns the arena as text.
    pub render: fn(&KnownTurn, &Arena) -> Vec<u8>,
}

/// The bot without a fault.
impl Default for BoxingSteps {
    fn default() -> BoxingSteps {
        BoxingSteps {
            protocol: FilterSteps::default(),
            prepare: |_| Ok(()),
            choose: KnownTurn::largest,
            render: |_, arena| arena.to_bytes().to_vec(),
        }
    }
}

impl BoxingSteps {
    /// Makes one move; `args` are the arguments after the kind.
    pub fn run(&self, args: Vec<OsString>) -> ExitCode {
        let length: PositionLength = |input| (input.len() >= ARENA_BYTES).then_some(ARENA_BYTES);
        let is_first = |input: &[u8]| input.iter().filter(|&&spot| spot == VACANT).count() == SPOTS;
        self.protocol.run(args, length, is_first, |given| {
            let turn = KnownTurn::from_invocation(given)?;
            (self.prepare)(&turn)?;
            Ok((self.render)(&turn, &(self.choose)(&turn)))
        })
    }
}

/// What the bot knows at its turn.
pub struct KnownTurn {
    /// The bot's mark.
    pub mark: u8,
    /// The arena before the move.
    pub arena: Arena,
}

impl KnownTurn {
    fn from_invocation(given: &Invocation) -> Result<KnownTurn, String> {
        let mark = given.mark()?;
        if !is_mark(mark) {
            return Err(format!("`{}` cannot be a mark", mark.escape_ascii()));
        }
        let arena = given.input.get(..ARENA_BYTES).unwrap_or(&given.input);
        let arena =
            Arena::parse(arena).map_err(|broken| format!("standard input is not an arena: {}", broken.kind))?;
        Ok(KnownTurn { mark, arena })
    }

    /// The faultless move: the first of the largest squares; a full arena stays unchanged (B7).
    pub fn largest(&self) -> Arena {
        self.fill(largest_in(self.arena.vacant()))
    }

    /// The arena with `square` filled; unchanged without one.
    pub fn fill(&self, square: Option<Square>) -> Arena {
        self.paint(square.into_iter().flat_map(Square::spots))
    }

    /// The arena with the bot's mark at each of `spots`.
    pub fn paint(&self, spots: impl IntoIterator<Item = Spot>) -> Arena {
        let mut after = self.arena.clone();
        for spot in spots {
            after.set(spot, self.mark);
        }
        after
    }

    /// The spots whose characters satisfy `wanted`.
    pub fn spots(&self, wanted: impl Fn(u8) -> bool) -> SpotSet {
        all_spots().filter(|&spot| wanted(self.arena.at(spot))).collect()
    }

    /// The bot's own spots.
    pub fn own(&self) -> SpotSet {
        self.spots(|spot| spot == self.mark)
    }

    /// Whether `spot` is an opponent's mark.
    pub fn is_foe(&self, spot: u8) -> bool {
        spot != self.mark && spot != VACANT && spot != BLOCKED
    }

    /// Whether all of `spots` are in the arena and vacant.
    pub fn vacant(&self, spots: &[Spot]) -> bool {
        let inside = |spot: &Spot| usize::from(spot.row) < HEIGHT && usize::from(spot.col) < WIDTH;
        spots.iter().all(|spot| inside(spot) && self.arena.vacant().contains(*spot))
    }
}

/// The first of the largest squares that fit in `free`.
pub fn largest_in(free: SpotSet) -> Option<Square> {
    let (size, corners) = free.anchors_by_size().last()?;
    corners.spots().next().map(|Spot { row, col }| Square { row, col, size })
}

/// `spots` and all spots around them, corners included.
pub fn around(spots: SpotSet) -> SpotSet {
    let across = spots.0.map(|row| row | row << 1 | row >> 1);
    let near =
        |row: usize, step: isize| row.checked_add_signed(step).and_then(|row| across.get(row)).unwrap_or(&0);
    SpotSet(std::array::from_fn(|row| across[row] | near(row, -1) | near(row, 1)))
}
