//! The format of an arena as text (B6): 16 rows of 32 bytes, each ended by a line feed, and nothing else. If text has
//! another format, the one fault that explains it best is found.

use super::{ARENA_BYTES, HEIGHT, SPOTS, WIDTH};
use crate::game::{Spot, Violation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Bytes of a row with its line feed.
pub(super) const LINE: usize = WIDTH + 1;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the 16 rows of 32 bytes.
///
/// # Errors
/// The text has another format. The violation is the most specific one, and its `spots` at most the first place
/// concerned.
pub(super) fn read(text: &[u8]) -> Result<[[u8; WIDTH]; HEIGHT], Violation> {
    rows(text).ok_or_else(|| diagnose(text))
}

/// The rows of a text in the right format.
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
    // 16 rows of 31 spots and CR LF have the right number of bytes, but the fault to report is that of the line ends.
    (!rows.iter().all(|row| row[WIDTH - 1] == b'\r')).then_some(rows)
}

fn fault(kind: &'static str, rule: &'static str, at: Option<Spot>, detail: String) -> Violation {
    Violation { kind, rule, spots: at.into_iter().collect(), detail }
}

/// The spot at which a fault is. Rows and columns beyond 255, far outside the arena, are reported as 255.
fn at(row: usize, col: usize) -> Option<Spot> {
    Some(Spot { row: row.min(255) as u8, col: col.min(255) as u8 })
}

/// Tries the causes from the most to the least specific, so that a cause is reported rather than its effect (carriage
/// returns, not "544 bytes"), and text around a correct arena is not reported as a fault of its rows.
fn diagnose(text: &[u8]) -> Violation {
    nothing(text)
        .or_else(|| byte_order_mark(text))
        .or_else(|| tail(text))
        .or_else(|| lead(text))
        .or_else(|| carriage_returns(text))
        .or_else(|| no_line_feeds(text))
        .or_else(|| final_newline(text))
        .or_else(|| shape(text))
        .unwrap_or_else(|| wrong_length(text))
}

fn nothing(text: &[u8]) -> Option<Violation> {
    let what = match text {
        [] => "nothing was written".to_string(),
        _ if text.iter().all(u8::is_ascii_whitespace) => {
            format!("only white space was written, {}", bytes(text.len()))
        }
        _ => return None,
    };
    Some(fault("length", "B6", None, format!("{what}: expected {ARENA_BYTES} bytes")))
}

fn byte_order_mark(text: &[u8]) -> Option<Violation> {
    text.starts_with(BYTE_ORDER_MARK)
        .then(|| fault("lead", "B6", at(0, 0), "a byte order mark (EF BB BF) comes before the arena".to_string()))
}

fn tail(text: &[u8]) -> Option<Violation> {
    let (arena, after) = text.split_at_checked(ARENA_BYTES)?;
    rows(arena)?;
    let extra = lines(after);
    // A debug message can be as long as a row. More rows consist of bytes that the arena contains as well.
    let more_rows = extra.iter().all(|line| line.len() == WIDTH && line.iter().all(|spot| arena.contains(spot)));
    if more_rows && !extra.len().is_multiple_of(HEIGHT) {
        return Some(fault("rows", "B1", at(HEIGHT, 0), format!("{} rows instead of 16", HEIGHT + extra.len())));
    }
    let what = match after {
        _ if more_rows => "a second arena".to_string(),
        [0] => "a NUL byte".to_string(),
        _ if after.iter().all(|&b| b == 0) => "NUL bytes".to_string(),
        _ if after.iter().all(u8::is_ascii_whitespace) => "white space".to_string(),
        _ => quote(after),
    };
    Some(fault("trail", "B6", at(HEIGHT, 0), format!("{what} after the arena: {} too many", bytes(after.len()))))
}

fn lead(text: &[u8]) -> Option<Violation> {
    let last = text.len().checked_sub(ARENA_BYTES)?;
    let start = (1..=last).find(|&start| rows(&text[start..][..ARENA_BYTES]).is_some())?;
    let what = quote(&text[..start]);
    Some(fault("lead", "B6", at(0, 0), format!("{what} before the arena: {} too many", bytes(start))))
}

fn carriage_returns(text: &[u8]) -> Option<Violation> {
    let first = text.iter().position(|&b| b == b'\r')?;
    let before_feeds = text.windows(2).filter(|pair| pair == b"\r\n").count();
    let split: Vec<&[u8]> = text.split(|&b| b == b'\r' || b == b'\n').filter(|line| !line.is_empty()).collect();
    if !seems_an_arena(&split) {
        return None;
    }
    let row = first / LINE + 1;
    let what = if !text.contains(&b'\n') {
        "lines end with a carriage return alone".to_string()
    } else if before_feeds > 1 {
        "lines end with carriage return and line feed (CR LF)".to_string()
    } else {
        format!("row {row} contains a carriage return (byte 13)")
    };
    let detail = format!("{what}: a row ends with a line feed (byte 10) alone");
    Some(fault("line-ending", "B6", at(first / LINE, first % LINE), detail))
}

/// The line feeds between all rows are missing, or the one between two rows is missing or replaced by another byte.
fn no_line_feeds(text: &[u8]) -> Option<Violation> {
    if !text.contains(&b'\n') && (SPOTS..=ARENA_BYTES).contains(&text.len()) {
        let detail = "there are no line feeds: the rows run together".to_string();
        return Some(fault("line-ending", "B6", at(0, WIDTH), detail));
    }
    let lines = lines(text);
    let row = lines.iter().position(|line| line.len() != WIDTH)?;
    let what = match lines[row].get(WIDTH..)? {
        [_, next @ ..] if next.len() == WIDTH => {
            format!("`{}` instead of a line feed", lines[row][WIDTH].escape_ascii())
        }
        next if next.len() == WIDTH => "no line feed".to_string(),
        _ => return None,
    };
    (seems_an_arena(&lines) && half_are_rows(&lines)).then(|| {
        fault("line-ending", "B6", at(row, WIDTH), format!("{what} between rows {} and {}", row + 1, row + 2))
    })
}

fn final_newline(text: &[u8]) -> Option<Violation> {
    let (last_row, instead) = text.split_at_checked(ARENA_BYTES - 1)?;
    let mut corrected = last_row.to_vec();
    corrected.push(b'\n');
    rows(&corrected)?;
    let what = match instead {
        [] => format!("{} bytes instead of {ARENA_BYTES}", ARENA_BYTES - 1),
        [byte] => format!("it ends with `{}`", byte.escape_ascii()),
        _ => return None,
    };
    let detail = format!("the last row does not end with a line feed: {what}");
    Some(fault("final-newline", "B6", at(HEIGHT - 1, WIDTH), detail))
}

/// An arena of another size, or with a row of another length.
fn shape(text: &[u8]) -> Option<Violation> {
    let lines = lines(text);
    if !seems_an_arena(&lines) {
        return None;
    }
    let count = lines.len();
    let width = lines[0].len();
    if width != WIDTH && lines.iter().all(|line| line.len() == width) {
        let why = match (count, width) {
            (WIDTH, HEIGHT) => ": rows and columns are swapped",
            _ if lines.iter().all(|line| line.contains(&b' ')) => ": every row contains spaces",
            _ => "",
        };
        let detail = format!("{count} rows of {width} spots instead of 16 of 32{why}");
        return Some(fault("rows", "B1", at(0, width.min(WIDTH)), detail));
    }
    let stops_within_a_row = |row: usize| row + 1 == count && !text.ends_with(b"\n");
    match lines.iter().position(|line| line.len() != WIDTH) {
        Some(row) if lines[row].len() < WIDTH && stops_within_a_row(row) => None,
        Some(row) => {
            let spots = lines[row].len();
            let detail = format!("row {} has {spots} spots instead of 32", row + 1);
            Some(fault("rows", "B1", at(row, spots.min(WIDTH)), detail))
        }
        None => Some(fault("rows", "B1", at(count.min(HEIGHT), 0), format!("{count} rows instead of 16"))),
    }
}

fn wrong_length(text: &[u8]) -> Violation {
    let lines = lines(text);
    let n = text.len();
    if let [whole @ .., rest] = lines.as_slice()
        && !whole.is_empty()
        && whole.iter().all(|line| is_row(line))
        && rest.len() <= WIDTH
    {
        let detail = format!("the output stops after {n} of {ARENA_BYTES} bytes, in row {}", lines.len());
        return fault("length", "B6", at(whole.len(), rest.len()), detail);
    }
    fault("length", "B6", None, format!("{} that are not an arena, beginning {}", bytes(n), quote(text)))
}

/// Whether `line` could be a row of an arena.
fn is_row(line: &[u8]) -> bool {
    line.len() == WIDTH && !line.iter().any(|&b| b.is_ascii_control() || b == b' ')
}

/// Whether these lines are an arena with a fault, rather than, say, an error message: there are at least half as many
/// lines as an arena has rows, and either at least half of them are as long as a row or all have the same length of at
/// least 8.
fn seems_an_arena(lines: &[&[u8]]) -> bool {
    let equal = lines.iter().all(|line| line.len() == lines[0].len() && line.len() >= HEIGHT / 2);
    lines.len() >= HEIGHT / 2 && (equal || half_are_rows(lines))
}

fn half_are_rows(lines: &[&[u8]]) -> bool {
    2 * lines.iter().filter(|line| line.len() == WIDTH).count() >= lines.len()
}

/// The lines of `text` without their line feeds; the last line need not have one.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&b| b == b'\n').collect()
}

fn bytes(n: usize) -> String {
    if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") }
}

/// The beginning of `text`, escaped and in quotes.
fn quote(text: &[u8]) -> String {
    const SHOWN: usize = 24;
    let more = if text.len() > SHOWN { "…" } else { "" };
    format!("`{}{more}`", text[..text.len().min(SHOWN)].escape_ascii())
}
