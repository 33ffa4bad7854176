//! The questions and the answer to `hello` as types, for their JSON Schemas. (The types that read the other answers have
//! theirs themselves.)

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A question to a judge.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
pub enum QuestionSchema {
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
        rules: BTreeMap<String, Value>,
        /// The only source of chance, below 2 to the power of 53.
        seed: u64,
        /// A board that the organizer wrote; otherwise empty.
        board: String,
        /// No seat.
        out: Vec<u8>,
    },
    /// What do these moves do?
    Move {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        rules: BTreeMap<String, Value>,
        /// The seats that act.
        turn: Vec<u8>,
        /// The answer of each of them; null for a forfeit.
        moves: Vec<Option<String>>,
        /// Whether the moves are in notation instead of bots' answers.
        notation: bool,
        /// The seats that have forfeited, those of this question included.
        out: Vec<u8>,
        /// The state that the judge answered, byte for byte.
        state: Value,
    },
    /// Which moves are legal?
    Legal {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        rules: BTreeMap<String, Value>,
        /// The seats that act.
        turn: Vec<u8>,
        /// The seats that have forfeited.
        out: Vec<u8>,
        /// The seat whose moves are asked for.
        seat: u8,
        /// The state that the judge answered, byte for byte.
        state: Value,
    },
    /// What does the position look like?
    Picture {
        /// The number of seats of this game.
        seats: u8,
        /// A value for each rule that the judge declares.
        rules: BTreeMap<String, Value>,
        /// The seats that act; none if the game is over.
        turn: Vec<u8>,
        /// The seats that have forfeited.
        out: Vec<u8>,
        /// The state that the judge answered, byte for byte.
        state: Value,
    },
}

/// The answer to `hello`. What is left out has its default.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HelloSchema {
    /// The version of the protocol that the judge speaks: 1.
    pub judge: u32,
    /// The game's id: small letters, digits and hyphens, at most 32.
    pub game: String,
    /// Its name for people; by default its id.
    pub title: Option<String>,
    /// The fewest and the most seats, from 1 to 8; by default two.
    pub seats: Option<[u8; 2]>,
    /// `lines` (the default) or `filter`.
    pub protocol: Option<ProtocolSchema>,
    /// A printable ASCII character for each seat.
    pub marks: Option<String>,
    /// What an organizer may set.
    pub rules: Option<BTreeMap<String, RuleSchema>>,
    /// Whether it answers `legal`.
    pub legal: Option<bool>,
    /// Whether it answers `picture`.
    pub picture: Option<bool>,
    /// Whether it can start from a board that an organizer writes.
    pub boards: Option<bool>,
    /// Whether games differ by seed; by default they do.
    pub seeded: Option<bool>,
    /// Whether answers, views and boards are bytes.
    pub bytes: Option<bool>,
    /// The most `move` questions until every game is over; by default 10000.
    pub longest: Option<u32>,
    /// What a person is asked for.
    pub prompt: Option<String>,
    /// The word for one point.
    pub unit: Option<String>,
}

/// How bots take part.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolSchema {
    /// One process a game, which answers with lines.
    Lines,
    /// A process a move, all of whose output is the answer.
    Filter,
}

/// A rule that an organizer may set.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleSchema {
    /// Its value if it is not set.
    pub default: Value,
    /// The least number.
    pub min: Option<f64>,
    /// The greatest number.
    pub max: Option<f64>,
    /// The values that it may have.
    pub choices: Option<Vec<Value>>,
    /// `int`, `number`, `bool` or `text`; by default that of `default`.
    pub kind: Option<RuleKindSchema>,
    /// What it means.
    pub about: Option<String>,
}

/// The type of a rule's values.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleKindSchema {
    /// Whole numbers.
    Int,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Bool,
    /// Texts.
    Text,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::hello::{FIELDS, RULE_FIELDS};
    use crate::judge::question::{PositionRef, Questions, hello};
    use cornerman::game::{Seat, Seats};
    use schemars::schema_for;
    use std::collections::BTreeSet;

    #[test]
    fn questions_are_as_their_schema_says() {
        let questions = Questions::new(3, "{\"n\":1}");
        let at = PositionRef { turn: Seats::NONE.with(Seat(1)), out: Seats::NONE.with(Seat(0)), state: "[1]" };
        for question in [
            hello(),
            questions.start(7, "a board"),
            questions.moves(at, [Some("a"), None].into_iter(), true, ""),
            questions.legal(at, Seat(1)),
            questions.picture(at),
        ] {
            serde_json::from_str::<QuestionSchema>(&question).unwrap_or_else(|why| panic!("{question}: {why}"));
        }
    }

    #[test]
    fn the_schemas_have_the_fields_that_are_read() {
        let names = |schema: schemars::Schema| -> BTreeSet<String> {
            schema.as_value()["properties"].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(names(schema_for!(HelloSchema)), FIELDS.map(str::to_string).into());
        assert_eq!(names(schema_for!(RuleSchema)), RULE_FIELDS.map(str::to_string).into());
    }
}
