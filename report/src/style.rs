//! How text looks: optional colours, tables without frames, and names with control characters escaped.

use anstyle::AnsiColor;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
pub use cornerman_harness::style::Style;
use cornerman_harness::text::plain;
pub(crate) use cornerman_harness::text::{count, duration};
use maud::{Markup, html};

/// The most characters shown of a name: longer ones would break tables.
const LONGEST_NAME: usize = 40;

/// Untrusted text, safe for a terminal: control characters and those that change the direction of writing are escaped,
/// and text of more than 40 characters is cut.
pub fn shown(text: &str) -> String {
    let mut clean = plain(text);
    if let Some((cut, _)) = clean.char_indices().nth(LONGEST_NAME) {
        clean.truncate(cut);
        clean.push('…');
    }
    clean
}

/// A table without frames; columns for which `right` returns true are aligned to the right.
pub(crate) fn table(header: &[String], right: impl Fn(usize) -> bool, rows: &[Vec<String>]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    let aligned = |cells: &[String]| -> Vec<Cell> {
        let align = |at| if right(at) { CellAlignment::Right } else { CellAlignment::Left };
        cells.iter().enumerate().map(|(at, cell)| Cell::new(cell).set_alignment(align(at))).collect()
    };
    if !header.is_empty() {
        table.set_header(aligned(header));
    }
    for row in rows {
        table.add_row(aligned(row));
    }
    table
}

/// The contents of a table, to be shown as text or as Markdown.
pub(crate) struct Grid {
    /// The titles of the columns.
    pub header: Vec<String>,
    /// The indices of the columns that are text; all others are numbers.
    pub texts: Vec<usize>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// As text for a terminal.
    pub(crate) fn text(&self, style: Style) -> String {
        let mut table = self.table();
        let is_wide = || table.lines().any(|line| line.trim_end().chars().count() > style.width);
        if style.width < Style::plain().width && is_wide() {
            for column in table.column_iter_mut() {
                column.set_padding((1, 0));
            }
        }
        lines(&table, style)
    }

    /// As a table for a terminal that the caller can still change.
    pub(crate) fn table(&self) -> Table {
        table(&self.header, |at| !self.texts.contains(&at), &self.rows)
    }

    /// As Markdown (GitHub's dialect, which most programs know).
    pub(crate) fn markdown(&self) -> String {
        let row = |cells: &[String]| -> String {
            let cells: String = cells.iter().map(|cell| format!(" {} |", in_markdown(cell))).collect();
            format!("|{cells}\n")
        };
        let rule = |at| if self.texts.contains(&at) { " --- |" } else { " ---: |" };
        let rules: String = (0..self.header.len()).map(rule).collect();
        let rows: String = self.rows.iter().map(|cells| row(cells)).collect();
        format!("{}|{rules}\n{rows}", row(&self.header))
    }
}

impl Grid {
    /// As a table of a web page.
    pub(crate) fn markup(&self) -> Markup {
        let class = |at: usize| (!self.texts.contains(&at)).then_some("n");
        html! {
            table {
                thead { tr { @for (at, title) in self.header.iter().enumerate() { th scope="col" class=[class(at)] { (title) } } } }
                tbody {
                    @for row in &self.rows {
                        tr { @for (at, cell) in row.iter().enumerate() { td class=[class(at)] { (cell) } } }
                    }
                }
            }
        }
    }
}

/// Text with Markdown's special characters escaped.
pub(crate) fn in_markdown(text: &str) -> String {
    let is_markup = |c: char| "\\`*_[]<>|#&~$".contains(c);
    text.chars().flat_map(|c| is_markup(c).then_some('\\').into_iter().chain([c])).collect()
}

/// The lines of a table, without trailing blanks, each ended by a line feed; the header, if any, is faint.
pub(crate) fn lines(table: &Table, style: Style) -> String {
    let headed = table.header().is_some();
    let line = |(at, line): (usize, String)| match line.trim_end() {
        line if at == 0 && headed => style.faint(line) + "\n",
        line => format!("{line}\n"),
    };
    table.lines().enumerate().map(line).collect()
}

/// Colours for eight seats that can be told apart even with red-green blindness: no two neighbours share both hue and
/// brightness, and the marks themselves stay readable.
const SEATS: [AnsiColor; 8] = [
    AnsiColor::Blue,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::BrightRed,
    AnsiColor::BrightGreen,
    AnsiColor::BrightBlue,
    AnsiColor::BrightYellow,
];

/// The style of the seat with this number, from 0.
pub fn seat_style(seat: usize) -> anstyle::Style {
    SEATS[seat % SEATS.len()].on_default().bold()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("Jäb \"\x1b[31m\n"), "Jäb \"\\u{1b}[31m\\n");
        assert_eq!(shown("gull\u{202e}nret\u{9b}"), "gull\\u{202e}nret\\u{9b}");
        assert_eq!(shown(&"é".repeat(50)), "é".repeat(40) + "…");
    }

    #[test]
    fn markdown_does_not_change_names() {
        assert_eq!(in_markdown("a|b <i>*_`x`_*</i>"), "a\\|b \\<i\\>\\*\\_\\`x\\`\\_\\*\\</i\\>");
        let rows = vec![vec!["gull".to_string(), "3".to_string()]];
        let grid = Grid { header: ["name", "wins"].map(String::from).into(), texts: vec![0], rows };
        assert_eq!(grid.markdown(), "| name | wins |\n| --- | ---: |\n| gull | 3 |\n");
    }
}
