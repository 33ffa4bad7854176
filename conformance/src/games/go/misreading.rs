//! Wrong ways to read a point: letters and numbers taken for other columns and rows (G1).

use cornerman::game::Spot;

/// The size of the board in the contest (G1).
const CONTEST_SIZE: u8 = 19;

/// A wrong way to read the opponent's moves. The first ones may as well be wrong ways to write its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misreading {
    AxesSwapped,
    /// Rows are numbered from the top.
    RowsFromTop,
    /// Columns are named from the right.
    ColumnsFromRight,
    /// There is a column I: J and the letters after it are one column too far to the right.
    ColumnI,
    NoColumnT,
    NoRow19,
    NoTopRow,
    NoRow1,
    NoColumnA,
    /// Rows are too high by one.
    RowsTooHigh,
    /// Rows are too low by one.
    RowsTooLow,
    /// Columns are one too far to the right.
    ColumnsTooFarRight,
}

impl Misreading {
    /// All of them.
    pub(super) const ALL: [Misreading; 12] = [
        Misreading::AxesSwapped,
        Misreading::RowsFromTop,
        Misreading::ColumnsFromRight,
        Misreading::ColumnI,
        Misreading::NoColumnT,
        Misreading::NoRow19,
        Misreading::NoTopRow,
        Misreading::NoRow1,
        Misreading::NoColumnA,
        Misreading::RowsTooHigh,
        Misreading::RowsTooLow,
        Misreading::ColumnsTooFarRight,
    ];

    /// The misreading in words, after "if".
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Misreading::AxesSwapped => {
                "columns and rows are swapped either where it reads moves or where it writes them"
            }
            Misreading::RowsFromTop => {
                "rows are numbered from the top either where it reads moves or where it writes them"
            }
            Misreading::ColumnsFromRight => {
                "columns are named from the right either where it reads moves or where it writes them"
            }
            Misreading::ColumnI => {
                "it takes I for a column where it reads moves, so that J to T are too far right"
            }
            Misreading::NoColumnT => "it does not put the opponent's stones in column T on its board",
            Misreading::NoRow19 => "it does not put the opponent's stones in row 19 on its board",
            Misreading::NoTopRow => "it does not put the opponent's stones in the top row on its board",
            Misreading::NoRow1 => "it does not put the opponent's stones in row 1 on its board",
            Misreading::NoColumnA => "it does not put the opponent's stones in column A on its board",
            Misreading::RowsTooHigh => "it puts the opponent's stones one row too high",
            Misreading::RowsTooLow => "it puts the opponent's stones one row too low",
            Misreading::ColumnsTooFarRight => "it puts the opponent's stones one column too far to the right",
        }
    }

    /// The spot on the bot's wrong board of an opponent's stone that was played at `spot`, if it has one.
    pub(super) fn seen(self, spot: Spot, size: u8) -> Option<Spot> {
        // `Spot` counts rows from the top and notation from the bottom, so swapping letter and number mirrors the board
        // along its other diagonal.
        let last = size - 1;
        let Spot { row, col } = spot;
        let seen = match self {
            Misreading::AxesSwapped => Spot { row: last - col, col: last - row },
            Misreading::RowsFromTop => Spot { row: last - row, col },
            Misreading::ColumnsFromRight => Spot { row, col: last - col },
            Misreading::ColumnI => return with_column_i(spot, size),
            Misreading::NoColumnT => return (col + 1 < CONTEST_SIZE).then_some(spot),
            Misreading::NoRow19 => return (size - row < CONTEST_SIZE).then_some(spot),
            Misreading::NoTopRow => return (row > 0).then_some(spot),
            Misreading::NoRow1 => return (row < last).then_some(spot),
            Misreading::NoColumnA => return (col > 0).then_some(spot),
            Misreading::RowsTooHigh => Spot { row: row.checked_sub(1)?, col },
            Misreading::RowsTooLow => Spot { row: row + 1, col },
            Misreading::ColumnsTooFarRight => Spot { row, col: col + 1 },
        };
        (seen.row < size && seen.col < size).then_some(seen)
    }
}

/// The spot of a letter and number on a board that has a column I; `None` beyond its right edge.
pub(super) fn with_column_i(spot: Spot, size: u8) -> Option<Spot> {
    const J: u8 = 8;
    let col = spot.col + u8::from(spot.col >= J);
    (col < size).then_some(Spot { col, ..spot })
}
