//! The relevant part of a bot's output, for reports: the arena around certain spots or, if the output is not an
//! arena, its lines with visible line ends.

use super::catalogue;
use crate::files;
use crate::finding::{Emphasis, Finding, PICTURE_COLUMNS, PictureLine};
use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, HEIGHT, WIDTH};
use cornerman_harness::text::escaped;
use std::collections::BTreeSet;

/// The most rows that are shown.
const MAX_ROWS: usize = 8;

/// The width of what is before a row of spots, in columns.
const MARGIN: usize = 8;

/// The width of the given and the written arena side by side, in columns.
const BOTH: usize = MARGIN + 2 * WIDTH + 3;
const _: () = assert!(BOTH <= PICTURE_COLUMNS);

/// The relevant part of the answer that `finding` is about; nothing if it is not about an answer. If the output is an
/// arena: that with `^` under the spots of the finding, if there are any, beside the arena that was given if there is
/// room for both. If it is not an arena: some of its lines.
pub(super) fn of_finding(finding: &Finding, columns: usize) -> Vec<PictureLine> {
    let Finding { cause, evidence, .. } = finding;
    let spots = cause.spots.as_slice();
    let is_about_answer = catalogue().get(cause.check).is_some_and(|check| check.violation.is_some());
    let (true, Ok(given)) = (is_about_answer, Arena::parse(&files::input(evidence))) else { return Vec::new() };
    match Arena::parse(&evidence.report.output) {
        Ok(written) if !spots.is_empty() => arenas(&given, &written, spots, columns),
        Ok(_) => Vec::new(),
        Err(_) => bytes(&evidence.report.output, spots.first().map(|spot| usize::from(spot.row))),
    }
}

fn arenas(given: &Arena, written: &Arena, spots: &[Spot], columns: usize) -> Vec<PictureLine> {
    let both = columns >= BOTH;
    let row_of = |spot: &Spot| usize::from(spot.row);
    let top = spots.iter().map(row_of).min().unwrap_or(0).saturating_sub(1);
    let bottom = (spots.iter().map(row_of).max().unwrap_or(0) + 1).min(HEIGHT - 1);
    let last = bottom.min(top + MAX_ROWS - 1);
    let side = |left: &str, right: &str| {
        if both { format!("{left:WIDTH$}   {right}") } else { right.to_string() }
    };
    let line = |margin: &str, text: String, emphasis| {
        let text = text.trim_end().to_string();
        PictureLine { margin: format!("{margin:MARGIN$}"), text, emphasis }
    };
    let (tens, ones) = ruler();
    let mut lines = vec![
        line("", side("given", "written"), Emphasis::Secondary),
        line("column", side(&tens, &tens), Emphasis::Secondary),
        line("", side(&ones, &ones), Emphasis::Secondary),
    ];
    for row in top..=last {
        let text = |arena: &Arena| arena.rows()[row].map(cell).iter().collect::<String>();
        lines.push(line(&format!("row {:2}", row + 1), side(&text(given), &text(written)), Emphasis::None));
        let under: String = (0..WIDTH).map(|col| if marked(spots, row, col) { '^' } else { ' ' }).collect();
        if under.contains('^') {
            let carets = side("", under.trim_end());
            let text = carets.trim_start().to_string();
            let margin = " ".repeat(MARGIN + carets.len() - text.len());
            lines.push(PictureLine { margin, text, emphasis: Emphasis::Wrong });
        }
    }
    if last < bottom {
        lines.push(line("", format!("… and so on, to row {bottom}"), Emphasis::None));
    }
    if (top..=last).any(|row| written.rows()[row].iter().any(|&spot| cell(spot) == '?' && spot != b'?')) {
        lines.push(line("", "(`?` stands for a byte that cannot be shown)".to_string(), Emphasis::None));
    }
    lines
}

fn marked(spots: &[Spot], row: usize, col: usize) -> bool {
    spots.iter().any(|spot| (usize::from(spot.row), usize::from(spot.col)) == (row, col))
}

fn cell(spot: u8) -> char {
    if spot.is_ascii_graphic() || spot == b' ' { char::from(spot) } else { '?' }
}

fn ruler() -> (String, String) {
    let ten = |col: usize| if col.is_multiple_of(10) { char::from(b'0' + (col / 10) as u8) } else { ' ' };
    let one = |col: usize| char::from(b'0' + (col % 10) as u8);
    ((1..=WIDTH).map(ten).collect(), (1..=WIDTH).map(one).collect())
}

/// The lines of `output` with visible line ends: the first two, the last two, and those around line `at`, counted
/// from 0. If `at` is not given, it is the first line of a wrong length.
fn bytes(output: &[u8], at: Option<usize>) -> Vec<PictureLine> {
    let lines: Vec<&[u8]> = output.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let last = lines.len() - 1;
    let at = at.or_else(|| lines.iter().position(|line| line.len() != WIDTH + 1));
    let mut chosen = BTreeSet::from([0, 1, last.saturating_sub(1), last]);
    if let Some(at) = at {
        chosen.extend([at.saturating_sub(1), at, at + 1]);
    }
    let mut shown = Vec::new();
    let mut next = 0;
    for number in chosen.into_iter().filter(|&number| number <= last) {
        if number > next {
            shown.push(PictureLine::plain("  …"));
        }
        next = number + 1;
        let line = lines[number];
        let text = format!("line {:2}  {:3} bytes  {}", number + 1, line.len(), shortened(&escaped(line)));
        let is_wrong = at == Some(number) || line.len() != WIDTH + 1;
        let emphasis = if is_wrong { Emphasis::Wrong } else { Emphasis::None };
        shown.push(PictureLine { emphasis, ..PictureLine::plain(text) });
    }
    shown
}

/// The longest line that is shown whole: a row and its line end fit.
const LONGEST: usize = 48;

fn shortened(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let part = |range: &[char]| range.iter().collect::<String>();
    match chars.len() {
        ..=LONGEST => format!("`{text}`"),
        n => format!("`{}`…`{}`", part(&chars[..24]), part(&chars[n - 16..])),
    }
}
