//! Faults of form (B6): the move is right, but the bytes of the answer are not.

use super::bot::{Bot, Turn};
use cornerman::games::boxing::{Arena, HEIGHT, WIDTH};

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    let render: fn(&Turn, &Arena) -> Vec<u8> = match kind {
        "no-final-newline" => |_, arena| arena.to_bytes()[..HEIGHT * (WIDTH + 1) - 1].to_vec(),
        "crlf" => |_, arena| ended(arena.rows(), b"\r\n"),
        "bare-cr" => |_, arena| ended(arena.rows(), b"\r"),
        "blank-tail" => |_, arena| followed_by(arena, b"\n"),
        "debug-tail" => |_, arena| followed_by(arena, b"evaluated 1234 squares\n"),
        "nul-tail" => |_, arena| followed_by(arena, b"\0"),
        "arena-twice" => |_, arena| arena.to_bytes().repeat(2),
        "banner" => |_, arena| preceded_by(b"Sparrow 1.0\n", arena),
        "blank-lead" => |_, arena| preceded_by(b"\n", arena),
        "bom" => |_, arena| preceded_by(b"\xef\xbb\xbf", arena),
        "15-rows" => |_, arena| lines(&arena.rows()[..HEIGHT - 1]),
        "17-rows" => |_, arena| [&arena.to_bytes()[..], &lines(&arena.rows()[HEIGHT - 1..])].concat(),
        "31-columns" => |_, arena| lines(arena.rows().map(|row| row[..WIDTH - 1].to_vec())),
        "transposed" => |_, arena| lines((0..WIDTH).map(|col| arena.rows().map(|row| row[col]))),
        "spaced-rows" => |_, arena| ended(arena.rows(), b" \n"),
        "empty" => |_, _| Vec::new(),
        // Like a C program that writes in blocks of 512 bytes and ends with `_exit`.
        "unflushed-exit" => |_, arena| arena.to_bytes()[..512].to_vec(),
        "nul-cell" => nul_cells,
        _ => return None,
    };
    Some(Bot { render, ..Bot::default() })
}

fn ended<R: AsRef<[u8]>>(rows: impl IntoIterator<Item = R>, end: &[u8]) -> Vec<u8> {
    rows.into_iter().flat_map(|row| [row.as_ref(), end].concat()).collect()
}

fn lines<R: AsRef<[u8]>>(rows: impl IntoIterator<Item = R>) -> Vec<u8> {
    ended(rows, b"\n")
}

fn followed_by(arena: &Arena, tail: &[u8]) -> Vec<u8> {
    [&arena.to_bytes()[..], tail].concat()
}

fn preceded_by(lead: &[u8], arena: &Arena) -> Vec<u8> {
    [lead, &arena.to_bytes()[..]].concat()
}

/// The square in NUL bytes, as if the mark were read one byte after its place in the argument.
fn nul_cells(turn: &Turn, arena: &Arena) -> Vec<u8> {
    let was = turn.arena.to_bytes();
    let is = arena.to_bytes();
    was.iter().zip(is).map(|(&was, is)| if was == is { is } else { 0 }).collect()
}
