//! Sections as text for a terminal or a file.

use super::answer::AnswerDifference;
use super::{Block, Cell, Column, ColumnKind, Document, Drawing, Favour, Line, Section, Table, TableLayout};
use crate::{Style, plain};
use cornerman_harness::record::EntrantRecord;
use cornerman_harness::text::{duration, plain_lines};
use unicode_width::UnicodeWidthStr;

/// Bars of eight heights, the lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The width of an interval in characters.
const INTERVAL: usize = 32;
/// The most columns of figures in a table of everyone against everyone.
const MOST_COLUMNS: usize = 40;

impl Document {
    /// As text for a terminal.
    pub fn text(&self, entrants: &[EntrantRecord], style: Style) -> String {
        let mut all = style.heading(&plain(&self.title)) + "\n";
        for line in &self.lead {
            all += &(style.caption(&words(line, entrants)) + "\n");
        }
        for section in &self.sections {
            all += &format!("\n{}", one(section, 0, entrants, style));
        }
        all
    }
}

/// Sections, with a blank line between them.
pub fn text(sections: &[Section], entrants: &[EntrantRecord], style: Style) -> String {
    let sections = sections.iter().map(|section| one(section, 0, entrants, style));
    sections.collect::<Vec<_>>().join("\n")
}

/// A section, with `depth` sections around it.
fn one(section: &Section, depth: usize, entrants: &[EntrantRecord], style: Style) -> String {
    let title = words(&section.title, entrants);
    let mut text = match depth {
        _ if title.is_empty() => title,
        0 | 1 => style.heading(&title) + "\n",
        _ => format!(" {title}\n"),
    };
    // A note belongs to the block below it, and the parts of a part have no blank line between them.
    let mut after_block = false;
    for block in section.blocks.iter().filter(|block| !matches!(block, Block::Podium(_))) {
        if after_block && (depth == 0 || !matches!(block, Block::Part(_))) {
            text.push('\n');
        }
        text += &shown(block, depth, entrants, style);
        after_block = !matches!(block, Block::Note(_));
    }
    text
}

/// A block of a section that has `depth` sections around it.
fn shown(block: &Block, depth: usize, entrants: &[EntrantRecord], style: Style) -> String {
    let line = |line: &Line| words(line, entrants);
    match block {
        Block::Note(note) => style.caption(&line(note)) + "\n",
        Block::List(list) => list.iter().map(|item| format!(" {}\n", line(item))).collect(),
        Block::Facts(facts) => {
            let rows = facts.iter().map(|(name, value)| vec![name.as_str().into(), value.clone().into()]);
            let facts = Table::new("", [Column::name(""), Column::text("")]).rows(rows);
            table(&Table { layout: TableLayout::Bare, ..facts }, entrants, style)
        }
        Block::Table(shown) => table(shown, entrants, style),
        Block::Written(text) => plain_lines(text.trim_end()).lines().map(|line| format!("   {line}\n")).collect(),
        Block::Answer { shown, answered } => AnswerDifference::between(shown, answered).text(),
        Block::Rounds { parts, .. } => parts.iter().map(|part| one(part, depth + 1, entrants, style)).collect(),
        Block::Podium(_) => String::new(),
        Block::Part(part) => one(part, depth + 1, entrants, style),
    }
}

/// A table without frames. Where a terminal is too narrow for it, its columns are closer together, and everyone against
/// everyone is broken into blocks of columns.
fn table(table: &Table, entrants: &[EntrantRecord], style: Style) -> String {
    let mut caption = String::new();
    if !table.caption.is_empty() {
        caption = style.caption(&words(&table.caption, entrants)) + "\n";
    }
    let lay = |columns: &[usize], gap| lay(table, columns, gap, entrants, style);
    let every: Vec<usize> = (0..table.columns.len()).collect();
    let is_narrow = style.width < Style::plain().width;
    if table.layout != TableLayout::Matrix {
        let (lines, width) = lay(&every, 1);
        return caption + &(if is_narrow && width > style.width { lay(&every, 0).0 } else { lines });
    }
    let (names, figures) = every.split_at(2);
    if figures.len() > MOST_COLUMNS {
        let rows = table.rows.len();
        return format!("{caption}A cross-table of {rows} entrants is too wide for a terminal: use JSON.\n");
    }
    let block = |figures: &[usize]| lay(&[names, figures].concat(), 1);
    // The last columns have the widest titles: numbers that count up.
    let fits = |from: &usize| !is_narrow || block(&figures[*from..]).1 <= style.width;
    let fitting = (0..figures.len()).find(fits).map_or(1, |from| figures.len() - from);
    caption + &figures.chunks(fitting.max(1)).map(|figures| block(figures).0).collect::<Vec<_>>().join("\n")
}

/// Some columns of a table as lines, the header first, and how many characters a row has. Each cell has a blank before it
/// and `gap` blanks behind it, but the figures of a matrix have none behind them.
fn lay(table: &Table, columns: &[usize], gap: usize, entrants: &[EntrantRecord], style: Style) -> (String, usize) {
    // The texts of each row, and its cells unless it is the header.
    let mut rows: Vec<(Vec<String>, Option<&Vec<Cell>>)> = Vec::new();
    if table.layout != TableLayout::Bare {
        rows.push((columns.iter().map(|&at| plain(&table.columns[at].title)).collect(), None));
    }
    let words = |one: Option<&Cell>| one.map_or(String::new(), |one| cell(one, entrants));
    let texts = |row: &Vec<Cell>| columns.iter().map(|&at| words(row.get(at))).collect();
    rows.extend(table.rows.iter().map(|row| (texts(row), Some(row))));
    let is_figure = |at: usize| table.layout == TableLayout::Matrix && at >= 2;
    let gaps: Vec<usize> = columns.iter().map(|&at| if is_figure(at) { 0 } else { gap }).collect();
    let width = |at: usize| rows.iter().map(|(cells, _)| cells[at].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut text = String::new();
    for (cells, row) in &rows {
        let mut line = String::new();
        for (at, words) in cells.iter().enumerate() {
            let blanks = " ".repeat(widths[at] - words.width());
            let padded = match table.columns[columns[at]].kind {
                ColumnKind::Number => format!("{blanks}{words}"),
                _ => format!("{words}{blanks}"),
            };
            let cell = row.and_then(|row| row.get(columns[at]));
            line += &format!(" {}{}", toned(&padded, cell, style), " ".repeat(gaps[at]));
        }
        let line = line.trim_end();
        text += &(if row.is_none() { style.faint(line) } else { line.to_string() });
        text.push('\n');
    }
    (text, widths.iter().zip(&gaps).map(|(width, gap)| 1 + width + gap).sum())
}

/// `padded`, the text of a cell, in the colour of the entrant that the cell favours.
fn toned(padded: &str, cell: Option<&Cell>, style: Style) -> String {
    match cell {
        Some(Cell::Against(_, Favour::Same)) => style.faint(padded),
        Some(Cell::Against(_, Favour::Step(step))) if *step > Favour::STEPS / 2 => style.good(padded),
        Some(Cell::Against(_, Favour::Step(step))) if *step < Favour::STEPS / 2 => style.bad(padded),
        _ => padded.to_string(),
    }
}

/// A line as text. Text to type is between backticks.
pub(crate) fn words(line: &Line, entrants: &[EntrantRecord]) -> String {
    let one = |one: &Cell| match one {
        Cell::Code(text) => format!("`{}`", plain(text)),
        other => cell(other, entrants),
    };
    line.0.iter().map(one).collect()
}

/// A cell as text.
pub(super) fn cell(cell: &Cell, entrants: &[EntrantRecord]) -> String {
    match cell {
        Cell::Text(text)
        | Cell::Code(text)
        | Cell::Address(text)
        | Cell::Figure(text)
        | Cell::Meetings(_, text) => plain(text),
        Cell::Entrant(id) | Cell::Opponent([_, id]) => crate::name_of(entrants, *id),
        Cell::Game(id, _) => id.to_string(),
        Cell::Time(time) => duration(*time),
        Cell::Count(count) => count.to_string(),
        Cell::Drawing(drawing) => drawn(drawing),
        Cell::Strong(inner) | Cell::Against(inner, _) => self::cell(inner, entrants),
        Cell::Line(line) => words(line, entrants),
    }
}

fn drawn(drawing: &Drawing) -> String {
    match drawing {
        Drawing::Interval { at, ends, scale } => interval(*at, ends.unwrap_or([*at; 2]), *scale),
        Drawing::Spread { counts, .. } => bars(counts),
    }
}

/// `   ├───●─────┤`.
fn interval(at: f64, ends: [f64; 2], [least, most]: [f64; 2]) -> String {
    let place = |value: f64| {
        if most > least {
            ((value - least) / (most - least) * (INTERVAL - 1) as f64).round() as usize
        } else {
            INTERVAL / 2
        }
    };
    let [low, high] = ends.map(place);
    let own = place(at);
    let sign = |column: usize| match column {
        _ if column == own => '●',
        _ if column == low => '├',
        _ if column == high => '┤',
        _ if column > low && column < high => '─',
        _ => ' ',
    };
    (0..INTERVAL).map(sign).collect::<String>().trim_end().to_string()
}

/// A bar for each of `counts`: a blank for 0, the tallest bar for the largest count.
fn bars(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &u64| match count {
        0 => ' ',
        count => BARS[((count * 8).div_ceil(most) - 1) as usize],
    };
    counts.iter().map(bar).collect()
}
