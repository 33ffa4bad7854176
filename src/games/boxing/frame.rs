//! The outer form of an arena as text (B6): 16 lines of 32, line feeds, nothing before and nothing after;
//! and, where bytes are not that, the one fault that explains them best.

use super::{ARENA_BYTES, HEIGHT, WIDTH};
use crate::game::{Spot, Violation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

const LINE: usize = WIDTH + 1;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the 16 rows of 32 bytes.
///
/// # Errors
/// The most specific fault of form; `spots` then names the first line and column concerned, if any.
pub fn read(text: &[u8]) -> Result<[[u8; WIDTH]; HEIGHT], Violation> {
    rows(text).ok_or_else(|| diagnose(text))
}

/// The rows of a text whose form is right: one that is 528 bytes with its line feeds where they belong.
fn rows(text: &[u8]) -> Option<[[u8; WIDTH]; HEIGHT]> {
    if text.len() != ARENA_BYTES {
        return None;
    }
    let mut rows = [[0; WIDTH]; HEIGHT];
    for (row, line) in rows.iter_mut().zip(text.chunks_exact(LINE)) {
        row.copy_from_slice(&line[..WIDTH]);
        if line[WIDTH] != b'\n' || row.contains(&b'\n') {
            return None;
        }
    }
    // A carriage return in place of the last spots of a row would keep the count: it is a fault of line ends.
    (!rows.iter().all(|row| row[WIDTH - 1] == b'\r')).then_some(rows)
}

fn fault(kind: &'static str, rule: &'static str, at: Option<Spot>, detail: String) -> Violation {
    Violation { kind, rule, spots: at.into_iter().collect(), detail }
}

fn at(row: usize, col: usize) -> Option<Spot> {
    Some(Spot { row: row.min(255) as u8, col: col.min(255) as u8 })
}

/// The causes from the most to the least specific: what a cause explains is not said again as its effect
/// (a carriage return is not "544 bytes").
fn diagnose(text: &[u8]) -> Violation {
    if text.is_empty() {
        return fault("length", "B6", None, "nothing at all was written: 528 bytes were due".to_string());
    }
    byte_order_mark(text)
        .or_else(|| carriage_returns(text))
        .or_else(|| final_newline(text))
        .or_else(|| tail(text))
        .or_else(|| lead(text))
        .or_else(|| shape(text))
        .unwrap_or_else(|| wrong_length(text))
}

fn byte_order_mark(text: &[u8]) -> Option<Violation> {
    text.starts_with(BYTE_ORDER_MARK)
        .then(|| fault("lead", "B6", at(0, 0), "a byte order mark (EF BB BF) comes before the arena".to_string()))
}

fn carriage_returns(text: &[u8]) -> Option<Violation> {
    let returns = text.iter().filter(|&&b| b == b'\r').count();
    let before_feeds = text.windows(2).filter(|pair| pair == b"\r\n").count();
    let feeds = text.iter().filter(|&&b| b == b'\n').count();
    let what = match (returns, before_feeds, feeds) {
        (0, _, 0) if text.len() >= SPOTS_ONLY => "no line feed at all: the rows run into one another",
        (0, ..) => return None,
        (_, 0, 0) => "lines end with a carriage return alone",
        (_, 0, _) => return None,
        (..) => "lines end with carriage return and line feed (CR LF)",
    };
    let col = text.iter().position(|&b| b == b'\r').map_or(WIDTH, |p| p % LINE);
    Some(fault("line-ending", "B6", at(0, col), format!("{what}: a line feed (byte 10) alone ends a row")))
}

const SPOTS_ONLY: usize = super::SPOTS;

fn final_newline(text: &[u8]) -> Option<Violation> {
    let whole: Vec<u8> = text.iter().copied().chain([b'\n']).collect();
    rows(&whole).map(|_| {
        fault(
            "final-newline",
            "B6",
            at(HEIGHT - 1, WIDTH),
            "the last row is not ended by a line feed: 527 bytes".to_string(),
        )
    })
}

/// A line that could be a row of an arena.
fn is_row(line: &[u8]) -> bool {
    line.len() == WIDTH && !line.iter().any(|&b| b.is_ascii_control())
}

/// The complete lines of `text`, without their line feeds, and the bytes after the last line feed.
fn lines(text: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
    let rest = lines.pop().unwrap_or_default();
    (lines, rest)
}

fn tail(text: &[u8]) -> Option<Violation> {
    let (arena, after) = text.split_at_checked(ARENA_BYTES)?;
    rows(arena)?;
    let (extra, rest) = lines(after);
    let more_rows = rest.is_empty() && extra.iter().all(|line| is_row(line));
    if more_rows && extra.len() % HEIGHT != 0 {
        return Some(fault("rows", "B1", at(HEIGHT, 0), format!("{} rows instead of 16", HEIGHT + extra.len())));
    }
    let what = match after {
        _ if more_rows => "a second arena".to_string(),
        _ if after.iter().all(|&b| b == 0) => "a NUL byte".to_string(),
        _ if after.iter().all(u8::is_ascii_whitespace) => "blank space".to_string(),
        _ => quote(after),
    };
    Some(fault("trail", "B6", at(HEIGHT, 0), format!("{what} after the arena: {} bytes too many", after.len())))
}

fn lead(text: &[u8]) -> Option<Violation> {
    let start =
        (1..=text.len().checked_sub(ARENA_BYTES)?).find(|&start| rows(&text[start..][..ARENA_BYTES]).is_some())?;
    let what = quote(&text[..start]);
    Some(fault("lead", "B6", at(0, 0), format!("{what} before the arena: {start} bytes too many")))
}

fn shape(text: &[u8]) -> Option<Violation> {
    let (rows, rest) = lines(text);
    if rows.is_empty() {
        return None;
    }
    let width = rows[0].len();
    if rest.is_empty() && width != WIDTH && rows.iter().all(|row| row.len() == width) {
        let swapped = if (rows.len(), width) == (WIDTH, HEIGHT) { ": rows and columns are swapped" } else { "" };
        return Some(fault(
            "rows",
            "B1",
            at(0, width),
            format!("{} rows of {width} spots instead of 16 of 32{swapped}", rows.len()),
        ));
    }
    if let Some(row) = rows.iter().position(|row| row.len() != WIDTH) {
        let spots = rows[row].len();
        let seems_a_row = rows.len() + usize::from(!rest.is_empty()) >= HEIGHT / 2;
        return seems_a_row.then(|| {
            fault(
                "rows",
                "B1",
                at(row, spots.min(WIDTH)),
                format!("row {} has {spots} spots instead of 32", row + 1),
            )
        });
    }
    match rest.len() {
        0 | WIDTH => {
            let count = rows.len() + usize::from(!rest.is_empty());
            Some(fault("rows", "B1", at(count, 0), format!("{count} rows instead of 16")))
        }
        _ => None,
    }
}

fn wrong_length(text: &[u8]) -> Violation {
    let (rows, rest) = lines(text);
    let n = text.len();
    if rows.iter().all(|row| row.len() == WIDTH) && n < ARENA_BYTES && rest.len() < WIDTH {
        let detail = format!("the output stops after {n} of 528 bytes, in row {}", rows.len() + 1);
        return fault("length", "B6", at(rows.len(), rest.len()), detail);
    }
    fault("length", "B6", None, format!("{n} bytes that are not an arena, beginning {}", quote(text)))
}

/// The beginning of `text` in quotes, with what cannot be shown escaped.
fn quote(text: &[u8]) -> String {
    const SHOWN: usize = 24;
    let more = if text.len() > SHOWN { "…" } else { "" };
    format!("`{}{more}`", text[..text.len().min(SHOWN)].escape_ascii())
}
