//! Judges a bot's answer: it is a move, that is one square of the bot's mark (B2, B5, B6), or a full arena returned
//! unchanged (B7), or a violation.

use super::{ARENA_BYTES, Arena, BLOCKED, SpotSet, Square, VACANT, WIDTH, all_spots, frame};
use crate::game::{Spot, Violation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The kinds of violation: first those of the format, then those of the move.
pub const VIOLATIONS: [&str; 14] = [
    "length",
    "rows",
    "line-ending",
    "final-newline",
    "lead",
    "trail",
    "charset",
    "full",
    "none",
    "vacant",
    "mark",
    "square",
    "one",
    "filled",
];

/// The move in `answer`, which the bot with `mark` gave for `arena`; `None` if the arena was full and was returned
/// unchanged (B7). The side of a square is at most `max_square`.
///
/// # Errors
/// The answer is not a legal move. The violation is the one that explains it best; [`VIOLATIONS`] lists the kinds.
pub fn judge(arena: &Arena, mark: u8, max_square: u8, answer: &[u8]) -> Result<Option<Square>, Violation> {
    if let Some(square) = legal_square(arena, mark, max_square, answer) {
        return Ok(Some(square));
    }
    let after = Arena::from_rows(frame::read(answer)?);
    match changed_spots(arena, &after) {
        SpotSet::NONE if arena.vacant().is_empty() => Ok(None),
        SpotSet::NONE => Err(no_move(arena)),
        changed => Err(diagnose(&IllegalAnswer { arena, after: &after, mark, max_square, changed })),
    }
}

/// The legal move in `answer`, if there is one. The first row that differs determines the square, and the answer is
/// then compared byte for byte, so that legal moves need no diagnosis.
fn legal_square(arena: &Arena, mark: u8, max_square: u8, answer: &[u8]) -> Option<Square> {
    if answer.len() != ARENA_BYTES {
        return None;
    }
    let (lines, _) = answer.as_chunks::<{ frame::LINE }>();
    let differs = |(was, line): (&[u8; WIDTH], &[u8; frame::LINE])| was[..] != line[..WIDTH];
    let row = arena.rows().iter().zip(lines).position(differs)?;
    let mut changes = arena.rows()[row].iter().zip(&lines[row]).map(|(was, is)| was != is);
    let col = changes.position(|changed| changed)?;
    let size = 1 + changes.take_while(|&changed| changed).count();
    let square = Square { row: row as u8, col: col as u8, size: size as u8 };
    if square.size > max_square || !arena.vacant().fits(square) {
        return None;
    }
    let mut expected = arena.clone();
    expected.fill(square, mark);
    let matches = |(row, line): (&[u8; WIDTH], &[u8; frame::LINE])| line[..WIDTH] == *row && line[WIDTH] == b'\n';
    expected.rows().iter().zip(lines).all(matches).then_some(square)
}

fn changed_spots(before: &Arena, after: &Arena) -> SpotSet {
    let rows = || before.rows().iter().zip(after.rows());
    let mut changed = SpotSet::NONE;
    for (bits, (was, is)) in changed.0.iter_mut().zip(rows()) {
        if was != is {
            *bits = was.iter().zip(is).rev().fold(0, |bits, (was, is)| bits << 1 | u32::from(was != is));
        }
    }
    changed
}

/// The smallest rectangle that contains a set of spots.
#[derive(Clone, Copy)]
struct Bounds {
    top: u8,
    left: u8,
    tall: u8,
    wide: u8,
}

impl Bounds {
    fn from_spots(set: SpotSet) -> Bounds {
        let columns = set.0.iter().fold(0, |all, row| all | row);
        let top = set.0.iter().take_while(|&&row| row == 0).count() as u8;
        let bottom = set.0.iter().rev().take_while(|&&row| row == 0).count() as u8;
        let left = columns.trailing_zeros() as u8;
        let wide = 32 - columns.leading_zeros() as u8 - left;
        Bounds { top, left, tall: 16 - top - bottom, wide }
    }

    fn area(self) -> u32 {
        u32::from(self.tall) * u32::from(self.wide)
    }
}

/// The square that consists of exactly the spots of `set`, if there is one.
fn exact_square(set: SpotSet) -> Option<Square> {
    let bounds = Bounds::from_spots(set);
    (bounds.tall == bounds.wide && bounds.area() == set.count()).then_some(Square {
        row: bounds.top,
        col: bounds.left,
        size: bounds.tall,
    })
}

/// An answer in the right format that is not a legal move.
struct IllegalAnswer<'a> {
    arena: &'a Arena,
    after: &'a Arena,
    mark: u8,
    max_square: u8,
    changed: SpotSet,
}

fn no_move(arena: &Arena) -> Violation {
    let vacant = arena.vacant();
    let first: Vec<Spot> = vacant.spots().take(1).collect();
    let are = if vacant.count() == 1 { "is" } else { "are" };
    let detail =
        format!("nothing was marked though {} {are} vacant, the first at {}", spots(vacant.count()), first[0]);
    Violation { kind: "none", rule: "B2", spots: first, detail }
}

fn spots(count: u32) -> String {
    if count == 1 { "1 spot".to_string() } else { format!("{count} spots") }
}

fn diagnose(answer: &IllegalAnswer) -> Violation {
    control_bytes(answer)
        .or_else(|| full_arena(answer))
        .or_else(|| not_vacant(answer))
        .or_else(|| wrong_mark(answer))
        .or_else(|| over_own(answer))
        .unwrap_or_else(|| wrong_shape(answer))
}

impl IllegalAnswer<'_> {
    /// The spots that the bot held before its answer.
    fn own(&self) -> SpotSet {
        all_spots().filter(|&spot| self.arena.at(spot) == self.mark).collect()
    }

    fn violation(&self, kind: &'static str, rule: &'static str, detail: String) -> Violation {
        Violation { kind, rule, spots: self.changed.spots().collect(), detail }
    }

    /// The violation of the changed spots that are `wrong`, in the words of `describe` for the first of them; `None` if
    /// no spot is wrong. Both closures receive the byte at a spot before the answer and the one after it.
    fn first_wrong(
        &self,
        kind: &'static str,
        rule: &'static str,
        wrong: impl Fn(u8, u8) -> bool,
        describe: impl Fn(Spot, u8, u8) -> String,
    ) -> Option<Violation> {
        let pair = |spot| (self.arena.at(spot), self.after.at(spot));
        let spots: Vec<Spot> = self.changed.spots().filter(|&spot| wrong(pair(spot).0, pair(spot).1)).collect();
        let &first = spots.first()?;
        let (was, is) = pair(first);
        let others = match spots.len() - 1 {
            0 => String::new(),
            1 => "; 1 more spot is wrong too".to_string(),
            n => format!("; {n} more spots are wrong too"),
        };
        Some(Violation { kind, rule, detail: format!("{}{others}", describe(first, was, is)), spots })
    }
}

fn control_bytes(answer: &IllegalAnswer) -> Option<Violation> {
    answer.first_wrong(
        "charset",
        "B6",
        |_, is| is.is_ascii_control(),
        |spot, _, is| format!("{spot} holds the control byte {is}"),
    )
}

fn full_arena(answer: &IllegalAnswer) -> Option<Violation> {
    answer.arena.vacant().is_empty().then(|| {
        let changed = spots(answer.changed.count());
        let detail = format!("the arena was full and must be returned unchanged, but {changed} changed");
        answer.violation("full", "B7", detail)
    })
}

fn not_vacant(answer: &IllegalAnswer) -> Option<Violation> {
    answer.first_wrong(
        "vacant",
        "B2",
        |was, _| was != VACANT,
        |spot, was, is| {
            let was_shown = was.escape_ascii();
            let is_shown = is.escape_ascii();
            let state = match was {
                BLOCKED => "it was blocked",
                _ if was == answer.mark => "this bot held it already",
                _ => "an opponent held it",
            };
            format!("{spot} was not vacant: {state} (`{was_shown}`), and it is now `{is_shown}`")
        },
    )
}

fn wrong_mark(answer: &IllegalAnswer) -> Option<Violation> {
    let mark = answer.mark.escape_ascii();
    answer.first_wrong(
        "mark",
        "B5",
        |_, is| is != answer.mark,
        |spot, _, is| {
            format!("{spot} holds `{}`, but this bot's mark, its first argument, is `{mark}`", is.escape_ascii())
        },
    )
}

/// A square that overlaps spots that the bot held already: only its new spots have changed. New spots that form a
/// rectangle are reported as that rectangle instead.
fn over_own(answer: &IllegalAnswer) -> Option<Violation> {
    if Bounds::from_spots(answer.changed).area() == answer.changed.count() {
        return None;
    }
    let square = completed_by_own(answer)?;
    let own = answer.own();
    let spots: Vec<Spot> = square.spots().filter(|&spot| own.contains(spot)).collect();
    let first = *spots.first()?;
    let new = answer.changed.count();
    let detail =
        format!("the square {square} covers {first}, which this bot held already ({new} of its spots are new)");
    Some(Violation { kind: "vacant", rule: "B2", spots, detail })
}

/// The smallest square that consists of the changed spots and spots that the bot held already.
fn completed_by_own(answer: &IllegalAnswer) -> Option<Square> {
    let own = answer.own();
    let laid = SpotSet(core::array::from_fn(|row| own.0[row] | answer.changed.0[row]));
    laid.squares().find(|&square| square.size <= answer.max_square && answer.changed.without(square).is_empty())
}

fn wrong_shape(answer: &IllegalAnswer) -> Violation {
    let bounds = Bounds::from_spots(answer.changed);
    let count = answer.changed.count();
    let place = Spot { row: bounds.top, col: bounds.left };
    let tall = bounds.tall;
    let wide = bounds.wide;
    if bounds.area() == count {
        let detail = if tall == wide {
            format!("a {tall}x{tall} square at {place}, though sides are at most {}", answer.max_square)
        } else {
            // Both explanations fit the bytes; the author knows which one is right.
            let perhaps = completed_by_own(answer).map_or(String::new(), |square| {
                format!(" (or the square {square}, partly on spots that this bot held already)")
            });
            format!("a rectangle {wide} wide and {tall} tall at {place} instead of a square{perhaps}")
        };
        return answer.violation("square", "B2", detail);
    }
    if let Some(size) = wrapped(answer.changed) {
        let detail =
            format!("a {size}x{size} square crosses the right edge and continues at the left edge, one row lower");
        return answer.violation("square", "B2", detail);
    }
    let pieces = pieces(answer.changed);
    if pieces.len() > 1 && pieces.iter().all(|&piece| exact_square(piece).is_some()) && !touching(&pieces) {
        let detail = format!("{} separate squares were marked; a move is one square", pieces.len());
        return answer.violation("one", "B2", detail);
    }
    let detail = format!(
        "{count} spots were marked in a rectangle {wide} wide and {tall} tall at {place}; a move fills one square \
         without holes"
    );
    answer.violation("filled", "B2", detail)
}

/// The side of a square that crosses the right edge into the next row, as a bot draws it that numbers the spots of all
/// rows in one sequence and does not check the column.
fn wrapped(set: SpotSet) -> Option<u8> {
    let cells: Vec<u32> = set.spots().map(|spot| u32::from(spot.row) * 32 + u32::from(spot.col)).collect();
    let size = (1..=16).find(|size| size * size == set.count())?;
    let square_from =
        |start: u32| (0..size).flat_map(move |down| (0..size).map(move |right| start + down * 32 + right));
    let wraps = |start: u32| start % 32 + size > 32 && square_from(start).all(|cell| cells.contains(&cell));
    cells.iter().any(|&start| wraps(start)).then_some(size as u8)
}

/// The connected parts of `set`; spots are connected where they share a side.
fn pieces(mut set: SpotSet) -> Vec<SpotSet> {
    let mut pieces = Vec::new();
    while let Some(seed) = set.spots().next() {
        let mut piece: SpotSet = core::iter::once(seed).collect();
        loop {
            let wider = SpotSet(core::array::from_fn(|row| {
                let here = piece.0[row];
                let above = if row == 0 { 0 } else { piece.0[row - 1] };
                let below = piece.0.get(row + 1).copied().unwrap_or(0);
                (here | here << 1 | here >> 1 | above | below) & set.0[row]
            }));
            if wider == piece {
                break;
            }
            piece = wider;
        }
        set = SpotSet(core::array::from_fn(|row| set.0[row] & !piece.0[row]));
        pieces.push(piece);
    }
    pieces
}

/// Whether some of `pieces` meet at a corner: then they are reported as one square with holes, not as several squares.
fn touching(pieces: &[SpotSet]) -> bool {
    let sideways = |row: u32| row << 1 | row >> 1;
    pieces.iter().enumerate().any(|(at, a)| {
        pieces[at + 1..].iter().any(|b| {
            (0..15).any(|row| sideways(a.0[row]) & b.0[row + 1] != 0 || sideways(b.0[row]) & a.0[row + 1] != 0)
        })
    })
}
