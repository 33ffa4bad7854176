//! Faults of reading: some spots of the arena are taken for what they are not (B1, B4).

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
        // `char` is signed: whatever is above 127 is not above `-`.
        "signed-char" => |turn| covering(turn, |spot| spot >= 0x80),
        "third-opponent" => third_opponent,
        _ => return None,
    };
    Some(Bot { choose, ..Bot::default() })
}

/// The largest square among the vacant spots that are left when `overlook` has taken some away.
fn overlooking(turn: &Turn, overlook: fn(&mut [u32; HEIGHT])) -> Arena {
    let SpotSet(mut rows) = turn.arena.vacant();
    overlook(&mut rows);
    turn.fill(largest_in(SpotSet(rows)))
}

/// Opponents' spots count as vacant. Own ones do not: a square of them alone would be no move at all, and
/// that is another fault.
fn only_o_blocks(turn: &Turn) -> Arena {
    let free = turn.spots(|spot| spot == VACANT || turn.is_foe(spot));
    turn.fill(if turn.arena.vacant().is_empty() { None } else { largest_in(free) })
}

/// There is a place for two opponents' marks; those of a third are taken for vacant. Only where one of the
/// marks is a letter or a digit, as in games: arenas with many strange characters are something else.
fn third_opponent(turn: &Turn) -> Arena {
    let foes: BTreeSet<u8> =
        turn.arena.rows().as_flattened().iter().copied().filter(|&s| turn.is_foe(s)).collect();
    if !foes.iter().any(u8::is_ascii_alphanumeric) {
        return turn.largest();
    }
    let unknown: Vec<u8> = foes.into_iter().skip(2).collect();
    covering(turn, |spot| unknown.contains(&spot))
}
