//! How the answer of a bot differs from what it was shown: of boards, the part of both where they differ; of anything
//! else, the answer alone.

use maud::{Markup, html};
use std::ops::Range;

/// The number of unchanged rows and columns shown around the changes.
const AROUND: usize = 2;
/// The most rows and columns shown.
const MOST: (usize, usize) = (24, 48);
/// The most bytes shown of an answer that is not a board.
const MOST_BYTES: usize = 240;

/// How an answer differs from what the bot was shown.
pub(super) enum AnswerDifference<'a> {
    /// There was no answer.
    None,
    /// The answer is what was shown, except perhaps for a line feed at the end.
    Same,
    /// The answer is not a board of the same shape.
    Other {
        /// How many bytes were shown; `None` if that was a single line, and so not a board.
        shown: Option<usize>,
        answered: &'a [u8],
    },
    /// Both boards, and the rows and columns in which they differ, with some around them.
    Boards { shown: Vec<&'a [u8]>, answered: Vec<&'a [u8]>, rows: Range<usize>, columns: Range<usize> },
}

impl AnswerDifference<'_> {
    /// How `answered` differs from `shown`. An empty answer counts as none.
    pub(super) fn between<'a>(shown: &'a [u8], answered: &'a [u8]) -> AnswerDifference<'a> {
        let boards = [rows(shown), rows(answered)];
        match window(&boards[0], &boards[1]) {
            _ if answered.is_empty() => AnswerDifference::None,
            Some((rows, columns)) => {
                let [shown, answered] = boards;
                AnswerDifference::Boards { shown, answered, rows, columns }
            }
            None if boards[0] == boards[1] => AnswerDifference::Same,
            None => AnswerDifference::Other { shown: (boards[0].len() > 1).then_some(shown.len()), answered },
        }
    }

    /// The sentence below the boards, or in their place.
    fn words(&self) -> String {
        match self {
            AnswerDifference::None => "It gave no answer.".to_string(),
            AnswerDifference::Same => "Its answer is what it was shown.".to_string(),
            AnswerDifference::Other { shown, answered } => {
                let shown = shown.map_or_else(String::new, |bytes| format!(", where {bytes} were shown"));
                format!("It answered {} bytes{shown}:", answered.len())
            }
            AnswerDifference::Boards { rows, columns, .. } => format!(
                "Rows {} to {}, columns {} to {}; changed spots are marked.",
                rows.start + 1,
                rows.end,
                columns.start + 1,
                columns.end
            ),
        }
    }

    /// The boards side by side with changed spots marked, or the answer.
    pub(super) fn markup(&self) -> Markup {
        html! {
            @match self {
                AnswerDifference::Boards { shown, answered, rows, columns } => {
                    div.cutout {
                        (picture("was shown", shown, answered, rows, columns))
                        (picture("answered", answered, shown, rows, columns))
                    }
                    p.hint { (self.words()) }
                },
                AnswerDifference::Other { answered, .. } => {
                    p { (self.words()) }
                    pre.answer { (quoted(answered)) }
                },
                _ => p { (self.words()) },
            }
        }
    }

    /// The boards one after the other, with changed spots in brackets, or the answer.
    pub(super) fn text(&self) -> String {
        let board = |title: &str, own: &[&[u8]], other: &[&[u8]], rows: &Range<usize>, columns: &Range<usize>| {
            let mut text = format!("   {title}:\n");
            for row in rows.clone() {
                let spot = |column: usize| {
                    let sign = quoted(&own[row][column..=column]);
                    let is_new = own[row][column] != other[row][column];
                    if is_new { format!("[{sign}]") } else { format!(" {sign} ") }
                };
                let line: String = columns.clone().map(spot).collect();
                text += &format!("    {}\n", line.trim_end());
            }
            text
        };
        match self {
            AnswerDifference::Boards { shown, answered, rows, columns } => {
                let before = board("was shown", shown, answered, rows, columns);
                format!("{before}{}   {}\n", board("answered", answered, shown, rows, columns), self.words())
            }
            AnswerDifference::Other { answered, .. } => {
                let lines = quoted(answered);
                let lines = lines.lines().map(|line| format!("    {line}\n"));
                format!("   {}\n{}", self.words(), lines.collect::<String>())
            }
            _ => format!("   {}\n", self.words()),
        }
    }
}

/// The rows of a board.
fn rows(text: &[u8]) -> Vec<&[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect()
}

/// The rows and columns in which two boards differ, and some around them, up to [`MOST`]; `None` if the boards are
/// equal, have different shapes, or are not rectangles of at least two rows.
fn window(a: &[&[u8]], b: &[&[u8]]) -> Option<(Range<usize>, Range<usize>)> {
    let width = a[0].len();
    let even = |rows: &[&[u8]]| rows.len() > 1 && rows.iter().all(|row| row.len() == width);
    if a.len() != b.len() || !even(a) || !even(b) {
        return None;
    }
    let spots = (0..a.len()).flat_map(|row| (0..width).map(move |column| (row, column)));
    let changed: Vec<(usize, usize)> = spots.filter(|&(row, column)| a[row][column] != b[row][column]).collect();
    let span = |places: &[usize], end: usize, most: usize| {
        let first = *places.iter().min()?;
        let last = *places.iter().max()?;
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

/// The first bytes as text in which control characters are visible.
fn quoted(bytes: &[u8]) -> String {
    let (shown, rest) = bytes.split_at(bytes.len().min(MOST_BYTES));
    let mut text = String::new();
    for &byte in shown {
        match byte {
            b'\n' => text.push_str("⏎\n"),
            b' '..=b'~' => text.push(char::from(byte)),
            // Unicode has pictures of the control characters, in their order.
            0..=0x1f => text.extend(char::from_u32(0x2400 + u32::from(byte))),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    if !rest.is_empty() {
        text.push_str(&format!("… and {} more bytes", rest.len()));
    }
    // A single spot is shown without the line feed that follows a `⏎`.
    if bytes.len() == 1 { text.trim_end().to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_surrounds_the_changes_and_lies_within_the_board() {
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
        // A wrong line ending or a missing row gives the board another shape.
        check(&empty, &empty.replace('\n', "\r\n"), None);
        check(&empty, &empty[9..], None);
        check("D4\n", "E5\n", None);
    }

    #[test]
    fn control_characters_are_visible() {
        assert_eq!(quoted(b"A\r\n\x1b[31m\xff"), "A␍⏎\n␛[31m\\xff");
        assert!(quoted(&[b'x'; 300]).ends_with("x… and 60 more bytes"));
    }
}
