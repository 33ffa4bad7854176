//! Sections as Markdown (GitHub's dialect, which most programs know).

use super::answer::AnswerDifference;
use super::{Block, Cell, Column, ColumnKind, Document, Line, Section, Table, text};
use crate::plain;
use cornerman_harness::record::EntrantRecord;
use cornerman_harness::text::plain_lines;

impl Document {
    /// As Markdown.
    pub fn markdown(&self, entrants: &[EntrantRecord]) -> String {
        let mut all = format!("# {}\n", escaped(&self.title));
        for line in &self.lead {
            all += &format!("\n{}.\n", words(line, entrants));
        }
        for section in &self.sections {
            all += &format!("\n{}", one(section, 2, entrants));
        }
        all
    }
}

fn one(section: &Section, level: usize, entrants: &[EntrantRecord]) -> String {
    let title = words(&section.title, entrants);
    let title = (!title.is_empty()).then(|| format!("{} {title}\n", "#".repeat(level)));
    let blocks = section.blocks.iter().filter(|block| !matches!(block, Block::Podium(_)));
    let blocks = blocks.map(|block| shown(block, level, entrants));
    title.into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
}

fn shown(block: &Block, level: usize, entrants: &[EntrantRecord]) -> String {
    let item = |line: &Line| format!("- {}\n", words(line, entrants));
    match block {
        Block::Note(note) => words(note, entrants) + "\n",
        Block::List(list) => list.iter().map(item).collect(),
        Block::Facts(facts) => {
            let fact =
                |(name, value): &(String, Line)| format!("- {}: {}\n", escaped(name), words(value, entrants));
            facts.iter().map(fact).collect()
        }
        Block::Table(shown) => table(shown, entrants),
        Block::Written(text) => code(&plain_lines(text.trim_end())),
        Block::Answer { shown, answered } => code(&AnswerDifference::between(shown, answered).text()),
        Block::Rounds { parts, .. } => {
            parts.iter().map(|part| one(part, level + 1, entrants)).collect::<Vec<_>>().join("\n")
        }
        Block::Podium(_) => String::new(),
        Block::Part(part) => one(part, level + 1, entrants),
    }
}

/// A block of code: lines that are not wrapped.
fn code(text: &str) -> String {
    text.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n").collect()
}

fn table(table: &Table, entrants: &[EntrantRecord]) -> String {
    let row = |cells: Vec<String>| -> String {
        let cells: String = cells.iter().map(|cell| format!(" {cell} |")).collect();
        format!("|{cells}\n")
    };
    let rule = |column: &Column| if column.kind == ColumnKind::Number { " ---: |" } else { " --- |" };
    let header = row(table.columns.iter().map(|column| escaped(&column.title)).collect());
    let rules: String = table.columns.iter().map(rule).collect();
    // Every row has a text for each column, even if its cells end early.
    let filled = |cells: &Vec<Cell>| {
        let mut texts: Vec<String> = cells.iter().map(|one| cell(one, entrants)).collect();
        texts.resize(table.columns.len(), String::new());
        row(texts)
    };
    let rows: String = table.rows.iter().map(filled).collect();
    let mut caption = words(&table.caption, entrants);
    if !caption.is_empty() {
        caption.push_str("\n\n");
    }
    format!("{caption}{header}|{rules}\n{rows}")
}

/// A line as Markdown.
pub(super) fn words(line: &Line, entrants: &[EntrantRecord]) -> String {
    line.0.iter().map(|one| cell(one, entrants)).collect()
}

fn cell(cell: &Cell, entrants: &[EntrantRecord]) -> String {
    match cell {
        Cell::Strong(inner) => format!("**{}**", self::cell(inner, entrants)),
        Cell::Against(inner, _) => self::cell(inner, entrants),
        Cell::Line(line) => words(line, entrants),
        Cell::Code(text) if !text.contains('`') => format!("`{}`", plain(text).replace('|', "\\|")),
        // Markdown shows several blanks as one.
        Cell::Drawing(_) => text::cell(cell, entrants).replace(' ', "·"),
        other => escaped(&text::cell(other, entrants)),
    }
}

/// Text with control characters and Markdown's special characters escaped.
pub(super) fn escaped(text: &str) -> String {
    let is_markup = |c: char| "\\`*_[]<>|#&~$".contains(c);
    plain(text).chars().flat_map(|c| is_markup(c).then_some('\\').into_iter().chain([c])).collect()
}
