//! The cross-table: how often each entrant finished ahead of each other one, row against column. If only a few
//! entrants have met the others, such as the challengers of a gauntlet, only they have columns, and figures are
//! column against row.
//!
//! Games of any number of seats count: a seat wins against all seats with a worse place. A stage that counts
//! margins has a second table: which of each pair is ahead by the margins of all its games together (R9).

use crate::style::{Grid, count, lines};
use crate::{SCHEMA, Style, Tournament};
use comfy_table::Table;
use cornerman::format::EntrantId;
use cornerman::formats::scoring::margin_over;
use cornerman::game::Seat;
use cornerman_harness::record::GameSummary;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// The most entrants for which the table fits into a terminal.
pub const MOST_ON_A_TERMINAL: usize = 40;

/// The entrants of a stage, and how each did against each other one.
#[derive(Clone, Debug)]
pub struct Crosstable {
    stage: u8,
    /// The largest margin of a pair that is a tie; `None` if the stage does not count margins (R9).
    tie_margin: Option<u32>,
    /// The entrants of the rows: those in the standings in their order, then any others that played.
    order: Vec<EntrantId>,
    /// The row of each entrant, by its number.
    rows: Vec<Option<u16>>,
    /// The meetings of each row with each column.
    cells: Vec<Vec<Meetings>>,
}

/// The games between two entrants, from the view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    /// Games in which both played.
    pub games: u32,
    /// Games in which the first had the better place.
    pub wins: u32,
    /// The sum of the first one's margins over the other.
    pub margin: i64,
}

impl Meetings {
    /// Whether the first is ahead by margins of more than `tie` points together, behind, or neither (R9).
    pub fn by_margin(self, tie: u32) -> Ordering {
        if self.margin.unsigned_abs() <= u64::from(tie) { Ordering::Equal } else { self.margin.cmp(&0) }
    }
}

/// The figure that a table shows for each pair.
#[derive(Clone, Copy)]
enum Shown {
    /// Wins, or `wins/games` if not all pairs have met equally often.
    Wins,
    /// `+`, `-` or `=`: whether the margins of all games together exceed this threshold (R9).
    Margins(u32),
}

impl Crosstable {
    /// The cross-table of a stage, numbered from 0, without games.
    pub fn new(tournament: &Tournament, stage: u8) -> Crosstable {
        let order = Vec::new();
        let rows = Vec::new();
        let cells = Vec::new();
        let mut empty = Crosstable { stage, tie_margin: None, order, rows, cells };
        if let Some(progress) = tournament.progress.get(usize::from(stage)) {
            empty.tie_margin = progress.tie_margin();
            for standing in progress.standings(tournament.results) {
                empty.row(standing.entrant);
            }
        }
        empty
    }

    /// The cross-table of a stage with `games`; games of other stages are ignored.
    pub fn from_games<'a>(
        tournament: &Tournament,
        stage: u8,
        games: impl IntoIterator<Item = &'a GameSummary>,
    ) -> Crosstable {
        let mut crosstable = Crosstable::new(tournament, stage);
        for game in games {
            crosstable.add(game);
        }
        crosstable
    }

    /// Adds a game, unless it is of another stage.
    pub fn add(&mut self, game: &GameSummary) {
        if game.pairing.id.stage != self.stage {
            return;
        }
        let rows: Vec<usize> = game.pairing.seats.iter().map(|&id| self.row(id)).collect();
        for (seat, &row) in rows.iter().enumerate() {
            for (other, &column) in rows.iter().enumerate().filter(|&(other, _)| other != seat) {
                let meetings = &mut self.cells[row][column];
                meetings.games += 1;
                meetings.wins += u32::from(game.outcome.places[seat] < game.outcome.places[other]);
                meetings.margin += margin_over(&game.outcome, Seat(seat as u8), Seat(other as u8));
            }
        }
    }

    /// The entrants of the rows in order. Those of the columns are among them.
    pub fn order(&self) -> &[EntrantId] {
        &self.order
    }

    /// The rows of the entrants that have columns: all, or in a large table only those that have met at least half
    /// of the entrants, if they are few and took part in every meeting: then [`Crosstable::is_transposed`].
    pub fn columns(&self) -> Vec<usize> {
        /// The fewest entrants of a large table.
        const LARGE: usize = 10;
        let n = self.order.len();
        let have_met = |row: usize, other: usize| self.cells[row][other].games > 0;
        let opponents = |row: usize| (0..n).filter(|&other| have_met(row, other)).count();
        let (few, others): (Vec<usize>, Vec<usize>) = (0..n).partition(|&row| 2 * opponents(row) >= n);
        let others_met = others.iter().any(|&row| others.iter().any(|&other| have_met(row, other)));
        let has_all = n < LARGE || few.is_empty() || 2 * few.len() >= n || others_met;
        if has_all { (0..n).collect() } else { few }
    }

    /// Whether cells show the column's results against the row, because only a few entrants have columns.
    pub fn is_transposed(&self) -> bool {
        self.columns().len() < self.order.len()
    }

    /// The games between `a` and `b`, from the view of `a`.
    pub fn between(&self, a: EntrantId, b: EntrantId) -> Meetings {
        let at = |id: EntrantId| self.rows.get(id.index()).copied().flatten().map(usize::from);
        at(a).zip(at(b)).map(|(row, column)| self.cells[row][column]).unwrap_or_default()
    }

    /// The largest margin of a pair that is a tie; `None` if the stage does not count margins (R9).
    pub fn tie_margin(&self) -> Option<u32> {
        self.tie_margin
    }

    /// The tables as text: of wins and, if the stage counts margins, of margins.
    pub fn text(&self, tournament: &Tournament, style: Style) -> String {
        let n = self.order.len();
        if self.columns().len() > MOST_ON_A_TERMINAL {
            return format!("A cross-table of {n} entrants is too wide for a terminal: use JSON.\n");
        }
        self.tables().map(|shown| self.one_text(tournament, shown, style)).collect::<Vec<_>>().join("\n")
    }

    /// The tables as Markdown, each under its caption.
    pub fn markdown(&self, tournament: &Tournament) -> String {
        let table = |shown| {
            format!("{}\n\n{}", self.caption(shown), self.grid(tournament, shown, &self.columns()).markdown())
        };
        self.tables().map(table).collect::<Vec<_>>().join("\n")
    }

    fn tables(&self) -> impl Iterator<Item = Shown> {
        [Some(Shown::Wins), self.tie_margin.map(Shown::Margins)].into_iter().flatten()
    }

    fn one_text(&self, tournament: &Tournament, shown: Shown, style: Style) -> String {
        let columns = self.columns();
        // On a narrow terminal, blocks of columns below each other, as many columns in each as fit.
        let fits = |columns: &[usize]| {
            let table = table_of(self.grid(tournament, shown, columns));
            let widest = table.lines().map(|line| line.chars().count()).max();
            style.width >= Style::plain().width || widest <= Some(style.width)
        };
        // The last columns have the widest numbers.
        let fitting = (0..columns.len()).map(|from| &columns[from..]).find(|columns| fits(columns));
        let fitting = fitting.map_or(1, <[usize]>::len);
        let blocks = columns.chunks(fitting).map(|columns| self.block(tournament, shown, columns, style));
        let body: Vec<String> = blocks.collect();
        format!("{}\n{}", style.caption(&self.caption(shown)), body.join("\n"))
    }

    /// The table with only these `columns`.
    fn block(&self, tournament: &Tournament, shown: Shown, columns: &[usize], style: Style) -> String {
        let table = table_of(self.grid(tournament, shown, columns));
        if style.colour { self.coloured(&table, columns, shown, style) } else { lines(&table, style) }
    }

    /// Whose figures a cell has, and against whom.
    pub(crate) fn sides(&self) -> [&'static str; 2] {
        if self.is_transposed() { ["column", "row"] } else { ["row", "column"] }
    }

    /// An explanation of the figures.
    fn caption(&self, shown: Shown) -> String {
        let [own, other] = self.sides();
        match (shown, self.games_a_pair()) {
            (Shown::Wins, Some(games)) => {
                format!("wins of the {own} against the {other}, in {}", count(games, "game"))
            }
            (Shown::Wins, None) => format!("wins of the {own} against the {other} / games"),
            (Shown::Margins(tie), _) => format!(
                "margins of the {own} over the {other}, all games together: + ahead, - behind, = a tie, up to {tie} (R9)"
            ),
        }
    }

    fn grid(&self, tournament: &Tournament, shown: Shown, columns: &[usize]) -> Grid {
        let games = self.games_a_pair();
        let is_transposed = self.is_transposed();
        let numbers = columns.iter().map(|column| (column + 1).to_string());
        let header: Vec<String> = ["".into(), "name".into()].into_iter().chain(numbers).collect();
        let row = |(at, (id, cells)): (usize, (&EntrantId, &Vec<Meetings>))| {
            let meetings = |column: usize| if is_transposed { self.cells[column][at] } else { cells[column] };
            let cells = columns.iter().map(|&column| (column, meetings(column)));
            let cells = cells.map(|(column, meetings)| match (shown, meetings.games, games) {
                _ if column == at => "·".to_string(),
                (_, 0, _) => "".to_string(),
                (Shown::Margins(tie), ..) => sign(meetings.by_margin(tie)).to_string(),
                (Shown::Wins, _, Some(_)) => meetings.wins.to_string(),
                (Shown::Wins, games, None) => format!("{}/{games}", meetings.wins),
            });
            [(at + 1).to_string(), tournament.name(*id)].into_iter().chain(cells).collect()
        };
        Grid { header, texts: vec![1], rows: self.order.iter().zip(&self.cells).enumerate().map(row).collect() }
    }

    /// The table as matrices, row by row in the order of `entrants`.
    pub fn json(&self, tournament: &Tournament) -> Value {
        let matrix = |of: fn(&Meetings) -> i64| -> Value {
            self.cells.iter().map(|row| row.iter().map(of).collect::<Vec<i64>>()).map(Value::from).collect()
        };
        json!({
            "schema": SCHEMA,
            "stage": self.stage,
            "entrants": self.order.iter().map(|&id| tournament.entrant_json(id)).collect::<Vec<_>>(),
            "wins": matrix(|meetings| meetings.wins.into()),
            "games": matrix(|meetings| meetings.games.into()),
            "margins": self.tie_margin.map(|_| matrix(|meetings| meetings.margin)),
            "threshold": self.tie_margin,
        })
    }

    /// The row of an entrant, which is added if it has none.
    fn row(&mut self, id: EntrantId) -> usize {
        if self.rows.len() <= id.index() {
            self.rows.resize(id.index() + 1, None);
        }
        if let Some(row) = self.rows[id.index()] {
            return usize::from(row);
        }
        let row = self.order.len();
        self.rows[id.index()] = Some(row as u16);
        self.order.push(id);
        for cells in &mut self.cells {
            cells.push(Meetings::default());
        }
        self.cells.push(vec![Meetings::default(); row + 1]);
        row
    }

    /// The number of games that every pair has played, if it is the same for all pairs that have met.
    pub(crate) fn games_a_pair(&self) -> Option<u32> {
        let mut met = self.cells.iter().flatten().map(|meetings| meetings.games).filter(|&games| games > 0);
        let first = met.next()?;
        met.all(|games| games == first).then_some(first)
    }

    /// The lines of `table`, green where the entrant whose figures they are is ahead, and red where it is behind.
    /// Cells are located by their widths from the end of a line, because names may be wider than their number of
    /// characters.
    fn coloured(&self, table: &Table, columns: &[usize], shown: Shown, style: Style) -> String {
        let widths = table.column_max_content_widths().into_iter().skip(2).map(|width| usize::from(width) + 1);
        let widths: Vec<usize> = widths.collect();
        let is_transposed = self.is_transposed();
        let mut text = String::new();
        for (at, line) in table.lines().enumerate() {
            let Some(row) = at.checked_sub(1) else {
                text += &(style.faint(line.trim_end()) + "\n");
                continue;
            };
            let chars: Vec<char> = line.chars().collect();
            let mut from = chars.len().saturating_sub(widths.iter().sum());
            text.extend(&chars[..from]);
            for (&column, width) in columns.iter().zip(&widths) {
                let cell: String = chars[from..from + width].iter().collect();
                let own = self.cells[row][column];
                let other = self.cells[column][row];
                let (own, other) = if is_transposed { (other, own) } else { (own, other) };
                let ahead = match shown {
                    Shown::Wins => own.wins.cmp(&other.wins),
                    Shown::Margins(tie) => own.by_margin(tie),
                };
                text += &match ahead {
                    _ if row == column => style.faint(&cell),
                    Ordering::Greater => style.good(&cell),
                    Ordering::Less => style.bad(&cell),
                    Ordering::Equal => cell,
                };
                from += width;
            }
            text.push('\n');
        }
        text
    }
}

/// The table, with its columns of figures close together.
fn table_of(grid: Grid) -> Table {
    let mut table = grid.table();
    for column in table.column_iter_mut().skip(2) {
        column.set_padding((1, 0));
    }
    table
}

fn sign(ahead: Ordering) -> char {
    match ahead {
        Ordering::Greater => '+',
        Ordering::Less => '-',
        Ordering::Equal => '=',
    }
}

#[cfg(test)]
mod tests;
