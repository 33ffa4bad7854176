//! A human in a seat: asked for row, column and size until the move is a legal one.

use super::{Answer, Conduct, Fault, Idle, Player, Spent};
use crate::sandbox::{Isolation, SandboxError};
use cornerman::game::{Seat, Setup, Spot};
use cornerman::games::boxing::{Arena, HEIGHT, Square, Vacancy, WIDTH};
use std::io::{self, Write};
use std::time::Instant;

/// A human at a terminal, or at anything that gives lines and takes words.
pub struct Human<R, W> {
    mark: u8,
    max_square: u8,
    read_line: R,
    words: W,
}

impl<R: FnMut(&mut String) -> io::Result<usize>, W: Write> Human<R, W> {
    /// A human who plays with `mark`, whose lines `read_line` appends, and who is spoken to through `words`.
    /// Squares have sides up to `max_square`. Several humans may share one input: none reads ahead.
    pub fn new(mark: u8, max_square: u8, read_line: R, words: W) -> Human<R, W> {
        Human { mark, max_square, read_line, words }
    }

    /// The square meant by the human; `None` when they give up or their input ends.
    fn ask_square(&mut self, vacant: Vacancy) -> io::Result<Option<Square>> {
        let mark = char::from(self.mark);
        loop {
            write!(self.words, "{mark} to move: row, column and size (such as `3 5 4`; `q` gives up): ")?;
            self.words.flush()?;
            let mut line = String::new();
            if (self.read_line)(&mut line)? == 0 || matches!(line.trim(), "q" | "quit") {
                writeln!(self.words)?;
                return Ok(None);
            }
            match read_square(&line, vacant, self.max_square) {
                Ok(square) => return Ok(Some(square)),
                Err(why) => writeln!(self.words, "{why}")?,
            }
        }
    }
}

/// The square that a line such as `3 5 4` means: row, column and size, counted from 1.
fn read_square(line: &str, vacant: Vacancy, max_square: u8) -> Result<Square, String> {
    let words = line.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    let numbers: Option<Vec<u8>> = words.map(|word| word.parse().ok().filter(|&n| n > 0)).collect();
    let Some(&[row, col, size]) = numbers.as_deref() else {
        return Err("three numbers from 1 up are needed: row, column, size".to_string());
    };
    let square = Square { row: row - 1, col: col - 1, size };
    if size > max_square {
        return Err(format!("squares have sides of at most {max_square}"));
    }
    if !square.in_arena() {
        return Err(format!(
            "{square} is not wholly inside the arena, which has {HEIGHT} rows and {WIDTH} columns"
        ));
    }
    let taken: Option<Spot> = square.spots().find(|&spot| !vacant.contains(spot));
    taken.map_or(Ok(square), |spot| Err(format!("{spot} is not vacant")))
}

impl<R: FnMut(&mut String) -> io::Result<usize>, W: Write> Player for Human<R, W> {
    fn name(&self) -> &str {
        "human"
    }

    fn isolation(&self) -> Option<&Isolation> {
        None
    }

    fn start(&mut self, _setup: &Setup, _seat: Seat) -> Result<(), SandboxError> {
        Ok(())
    }

    fn ask_while(&mut self, view: &[u8], _: Idle) -> Result<Answer, SandboxError> {
        let began = Instant::now();
        let mut arena = Arena::parse(view).map_err(|wrong| SandboxError::Failed(wrong.detail))?;
        // A terminal that is gone is a human who left.
        let square = self.ask_square(arena.vacancy()).unwrap_or(None);
        let given = square.ok_or(Fault::Resigned).map(|square| {
            arena.fill(square, self.mark);
            arena.to_bytes().to_vec()
        });
        let spent = Spent { wall: began.elapsed(), ..Spent::default() };
        Ok(Answer { given, spent, remarks: Vec::new(), errors: Vec::new() })
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        Ok(Conduct::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufRead;

    fn check(line: &str, wanted: Result<(u8, u8, u8), &str>) {
        let mut vacant = Vacancy::ALL;
        vacant = vacant.without(Square { row: 4, col: 4, size: 1 });
        let wanted = wanted.map(|(row, col, size)| Square { row, col, size }).map_err(str::to_string);
        assert_eq!(read_square(line, vacant, 8), wanted);
    }

    #[test]
    fn lines_are_read_as_row_column_size() {
        check("3 5 4\n", Err("row 5, column 5 is not vacant"));
        check("1 1 4\n", Ok((0, 0, 4)));
        check("6, 7,2", Ok((5, 6, 2)));
        check("0 1 1", Err("three numbers from 1 up are needed: row, column, size"));
        check("a b c", Err("three numbers from 1 up are needed: row, column, size"));
        check("1 1 9", Err("squares have sides of at most 8"));
        check(
            "16 1 2",
            Err("2x2 at row 16, column 1 is not wholly inside the arena, which has 16 rows and 32 columns"),
        );
    }

    #[test]
    fn a_human_is_asked_again_until_the_move_is_legal_and_may_give_up() {
        let mut said = Vec::new();
        let mut input = &b"nonsense\n1 1 2\nq\n"[..];
        let mut human = Human::new(b'A', 16, |line: &mut String| input.read_line(line), &mut said);
        let view = Arena::open().to_bytes();
        let answer = human.ask(&view).unwrap().given.unwrap();
        assert_eq!(Arena::parse(&answer).unwrap().count(b'A'), 4);
        assert_eq!(human.ask(&view).unwrap().given, Err(Fault::Resigned));
        assert!(String::from_utf8(said).unwrap().contains("three numbers"));
    }
}
