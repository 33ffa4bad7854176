//! Faults of reading: some spots of the arena are misread (B1, B4).

use super::bot::{Bot, Turn, largest_in};
use super::shape::covering;
use cornerman::games::boxing::{Arena, HEIGHT, SpotSet, VACANT};
use std::collections::BTreeSet;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    let choose: fn(&Turn) -> Arena = match kind {
        "skip-last-row" => |turn| overlooking(turn, |rows| rows[HEIGHT - 1] = 0),
        "skip-last-column" => |turn| overlooking(turn, |rows| rows.iter_mut().for_each(|row| *row &= !(1 << 31))),
        "only-o-blocks" => only_o_blocks,
        "isalpha-foes" => |turn| covering(turn, |spot| turn.is_foe(spot) && !spot.is_ascii_alphabetic()),
        // As if `char` were signed: then bytes above 127 are negative, and thus less than `-`.
        "signed-char" => |turn| covering(turn, |spot| spot >= 0x80),
        "third-opponent" => third_opponent,
        _ => return None,
    };
    Some(Bot { choose, ..Bot::default() })
}

/// The largest square in the vacant spots that remain after `overlook` removed some.
fn overlooking(turn: &Turn, overlook: fn(&mut [u32; HEIGHT])) -> Arena {
    let SpotSet(mut rows) = turn.arena.vacant();
    overlook(&mut rows);
    turn.fill(largest_in(SpotSet(rows)))
}

/// Takes opponents' spots for vacant. Own spots are not, because a square of only own spots would not be a move, which
/// is another fault.
fn only_o_blocks(turn: &Turn) -> Arena {
    let free = turn.spots(|spot| spot == VACANT || turn.is_foe(spot));
    turn.fill(if turn.arena.vacant().is_empty() { None } else { largest_in(free) })
}

/// Knows only two opponents' marks, and takes those of a third for vacant. It does so only if one of the marks is a
/// letter or a digit, as in games, because arenas with many unusual characters test something else.
fn third_opponent(turn: &Turn) -> Arena {
    let foes: BTreeSet<u8> =
        turn.arena.rows().as_flattened().iter().copied().filter(|&s| turn.is_foe(s)).collect();
    if !foes.iter().any(u8::is_ascii_alphanumeric) {
        return turn.largest();
    }
    let unknown: Vec<u8> = foes.into_iter().skip(2).collect();
    covering(turn, |spot| unknown.contains(&spot))
}
