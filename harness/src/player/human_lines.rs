//! A human in a seat of a game of lines: asked until the answer is a legal one.

use super::{Answer, Conduct, Fault, Idle, Player, Spent};
use crate::sandbox::{Isolation, SandboxError};
use cornerman::game::{Seat, Setup, LiveGame};
use std::io::{self, Write};
use std::time::Instant;

/// A human at a terminal, or at anything that gives lines and takes words. A table of its own follows the game, so
/// that a slip is told and asked for again, where a bot would forfeit.
pub struct HumanLines<R, W> {
    open: Box<dyn Fn() -> Box<dyn LiveGame>>,
    table: Box<dyn LiveGame>,
    seat: Seat,
    example: &'static str,
    read_line: R,
    words: W,
}

impl<R: FnMut(&mut String) -> io::Result<usize>, W: Write> HumanLines<R, W> {
    /// A human whose game `open` sets up, whose lines `read_line` appends, and who is spoken to through `words`;
    /// `example` shows what an answer looks like. Several humans may share one input: none reads ahead.
    pub fn new(
        open: Box<dyn Fn() -> Box<dyn LiveGame>>,
        example: &'static str,
        read_line: R,
        words: W,
    ) -> HumanLines<R, W> {
        HumanLines { table: open(), open, seat: Seat(0), example, read_line, words }
    }

    /// A legal answer; `None` when they give up or their input ends.
    fn ask_answer(&mut self) -> io::Result<Option<String>> {
        loop {
            write!(self.words, "{}, your move ({}; `q` gives up): ", self.seat, self.example)?;
            self.words.flush()?;
            let mut line = String::new();
            if (self.read_line)(&mut line)? == 0 || matches!(line.trim(), "q" | "quit") {
                writeln!(self.words)?;
                return Ok(None);
            }
            let answer = line.trim();
            match self.table.answer(self.seat, answer.as_bytes()) {
                Ok(_) => return Ok(Some(answer.to_string())),
                Err(violation) => writeln!(self.words, "{violation}")?,
            }
        }
    }

    /// Takes over what the other seats did since this one was asked last.
    fn follow(&mut self, view: &[u8]) {
        // What comes before anybody has acted is no move: a seed, a number of rounds (R4).
        let others = self.table.to_act().without(self.seat);
        if let Some(other) = others.iter().next().filter(|_| !self.table.to_act().contains(self.seat)) {
            // The referee has judged it already.
            self.table.answer(other, view.trim_ascii_end()).ok();
        }
    }
}

impl<R: FnMut(&mut String) -> io::Result<usize>, W: Write> Player for HumanLines<R, W> {
    fn name(&self) -> &str {
        "human"
    }

    fn isolation(&self) -> Option<&Isolation> {
        None
    }

    fn start(&mut self, _setup: &Setup, seat: Seat) -> Result<(), SandboxError> {
        (self.table, self.seat) = ((self.open)(), seat);
        Ok(())
    }

    fn ask_while(&mut self, view: &[u8], _: Idle) -> Result<Answer, SandboxError> {
        let began = Instant::now();
        self.follow(view);
        // A terminal that is gone is a human who left.
        let answer = self.ask_answer().unwrap_or(None);
        let given = answer.map(String::into_bytes).ok_or(Fault::Resigned);
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
    use crate::ruleset::Ruleset;
    use std::io::BufRead;
    use std::path::Path;

    /// A human in `seat` types `typed`, asked once for each of `views`: the answers, and what was said.
    fn asked(ruleset: &str, seat: u8, typed: &str, views: &[&str]) -> (Vec<Result<String, Fault>>, String) {
        let ruleset = Ruleset::find(ruleset, Path::new("")).unwrap();
        let setup = Setup { seats: 2, ..Setup::default() };
        let table = setup.clone();
        let open = Box::new(move || ruleset.open(&table).unwrap());
        let (mut input, mut said) = (typed.as_bytes(), Vec::new());
        let mut human = HumanLines::new(open, "such as `x`", |line: &mut String| input.read_line(line), &mut said);
        human.start(&setup, Seat(seat)).unwrap();
        let given = |view: &&str| human.ask(view.as_bytes()).unwrap().given;
        let answers: Vec<_> =
            views.iter().map(given).map(|given| given.map(|g| String::from_utf8(g).unwrap())).collect();
        (answers, String::from_utf8(said).unwrap())
    }

    #[test]
    fn a_slip_is_told_and_asked_for_again() {
        let (answers, said) = asked("go-9x9", 1, "d4\nD5\n", &["D4\n"]);
        assert_eq!(answers, [Ok("D5".to_string())]);
        assert!(said.contains("D4") && said.contains("(G6)"), "{said}");
    }

    #[test]
    fn seats_that_act_at_once_are_followed() {
        let views = ["7\n50\n", "2\n", "0\n"];
        let (answers, said) = asked("rps-published", 0, "rock\n0\n1\nq\n", &views);
        assert_eq!(answers, [Ok("0".to_string()), Ok("1".to_string()), Err(Fault::Resigned)]);
        assert!(said.contains("(R6)"), "{said}");
    }
}
