//! A document: sections of tables, lists and drawings as data, which three renderers show.
//!
//! What is reported is computed once, into a [`Section`]. [`text`] shows it in a terminal, [`markdown`] in an e-mail or
//! a wiki, [`html`] on a page. They show the same facts, but only a page has a [podium](Block::Podium), and a terminal
//! has no very wide cross-table. A cell says what it is (an entrant, a game, a time), so that a page can link it and
//! all renderers write it alike. The renderers escape text from strangers, so it can be put in unchanged.

mod answer;
mod bracket;
pub(crate) mod html;
pub(crate) mod links;
mod markdown;
mod svg;
mod text;

pub use text::text;
pub(crate) use text::words;

use crate::json::EntrantJson;
use cornerman::format::{EntrantId, GameId, Rounds};
use std::fmt::Display;
use std::time::Duration;

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What it is about.
    pub title: String,
    /// Sentences below the title.
    pub lead: Vec<Line>,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A part of a document under a heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its address on a page; empty if it needs none.
    pub anchor: String,
    /// Its heading; empty for none.
    pub title: Line,
    /// Its name in a table of contents, if that is not its heading.
    pub name: Option<String>,
    /// What is below the heading.
    pub blocks: Vec<Block>,
    /// Whether a page shows it only when asked.
    pub folded: bool,
}

impl Section {
    /// A section with nothing in it yet.
    pub fn new(anchor: impl Into<String>, title: impl Into<Line>) -> Section {
        Section { anchor: anchor.into(), title: title.into(), ..Section::default() }
    }

    /// The section with this name in a table of contents.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Section {
        Section { name: Some(name.into()), ..self }
    }

    /// The section with this block at its end.
    #[must_use]
    pub fn with(mut self, block: impl Into<Block>) -> Section {
        self.blocks.push(block.into());
        self
    }

    /// The section, unless there is nothing in it.
    pub fn filled(self) -> Option<Section> {
        (!self.blocks.is_empty()).then_some(self)
    }
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A sentence.
    Note(Line),
    /// Sentences, each by itself.
    List(Vec<Line>),
    /// Names, each with its value.
    Facts(Vec<(String, Line)>),
    /// A table.
    Table(Table),
    /// What a program wrote: lines that are not wrapped.
    Written(String),
    /// What a bot was shown, and what it answered.
    Answer {
        /// What it was shown.
        shown: Vec<u8>,
        /// What it answered.
        answered: Vec<u8>,
    },
    /// The rounds of a stage: a page draws brackets or lists groups; text and Markdown have tables.
    Rounds {
        /// The stage, from 0.
        stage: u8,
        /// The rounds.
        rounds: Rounds,
        /// The rounds as tables.
        parts: Vec<Section>,
    },
    /// The best entrants by place, with a few words on each. Only a page has it; the table that follows has the same
    /// order.
    Podium(Vec<(u32, Vec<Line>)>),
    /// A section below this one.
    Part(Section),
}

/// Words and other things in a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line(pub Vec<Cell>);

impl Line {
    /// The line with this cell at its end.
    #[must_use]
    pub fn then(mut self, cell: impl Into<Cell>) -> Line {
        self.0.push(cell.into());
        self
    }

    /// A line of these parts, with the text `between` between them.
    pub fn joined(parts: impl IntoIterator<Item = impl Into<Cell>>, between: &str) -> Line {
        let mut line = Line::default();
        for part in parts {
            if !line.0.is_empty() {
                line = line.then(between);
            }
            line = line.then(part);
        }
        line
    }

    /// A line of the first `most` parts, and how many more there are.
    pub fn first_of<C: Into<Cell>>(parts: impl ExactSizeIterator<Item = C>, most: usize) -> Line {
        let more = parts.len().saturating_sub(most);
        let line = Line::joined(parts.take(most), ", ");
        if more > 0 { line.then(format!(" and {more} more")) } else { line }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Cell::is_empty)
    }
}

/// A table with a row for each thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows; may be empty.
    pub caption: Line,
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells, row by row.
    pub rows: Vec<Vec<Cell>>,
    /// How it is laid out.
    pub layout: TableLayout,
    /// How many rows a page shows before it is asked for the others; all if `None`.
    pub first: Option<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<Line>, columns: impl IntoIterator<Item = Column>) -> Table {
        Table { caption: caption.into(), columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// The table under this caption.
    #[must_use]
    pub fn captioned(self, caption: impl Into<Line>) -> Table {
        Table { caption: caption.into(), ..self }
    }

    /// The table with these rows at its end.
    #[must_use]
    pub fn rows(mut self, rows: impl IntoIterator<Item = Vec<Cell>>) -> Table {
        self.rows.extend(rows);
        self
    }

    /// The table without this column, if all its cells are empty.
    #[must_use]
    pub fn without_empty(self, at: usize) -> Table {
        if self.rows.iter().all(|row| row.get(at).is_none_or(Cell::is_empty)) { self.without(at) } else { self }
    }

    /// The table without this column, if all its cells are equal.
    #[must_use]
    pub fn without_same(self, at: usize) -> Table {
        if self.is_same(at) { self.without(at) } else { self }
    }

    /// Whether all cells of this column are equal.
    pub fn is_same(&self, at: usize) -> bool {
        self.rows.iter().all(|row| row.get(at) == self.rows[0].get(at))
    }

    fn without(mut self, at: usize) -> Table {
        self.columns.remove(at);
        for row in self.rows.iter_mut().filter(|row| row.len() > at) {
            row.remove(at);
        }
        self
    }
}

/// A column, and its cell for a thing.
pub type ColumnOf<'a, T> = (Column, &'a dyn Fn(&T) -> Cell);

/// Things that have a row each.
pub struct Listing<I>(pub I);

impl<I: IntoIterator> Listing<I> {
    /// A table of these columns, with a row for each thing.
    pub fn columns(self, columns: &[ColumnOf<I::Item>]) -> Table {
        let row = |thing: I::Item| columns.iter().map(|(_, cell)| cell(&thing)).collect();
        let titles = columns.iter().map(|(column, _)| column.clone());
        Table::new("", titles).rows(self.0.into_iter().map(row))
    }
}

/// How a table is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableLayout {
    /// Rows below a header.
    #[default]
    Rows,
    /// Rows that need no header in a terminal.
    Bare,
    /// Everyone against everyone: two columns number and name the rows, and the figures after them are close together.
    Matrix,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its title.
    pub title: String,
    /// Its kind of content.
    pub kind: ColumnKind,
    /// The entrant that a short title stands for, if it is one.
    pub entrant: Option<EntrantId>,
}

/// The kind of content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// What each row is about.
    Name,
    /// Words.
    Text,
    /// Sentences.
    Wide,
    /// Numbers, which are aligned to the right.
    Number,
}

impl Column {
    /// The column that says what each row is about.
    pub fn name(title: impl Display) -> Column {
        Column { title: title.to_string(), kind: ColumnKind::Name, entrant: None }
    }

    /// A column of words.
    pub fn text(title: impl Display) -> Column {
        Column { kind: ColumnKind::Text, ..Column::name(title) }
    }

    /// A column of sentences.
    pub fn wide(title: impl Display) -> Column {
        Column { kind: ColumnKind::Wide, ..Column::name(title) }
    }

    /// A column of numbers.
    pub fn number(title: impl Display) -> Column {
        Column { kind: ColumnKind::Number, ..Column::name(title) }
    }
}

/// The content of a cell of a table, or a part of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A command, or other text to type.
    Code(String),
    /// The address of a page or of a person, if it is one; otherwise words.
    Address(String),
    /// An entrant's name.
    Entrant(EntrantId),
    /// A game, from a step on if one is named.
    Game(GameId, Option<GameStep>),
    /// The name of the second entrant, at the place where the games of the first against it are listed.
    Opponent([EntrantId; 2]),
    /// A figure about the games of the first entrant against the second.
    Meetings([EntrantId; 2], String),
    /// A measured time.
    Time(Duration),
    /// A number of things.
    Count(u64),
    /// A formatted number, such as `+120` or `1.250000`.
    Figure(String),
    /// A drawing.
    Drawing(Drawing),
    /// Something that stands out.
    Strong(Box<Cell>),
    /// A figure, and which of two entrants it favours.
    Against(Box<Cell>, Favour),
    /// Several.
    Line(Line),
}

/// A step of a game. A forfeit and the move that another seat then makes share a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStep {
    /// The move of this number, from 1.
    Move(u32),
    /// The forfeit at the move of this number.
    Forfeit(u32),
}

/// Which of two entrants a figure favours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Favour {
    /// Neither: an entrant against itself.
    Same,
    /// From 0, where the other is ahead in everything, to [`Favour::STEPS`] - 1, where the first is. In the middle,
    /// neither is ahead.
    Step(u8),
}

impl Favour {
    /// The number of steps; odd, so that there is a middle.
    pub const STEPS: u8 = 9;
    /// Neither is ahead.
    pub const EVEN: Favour = Favour::Step(Favour::STEPS / 2);
}

/// A drawing. A terminal shows it in characters.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// A value and, if it is known, its interval, on a scale that several drawings share.
    Interval {
        /// The value.
        at: f64,
        /// The ends of the interval.
        ends: Option<[f64; 2]>,
        /// The ends of the scale.
        scale: [f64; 2],
    },
    /// A histogram of times.
    Spread {
        /// How many times are in each doubling, the first of which starts at 2 to the power of `from` microseconds.
        counts: Vec<u64>,
        /// The logarithm to base 2 of the microseconds at which the first doubling starts.
        from: u32,
        /// The median of the times.
        median: Duration,
    },
}

impl Cell {
    /// An empty cell.
    pub const EMPTY: Cell = Cell::Text(String::new());

    /// The cell, emphasized.
    #[must_use]
    pub fn strong(self) -> Cell {
        Cell::Strong(Box::new(self))
    }

    /// A cell of `value`, or an empty one.
    pub fn or_empty(value: Option<impl Into<Cell>>) -> Cell {
        value.map_or(Cell::EMPTY, Into::into)
    }

    fn is_empty(&self) -> bool {
        match self {
            Cell::Text(text)
            | Cell::Code(text)
            | Cell::Address(text)
            | Cell::Figure(text)
            | Cell::Meetings(_, text) => text.is_empty(),
            Cell::Line(line) => line.is_empty(),
            Cell::Strong(inner) | Cell::Against(inner, _) => inner.is_empty(),
            _ => false,
        }
    }
}

macro_rules! from {
    ($($from:ty => $into:ty: |$value:ident| $made:expr;)*) => {
        $(impl From<$from> for $into {
            fn from($value: $from) -> $into { $made }
        })*
    };
}

from! {
    &str => Cell: |text| Cell::Text(text.to_string());
    String => Cell: |text| Cell::Text(text);
    EntrantId => Cell: |id| Cell::Entrant(id);
    &EntrantJson => Cell: |entrant| Cell::Entrant(entrant.id());
    GameId => Cell: |id| Cell::Game(id, None);
    Duration => Cell: |time| Cell::Time(time);
    u32 => Cell: |count| Cell::Count(count.into());
    u64 => Cell: |count| Cell::Count(count);
    usize => Cell: |count| Cell::Count(count as u64);
    Drawing => Cell: |drawing| Cell::Drawing(drawing);
    Line => Cell: |line| Cell::Line(line);
    &str => Line: |text| Line(if text.is_empty() { Vec::new() } else { vec![text.into()] });
    String => Line: |text| text.as_str().into();
    Cell => Line: |cell| Line(vec![cell]);
    EntrantId => Line: |id| Cell::from(id).into();
    GameId => Line: |id| Cell::from(id).into();
    Table => Block: |table| Block::Table(table);
    Section => Block: |section| Block::Part(section);
}

/// A row of cells.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::doc::Cell::from($cell)),*] };
}
pub(crate) use row;

#[cfg(test)]
mod tests;
