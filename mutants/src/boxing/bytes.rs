//! Faults of form, text and marks (B5, B6): mostly a right move in wrong bytes, in another notation, encoding or place,
//! or with another mark.

use super::{BoxingSteps, KnownTurn, largest_in};
use cornerman::games::boxing::{Arena, BLOCKED, HEIGHT, Square, VACANT, WIDTH};

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    let choose: fn(&KnownTurn) -> Arena = match kind {
        "known-marks" => |turn| if b"AB".contains(&turn.mark) { turn.largest() } else { turn.arena.clone() },
        // Like sed, where `&` stands for what is replaced, and so changes nothing.
        "sed-mark" => |turn| if turn.mark == b'&' { turn.arena.clone() } else { turn.largest() },
        "replaces-all" => |turn| turn.paint(turn.arena.vacant().spots()),
        "every-row" => |turn| {
            let rows = 0..HEIGHT as u8;
            let first = |row| turn.arena.vacant().spots().find(|spot| spot.row == row);
            turn.paint(rows.filter_map(first))
        },
        "one-based" => one_based,
        _ => return rendering(kind),
    };
    Some(BoxingSteps { choose, ..BoxingSteps::default() })
}

fn rendering(kind: &str) -> Option<BoxingSteps> {
    let render: fn(&KnownTurn, &Arena) -> Vec<u8> = match kind {
        "path-mark" => |turn, after| marked(turn, after, b"/home/author/bots/boxer.py"),
        "mark-line-feed" => |turn, after| marked(turn, after, &[turn.mark, b'\n']),
        "mark-code" => |turn, after| marked(turn, after, turn.mark.to_string().as_bytes()),
        "no-mark" => |turn, after| marked(turn, after, b""),
        "letters-only" => {
            |turn, after| if turn.mark.is_ascii_alphabetic() { after.to_bytes().to_vec() } else { Vec::new() }
        }
        "one-line" => |_, after| [&after.rows().join(&b' ')[..], b"\n"].concat(),
        "double-spaced" => |_, after| ended(after.rows(), b"\n\n"),
        "nul-rows" => |_, after| ended(after.rows(), b"\0\n"),
        "row-numbers" => |_, after| {
            let row = |(at, row): (usize, &[u8; WIDTH])| [format!("{at} ").as_bytes(), row, b"\n"].concat();
            after.rows().iter().enumerate().flat_map(row).collect()
        },
        "spaced-spots" => |_, after| after.rows().iter().flat_map(spaced).collect(),
        "stripped-rows" => |_, after| {
            let kept = |row: &[u8; WIDTH]| row.iter().rposition(|&spot| spot != VACANT).map_or(0, |last| last + 1);
            after.rows().iter().flat_map(|row| [&row[..kept(row)], b"\n"].concat()).collect()
        },
        "first-row-lost" => |_, after| after.to_bytes()[WIDTH + 1..].to_vec(),
        "utf-16" => |_, after| after.to_bytes().iter().flat_map(|&byte| [byte, 0]).collect(),
        "utf-8" => {
            |_, after| after.to_bytes().iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
        }
        "whole-buffer" => |_, after| [&after.to_bytes()[..], &[0; 496]].concat(),
        "only-the-move" => |turn, _| match largest_in(turn.arena.vacant()) {
            Some(Square { row, col, size }) => format!("{row} {col} {size}\n").into_bytes(),
            None => b"0 0 0\n".to_vec(),
        },
        "upside-down" => |_, after| lines(after.rows().iter().rev()),
        "mirrored-rows" => |_, after| lines(after.rows().map(|row| row.into_iter().rev().collect::<Vec<u8>>())),
        "vacant-as-blanks" => |_, after| with(after, VACANT, b' '),
        "blocked-as-digits" => |_, after| with(after, BLOCKED, b'0'),
        "upper-case" => |_, after| after.to_bytes().to_ascii_uppercase(),
        "stride-32" => slanted,
        "stride-32-blindly" => blindly_slanted,
        "line-when-full" => |turn, after| {
            let more: &[u8] = if turn.arena.vacant().is_empty() { b"\n" } else { b"" };
            [&after.to_bytes()[..], more].concat()
        },
        "nothing-at-the-end" => |turn, after| {
            let ended = turn.arena.vacant().is_empty() && turn.arena.count(turn.mark) > 0;
            if ended { Vec::new() } else { after.to_bytes().to_vec() }
        },
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
        // As if the mark were read one byte after its place in the argument.
        "nul-cell" => |turn, after| marked(turn, after, b"\0"),
        _ => return None,
    };
    Some(BoxingSteps { render, ..BoxingSteps::default() })
}

/// The text of the arena, with the character `shown` in place of each `spot`.
fn with(arena: &Arena, spot: u8, shown: u8) -> Vec<u8> {
    arena.to_bytes().map(|byte| if byte == spot { shown } else { byte }).into()
}

/// The text of the arena, with `mark` at each spot that was marked.
fn marked(turn: &KnownTurn, after: &Arena, mark: &[u8]) -> Vec<u8> {
    let was = turn.arena.to_bytes();
    let spot = |(&was, is): (&u8, u8)| if was == is { vec![is] } else { mark.to_vec() };
    was.iter().zip(after.to_bytes()).flat_map(spot).collect()
}

/// The row with a blank after each spot but the last, and a line feed.
fn spaced(row: &[u8; WIDTH]) -> Vec<u8> {
    let mut line: Vec<u8> = row.iter().flat_map(|&spot| [spot, b' ']).collect();
    *line.last_mut().expect("a row has spots") = b'\n';
    line
}

/// Marks a square one row too low and one column too far right. Of the squares that fit, it is the largest that, moved
/// in this way, covers something taken.
fn one_based(turn: &KnownTurn) -> Arena {
    let vacant = turn.arena.vacant();
    let moved = |square: Square| Square { row: square.row + 1, col: square.col + 1, ..square };
    let taken = |square: &Square| {
        let moved = moved(*square);
        let is_taken = |spot| !vacant.contains(spot) && turn.arena.at(spot) != turn.mark;
        moved.in_arena() && moved.spots().any(|spot| vacant.contains(spot)) && moved.spots().any(is_taken)
    };
    match vacant.squares().filter(taken).max_by_key(|square| square.size) {
        Some(square) => turn.fill(Some(moved(square))),
        None => turn.largest(),
    }
}

/// Marks a 2x2 square in the text as if a line had 32 bytes.
fn slanted(turn: &KnownTurn, after: &Arena) -> Vec<u8> {
    const SIDE: usize = 2;
    let mut text = turn.arena.to_bytes().to_vec();
    let cells =
        |start: usize| (0..SIDE).flat_map(move |down| (0..SIDE).map(move |right| start + down * WIDTH + right));
    let free = |&start: &usize| cells(start).all(|at| text.get(at) == Some(&VACANT));
    match (0..text.len()).find(free) {
        Some(start) => {
            for at in cells(start) {
                text[at] = turn.mark;
            }
            text
        }
        None => after.to_bytes().to_vec(),
    }
}

/// Marks the faultless square in the text as if a line had 32 bytes, over whatever is there.
fn blindly_slanted(turn: &KnownTurn, after: &Arena) -> Vec<u8> {
    let Some(square) = largest_in(turn.arena.vacant()) else { return after.to_bytes().to_vec() };
    let mut text = turn.arena.to_bytes().to_vec();
    let side = usize::from(square.size);
    let start = usize::from(square.row) * (WIDTH + 1) + usize::from(square.col);
    // A second row that begins with a spot of the bot's own has only one new spot: the new spots are an upright 2x2
    // without one spot, which is another fault.
    if side == 2 && text[start + WIDTH] == turn.mark {
        return after.to_bytes().to_vec();
    }
    for down in 0..side {
        text[start + down * WIDTH..][..side].fill(turn.mark);
    }
    text
}

/// The rows, each followed by `end`.
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
