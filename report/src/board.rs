//! The board of whichever game is played: how it is drawn, and how an ending of it is told.

mod arena;

use crate::style::{Style, count, seat_style};
use anstyle::Style as Paint;
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::go::column_letter;
use cornerman_harness::ruleset::{Rules, Ruleset};

/// How boards of one game look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// The Boxing Match: 16 lines of 32 spots.
    Arena,
    /// Go: so many lines a side; what white has on top, in half points.
    Stones {
        /// Lines a side.
        size: u8,
        /// Half points.
        komi_halves: i32,
    },
    /// Rock-paper-scissors: no board, a line a round.
    Rounds,
}

impl Board {
    /// Of games by these rules.
    pub fn of(ruleset: &Ruleset) -> Board {
        match &ruleset.rules {
            Rules::Boxing(_) => Board::Arena,
            Rules::Go(go, _) => Board::Stones { size: go.size, komi_halves: go.komi_halves },
            Rules::Rps(_) => Board::Rounds,
        }
    }

    /// Lines and columns of a picture; none where a game has no board.
    pub fn extent(self) -> Option<(usize, usize)> {
        match self {
            Board::Arena => Some((17, 36)),
            Board::Stones { size, .. } => Some((usize::from(size) + 1, 2 * usize::from(size) + 4)),
            Board::Rounds => None,
        }
    }

    /// `board`, in the text form of its game, with what differs from `before` reversed; a new stone is in brackets, and the
    /// squares of an arena have a sign of their own where there are no colours.
    pub fn picture(self, board: &[u8], before: Option<&[u8]>, marks: &[u8], style: Style) -> String {
        match self {
            Board::Arena => arena::picture(board, before, marks, style),
            Board::Stones { size, .. } => stones(usize::from(size), board, before, style),
            Board::Rounds => String::new(),
        }
    }

    /// What `seat` of this outcome won by, in words that follow its name.
    pub fn victory(self, outcome: &Outcome, seat: Seat) -> String {
        let points = |seat: Seat| outcome.points[seat.index()];
        match (self, outcome.end) {
            (Board::Arena, End::Played) => {
                format!("fills the last spot and wins with {}", count(size_of(points(seat)), "mark"))
            }
            (Board::Arena, End::Forfeited) => {
                format!("is the last one left and wins with {}", count(size_of(points(seat)), "mark"))
            }
            (_, End::Forfeited) => "wins, as the other forfeits".to_string(),
            (Board::Stones { komi_halves, .. }, End::Played) => {
                let white = 2 * points(Seat(1)) + i64::from(komi_halves);
                let by = (2 * points(Seat(0)) - white).abs();
                let komi = halves(i64::from(komi_halves));
                format!("wins by {}: {} against {} and komi {komi}", halves(by), points(Seat(0)), points(Seat(1)))
            }
            (Board::Rounds, End::Played) => format!("wins by {}", count(size_of(points(seat)), "round")),
        }
    }

    /// What a seat has of its own at the end, such as `31 marks on the arena`; nothing where that says nothing.
    pub fn holding(self, outcome: &Outcome, seat: Seat) -> String {
        let held = outcome.territory[seat.index()];
        match self {
            Board::Arena => format!("{} on the arena, ", count(held as usize, "mark")),
            Board::Stones { .. } => format!("{} of area, ", count(held as usize, "point")),
            Board::Rounds => String::new(),
        }
    }

    /// What points are called.
    pub fn unit(self) -> &'static str {
        match self {
            Board::Arena => "mark",
            Board::Stones { .. } => "point",
            Board::Rounds => "round",
        }
    }
}

fn size_of(points: i64) -> usize {
    points.unsigned_abs() as usize
}

/// `6.5`, `7`.
fn halves(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let half = if number % 2 == 0 { "" } else { ".5" };
    format!("{sign}{}{half}", number.abs() / 2)
}

/// A Go board with its letters and numbers (G1), the stone that is new in brackets (G7).
fn stones(size: usize, board: &[u8], before: Option<&[u8]>, style: Style) -> String {
    let letters: String = (0..size).map(|col| format!(" {}", column_letter(col as u8))).collect();
    let mut text = format!("   {letters}\n");
    for row in 0..size {
        text += &format!("{:>3}", size - row);
        let mut bracket = ' ';
        for col in 0..size {
            let at = row * (size + 1) + col;
            let point = board.get(at).copied().unwrap_or(b' ');
            let fresh = before.is_some_and(|before| before.get(at) != Some(&point));
            let placed = fresh && point != b'.';
            text.push(if placed { '(' } else { bracket });
            text += &style.painted(paint(point, fresh), &char::from(point).to_string());
            bracket = if placed { ')' } else { ' ' };
        }
        text += if bracket == ')' { ")\n" } else { "\n" };
    }
    text
}

fn paint(point: u8, fresh: bool) -> Paint {
    let paint = match point {
        b'X' => seat_style(0),
        b'O' => seat_style(1),
        _ => Paint::new().dimmed(),
    };
    if fresh { paint.invert() } else { paint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(board: Board, points: [i64; 2], end: End, seat: u8, wanted: &str) {
        let outcome = Outcome { places: vec![1, 2], points: points.to_vec(), territory: vec![0; 2], end };
        assert_eq!(board.victory(&outcome, Seat(seat)), wanted);
    }

    #[test]
    fn victories_are_told_in_the_words_of_the_game() {
        let go = Board::Stones { size: 9, komi_halves: 13 };
        check(Board::Arena, [312, 0], End::Played, 0, "fills the last spot and wins with 312 marks");
        check(Board::Arena, [1, 0], End::Forfeited, 0, "is the last one left and wins with 1 mark");
        check(go, [41, 40], End::Played, 1, "wins by 5.5: 41 against 40 and komi 6.5");
        check(go, [50, 31], End::Played, 0, "wins by 12.5: 50 against 31 and komi 6.5");
        check(go, [0, 0], End::Forfeited, 0, "wins, as the other forfeits");
        check(Board::Rounds, [-1, 1], End::Played, 1, "wins by 1 round");
    }

    #[test]
    fn a_go_board_has_letters_without_i_and_numbers_from_the_bottom() {
        let board = ".........\n".repeat(8) + "X.......O\n";
        let picture = stones(9, board.as_bytes(), None, Style::plain());
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(
            (lines[0], lines[1], lines[9]),
            ("    A B C D E F G H J", "  9 . . . . . . . . .", "  1 X . . . . . . . O")
        );
        assert_eq!(lines.len(), 10);
    }

    #[test]
    fn the_new_stone_is_in_brackets_and_fits_the_extent() {
        let board = Board::Stones { size: 5, komi_halves: 0 };
        let lines_of = |now: &str, before: &str| -> Vec<String> {
            let picture = board.picture(now.as_bytes(), Some(before.as_bytes()), b"XO", Style::plain());
            picture.lines().map(String::from).collect()
        };
        let check = |now: &str, before: &str, wanted: &str| assert_eq!(lines_of(now, before)[1], wanted);
        let rest = "\n.....".repeat(4) + "\n";
        check(&format!("X...O{rest}"), &format!("X....{rest}"), "  5 X . . .(O)");
        // The stone that was captured is no new one.
        check(&format!(".XO..{rest}"), &format!("O.O..{rest}"), "  5 .(X)O . .");
        let widest = lines_of(&format!("....X{rest}"), &format!(".....{rest}")).iter().map(String::len).max();
        assert_eq!(board.extent(), Some((6, widest.unwrap())));
    }
}
