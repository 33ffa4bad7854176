//! What a bot was shown and what it answered, cut to where they differ.

use cornerman_harness::record::FaultRecord;
use maud::{Markup, html};
use std::ops::Range;

/// Rows and columns around what changed.
const AROUND: usize = 2;
/// Larger cut-outs are cut again.
const MOST: (usize, usize) = (24, 48);
/// Of an answer that is no board, as many bytes are shown.
const MOST_BYTES: usize = 240;

/// The two side by side, changed spots marked; an answer that is no board of the same shape as it is.
pub fn cutout(fault: &FaultRecord) -> Markup {
    let (shown, answered) = (rows(&fault.view), rows(&fault.answer));
    if fault.answer.is_empty() {
        return html! { p { "It answered nothing." } };
    }
    match window(&shown, &answered) {
        Some((rows, columns)) => html! {
            div.cutout {
                (picture("was shown", &shown, &answered, &rows, &columns))
                (picture("answered", &answered, &shown, &rows, &columns))
            }
            p.hint {
                "Rows " (rows.start + 1) " to " (rows.end) ", columns " (columns.start + 1) " to " (columns.end)
                "; changed spots are marked."
            }
        },
        None => html! {
            @if answered == shown { p { "It answered with what it was shown." } }
            @else {
                p { "It answered " (fault.answer.len()) " bytes" @if shown.len() > 1 { ", where " (fault.view.len()) " were shown" } ":" }
                pre.answer { (quoted(&fault.answer)) }
            }
        },
    }
}

/// The lines of a board.
fn rows(text: &[u8]) -> Vec<&[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect()
}

/// The rows and columns in which two boards differ, with some around them; `None` where they do not differ or are
/// not of the same shape.
fn window(a: &[&[u8]], b: &[&[u8]]) -> Option<(Range<usize>, Range<usize>)> {
    let width = a[0].len();
    let even = |rows: &[&[u8]]| rows.len() > 1 && rows.iter().all(|row| row.len() == width);
    if a.len() != b.len() || !even(a) || !even(b) {
        return None;
    }
    let spots = (0..a.len()).flat_map(|row| (0..width).map(move |column| (row, column)));
    let changed: Vec<(usize, usize)> = spots.filter(|&(row, column)| a[row][column] != b[row][column]).collect();
    let span = |places: &[usize], end: usize, most: usize| {
        let (first, last) = (*places.iter().min()?, *places.iter().max()?);
        let start = first.saturating_sub(AROUND);
        Some(start..(last + AROUND + 1).min(end).min(start + most))
    };
    let rows: Vec<usize> = changed.iter().map(|spot| spot.0).collect();
    let columns: Vec<usize> = changed.iter().map(|spot| spot.1).collect();
    Some((span(&rows, a.len(), MOST.0)?, span(&columns, width, MOST.1)?))
}

fn picture(title: &str, own: &[&[u8]], other: &[&[u8]], rows: &Range<usize>, columns: &Range<usize>) -> Markup {
    html! {
        figure {
            figcaption { (title) }
            pre {
                @for row in rows.clone() {
                    @for column in columns.clone() {
                        @let sign = quoted(&own[row][column..=column]);
                        @if own[row][column] != other[row][column] { mark { (sign) } } @else { (sign) }
                    }
                    "\n"
                }
            }
        }
    }
}

/// Bytes as text in which control characters can be seen, the first of many.
fn quoted(bytes: &[u8]) -> String {
    let (shown, rest) = bytes.split_at(bytes.len().min(MOST_BYTES));
    let mut text = String::new();
    for &byte in shown {
        match byte {
            b'\n' => text.push_str("⏎\n"),
            b' '..=b'~' => text.push(char::from(byte)),
            // The pictures of control characters are in the order of the characters.
            0..=0x1f => text.extend(char::from_u32(0x2400 + u32::from(byte))),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    if !rest.is_empty() {
        text.push_str(&format!("… and {} bytes more", rest.len()));
    }
    // A board's own line ends are no surprise.
    if bytes.len() == 1 { text.trim_end().to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_around_what_changed_and_within_the_board() {
        let check = |shown: &str, answered: &str, wanted: Option<(Range<usize>, Range<usize>)>| {
            assert_eq!(window(&rows(shown.as_bytes()), &rows(answered.as_bytes())), wanted);
        };
        let empty = "--------\n".repeat(8);
        let with = |row: usize, column: usize| {
            let mut text = empty.clone().into_bytes();
            text[row * 9 + column] = b'A';
            String::from_utf8(text).unwrap()
        };
        check(&empty, &empty, None);
        check(&empty, &with(0, 0), Some((0..3, 0..3)));
        check(&empty, &with(7, 7), Some((5..8, 5..8)));
        check(&empty, &with(4, 3), Some((2..7, 1..6)));
        // A line ending that is wrong makes another shape of it, as does a missing row.
        check(&empty, &empty.replace('\n', "\r\n"), None);
        check(&empty, &empty[9..], None);
        check("D4\n", "E5\n", None);
    }

    #[test]
    fn control_characters_can_be_seen() {
        assert_eq!(quoted(b"A\r\n\x1b[31m\xff"), "A␍⏎\n␛[31m\\xff");
        assert!(quoted(&[b'x'; 300]).ends_with("x… and 60 bytes more"));
    }
}
