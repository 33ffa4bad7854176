//! Arenas whose changes are more than a wrong choice of a square: rows in another order, replaced bytes, and squares
//! at the wrong place (B2).

use super::{Answer, text};
use crate::finding::Cause;
use crate::games::boxing::id;
use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, HEIGHT, Square, VACANT, WIDTH, all_spots};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn cause(answer: &Answer) -> Option<Cause> {
    let after = Arena::parse(answer.output).ok()?;
    turned(answer, &after).or_else(|| replaced(answer, &after)).or_else(|| other_order(answer, &after))
}

/// The spots whose bytes changed, with their bytes before and after.
pub(super) fn changes(before: &Arena, after: &Arena) -> Vec<(Spot, u8, u8)> {
    let pair = |spot| (spot, before.at(spot), after.at(spot));
    all_spots().map(pair).filter(|(_, was, is)| was != is).collect()
}

/// The bytes of a square were written with its rows 32 or 34 bytes apart instead of 33, over whatever is there.
pub(super) fn slanted(answer: &Answer) -> Option<Cause> {
    /// The bytes from row to row for those who forget the line feed, or take it for two bytes.
    const STEPS: [usize; 2] = [WIDTH, WIDTH + 2];
    if answer.output.len() != answer.was.len() {
        return None;
    }
    // Beside marks of the bot, an upright square can look like a slanted one.
    let after = Arena::parse(answer.output);
    if after.is_ok_and(|after| painted(answer.arena, &after, answer.mark).is_some()) {
        return None;
    }
    let changed = |at: &usize| answer.output[*at] != answer.was[*at];
    let all: Vec<usize> = (0..answer.was.len()).filter(changed).collect();
    let first = *all.first().filter(|_| all.iter().all(|&at| answer.output[at] == answer.mark))?;
    let is_square = |side: usize, step: usize| {
        let cells = (0..side).flat_map(|down| (0..side).map(move |right| first + down * step + right));
        let mut rows = (0..side).map(|down| first + down * step..first + down * step + side);
        // If three spots of 2x2 changed, it is more likely an upright square of which one spot was forgotten.
        (side > 2 || all.len() == 4)
            && cells.clone().all(|at| answer.output.get(at) == Some(&answer.mark))
            && rows.all(|row| row.into_iter().any(|at| changed(&at)))
            && cells.filter(changed).eq(all.iter().copied())
    };
    let sides = (2..=HEIGHT).flat_map(|side| STEPS.map(|step| (side, step)));
    let (_, step) = sides.into_iter().find(|&(side, step)| is_square(side, step))?;
    Some(answer.known("slanted", &[("step", &step)]))
}

/// The whole arena was written upside down, mirrored, or both.
fn turned(answer: &Answer, after: &Arena) -> Option<Cause> {
    let mirrored = |row: &[u8; WIDTH]| row.iter().rev().copied().collect::<Vec<u8>>();
    let rows = after.rows();
    let turns = [
        ("rows-reversed", text(rows.iter().rev())),
        ("columns-reversed", text(rows.iter().map(mirrored))),
        ("all-reversed", text(rows.iter().rev().map(mirrored))),
    ];
    let (name, _) = turns.into_iter().find(|(_, turned)| answer.is_undone_by(turned))?;
    Some(answer.known(name, &[]))
}

/// A byte was replaced wherever it was, at least in one row, or once in every row.
fn replaced(answer: &Answer, after: &Arena) -> Option<Cause> {
    let changes = changes(answer.arena, after);
    let marked = changes.iter().all(|&(_, was, is)| was == VACANT && is == answer.mark);
    // That two spots are all vacant spots can be an accident.
    if marked && changes.len() > 2 {
        let vacant = || all_spots().filter(|&spot| answer.arena.at(spot) == VACANT);
        let in_row = |row: u8| vacant().filter(move |spot| spot.row == row);
        let rows = || 0..HEIGHT as u8;
        let row = changes[0].0.row;
        let sets: [(String, Vec<Spot>); 4] = [
            (format!("all {} vacant spots were marked", changes.len()), vacant().collect()),
            (format!("all vacant spots of row {} were marked", row + 1), in_row(row).collect()),
            (
                "the first vacant spot of every row was marked".to_string(),
                rows().filter_map(|row| in_row(row).next()).collect(),
            ),
            (
                "the last vacant spot of every row was marked".to_string(),
                rows().filter_map(|row| in_row(row).last()).collect(),
            ),
        ];
        let are_changed = |spots: &[Spot]| changes.iter().map(|(spot, ..)| spot).eq(spots);
        let (what, _) = sets.into_iter().find(|(_, spots)| are_changed(spots))?;
        let what = format!("{what}, not one square");
        return Some(Cause { check: id::MOV_SQUARE, ..answer.known("everywhere", &[("what", &what)]) });
    }
    let check = if answer.violation.kind == "full" { id::MOV_VACANT } else { answer.check };
    mapped(answer, &changes).map(|what| Cause { check, ..answer.known("everywhere", &[("what", &what)]) })
}

/// In words, how bytes were replaced wherever they were; `None` if a byte was replaced only in some places, or only one
/// was.
fn mapped(answer: &Answer, changes: &[(Spot, u8, u8)]) -> Option<String> {
    let mut became: BTreeMap<u8, BTreeMap<u8, u32>> = BTreeMap::new();
    for &(_, was, is) in changes {
        *became.entry(was).or_default().entry(is).or_default() += 1;
    }
    let mut all: Vec<(u8, u8, u32)> = Vec::new();
    for (&was, into) in &became {
        let others: Vec<(u8, u32)> =
            into.iter().map(|(&is, &n)| (is, n)).filter(|&(is, _)| was != VACANT || is != answer.mark).collect();
        let moved = if was == VACANT { into.get(&answer.mark).copied().unwrap_or(0) } else { 0 };
        match others[..] {
            [] => {}
            [(is, n)] if n + moved == answer.arena.count(was) => all.push((was, is, n)),
            _ => return None,
        }
    }
    let (was, is, n) = *all.first().filter(|(.., n)| *n > 1 || all.len() > 1)?;
    let show = |byte: u8| format!("`{}`", byte.escape_ascii());
    let case = |to: fn(&u8) -> u8| all.iter().all(|(was, is, _)| to(was) == *is);
    if all.len() > 1 || was.is_ascii_alphabetic() {
        if case(u8::to_ascii_uppercase) {
            return Some(format!("all letters were changed to upper case: {} became {}", show(was), show(is)));
        }
        if case(u8::to_ascii_lowercase) {
            return Some(format!("all letters were changed to lower case: {} became {}", show(was), show(is)));
        }
    }
    let name = if was == VACANT { "vacant spots".to_string() } else { format!("spots with {}", show(was)) };
    Some(format!("all {n} {name} were changed to {}", show(is)))
}

/// The rows of the input were written in another order.
fn other_order(answer: &Answer, after: &Arena) -> Option<Cause> {
    let mut left: Vec<&[u8; WIDTH]> = answer.arena.rows().iter().collect();
    let same = after.rows().iter().zip(answer.arena.rows()).filter(|(is, was)| is == was).count();
    let mut kept = 0;
    for row in after.rows() {
        if let Some(at) = left.iter().position(|other| *other == row) {
            left.swap_remove(at);
            kept += 1;
        }
    }
    let distinct = answer.arena.rows().iter().collect::<BTreeSet<_>>().len();
    let detail = &answer.violation.detail;
    (kept >= same + 3 && distinct > 3)
        .then(|| answer.known("other-order", &[("rows", &(kept - same)), ("detail", detail)]))
}

/// A place where a square over taken spots would have been legal: the name of the cause that moved it away from there,
/// and the place, as seen from the one that was marked, in words and as a square.
pub(crate) type Place = (&'static str, &'static str, fn(Square) -> Option<Square>);

fn moved(square: Square, down: i8, right: i8) -> Option<Square> {
    let row = square.row.checked_add_signed(down)?;
    let col = square.col.checked_add_signed(right)?;
    Some(Square { row, col, ..square })
}

/// The places that explain squares over taken spots, beginning with the most particular ones.
pub(crate) const PLACES: [Place; 6] = [
    ("square-swapped", "with row and column swapped", |square| {
        (square.row != square.col).then_some(Square { row: square.col, col: square.row, ..square })
    }),
    ("square-offset", "one row higher and one column to the left", |square| moved(square, -1, -1)),
    ("square-offset", "one column to the left", |square| moved(square, 0, -1)),
    ("square-offset", "one row higher", |square| moved(square, -1, 0)),
    ("square-offset", "one row lower and one column to the right", |square| moved(square, 1, 1)),
    ("square-upside-down", "counted from the bottom", |square| {
        Some(Square { row: (HEIGHT as u8).checked_sub(square.row + square.size)?, ..square })
    }),
];

/// Which of [`PLACES`] explain the `output` of the bot with `mark` for `arena`, a square over taken spots.
pub(crate) fn places(arena: &Arena, mark: u8, output: &[u8]) -> BTreeSet<usize> {
    let square = Arena::parse(output).ok().and_then(|after| painted(arena, &after, mark));
    let is_vacant = |(_, _, place): &Place| {
        let there = square.and_then(place);
        there.is_some_and(|there| there.in_arena() && arena.vacant().fits(there))
    };
    (0..PLACES.len()).filter(|&at| is_vacant(&PLACES[at])).collect()
}

/// The smallest square that holds all changed spots and shows only the bot's mark now.
fn painted(arena: &Arena, after: &Arena, mark: u8) -> Option<Square> {
    let changed: Vec<Spot> = changes(arena, after).into_iter().map(|(spot, ..)| spot).collect();
    let first = *changed.first()?;
    let holds = |square: &Square, spot: &Spot| {
        let inside = |at: u8, from: u8| (from..from + square.size).contains(&at);
        inside(spot.row, square.row) && inside(spot.col, square.col)
    };
    let mut squares = (1..=HEIGHT as u8).flat_map(|size| {
        let from = move |at: u8| at.saturating_sub(size - 1)..=at;
        from(first.row).flat_map(move |row| from(first.col).map(move |col| Square { row, col, size }))
    });
    squares.find(|square| {
        let all_inside = square.in_arena() && changed.iter().all(|spot| holds(square, spot));
        all_inside && square.spots().all(|spot| after.at(spot) == mark)
    })
}
