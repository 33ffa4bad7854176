//! Boxing bots with one fault each. The faultless one is here, as a sequence of steps; each other file has a group of
//! faults, and each fault replaces a single step, so its definition shows what is wrong with it.

mod bytes;
pub mod kinds;
mod odd;
mod running;
mod shape;
mod state;

use crate::{MutantKind, Mutants};
use cornerman::game::Spot;
use cornerman::games::boxing::{
    ARENA_BYTES, Arena, BLOCKED, HEIGHT, SpotSet, Square, VACANT, WIDTH, all_spots, is_mark,
};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;
use std::sync::LazyLock;

/// The mutants of Boxing.
pub fn mutants() -> Mutants {
    let play = |kind: &str, args| Some(bot(kind)?.run(args));
    let kinds: LazyLock<Vec<MutantKind>> = LazyLock::new(|| kinds::KINDS.to_vec());
    Mutants { id: "boxing", kinds, usage: "KIND MARK <old.arena >new.arena", play }
}

/// The bot of `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    [bytes::bot, shape::bot, state::bot, odd::slow, running::bot, odd::bot]
        .into_iter()
        .find_map(|group| group(kind))
}

/// The steps of a move, in their order.
pub struct BoxingSteps {
    /// Reads standard input: at least the 528 bytes of an arena, or fewer if it ends early.
    pub read: fn() -> Vec<u8>,
    /// Sees the arguments and the input before they are parsed.
    pub heed: fn(&Invocation),
    /// Runs before the move is chosen; an error ends the bot.
    pub prepare: fn(&KnownTurn) -> Result<(), String>,
    /// Returns the arena after the move.
    pub choose: fn(&KnownTurn) -> Arena,
    /// Returns the arena as text.
    pub render: fn(&KnownTurn, &Arena) -> Vec<u8>,
    /// Writes the text to standard output.
    pub write: fn(&[u8]) -> io::Result<()>,
    /// Runs after the answer, and returns the exit status.
    pub finish: fn() -> ExitCode,
}

/// The bot without a fault.
impl Default for BoxingSteps {
    fn default() -> BoxingSteps {
        BoxingSteps {
            read,
            heed: |_| (),
            prepare: |_| Ok(()),
            choose: KnownTurn::largest,
            render: |_, arena| arena.to_bytes().to_vec(),
            write,
            finish: || ExitCode::SUCCESS,
        }
    }
}

impl BoxingSteps {
    /// Makes one move; `args` are the arguments after the kind.
    pub fn run(&self, args: Vec<OsString>) -> ExitCode {
        let args = args.into_iter().map(OsString::into_vec).collect();
        let given = Invocation { args, input: (self.read)() };
        (self.heed)(&given);
        match given.turn().and_then(|turn| (self.prepare)(&turn).map(|()| turn)) {
            Ok(turn) => {
                let text = (self.render)(&turn, &(self.choose)(&turn));
                // A closed pipe means that the move is not wanted, so it is not reported.
                (self.write)(&text).map_or(ExitCode::FAILURE, |()| (self.finish)())
            }
            Err(why) => {
                // Not `eprintln!`, which panics if standard error is closed.
                _ = writeln!(io::stderr(), "error: {why}");
                ExitCode::FAILURE
            }
        }
    }
}

/// What the bot was started with.
pub struct Invocation {
    /// The arguments after the kind.
    pub args: Vec<Vec<u8>>,
    /// What was read from standard input.
    pub input: Vec<u8>,
}

impl Invocation {
    fn turn(&self) -> Result<KnownTurn, String> {
        let Some([mark]) = self.args.first().map(Vec::as_slice) else {
            return Err("the first argument must be a mark: one character".to_string());
        };
        if !is_mark(*mark) {
            return Err(format!("`{}` cannot be a mark", mark.escape_ascii()));
        }
        let arena = self.input.get(..ARENA_BYTES).unwrap_or(&self.input);
        let arena =
            Arena::parse(arena).map_err(|broken| format!("standard input is not an arena: {}", broken.kind))?;
        Ok(KnownTurn { mark: *mark, arena })
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

fn read() -> Vec<u8> {
    let mut input = Vec::new();
    while input.len() < ARENA_BYTES && read_some(&mut input) > 0 {}
    input
}

/// Appends the result of one read to `input`, and returns its number of bytes.
pub fn read_some(input: &mut Vec<u8>) -> usize {
    let mut buffer = [0; 8192];
    loop {
        match io::stdin().lock().read(&mut buffer) {
            Ok(count) => {
                input.extend_from_slice(&buffer[..count]);
                return count;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(_) => return 0,
        }
    }
}

/// Writes all of `text` with one call, which bypasses the line buffering of the standard library.
pub fn write(text: &[u8]) -> io::Result<()> {
    File::from(io::stdout().as_fd().try_clone_to_owned()?).write_all(text)
}
