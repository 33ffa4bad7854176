//! Outputs that have an arena or a move in another form (B6): with other line ends, lost or added bytes, in another
//! encoding or notation.

use super::{Answer, quote, text};
use crate::finding::Cause;
use crate::games::boxing::id;
use cornerman::games::boxing::{ARENA_BYTES, HEIGHT, SPOTS, VACANT, WIDTH};

/// The bytes of a row with its line feed.
const LINE: usize = WIDTH + 1;

pub(super) fn cause(answer: &Answer) -> Option<Cause> {
    [
        line_feeds_first,
        another_notation,
        wide_characters,
        nul_bytes,
        whole_buffer,
        empty_lines,
        other_separator,
        no_line_feeds,
        too_small_a_buffer,
        lost_bytes,
        re_encoded,
        narrow,
        framed,
        spaced,
        another_row_count,
    ]
    .into_iter()
    .find_map(|known| known(answer))
}

/// The output is a move, a list or an object as text, instead of an arena.
fn another_notation(answer: &Answer) -> Option<Cause> {
    /// A move has fewer bytes than this, and a list of spots has more.
    const SHORT: usize = 60;
    /// How languages show an object that is printed as a whole.
    const OBJECTS: &str =
        "[C@ [[C@ [B@ [[B@ [L [object <generator <map <built-in System. ARRAY(0x HASH(0x SCALAR(0x 0x";
    const LISTS: &str = "[ { (\" (' \" b' b\"";
    let words = answer.output.trim_ascii();
    let begins = |starts: &str| starts.split(' ').any(|start| words.starts_with(start.as_bytes()));
    let is_list =
        begins(LISTS) && words.len() > SHORT && words.last().is_some_and(|last| b"]})\"'".contains(last));
    let of_a_move = |byte: &u8| byte.is_ascii_alphanumeric() || b" \t,;:()[]{}\"=xX-+@".contains(byte);
    let is_move = words.iter().any(u8::is_ascii_digit) && words.iter().all(of_a_move) && words.len() < SHORT;
    let name = match answer.violation.kind {
        "length" | "rows" if begins(OBJECTS) => "object-name",
        "length" | "rows" if is_list => "list",
        "length" | "rows" if is_move => "move-only",
        _ => return None,
    };
    Some(answer.known(name, &[("text", &quote(words))]))
}

/// Each character was written as two or four bytes.
fn wide_characters(answer: &Answer) -> Option<Cause> {
    let narrow: Vec<u8> = answer.output.iter().copied().filter(|byte| ![0, 0xff, 0xfe].contains(byte)).collect();
    let bytes = answer.output.len() / ARENA_BYTES;
    (bytes >= 2 && answer.is_undone_by(&narrow))
        .then(|| answer.known("wide-characters", &[("bytes", &bytes), ("bits", &(8 * bytes))]))
}

/// There are as many NUL bytes as rows, such as one at the end of each.
fn nul_bytes(answer: &Answer) -> Option<Cause> {
    let without: Vec<u8> = answer.output.iter().copied().filter(|&byte| byte != 0).collect();
    (without.len() + HEIGHT == answer.output.len() && answer.is_undone_by(&without))
        .then(|| answer.known("nul-bytes", &[]))
}

/// After a correct arena there are NUL bytes, to the end of a buffer.
fn whole_buffer(answer: &Answer) -> Option<Cause> {
    let (arena, rest) = answer.output.split_at_checked(ARENA_BYTES)?;
    (rest.len() > 1 && rest.iter().all(|&byte| byte == 0) && answer.is_undone_by(arena))
        .then(|| answer.known("whole-buffer", &[("more", &rest.len()), ("all", &answer.output.len())]))
}

fn empty_lines(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let rows: Vec<&[u8]> = lines.iter().copied().filter(|line| !line.is_empty()).collect();
    (lines.len() >= rows.len() + HEIGHT / 2 && answer.is_undone_by(&text(rows)))
        .then(|| answer.known("empty-lines", &[]))
}

/// There is another byte in place of each line feed between rows.
fn other_separator(answer: &Answer) -> Option<Cause> {
    let separator = *answer.output.get(WIDTH).filter(|byte| !b"\r\n".contains(byte))?;
    let chunks: Vec<&[u8]> = answer.output.chunks(LINE).take(HEIGHT).collect();
    let separated = chunks.iter().take(HEIGHT - 1).all(|chunk| chunk.get(WIDTH) == Some(&separator));
    let length = [ARENA_BYTES - 1, ARENA_BYTES].contains(&answer.output.len());
    if !separated || !length || !answer.is_undone_by(&text(chunks.iter().map(|chunk| &chunk[..WIDTH]))) {
        return None;
    }
    let name = match separator {
        b' ' => "separated-by-blanks",
        b',' => "separated-by-commas",
        _ => "separated",
    };
    Some(answer.known(name, &[("byte", &separator.escape_ascii())]))
}

fn no_line_feeds(answer: &Answer) -> Option<Cause> {
    let spots = answer.output.strip_suffix(b"\n").unwrap_or(answer.output);
    (spots.len() == SPOTS && answer.is_undone_by(&text(spots.chunks(WIDTH))))
        .then(|| answer.known("no-line-feeds", &[]))
}

/// The output ends where a buffer of 512 bytes does, or one byte before.
fn too_small_a_buffer(answer: &Answer) -> Option<Cause> {
    let bytes = answer.output.len();
    let completed = || [answer.output, &answer.was[bytes..]].concat();
    let cut = (SPOTS - 1..=SPOTS).contains(&bytes)
        && (answer.is_undone_by(&completed())
            || answer.output.iter().zip(&answer.was).take(4 * LINE).all(|(a, b)| a == b));
    (cut && answer.output.get(WIDTH) == Some(&b'\n')).then(|| answer.known("small-buffer", &[("bytes", &bytes)]))
}

/// Whether a byte is of a kind that can get lost, and the name of the cause.
type Lost = (fn(u8) -> bool, &'static str);

const LOST: [Lost; 3] = [
    (|byte| byte == b' ', "lost-blanks"),
    (|byte| byte == b'\\', "lost-backslashes"),
    (|byte| byte >= 0x80, "lost-high-bytes"),
];

fn lost_bytes(answer: &Answer) -> Option<Cause> {
    let found = LOST.into_iter().find(|(lost, _)| {
        answer.was.iter().any(|&byte| lost(byte)) && answer.is_undone_by(&with_lost(answer, lost))
    });
    found.map(|(_, name)| answer.known(name, &[]))
}

/// The output in which the `lost` bytes of the input are put back.
fn with_lost(answer: &Answer, lost: &fn(u8) -> bool) -> Vec<u8> {
    let mut rest = answer.output.iter().copied().peekable();
    let mut restored = Vec::new();
    for &byte in &answer.was {
        match rest.peek() {
            Some(&next) if !lost(byte) || next == byte => {
                restored.push(next);
                rest.next();
            }
            _ if lost(byte) => restored.push(byte),
            _ => break,
        }
    }
    restored.extend(rest);
    restored
}

/// Bytes above 127 were written as other bytes.
fn re_encoded(answer: &Answer) -> Option<Cause> {
    if !answer.was.iter().any(|&byte| byte >= 0x80) {
        return None;
    }
    let text = String::from_utf8_lossy(answer.output);
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    let kept = |chars: &[char]| -> Vec<u8> {
        let pairs = chars.iter().zip(&answer.was);
        pairs.map(|(&c, &was)| if was >= 0x80 && !c.is_ascii_alphabetic() { was } else { c as u8 }).collect()
    };
    let chars: Vec<char> = text.chars().collect();
    if latin.is_some_and(|latin| answer.is_undone_by(&latin)) {
        let known = answer.known("high-bytes", &[("what", &"written as two bytes each, as in UTF-8")]);
        return Some(Cause { check: id::OUT_LEN, ..known });
    }
    (chars.len() == ARENA_BYTES && answer.is_undone_by(&kept(&chars)))
        .then(|| answer.known("high-bytes", &[("what", &"replaced by another character")]))
}

/// The spots at one end of the rows are missing, such as the first or the last column.
fn narrow(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    if lines.len() != HEIGHT || lines.iter().any(|line| line.len() > WIDTH) {
        return None;
    }
    let rows = || lines.iter().zip(answer.arena.rows());
    let right = text(rows().map(|(line, row)| [*line, &row[line.len()..]].concat()));
    let left = text(rows().map(|(line, row)| [&row[..WIDTH - line.len()], *line].concat()));
    let undone = [left, right].map(|text| answer.is_undone_by(&text));
    if lines.iter().all(|line| line.len() + 1 == WIDTH) {
        let which = match undone {
            [true, false] => "first",
            [false, true] => "last",
            _ => return None,
        };
        return Some(answer.known("column-missing", &[("which", &which)]));
    }
    if !answer.output.ends_with(b"\n") {
        return None;
    }
    let (side, lost): (&str, Vec<u8>) = match undone {
        [_, true] => ("ends", rows().flat_map(|(line, row)| row[line.len()..].to_vec()).collect()),
        [true, false] => {
            ("beginnings", rows().flat_map(|(line, row)| row[..WIDTH - line.len()].to_vec()).collect())
        }
        [false, false] => return None,
    };
    let first = *lost.first().filter(|first| lost.iter().all(|other| other == *first))?;
    let name = if first == VACANT { "vacant spots".to_string() } else { format!("`{}`", first.escape_ascii()) };
    let width = lines.first().map_or(0, |line| line.len());
    let is_even = lines.iter().all(|line| line.len() == width);
    let rows = if is_even { format!("16 rows of {width} spots instead of 16 of 32: ") } else { String::new() };
    Some(answer.known("stripped", &[("rows", &rows), ("side", &side), ("name", &name)]))
}

/// There is text before or after each row.
fn framed(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let at = (0..=lines.len().checked_sub(HEIGHT)?).find(|&at| lines[at].len() > WIDTH)?;
    let rows = lines.get(at..at + HEIGHT)?;
    let more = rows.iter().map(|row| row.len().checked_sub(WIDTH)).min()?.filter(|more| *more > 0)?;
    let from_left = |before: usize| text(rows.iter().map(|row| &row[before..before + WIDTH]));
    let to_the_right = || text(rows.iter().map(|row| &row[row.len() - WIDTH..]));
    let before = (0..=more).find(|&before| answer.is_undone_by(&from_left(before)));
    let (lead, tail) = match before {
        Some(before) => (&rows[0][..before], &rows[0][before + WIDTH..]),
        None if answer.is_undone_by(&to_the_right()) => (&rows[0][..rows[0].len() - WIDTH], &rows[0][..0]),
        None => return None,
    };
    if tail == b"\r" {
        return None;
    }
    let place = |bytes: &[u8], place: &str| (!bytes.is_empty()).then(|| format!("{} {place} it", quote(bytes)));
    let places: Vec<String> = [place(lead, "before"), place(tail, "after")].into_iter().flatten().collect();
    Some(answer.known("framed", &[("places", &places.join(" and "))]))
}

/// There is a byte between every two spots of a row.
fn spaced(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let between = *lines[0].get(1)?;
    let has_room = lines.iter().all(|line| (2 * WIDTH - 1..=2 * WIDTH).contains(&line.len()));
    let spots = || lines.iter().map(|line| line.iter().copied().step_by(2).collect::<Vec<u8>>());
    let all = lines.iter().flat_map(|line| line.iter().skip(1).step_by(2)).all(|&byte| byte == between);
    let more = if between == b' ' { ": rows contain spaces" } else { "" };
    (has_room && all && answer.is_undone_by(&text(spots())))
        .then(|| answer.known("spaced", &[("byte", &between.escape_ascii()), ("more", &more)]))
}

/// There is one row too few or too many.
fn another_row_count(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let rows = answer.arena.rows();
    let ended = answer.output.ends_with(b"\n");
    let missing = |at: usize| [&lines[..at], &[&rows[at][..]], &lines[at..]].concat();
    let removed = |at: usize| [&lines[..at], &lines[at + 1..]].concat();
    match lines.len() {
        15 if ended => {
            let mut fitting = (0..HEIGHT).filter(|&at| answer.is_undone_by(&text(missing(at))));
            let first = fitting.next()?;
            // Equal rows cannot be distinguished: usually the first or the last row is lost.
            let at = match (first, fitting.next_back()) {
                (0, Some(15)) => return None,
                (_, Some(15)) => 15,
                _ => first,
            };
            let name = if at == 0 { "first-row-missing" } else { "row-missing" };
            Some(answer.known(name, &[("row", &(at + 1))]))
        }
        17 => {
            let at = (0..17).rev().find(|&at| answer.is_undone_by(&text(removed(at))))?;
            let debug = at == 0 || at == 16;
            (!debug).then(|| answer.known("row-too-many", &[("line", &(at + 1))]))
        }
        _ => None,
    }
}

/// There is a line feed before each row instead of after it.
fn line_feeds_first(answer: &Answer) -> Option<Cause> {
    let rest = answer.output.strip_prefix(b"\n")?;
    answer.is_undone_by(&[rest, b"\n"].concat()).then(|| answer.known("line-feeds-first", &[]))
}
