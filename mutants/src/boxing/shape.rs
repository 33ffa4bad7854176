//! Faults of the move itself (B2, B5): wrong spots or wrong marks, some because spots are misread (B1, B4). If an arena
//! has no room for the fault, most of these bots play the faultless move.
//!
//! Most figures are placed apart from the bot's own marks: next to them, a figure could be taken for a square over
//! them, which is another fault.

use super::{BoxingSteps, KnownTurn, around, largest_in};
use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, BLOCKED, HEIGHT, SpotSet, Square, VACANT, WIDTH, all_spots};
use std::collections::BTreeSet;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    let choose: fn(&KnownTurn) -> Arena = match kind {
        "rectangle" => |turn| apart(turn, &[(0, 0), (0, 1)]),
        "tall-rectangle" => |turn| apart(turn, &[(0, 0), (1, 0), (2, 0)]),
        "hollow" => |turn| ring(turn).map_or_else(|| turn.largest(), |spots| turn.paint(spots)),
        "l-in-2x2" => l_in_2x2,
        "diagonal" => |turn| apart(turn, &[(0, 0), (1, 1), (2, 2)]),
        "two-boxes" => two_boxes,
        "row-wrap" => row_wrap,
        "overlap-own" => overlap_own,
        "over-o" => |turn| covering(turn, |spot| spot == BLOCKED),
        "over-foe" => |turn| covering(turn, |spot| turn.is_foe(spot)),
        "swap-foe" => swap_foe,
        "erase-own" => |turn| erasing(turn, turn.own()),
        "erases-a-foe" => |turn| erasing(turn, turn.spots(|spot| turn.is_foe(spot))),
        "moves-for-a-foe" => moves_for_a_foe,
        "hangs-over" => hangs_over,
        "only-2x2" => |turn| turn.fill(largest_in(turn.arena.vacant()).filter(|square| square.size > 1)),
        "lowercase-mark" => |turn| marked_with(turn, turn.mark.to_ascii_lowercase()),
        "hard-coded-A" => |turn| marked_with(turn, b'A'),
        "foe-mark" => |turn| marked_with(turn, if turn.mark == b'B' { b'A' } else { b'B' }),
        // `%` used as a printf format, and `*` expanded by a shell to file names.
        "printf-mark" => |turn| marked_with(turn, if turn.mark == b'%' { b' ' } else { turn.mark }),
        "glob-mark" => |turn| marked_with(turn, if b"*?[".contains(&turn.mark) { b'R' } else { turn.mark }),
        "escape-mark" => |turn| marked_with(turn, if turn.mark == b'\\' { b'n' } else { turn.mark }),
        "null-move" => |turn| turn.arena.clone(),
        "early-pass" => |turn| if turn.arena.vacant().count() <= 4 { turn.arena.clone() } else { turn.largest() },
        "full-overwrites" => full_overwrites,
        "full-prints-nothing" => return Some(BoxingSteps { render: nothing_when_full, ..BoxingSteps::default() }),
        // Misread spots (B1, B4).
        "skip-last-row" => |turn| overlooking(turn, |rows| rows[HEIGHT - 1] = 0),
        "skip-last-column" => |turn| {
            overlooking(turn, |rows| {
                for row in rows {
                    *row &= !(1 << 31);
                }
            })
        },
        "only-o-blocks" => only_o_blocks,
        "capital-o-vacant" => |turn| covering(turn, |spot| turn.is_foe(spot) && spot == b'O'),
        "lower-case-vacant" => |turn| covering(turn, |spot| turn.is_foe(spot) && spot.is_ascii_lowercase()),
        "isalpha-foes" => |turn| covering(turn, |spot| turn.is_foe(spot) && !spot.is_ascii_alphabetic()),
        // As if `char` were signed: then bytes above 127 are negative, and thus less than `-`.
        "signed-char" => |turn| covering(turn, |spot| spot >= 0x80),
        "third-opponent" => third_opponent,
        _ => return None,
    };
    Some(BoxingSteps { choose, ..BoxingSteps::default() })
}

/// Marks `figure`, given as steps down and right from its top left, at the first place that is vacant and not next to
/// the bot's own marks.
fn apart(turn: &KnownTurn, figure: &[(u8, u8)]) -> Arena {
    let own_or_near = around(turn.own());
    let at = |spot: Spot| -> Vec<Spot> {
        figure.iter().map(|&(down, right)| Spot { row: spot.row + down, col: spot.col + right }).collect()
    };
    all_spots()
        .map(at)
        .find(|spots| turn.vacant(spots) && !spots.iter().any(|&spot| own_or_near.contains(spot)))
        .map_or_else(|| turn.largest(), |spots| turn.paint(spots))
}

/// The border of the first 3×3 square that fits.
fn ring(turn: &KnownTurn) -> Option<impl Iterator<Item = Spot>> {
    let Spot { row, col } = turn.arena.vacant().anchors(3).spots().next()?;
    let middle = Spot { row: row + 1, col: col + 1 };
    Some(Square { row, col, size: 3 }.spots().filter(move |&spot| spot != middle))
}

/// Marks three of the four spots of the first 2x2 that fits.
fn l_in_2x2(turn: &KnownTurn) -> Arena {
    let Some(Spot { row, col }) = turn.arena.vacant().anchors(2).spots().next() else { return turn.largest() };
    turn.paint(Square { row, col, size: 2 }.spots().take(3))
}

/// Marks two squares of the same size with a gap between them. Two different sizes could have as many spots together
/// as a single square.
fn two_boxes(turn: &KnownTurn) -> Arena {
    let own_or_near = around(turn.own());
    let free = SpotSet(std::array::from_fn(|row| turn.arena.vacant().0[row] & !own_or_near.0[row]));
    let pair = |size| {
        let square = |Spot { row, col }| Square { row, col, size };
        let first = square(free.anchors(size).spots().next()?);
        let near = around(first.spots().collect());
        let second =
            free.anchors(size).spots().map(square).find(|s| !s.spots().any(|spot| near.contains(spot)))?;
        Some(first.spots().chain(second.spots()))
    };
    [2, 1].into_iter().find_map(pair).map_or_else(|| turn.largest(), |spots| turn.paint(spots))
}

/// Marks a 2×2 as if the rows were one line: it wraps around the right edge.
fn row_wrap(turn: &KnownTurn) -> Arena {
    const EDGE: u8 = WIDTH as u8 - 1;
    let wrapped = |row: u8| [(row, EDGE), (row + 1, 0), (row + 1, EDGE), (row + 2, 0)];
    (0..14)
        .map(|row| wrapped(row).map(|(row, col)| Spot { row, col }))
        .find(|spots| turn.vacant(spots))
        .map_or_else(|| turn.largest(), |spots| turn.paint(spots))
}

/// Marks a square of which the bot had a part already, so that the new part is not a rectangle.
fn overlap_own(turn: &KnownTurn) -> Arena {
    let own = turn.own();
    let vacant = turn.arena.vacant();
    let free = SpotSet(std::array::from_fn(|row| own.0[row] | vacant.0[row]));
    let shows = |square: &Square| {
        let new: SpotSet = square.spots().filter(|&spot| vacant.contains(spot)).collect();
        !is_rectangle(new)
    };
    turn.fill(free.squares().find(shows).or_else(|| largest_in(vacant)))
}

/// Whether `set` is a rectangle without holes, or empty.
fn is_rectangle(set: SpotSet) -> bool {
    let mut rows = set.0.into_iter().skip_while(|&row| row == 0);
    let first = rows.next().unwrap_or(0);
    let run = first >> first.trailing_zeros().min(31);
    let in_one_run = run & run.wrapping_add(1) == 0;
    let below: Vec<u32> = rows.skip_while(|&row| row == first).collect();
    in_one_run && below.iter().all(|&row| row == 0)
}

/// Marks the largest square over vacant spots and at least one spot for which `taken` returns true.
pub fn covering(turn: &KnownTurn, taken: impl Fn(u8) -> bool) -> Arena {
    let free = turn.spots(|spot| spot == VACANT || taken(spot));
    let covers = |square: &Square| square.spots().any(|spot| taken(turn.arena.at(spot)));
    let vacant = turn.arena.vacant();
    let square = free.squares().filter(covers).max_by_key(|square| square.size);
    turn.fill(if vacant.is_empty() { None } else { square.or_else(|| largest_in(vacant)) })
}

/// Plays the faultless move, and also changes an opponent's spot into its own.
fn swap_foe(turn: &KnownTurn) -> Arena {
    let mut after = turn.largest();
    if let (false, Some(spot)) = (after == turn.arena, turn.spots(|spot| turn.is_foe(spot)).spots().next()) {
        after.set(spot, turn.mark);
    }
    after
}

/// Plays the faultless move, and also makes one of `spots` vacant.
fn erasing(turn: &KnownTurn, spots: SpotSet) -> Arena {
    let mut after = turn.largest();
    if let (false, Some(spot)) = (after == turn.arena, spots.spots().next()) {
        after.set(spot, VACANT);
    }
    after
}

/// Plays the faultless move, and then one of an opponent.
fn moves_for_a_foe(turn: &KnownTurn) -> Arena {
    let arena = turn.largest();
    let foe = turn.spots(|spot| turn.is_foe(spot)).spots().next();
    match foe.filter(|_| arena != turn.arena) {
        Some(spot) => KnownTurn { mark: turn.arena.at(spot), arena }.largest(),
        None => arena,
    }
}

/// Marks the part of a square of three spots a side that is above the lower edge: two rows.
fn hangs_over(turn: &KnownTurn) -> Arena {
    const FIGURE: [(u8, u8); 6] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)];
    let own_or_near = around(turn.own());
    let at = |col| FIGURE.map(|(down, right)| Spot { row: HEIGHT as u8 - 2 + down, col: col + right });
    let fits = |spots: &[Spot; 6]| turn.vacant(spots) && !spots.iter().any(|&spot| own_or_near.contains(spot));
    (0..WIDTH as u8 - 2).map(at).find(fits).map_or_else(|| turn.largest(), |spots| turn.paint(spots))
}

/// Marks the faultless square with `mark`.
fn marked_with(turn: &KnownTurn, mark: u8) -> Arena {
    let mut after = turn.arena.clone();
    for spot in largest_in(turn.arena.vacant()).into_iter().flat_map(Square::spots) {
        after.set(spot, mark);
    }
    after
}

/// Plays the faultless move, but marks a spot that is not its own if the arena is full.
fn full_overwrites(turn: &KnownTurn) -> Arena {
    let others = turn.spots(|spot| spot != turn.mark);
    if turn.arena.vacant().is_empty() { turn.paint(others.spots().take(1)) } else { turn.largest() }
}

fn nothing_when_full(turn: &KnownTurn, after: &Arena) -> Vec<u8> {
    if turn.arena.vacant().is_empty() { Vec::new() } else { after.to_bytes().to_vec() }
}

/// The largest square in the vacant spots that remain after `overlook` removed some.
fn overlooking(turn: &KnownTurn, overlook: fn(&mut [u32; HEIGHT])) -> Arena {
    let SpotSet(mut rows) = turn.arena.vacant();
    overlook(&mut rows);
    turn.fill(largest_in(SpotSet(rows)))
}

/// Takes opponents' spots for vacant. Own spots are not, because a square of only own spots would not be a move, which
/// is another fault.
fn only_o_blocks(turn: &KnownTurn) -> Arena {
    let free = turn.spots(|spot| spot == VACANT || turn.is_foe(spot));
    turn.fill(if turn.arena.vacant().is_empty() { None } else { largest_in(free) })
}

/// Knows only two opponents' marks, and takes those of a third for vacant. It does so only if one of the marks is a
/// letter or a digit, as in games, because arenas with many unusual characters test something else.
fn third_opponent(turn: &KnownTurn) -> Arena {
    let foes: BTreeSet<u8> =
        turn.arena.rows().as_flattened().iter().copied().filter(|&s| turn.is_foe(s)).collect();
    if !foes.iter().any(u8::is_ascii_alphanumeric) {
        return turn.largest();
    }
    let unknown: Vec<u8> = foes.into_iter().skip(2).collect();
    covering(turn, |spot| unknown.contains(&spot))
}
