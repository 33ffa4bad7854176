//! A human player, who is asked again until the move is legal, where a bot would forfeit.

use super::{Answer, Conduct, Fault, IdleCallback, Player, Spent, Turn};
use crate::sandbox::{Isolation, SandboxError};
use crate::text::Reason;
use cornerman::game::{Reply, Seat, Setup};
use std::io::{self, Write};
use std::time::Instant;

/// Turns a line that a human typed into the notation of a move, or says what is wrong with it.
pub type ParseMove = Box<dyn Fn(&str) -> Result<String, Reason>>;

/// A human at a terminal, or at anything else that lines can be read from and text written to.
pub struct Human<R, W> {
    parse: ParseMove,
    prompt: &'static str,
    marks: Vec<u8>,
    read_line: R,
    out: W,
}

impl<R: FnMut(&mut String) -> io::Result<usize>, W: Write> Human<R, W> {
    /// A human whose lines are read with `read_line` and interpreted by `parse`. Messages are written to `out`;
    /// `prompt` describes what a line looks like. Several humans may share one input, as none reads ahead.
    pub fn new(parse: ParseMove, prompt: &'static str, read_line: R, out: W) -> Human<R, W> {
        Human { parse, prompt, marks: Vec::new(), read_line, out }
    }

    /// Asks until the human types a legal move; `None` if they give up or the input ends.
    fn ask_move(&mut self, turn: &Turn) -> io::Result<Option<Reply>> {
        let mark =
            self.marks.get(turn.seat.index()).map_or(String::new(), |&mark| format!("{}, ", char::from(mark)));
        // The referee reports no boards of a game that hides something while a person plays.
        if turn.game.is_hidden() {
            self.out.write_all(crate::text::plain_lines(String::from_utf8_lossy(turn.view)).as_bytes())?;
        }
        loop {
            write!(self.out, "{mark}{}, your move ({}; `q` gives up): ", turn.seat, self.prompt)?;
            self.out.flush()?;
            let mut line = String::new();
            if (self.read_line)(&mut line)? == 0 || matches!(line.trim(), "q" | "quit") {
                writeln!(self.out)?;
                return Ok(None);
            }
            match (self.parse)(line.trim()).and_then(|typed| legal_move(turn, typed)) {
                Ok(notation) => return Ok(Some(Reply::Notation(notation))),
                Err(why) => writeln!(self.out, "{why}")?,
            }
        }
    }
}

/// The move that was typed, if it is legal, or else the only legal move that begins with it.
///
/// # Errors
/// Why it is illegal, with legal moves that begin with it.
fn legal_move(turn: &Turn, typed: String) -> Result<String, Reason> {
    /// The most moves that are listed.
    const LISTED: usize = 12;
    let Err(why) = turn.game.judge(turn.seat, &Reply::Notation(typed.clone())) else { return Ok(typed) };
    let mut legal = turn.game.legal(turn.seat);
    legal.retain(|notation| notation.starts_with(&typed));
    match &legal[..] {
        [] => Err(Reason(why.to_string())),
        [one] => Ok(one.clone()),
        several => {
            let listed = several[..several.len().min(LISTED)].join(", ");
            let more = if several.len() > LISTED { ", …" } else { "" };
            Err(format!("{why}; legal moves that begin so: {listed}{more}").into())
        }
    }
}

impl<R: FnMut(&mut String) -> io::Result<usize>, W: Write> Player for Human<R, W> {
    fn name(&self) -> &str {
        "human"
    }

    fn isolation(&self) -> Option<&Isolation> {
        None
    }

    fn shares_state_file(&self) -> bool {
        false
    }

    fn start(&mut self, setup: &Setup, _: Seat) -> Result<(), SandboxError> {
        self.marks = setup.marks.clone();
        Ok(())
    }

    fn ask_while(&mut self, turn: &Turn, _: IdleCallback) -> Result<Answer, SandboxError> {
        let began = Instant::now();
        // A terminal that cannot be read any more counts as giving up.
        let given = self.ask_move(turn).unwrap_or(None).ok_or(Fault::Resigned);
        let spent = Spent { wall: began.elapsed(), ..Spent::default() };
        Ok(Answer { reply: given, spent, remarks: Vec::new(), errors: Vec::new() })
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        Ok(Conduct::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{boxing, go, rps};
    use crate::kit::AnyKit;
    use crate::ruleset::Ruleset;
    use std::io::BufRead;

    /// Lets a human in `seat` of a game by `ruleset`, in which the other seats have made the moves `before`, type
    /// `typed`. Returns the move and what was printed.
    fn asked(
        ruleset: &Ruleset,
        board: &str,
        seat: u8,
        before: &[&str],
        typed: &str,
    ) -> (Result<Reply, Fault>, String) {
        let setup = Setup { seats: 2, board: board.into(), ..Setup::default() };
        let mut game = ruleset.open(&setup).unwrap();
        for reply in before {
            let other = game.to_act().without(Seat(seat)).iter().next().unwrap();
            game.play(other, &Reply::Notation(reply.to_string())).unwrap();
        }
        let mut input = typed.as_bytes();
        let mut printed = Vec::new();
        let by = ruleset.clone();
        let parse: ParseMove = Box::new(move |line| by.rules.parse_typed(line));
        let mut human = Human::new(
            parse,
            ruleset.kit().facts().prompt,
            |line: &mut String| input.read_line(line),
            &mut printed,
        );
        human.start(&setup, Seat(seat)).unwrap();
        let view = game.view(Seat(seat));
        let given = human.ask(&Turn { view: &view, game: &*game, seat: Seat(seat) }).unwrap().reply;
        (given, String::from_utf8(printed).unwrap())
    }

    #[track_caller]
    fn check(
        kit: &'static dyn AnyKit,
        board: &str,
        seat: u8,
        before: &[&str],
        typed: &str,
        wanted: Option<&str>,
    ) -> String {
        let (given, printed) = asked(&kit.default_ruleset(), board, seat, before, typed);
        assert_eq!(given, wanted.map(|text| Reply::Notation(text.to_string())).ok_or(Fault::Resigned));
        printed
    }

    #[test]
    fn a_human_is_asked_again_until_the_move_is_legal_and_may_give_up() {
        let arena = "-".repeat(31) + "o\n" + &("-".repeat(32) + "\n").repeat(15);
        let typed = "nonsense\n0 1 1\n16 1 2\n1 31 2\n 6, 7,2\n";
        let printed = check(&boxing::KIT, &arena, 0, &[], typed, Some("2x2 at row 6, column 7"));
        for message in [
            "expected three numbers from 1 up: row, column, size",
            "2x2 at row 16, column 1 is not wholly inside the arena, which has 16 rows and 32 columns",
            "row 1, column 32 is not vacant (B2)",
        ] {
            assert!(printed.contains(message), "{message}: {printed}");
        }
        check(&boxing::KIT, &arena, 0, &[], "nonsense\nq\n", None);
        check(&boxing::KIT, &arena, 0, &[], "", None);
    }

    #[test]
    fn an_illegal_move_is_explained_and_asked_for_again() {
        let printed = check(&go::KIT, "", 1, &["D4"], "d4\nD5\n", Some("D5"));
        assert!(printed.contains("D4") && printed.contains("(G6)"), "{printed}");
    }

    #[test]
    fn seats_that_act_at_the_same_time_are_judged_separately() {
        let printed = check(&rps::KIT, "", 0, &["2"], "3\nrock\n", Some("0"));
        assert!(printed.contains("expected rock, paper") && printed.contains("seat 1, your move"), "{printed}");
    }

    #[test]
    fn a_hand_may_be_typed_as_a_word_a_letter_or_a_number() {
        for (typed, number) in [("r", "0"), ("Paper", "1"), ("sc", "2"), ("S", "2"), ("1", "1")] {
            check(&rps::KIT, "", 0, &[], &format!("\n{typed}\n"), Some(number));
        }
    }
}
