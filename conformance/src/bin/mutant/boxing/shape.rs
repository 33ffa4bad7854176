//! Faults of the move itself (B2, B5): marks where and as they should not be. Where an arena leaves no room for
//! its fault, a bot here plays the faultless move.
//!
//! A figure is laid apart from the bot's own marks, for next to them it could pass for a square laid over
//! them, which is another fault.

use super::bot::{Bot, Turn, around, largest_in};
use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, BLOCKED, SpotSet, Square, VACANT, WIDTH, all_spots};

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    let choose: fn(&Turn) -> Arena = match kind {
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
        "erase-own" => erase_own,
        "lowercase-mark" => |turn| marked_with(turn, turn.mark.to_ascii_lowercase()),
        "hard-coded-A" => |turn| marked_with(turn, b'A'),
        "foe-mark" => |turn| marked_with(turn, if turn.mark == b'B' { b'A' } else { b'B' }),
        // What `%` becomes where it is taken for a format, and `*` where a shell takes it for file names.
        "printf-mark" => |turn| marked_with(turn, if turn.mark == b'%' { b' ' } else { turn.mark }),
        "glob-mark" => |turn| marked_with(turn, if b"*?[".contains(&turn.mark) { b'R' } else { turn.mark }),
        "escape-mark" => |turn| marked_with(turn, if turn.mark == b'\\' { b'n' } else { turn.mark }),
        "null-move" => |turn| turn.arena.clone(),
        "early-pass" => |turn| if turn.arena.vacant().count() <= 4 { turn.arena.clone() } else { turn.largest() },
        "full-overwrites" => full_overwrites,
        "full-prints-nothing" => return Some(Bot { render: nothing_when_full, ..Bot::default() }),
        _ => return None,
    };
    Some(Bot { choose, ..Bot::default() })
}

/// `figure`, in steps down and right from its top left, at the first place that is vacant and not next to the
/// bot's own marks.
fn apart(turn: &Turn, figure: &[(u8, u8)]) -> Arena {
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
fn ring(turn: &Turn) -> Option<impl Iterator<Item = Spot>> {
    let Spot { row, col } = turn.arena.vacant().anchors(3).spots().next()?;
    let middle = Spot { row: row + 1, col: col + 1 };
    Some(Square { row, col, size: 3 }.spots().filter(move |&spot| spot != middle))
}

fn l_in_2x2(turn: &Turn) -> Arena {
    let Some(Spot { row, col }) = turn.arena.vacant().anchors(2).spots().next() else { return turn.largest() };
    turn.paint(Square { row, col, size: 2 }.spots().take(3))
}

/// Two squares of one size with a gap between them. One size: of two sizes, as many spots together as a
/// square has could be found.
fn two_boxes(turn: &Turn) -> Arena {
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

/// A 2×2 counted along the text, not within its rows: it runs over the right edge.
fn row_wrap(turn: &Turn) -> Arena {
    const EDGE: u8 = WIDTH as u8 - 1;
    let wrapped = |row: u8| [(row, EDGE), (row + 1, 0), (row + 1, EDGE), (row + 2, 0)];
    (0..14)
        .map(|row| wrapped(row).map(|(row, col)| Spot { row, col }))
        .find(|spots| turn.vacant(spots))
        .map_or_else(|| turn.largest(), |spots| turn.paint(spots))
}

/// A square of which a part was the bot's own already, and what is new is no square.
fn overlap_own(turn: &Turn) -> Arena {
    let own = turn.own();
    let vacant = turn.arena.vacant();
    let free = SpotSet(std::array::from_fn(|row| own.0[row] | vacant.0[row]));
    let shows = |square: &Square| {
        let new: SpotSet = square.spots().filter(|&spot| vacant.contains(spot)).collect();
        !is_rectangle(new)
    };
    turn.fill(free.squares().find(shows).or_else(|| largest_in(vacant)))
}

/// Whether `set` is a rectangle without holes, or nothing.
fn is_rectangle(set: SpotSet) -> bool {
    let mut rows = set.0.into_iter().skip_while(|&row| row == 0);
    let first = rows.next().unwrap_or(0);
    let run = first >> first.trailing_zeros().min(31);
    let in_one_run = run & run.wrapping_add(1) == 0;
    let below: Vec<u32> = rows.skip_while(|&row| row == first).collect();
    in_one_run && below.iter().all(|&row| row == 0)
}

/// The largest square over vacant spots and at least one of those where `taken` holds.
pub fn covering(turn: &Turn, taken: impl Fn(u8) -> bool) -> Arena {
    let free = turn.spots(|spot| spot == VACANT || taken(spot));
    let covers = |square: &Square| square.spots().any(|spot| taken(turn.arena.at(spot)));
    let vacant = turn.arena.vacant();
    let square = free.squares().filter(covers).max_by_key(|square| square.size);
    turn.fill(if vacant.is_empty() { None } else { square.or_else(|| largest_in(vacant)) })
}

/// The faultless move, and an opponent's spot taken over with it.
fn swap_foe(turn: &Turn) -> Arena {
    let mut after = turn.largest();
    if let (false, Some(spot)) = (after == turn.arena, turn.spots(|spot| turn.is_foe(spot)).spots().next()) {
        after.set(spot, turn.mark);
    }
    after
}

/// The faultless move, and one of the bot's own spots given up for it.
fn erase_own(turn: &Turn) -> Arena {
    let mut after = turn.largest();
    if let (false, Some(spot)) = (after == turn.arena, turn.own().spots().next()) {
        after.set(spot, VACANT);
    }
    after
}

fn marked_with(turn: &Turn, mark: u8) -> Arena {
    let mut after = turn.arena.clone();
    largest_in(turn.arena.vacant()).into_iter().flat_map(Square::spots).for_each(|spot| after.set(spot, mark));
    after
}

fn full_overwrites(turn: &Turn) -> Arena {
    let others = turn.spots(|spot| spot != turn.mark);
    if turn.arena.vacant().is_empty() { turn.paint(others.spots().take(1)) } else { turn.largest() }
}

fn nothing_when_full(turn: &Turn, after: &Arena) -> Vec<u8> {
    if turn.arena.vacant().is_empty() { Vec::new() } else { after.to_bytes().to_vec() }
}
