//! What a judge says of its game, in its answer to `hello`. The JSON Schema is made from the same types.

use super::failure::JudgeFault;
use super::{MAX_WORDS, VERSION};
use crate::text::Reason;
use crate::toml_file::Within;
use cornerman::game::MAX_SEATS;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// The answer to `hello`. What is left out has its default.
// The comments on the fields are the descriptions in the JSON Schema, unless an attribute has another one.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(rename = "HelloSchema", deny_unknown_fields)]
pub struct JudgeHello {
    /// The version of the protocol that the judge speaks: 1.
    pub judge: u32,
    /// The game's id: small letters, digits and hyphens, at most 32.
    pub game: String,
    /// Its name for people; by default its id.
    #[schemars(with = "Option<String>")]
    pub title: String,
    /// The fewest and the most seats, from 1 to 8; by default two.
    #[schemars(with = "Option<[u8; 2]>")]
    pub seats: (u8, u8),
    /// Whether a bot is one process a move and answers with all of its output, or one process a game that answers in
    /// lines.
    #[schemars(rename = "protocol", with = "Option<ProtocolSchema>")]
    #[schemars(description = "`lines` (the default) or `filter`.")]
    pub filter: bool,
    /// A printable ASCII character for each seat.
    #[schemars(with = "Option<String>")]
    pub marks: Vec<u8>,
    /// What an organizer may set.
    #[schemars(with = "Option<BTreeMap<String, JudgeRule>>")]
    pub rules: Vec<JudgeRule>,
    /// Whether it answers `legal`.
    #[schemars(with = "Option<bool>")]
    pub legal: bool,
    /// Whether it answers `picture`.
    #[schemars(with = "Option<bool>")]
    pub picture: bool,
    /// Whether it can start from a board that an organizer writes.
    #[schemars(with = "Option<bool>")]
    pub boards: bool,
    /// Whether games differ by seed; by default they do.
    #[schemars(with = "Option<bool>")]
    pub seeded: bool,
    /// Whether answers, views and boards are bytes.
    #[schemars(with = "Option<bool>")]
    pub bytes: bool,
    /// The most `move` questions until every game is over; by default 10000.
    #[schemars(with = "Option<u32>")]
    pub longest: u32,
    /// What a person is asked for.
    #[schemars(with = "Option<String>")]
    pub prompt: String,
    /// The word for one point.
    #[schemars(with = "Option<String>")]
    pub unit: String,
}

/// How bots take part.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "only the JSON Schema has it")]
enum ProtocolSchema {
    /// One process a game, which answers with lines.
    Lines,
    /// A process a move, all of whose output is the answer.
    Filter,
}

/// A rule that an organizer may set.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(rename = "RuleSchema", deny_unknown_fields)]
pub struct JudgeRule {
    /// Its key in `[rules]`.
    #[schemars(skip)]
    pub name: String,
    /// Its value if it is not set.
    pub default: Value,
    /// The least number.
    #[schemars(with = "Option<f64>")]
    pub min: Option<Value>,
    /// The greatest number.
    #[schemars(with = "Option<f64>")]
    pub max: Option<Value>,
    /// The values that it may have.
    pub choices: Option<Vec<Value>>,
    /// `int`, `number`, `bool` or `text`; by default that of `default`.
    #[schemars(with = "Option<RuleKind>")]
    pub kind: RuleKind,
    /// What it means.
    #[schemars(with = "Option<String>")]
    pub about: String,
}

/// The type of a rule's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RuleKindSchema")]
pub enum RuleKind {
    /// Whole numbers.
    Int,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Bool,
    /// Texts.
    Text,
}

/// The most rules.
const MAX_RULES: usize = 64;
/// The most bytes of a text that is the value of a rule.
const MAX_RULE_TEXT: usize = 1000;
/// The most characters of an id or of the name of a rule.
const MAX_NAME: usize = 32;
/// The greatest `longest`, which is the most `move` questions of a game, and its default.
const MOST_LONGEST: u64 = 1_000_000;
const USUAL_LONGEST: u64 = 10_000;

/// The fields of questions: no rule may have their names, because a judge without a JSON library searches for them.
const QUESTION_FIELDS: [&str; 12] =
    ["ask", "judge", "seats", "rules", "seed", "board", "turn", "moves", "notation", "out", "seat", "state"];

/// The fields of the answer.
const FIELDS: [&str; 15] = [
    "judge", "game", "title", "seats", "protocol", "marks", "rules", "legal", "picture", "boards", "seeded",
    "bytes", "longest", "prompt", "unit",
];

impl JudgeHello {
    /// Reads the answer `line`.
    pub fn parse(line: &[u8]) -> Result<JudgeHello, JudgeFault> {
        let fields: Fields = super::answer::parsed(line)?;
        for (at, (name, _)) in fields.0.iter().enumerate() {
            if !FIELDS.contains(&name.as_str()) {
                let hint = crate::nearest::did_you_mean(name, FIELDS);
                return Err(JudgeFault::new("JD-FIELD", format!("`hello` has no field `{name}`{hint}")));
            }
            if fields.0[..at].iter().any(|(other, _)| other == name) {
                return Err(wrong(format!("`{name}` is there twice")));
            }
        }
        let version =
            fields.get("judge").ok_or_else(|| wrong("`judge`, the version that it speaks, is missing"))?;
        if version.as_u64() != Some(u64::from(VERSION)) {
            return Err(wrong(format!("`judge` is {version}, but the version to be spoken is {VERSION}")));
        }
        let game = fields.text("game")?.ok_or_else(|| wrong("`game`, the id of the game, is missing"))?;
        if !is_game_id(&game) {
            let expected = "small letters, digits and hyphens, beginning with a letter, at most 32 characters";
            return Err(wrong(format!("`game` is `{game}`; expected {expected}")));
        }
        let seats = fields.seats()?;
        let filter = match fields.text("protocol")?.as_deref() {
            None | Some("lines") => false,
            Some("filter") => true,
            Some(other) => return Err(wrong(format!("`protocol` is `{other}`; expected `lines` or `filter`"))),
        };
        let marks = fields.marks(seats.1)?;
        let longest: Option<Within<1, MOST_LONGEST>> = fields.read("longest", &format!("1 to {MOST_LONGEST}"))?;
        Ok(JudgeHello {
            judge: VERSION,
            title: fields.words("title")?.unwrap_or_else(|| game.clone()),
            prompt: fields.words("prompt")?.unwrap_or_else(|| "move".to_string()),
            unit: fields.words("unit")?.unwrap_or_else(|| "point".to_string()),
            game,
            seats,
            filter,
            marks,
            rules: fields.get("rules").map(rules).transpose()?.unwrap_or_default(),
            legal: fields.flag("legal", false)?,
            picture: fields.flag("picture", false)?,
            boards: fields.flag("boards", false)?,
            seeded: fields.flag("seeded", true)?,
            bytes: fields.flag("bytes", false)?,
            longest: longest.map_or(USUAL_LONGEST, |longest| longest.0) as u32,
        })
    }
}

fn wrong(what: impl Into<String>) -> JudgeFault {
    JudgeFault::new("JD-HELLO", what)
}

/// The fields of the answer in order, also those that are there twice.
struct Fields(Vec<(String, Value)>);

impl Fields {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The value of the field `name`, if it is there; `expected` says what it must be.
    fn read<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<Option<T>, JudgeFault> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let read = T::deserialize(value).map(Some);
        read.map_err(|_| wrong(format!("`{name}` is {value}; expected {expected}")))
    }

    fn text(&self, name: &str) -> Result<Option<String>, JudgeFault> {
        self.read(name, "a text")
    }

    /// A text for people, which is one line and not empty.
    fn words(&self, name: &str) -> Result<Option<String>, JudgeFault> {
        let words = self.text(name)?;
        let is_wrong = |words: &String| {
            words.trim().is_empty() || words.len() > MAX_WORDS || words.contains(char::is_control)
        };
        if words.as_ref().is_some_and(is_wrong) {
            return Err(wrong(format!(
                "`{name}` must be one line of 1 to {MAX_WORDS} bytes, without control characters"
            )));
        }
        Ok(words)
    }

    /// The fewest and the most seats.
    fn seats(&self) -> Result<(u8, u8), JudgeFault> {
        let bounds: Option<[Value; 2]> = self.read("seats", "a list of two numbers: [fewest, most]")?;
        let Some([least, most]) = bounds else { return Ok((2, 2)) };
        match (least.as_u64(), most.as_u64()) {
            (Some(least), Some(most)) if (1..=most).contains(&least) && most <= u64::from(MAX_SEATS) => {
                Ok((least as u8, most as u8))
            }
            _ => {
                let expected = format!("expected [fewest, most], from 1 to {MAX_SEATS}");
                Err(wrong(format!("`seats` is [{least},{most}]; {expected}")))
            }
        }
    }

    /// A mark for each of this number of `seats`.
    fn marks(&self, seats: u8) -> Result<Vec<u8>, JudgeFault> {
        let mut marks = self.text("marks")?.unwrap_or_else(|| "ABCDEFGH".to_string()).into_bytes();
        let is_mark = |at: usize| marks[at].is_ascii_graphic() && !marks[..at].contains(&marks[at]);
        if marks.len() < usize::from(seats) || !(0..marks.len()).all(is_mark) {
            let what =
                format!("`marks` must have a printable ASCII character for each of {seats} seats, all different");
            return Err(wrong(what));
        }
        marks.truncate(usize::from(seats));
        Ok(marks)
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, JudgeFault> {
        Ok(self.read(name, "true or false")?.unwrap_or(default))
    }
}

/// Whether `name` can be the id of a game.
pub fn is_game_id(name: &str) -> bool {
    is_name(name, '-')
}

/// Whether `name` is `[a-z][a-z0-9-]*`, with `joint` in place of the hyphen, of at most 32 characters.
pub(super) fn is_name(name: &str, joint: char) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == joint;
    name.len() <= MAX_NAME && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(allowed)
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fields, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Object)
    }
}

/// Reads the declarations of the rules.
fn rules(value: &Value) -> Result<Vec<JudgeRule>, JudgeFault> {
    let Value::Object(rules) = value else {
        return Err(JudgeFault::new("JD-RULES", "`rules` must be an object with an object for each rule"));
    };
    if rules.len() > MAX_RULES {
        return Err(JudgeFault::new(
            "JD-RULES",
            format!("{} rules, but at most {MAX_RULES} are allowed", rules.len()),
        ));
    }
    let read = |(name, declared): (&String, &Value)| {
        rule(name, declared).map_err(|why| JudgeFault::new("JD-RULES", format!("rule `{name}`: {why}")))
    };
    rules.iter().map(read).collect()
}

/// The fields of the declaration of a rule.
const RULE_FIELDS: [&str; 6] = ["default", "min", "max", "choices", "kind", "about"];

fn rule(name: &str, declared: &Value) -> Result<JudgeRule, Reason> {
    if !is_name(name, '_') {
        return Err(
            "its name must be small letters, digits and underscores, at most 32, beginning with a letter".into()
        );
    }
    if QUESTION_FIELDS.contains(&name) {
        return Err("it has the name of a field of a question".into());
    }
    let Value::Object(declared) = declared else { return Err("it must be an object with a `default`".into()) };
    if let Some(key) = declared.keys().find(|key| !RULE_FIELDS.contains(&key.as_str())) {
        let hint = crate::nearest::did_you_mean(key, RULE_FIELDS);
        return Err(format!("it has no field `{key}`{hint}").into());
    }
    let default = declared.get("default").ok_or("`default` is missing")?.clone();
    let kind = kind(declared, &default)?;
    let rule = JudgeRule {
        name: name.to_string(),
        min: declared.get("min").cloned(),
        max: declared.get("max").cloned(),
        choices: match declared.get("choices") {
            None => None,
            Some(Value::Array(choices)) if !choices.is_empty() => Some(choices.clone()),
            Some(_) => return Err("`choices` must be a list of at least one value".into()),
        },
        about: match declared.get("about") {
            None => String::new(),
            Some(Value::String(about)) if about.len() <= MAX_WORDS && !about.contains(char::is_control) => {
                about.clone()
            }
            Some(_) => {
                return Err(format!(
                    "`about` must be one line of at most {MAX_WORDS} bytes, without control characters"
                )
                .into());
            }
        },
        kind,
        default,
    };
    for bound in [&rule.min, &rule.max].into_iter().flatten() {
        if !matches!(kind, RuleKind::Int | RuleKind::Number) || !kind.has(bound) {
            return Err(format!("{bound} is not a bound of {}", kind.in_words()).into());
        }
    }
    if let Some(choice) = rule.choices.iter().flatten().find(|choice| !kind.has(choice)) {
        return Err(format!("the choice {choice} is not {}", kind.in_words()).into());
    }
    rule.check(&rule.default).map_err(|why| format!("its default {why}"))?;
    Ok(rule)
}

/// The type of a rule's values: the declared one, or else that of its `default`.
fn kind(declared: &Map<String, Value>, default: &Value) -> Result<RuleKind, Reason> {
    Ok(match (declared.get("kind"), default) {
        (Some(kind), _) => RuleKind::deserialize(kind).map_err(|_| {
            let shown = kind.as_str().map_or_else(|| kind.to_string(), |kind| format!("`{kind}`"));
            format!("`kind` is {shown}; expected `int`, `number`, `bool` or `text`")
        })?,
        (None, Value::Bool(_)) => RuleKind::Bool,
        (None, Value::String(_)) => RuleKind::Text,
        (None, Value::Number(number)) if number.is_f64() => RuleKind::Number,
        (None, Value::Number(_)) => RuleKind::Int,
        (None, other) => {
            return Err(format!("`default` is {other}; expected a number, a text, true or false").into());
        }
    })
}

impl RuleKind {
    /// Whether `value` is of this type, and not too large.
    fn has(self, value: &Value) -> bool {
        match self {
            RuleKind::Int => {
                value.as_i64().is_some_and(|number| number.unsigned_abs() <= super::MAX_NUMBER as u64)
            }
            RuleKind::Number => value.is_number(),
            RuleKind::Bool => value.is_boolean(),
            RuleKind::Text => value.as_str().is_some_and(|text| text.len() <= MAX_RULE_TEXT),
        }
    }

    /// The type, as a message names it.
    fn in_words(self) -> &'static str {
        match self {
            RuleKind::Int => "a whole number of at most 2^53",
            RuleKind::Number => "a number",
            RuleKind::Bool => "true or false",
            RuleKind::Text => "a text of at most 1000 bytes",
        }
    }
}

impl JudgeRule {
    /// Checks that the rule can have `value`.
    ///
    /// # Errors
    /// Why not, in words that follow the value.
    pub fn check(&self, value: &Value) -> Result<(), Reason> {
        if !self.kind.has(value) {
            return Err(format!("{value} is not {}", self.kind.in_words()).into());
        }
        let number = |value: &Value| value.as_f64().unwrap_or_default();
        let below = self.min.as_ref().filter(|min| number(value) < number(min));
        let above = self.max.as_ref().filter(|max| number(value) > number(max));
        if below.is_some() || above.is_some() {
            return Err(format!("{value} is out of range: {}", self.values()).into());
        }
        match &self.choices {
            Some(choices) if !choices.contains(value) => {
                Err(format!("{value} is not one of {}", self.values()).into())
            }
            _ => Ok(()),
        }
    }

    /// The values that it can have, in words such as `1 to 9`.
    pub fn values(&self) -> String {
        if let Some(choices) = &self.choices {
            return choices.iter().map(|choice| format!("`{choice}`")).collect::<Vec<_>>().join(", ");
        }
        match (&self.min, &self.max, self.kind) {
            (Some(min), Some(max), _) => format!("{min} to {max}"),
            (Some(min), None, _) => format!("{min} or more"),
            (None, Some(max), _) => format!("{max} or less"),
            (None, None, RuleKind::Bool) => "`true` or `false`".to_string(),
            (None, None, kind) => kind.in_words().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::schema_for;
    use std::collections::BTreeSet;

    #[test]
    fn the_schemas_have_the_fields_that_are_read() {
        let names = |schema: schemars::Schema| -> BTreeSet<String> {
            schema.as_value()["properties"].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(names(schema_for!(JudgeHello)), FIELDS.map(str::to_string).into());
        assert_eq!(names(schema_for!(JudgeRule)), RULE_FIELDS.map(str::to_string).into());
    }
}
