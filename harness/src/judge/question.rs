//! Questions, written so that a judge without a JSON library can find what it needs: no white space outside texts,
//! fields in a fixed order, the state last, and few characters escaped. The state is as the judge wrote it.

use super::VERSION;
use cornerman::game::{Seat, Seats};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A question to a judge.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
#[schemars(rename = "QuestionSchema")]
pub enum Question<'a> {
    /// What is the game? Once a process, first.
    Hello {
        /// The highest version of the protocol that Cornerman speaks.
        judge: u32,
    },
    /// How does a game start?
    Start {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        #[schemars(with = "BTreeMap<String, Value>")]
        rules: &'a RawValue,
        /// The only source of chance, below 2 to the power of 53.
        seed: u64,
        /// A board that the organizer wrote; otherwise empty.
        board: &'a str,
        /// No seat.
        out: Vec<u8>,
    },
    /// What do these moves do?
    Move {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        #[schemars(with = "BTreeMap<String, Value>")]
        rules: &'a RawValue,
        /// The seats that act.
        turn: Vec<u8>,
        /// The answer of each of them; null for a forfeit.
        moves: Vec<Option<&'a str>>,
        /// Whether the moves are in notation instead of bots' answers.
        notation: bool,
        /// The seats that have forfeited, those of this question included.
        out: Vec<u8>,
        /// The state that the judge answered, byte for byte.
        #[schemars(with = "Value")]
        state: &'a RawValue,
    },
    /// Which moves are legal?
    Legal {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        #[schemars(with = "BTreeMap<String, Value>")]
        rules: &'a RawValue,
        /// The seats that act.
        turn: Vec<u8>,
        /// The seats that have forfeited.
        out: Vec<u8>,
        /// The seat whose moves are asked for.
        seat: u8,
        /// The state that the judge answered, byte for byte.
        #[schemars(with = "Value")]
        state: &'a RawValue,
    },
    /// What does the position look like?
    Picture {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        #[schemars(with = "BTreeMap<String, Value>")]
        rules: &'a RawValue,
        /// The seats that act; none if the game is over.
        turn: Vec<u8>,
        /// The seats that have forfeited.
        out: Vec<u8>,
        /// The state that the judge answered, byte for byte.
        #[schemars(with = "Value")]
        state: &'a RawValue,
    },
}

impl Question<'_> {
    /// The line that a judge reads, without its line feed.
    fn line(&self) -> String {
        let mut line = Vec::with_capacity(256);
        let mut writer = serde_json::Serializer::with_formatter(&mut line, LineFormatter);
        self.serialize(&mut writer).expect("all keys are texts");
        String::from_utf8(line).expect("JSON is text")
    }
}

/// Escapes in texts what must be escaped, and other control characters and ends of lines, which some languages obey.
struct LineFormatter;

impl Formatter for LineFormatter {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut written = 0;
        for (at, c) in
            text.char_indices().filter(|(_, c)| matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}'))
        {
            write!(out, "{}\\u{:04x}", &text[written..at], u32::from(c))?;
            written = at + c.len_utf8();
        }
        out.write_all(&text.as_bytes()[written..])
    }
}

/// The first question of each process.
pub fn hello() -> String {
    Question::Hello { judge: VERSION }.line()
}

/// Writes the questions of one game.
#[derive(Clone, Debug)]
pub struct Questions {
    seats: u8,
    /// Whether bots answer with all of their output.
    filter: bool,
    rules: Box<RawValue>,
}

/// What a question was about: its answer has to fit.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The number of seats.
    pub seats: u8,
    /// Whether bots answer with all of their output.
    pub filter: bool,
    /// The seats that act, in the question.
    pub turn: Seats,
    /// The seats that have forfeited, those included that forfeit by these moves.
    pub out: Seats,
    /// The moves that were asked about, parallel to `turn`; `None` for a forfeit. Empty at the start.
    pub moves: &'a [Option<String>],
}

/// A position, as questions bring it back.
#[derive(Clone, Copy, Debug)]
pub struct PositionRef<'a> {
    /// The seats that act.
    pub turn: Seats,
    /// The seats that have forfeited.
    pub out: Seats,
    /// The state, byte for byte.
    pub state: &'a str,
}

impl Questions {
    /// The questions of a game of `seats`, with the values of the `rules` as a JSON object. With `filter`, bots answer
    /// with all of their output.
    pub fn new(seats: u8, filter: bool, rules: &str) -> Questions {
        Questions { seats, filter, rules: json(rules).to_owned() }
    }

    /// How does a game start?
    pub fn start(&self, seed: u64, board: &str) -> (String, Asked<'static>) {
        let Questions { seats, filter, ref rules } = *self;
        let question = Question::Start { seats, rules, seed, board, out: Vec::new() }.line();
        (question, Asked { seats, filter, turn: Seats::NONE, out: Seats::NONE, moves: &[] })
    }

    /// What do these `moves` do, one for each seat that acts; `None` for a forfeit?
    pub fn moves<'a>(&self, at: PositionRef, moves: &'a [Option<String>], notation: bool) -> (String, Asked<'a>) {
        let Questions { seats, filter, ref rules } = *self;
        let at = PositionRef { out: at.out_after(moves), ..at };
        let (turn, out, state) = at.parts();
        let texts = moves.iter().map(Option::as_deref).collect();
        let question = Question::Move { seats, rules, turn, moves: texts, notation, out, state }.line();
        (question, Asked { seats, filter, turn: at.turn, out: at.out, moves })
    }

    /// Which moves can `seat` make?
    pub fn legal(&self, at: PositionRef, seat: Seat) -> String {
        let (turn, out, state) = at.parts();
        Question::Legal { seats: self.seats, rules: &self.rules, turn, out, seat: seat.0, state }.line()
    }

    /// What does the position look like?
    pub fn picture(&self, at: PositionRef) -> String {
        let (turn, out, state) = at.parts();
        Question::Picture { seats: self.seats, rules: &self.rules, turn, out, state }.line()
    }
}

impl<'a> PositionRef<'a> {
    /// The seats that have forfeited once those that act have made these moves.
    pub fn out_after(&self, moves: &[Option<String>]) -> Seats {
        let forfeits = self.turn.iter().zip(moves).filter(|(_, text)| text.is_none());
        forfeits.fold(self.out, |out, (seat, _)| out.with(seat))
    }

    /// The seats that act, those that are out, and the state, as questions have them.
    fn parts(self) -> (Vec<u8>, Vec<u8>, &'a RawValue) {
        let numbers = |seats: Seats| seats.iter().map(|seat| seat.0).collect();
        (numbers(self.turn), numbers(self.out), json(self.state))
    }
}

/// A text of a judge, or of this program, that was read as JSON before.
fn json(text: &str) -> &RawValue {
    serde_json::from_str(text).expect("it is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_lines_with_only_what_must_be_escaped() {
        let questions = Questions::new(3, false, "{\"n\":1}");
        let turn = Seats::only(Seat(1)).with(Seat(2));
        let at = PositionRef { turn, out: Seats::only(Seat(0)), state: "[ 1]" };
        let check = |question: String, wanted: &str| assert_eq!(question, wanted);
        check(hello(), r#"{"ask":"hello","judge":1}"#);
        let begin = r#""seats":3,"rules":{"n":1}"#;
        check(
            questions.start(7, "a \"b\" \\\n\r\t\u{8}\u{c}\u{1}é/\u{7f}\u{85}\u{a0}\u{2028}").0,
            &format!(
                "{{\"ask\":\"start\",{begin},\"seed\":7,\"board\":\"a \\\"b\\\" \\\\\\n\\r\\t\\b\\f\\u0001é/\\u007f\\u0085\u{a0}\\u2028\",\"out\":[]}}"
            ),
        );
        check(
            questions.moves(at, &[Some("a".to_string()), None], true).0,
            &format!(
                r#"{{"ask":"move",{begin},"turn":[1,2],"moves":["a",null],"notation":true,"out":[0,2],"state":[ 1]}}"#
            ),
        );
        check(
            questions.legal(at, Seat(1)),
            &format!(r#"{{"ask":"legal",{begin},"turn":[1,2],"out":[0],"seat":1,"state":[ 1]}}"#),
        );
        check(
            questions.picture(at),
            &format!(r#"{{"ask":"picture",{begin},"turn":[1,2],"out":[0],"state":[ 1]}}"#),
        );
    }
}
