//! Questions, written so that a judge without a JSON library can find what it needs: no white space outside texts, fields
//! in a fixed order, the state last, and as few characters escaped as possible.

use super::VERSION;
use cornerman::game::{Seat, Seats};

/// The first question of each process.
pub fn hello() -> String {
    format!("{{\"ask\":\"hello\",\"judge\":{VERSION}}}")
}

/// Writes the questions of one game.
#[derive(Clone, Debug)]
pub struct Questions {
    /// The fields `seats` and `rules`, which are in all of them.
    common: String,
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
    /// The questions of a game of `seats`, with the values of the `rules` as a JSON object.
    pub fn new(seats: u8, rules: &str) -> Questions {
        Questions { common: format!("\"seats\":{seats},\"rules\":{rules}") }
    }

    /// How does a game start?
    pub fn start(&self, seed: u64, board: &str) -> String {
        let mut question = format!("{{\"ask\":\"start\",{},\"seed\":{seed},\"board\":", self.common);
        push_text(&mut question, board);
        question + ",\"out\":[]}"
    }

    /// What do these `moves` do, one for each seat that acts; `None` for a forfeit?
    pub fn moves<'a>(
        &self,
        at: PositionRef,
        moves: impl Iterator<Item = Option<&'a str>>,
        notation: bool,
        more: &str,
    ) -> String {
        let mut question = String::with_capacity(self.common.len() + at.state.len() + 128);
        self.begin(&mut question, "move", at.turn);
        question.push_str(",\"moves\":[");
        for (index, played) in moves.enumerate() {
            if index > 0 {
                question.push(',');
            }
            match played {
                Some(text) => push_text(&mut question, text),
                None => question.push_str("null"),
            }
        }
        question.push_str(if notation { "],\"notation\":true" } else { "],\"notation\":false" });
        question.push_str(more);
        end(&mut question, at);
        question
    }

    /// Which moves can `seat` make?
    pub fn legal(&self, at: PositionRef, seat: Seat) -> String {
        let mut question = String::new();
        self.begin(&mut question, "legal", at.turn);
        question.push_str(",\"out\":");
        push_seats(&mut question, at.out);
        question.push_str(&format!(",\"seat\":{},\"state\":{}}}", seat.0, at.state));
        question
    }

    /// What does the position look like?
    pub fn picture(&self, at: PositionRef) -> String {
        let mut question = String::new();
        self.begin(&mut question, "picture", at.turn);
        end(&mut question, at);
        question
    }

    fn begin(&self, question: &mut String, ask: &str, turn: Seats) {
        question.push_str("{\"ask\":\"");
        question.push_str(ask);
        question.push_str("\",");
        question.push_str(&self.common);
        question.push_str(",\"turn\":");
        push_seats(question, turn);
    }
}

fn end(question: &mut String, at: PositionRef) {
    question.push_str(",\"out\":");
    push_seats(question, at.out);
    question.push_str(",\"state\":");
    question.push_str(at.state);
    question.push('}');
}

fn push_seats(question: &mut String, seats: Seats) {
    question.push('[');
    for (index, seat) in seats.iter().enumerate() {
        if index > 0 {
            question.push(',');
        }
        question.push(char::from(b'0' + seat.0));
    }
    question.push(']');
}

/// Appends `text` as a JSON text, in which only what must be is escaped, and what some language takes for the end of a
/// line.
pub fn push_text(question: &mut String, text: &str) {
    question.push('"');
    for c in text.chars() {
        match c {
            '"' => question.push_str("\\\""),
            '\\' => question.push_str("\\\\"),
            '\u{8}' => question.push_str("\\b"),
            '\u{c}' => question.push_str("\\f"),
            '\n' => question.push_str("\\n"),
            '\r' => question.push_str("\\r"),
            '\t' => question.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                question.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => question.push(c),
        }
    }
    question.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_must_be_is_escaped() {
        for (text, written) in [
            ("a \"b\" \\", r#""a \"b\" \\""#),
            ("\n\r\t\u{8}\u{c}\u{1}", r#""\n\r\t\b\f\u0001""#),
            ("é/\u{7f}\u{85}\u{a0}\u{2028}", "\"é/\\u007f\\u0085\u{a0}\\u2028\""),
        ] {
            let mut question = String::new();
            push_text(&mut question, text);
            assert_eq!(question, written);
            assert_eq!(serde_json::from_str::<String>(&question).unwrap(), text);
        }
    }
}
