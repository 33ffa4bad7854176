//! What a judge says of its game, in its answer to `hello`.

use super::failure::JudgeFault;
use super::{MAX_WORDS, VERSION};
use crate::text::Reason;
use cornerman::game::MAX_SEATS;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The answer to `hello`, with the defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeHello {
    /// The game's id.
    pub game: String,
    /// Its name for people.
    pub title: String,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// Whether a bot is one process a move and answers with all of its output, or one process a game that answers in lines.
    pub filter: bool,
    /// A mark for each seat of the most.
    pub marks: Vec<u8>,
    /// What an organizer may set.
    pub rules: Vec<JudgeRule>,
    /// Whether it lists legal moves.
    pub legal: bool,
    /// Whether it draws pictures.
    pub picture: bool,
    /// Whether it can start from a board that an organizer writes.
    pub boards: bool,
    /// Whether games differ by seed.
    pub seeded: bool,
    /// Whether answers, views and boards are bytes.
    pub bytes: bool,
    /// The most `move` questions of a game.
    pub longest: u32,
    /// What a person is asked for.
    pub prompt: String,
    /// The word for one point.
    pub unit: String,
}

/// A rule that a judge lets the organizer set.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeRule {
    /// Its key in `[rules]`.
    pub name: String,
    /// Its value if the organizer sets none.
    pub default: Value,
    /// The least number.
    pub min: Option<Value>,
    /// The greatest number.
    pub max: Option<Value>,
    /// The values that it may have.
    pub choices: Option<Vec<Value>>,
    /// The type of its values.
    pub kind: RuleKind,
    /// What it means.
    pub about: String,
}

/// The type of a rule's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
/// The most bytes of a text of the rules.
const MAX_RULE_TEXT: usize = 1000;
/// The most characters of an id or of the name of a rule.
const MAX_NAME: usize = 32;
/// The most `move` questions of a game, and how many they are if `hello` does not say.
const MOST_LONGEST: u64 = 1_000_000;
const USUAL_LONGEST: u64 = 10_000;

/// The fields of questions: no rule has their names.
const QUESTION_FIELDS: [&str; 12] =
    ["ask", "judge", "seats", "rules", "seed", "board", "turn", "moves", "notation", "out", "seat", "state"];

/// The fields of the answer.
pub(super) const FIELDS: [&str; 15] = [
    "judge", "game", "title", "seats", "protocol", "marks", "rules", "legal", "picture", "boards", "seeded",
    "bytes", "longest", "prompt", "unit",
];

impl JudgeHello {
    /// Reads the answer `line`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &[u8]) -> Result<JudgeHello, JudgeFault> {
        let Ordered(fields) = super::answer::parsed(line)?;
        for (at, (name, _)) in fields.iter().enumerate() {
            if !FIELDS.contains(&name.as_str()) {
                let hint = crate::nearest::did_you_mean(name, FIELDS);
                return Err(JudgeFault::new("JD-FIELD", format!("`hello` has no field `{name}`{hint}")));
            }
            if fields[..at].iter().any(|(other, _)| other == name) {
                return Err(wrong(format!("`{name}` is there twice")));
            }
        }
        let get = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value);
        let fields = Fields { get: &get };
        let version = get("judge").ok_or_else(|| wrong("`judge`, the version that it speaks, is missing"))?;
        if version.as_u64() != Some(u64::from(VERSION)) {
            return Err(wrong(format!("`judge` is {version}, but the version to be spoken is {VERSION}")));
        }
        let game = fields.text("game")?.ok_or_else(|| wrong("`game`, the id of the game, is missing"))?;
        if !is_game_id(&game) {
            let expected = "small letters, digits and hyphens, beginning with a letter, at most 32 characters";
            return Err(wrong(format!("`game` is `{game}`; expected {expected}")));
        }
        let seats = match get("seats").map(|value| (value, value.as_array().map(Vec::as_slice))) {
            None => (2, 2),
            Some((value, Some([least, most]))) => match (least.as_u64(), most.as_u64()) {
                (Some(least), Some(most)) if (1..=most).contains(&least) && most <= u64::from(MAX_SEATS) => {
                    (least as u8, most as u8)
                }
                _ => {
                    return Err(wrong(format!(
                        "`seats` is {value}; expected [fewest, most], from 1 to {MAX_SEATS}"
                    )));
                }
            },
            Some((value, _)) => {
                return Err(wrong(format!("`seats` is {value}; expected a list of two numbers: [fewest, most]")));
            }
        };
        let filter = match fields.text("protocol")?.as_deref() {
            None | Some("lines") => false,
            Some("filter") => true,
            Some(other) => return Err(wrong(format!("`protocol` is `{other}`; expected `lines` or `filter`"))),
        };
        let marks = fields.text("marks")?.unwrap_or_else(|| "ABCDEFGH".to_string()).into_bytes();
        let distinct = |at: usize| !marks[..at].contains(&marks[at]);
        if marks.len() < usize::from(seats.1)
            || !marks.iter().all(u8::is_ascii_graphic)
            || !(0..marks.len()).all(distinct)
        {
            let most = seats.1;
            return Err(wrong(format!(
                "`marks` must have a printable ASCII character for each of {most} seats, all different"
            )));
        }
        let marks = marks[..usize::from(seats.1)].to_vec();
        let longest = match get("longest") {
            None => USUAL_LONGEST,
            Some(value) => value
                .as_u64()
                .filter(|longest| (1..=MOST_LONGEST).contains(longest))
                .ok_or_else(|| wrong(format!("`longest` is {value}; expected 1 to {MOST_LONGEST}")))?,
        };
        Ok(JudgeHello {
            title: fields.words("title")?.unwrap_or_else(|| game.clone()),
            prompt: fields.words("prompt")?.unwrap_or_else(|| "move".to_string()),
            unit: fields.words("unit")?.unwrap_or_else(|| "point".to_string()),
            game,
            seats,
            filter,
            marks,
            rules: get("rules").map(rules).transpose()?.unwrap_or_default(),
            legal: fields.flag("legal", false)?,
            picture: fields.flag("picture", false)?,
            boards: fields.flag("boards", false)?,
            seeded: fields.flag("seeded", true)?,
            bytes: fields.flag("bytes", false)?,
            longest: longest as u32,
        })
    }
}

fn wrong(what: impl Into<String>) -> JudgeFault {
    JudgeFault::new("JD-HELLO", what)
}

/// The fields of the answer.
struct Fields<'a> {
    get: &'a dyn Fn(&str) -> Option<&'a Value>,
}

impl Fields<'_> {
    fn text(&self, name: &str) -> Result<Option<String>, JudgeFault> {
        match (self.get)(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(wrong(format!("`{name}` is {other}; expected a text"))),
        }
    }

    /// A text for people, which is one line and not empty.
    fn words(&self, name: &str) -> Result<Option<String>, JudgeFault> {
        let words = self.text(name)?;
        match words {
            Some(words)
                if words.trim().is_empty() || words.len() > MAX_WORDS || words.contains(char::is_control) =>
            {
                Err(wrong(format!("`{name}` must be one line of 1 to {MAX_WORDS} bytes")))
            }
            words => Ok(words),
        }
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, JudgeFault> {
        match (self.get)(name) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong(format!("`{name}` is {other}; expected true or false"))),
        }
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

/// An object whose fields are kept in order, those that are there twice as well.
struct Ordered(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Ordered, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Ordered;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Ordered(fields))
            }
        }
        from.deserialize_map(Fields)
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
pub(super) const RULE_FIELDS: [&str; 6] = ["default", "min", "max", "choices", "kind", "about"];

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
            Some(_) => return Err(format!("`about` must be one line of at most {MAX_WORDS} bytes").into()),
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

fn kind(declared: &Map<String, Value>, default: &Value) -> Result<RuleKind, Reason> {
    Ok(match declared.get("kind") {
        Some(Value::String(kind)) => match kind.as_str() {
            "int" => RuleKind::Int,
            "number" => RuleKind::Number,
            "bool" => RuleKind::Bool,
            "text" => RuleKind::Text,
            other => return Err(format!("`kind` is `{other}`; expected `int`, `number`, `bool` or `text`").into()),
        },
        Some(other) => return Err(format!("`kind` is {other}; expected `int`, `number`, `bool` or `text`").into()),
        None => match default {
            Value::Bool(_) => RuleKind::Bool,
            Value::String(_) => RuleKind::Text,
            Value::Number(number) if number.is_f64() => RuleKind::Number,
            Value::Number(_) => RuleKind::Int,
            other => return Err(format!("`default` is {other}; expected a number, a text, true or false").into()),
        },
    })
}

impl RuleKind {
    /// Whether `value` is of this type.
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
            RuleKind::Int => "a whole number",
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
