//! Answers to questions about a game: positions, illegal moves, legal moves, pictures.

use super::failure::JudgeFault;
use super::hello::is_name;
use super::question::Asked;
use super::{MAX_LEGAL, MAX_NOTATION, MAX_NUMBER, MAX_TEXT, MAX_WORDS};
use cornerman::game::{Seat, Seats};
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A position that a judge has answered with.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgePosition {
    /// The state, byte for byte; empty if the judge left it out at the end.
    pub state: Arc<str>,
    /// The seats that act.
    pub turn: Seats,
    /// What each seat is sent.
    pub views: Views,
    /// Places and points, if the game is over.
    pub result: Option<GameResult>,
    /// The moves in notation, by the index in the question's turn; `None` for a forfeit, or a text that cannot be
    /// notation.
    pub moves: Vec<Option<String>>,
    /// The board for people, if it is not a view.
    pub board: Option<String>,
    /// What each seat holds; empty if the judge does not say.
    pub territory: Vec<u32>,
    /// How well each seat stands, as numbers; empty if the judge does not say.
    pub value: Vec<Number>,
    /// What the move did.
    pub words: String,
}

impl JudgePosition {
    /// Adds what the position shows to what each seat has yet to be sent. In a game of `filter` bots only the last view
    /// counts; in others they are lines that follow each other. The seats in `out` have forfeited.
    pub fn add_views(&self, filter: bool, out: Seats, unsent: &mut [String]) {
        for (seat, unsent) in (0u8..).map(Seat).zip(unsent) {
            let gets = if self.result.is_some() { !out.contains(seat) } else { self.turn.contains(seat) };
            let view = match &self.views {
                Views::None => None,
                Views::Same(view) => gets.then_some(view),
                Views::Each(views) => views[seat.index()].as_ref(),
            };
            let Some(view) = view else { continue };
            if filter {
                unsent.clear();
            }
            unsent.push_str(view);
            if !filter && !view.ends_with('\n') {
                unsent.push('\n');
            }
        }
    }
}

/// What seats are sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Views {
    /// Nothing: the game is over.
    None,
    /// The same for every seat that acts, or, if the game is over, for every seat that is not out.
    Same(String),
    /// For each seat.
    Each(Vec<Option<String>>),
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Places, from 1.
    pub places: Vec<u8>,
    /// Points.
    pub points: Vec<i64>,
}

/// The answer to `start`.
#[derive(Clone, Debug, PartialEq)]
pub enum StartAnswer {
    /// The game starts here.
    Position(Box<JudgePosition>),
    /// The game cannot start, for this reason.
    Error(String),
}

/// The answer to `move`.
#[derive(Clone, Debug, PartialEq)]
pub enum MoveAnswer {
    /// The game goes on from here, or is over.
    Position(Box<JudgePosition>),
    /// These moves are illegal: what is wrong and of which kind, by the index in the question's turn.
    Illegal(Vec<Option<IllegalMove>>),
}

/// Why a move is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// A short stable name, such as `illegal`.
    pub kind: String,
    /// What is wrong.
    pub why: String,
}

/// Reads a line as JSON.
///
/// # Errors
/// `JD-JSON` if it is not one JSON object, `JD-FIELD` if a field is wrong.
pub(super) fn parsed<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, JudgeFault> {
    let not_json =
        |why: String| JudgeFault::new("JD-JSON", format!("the answer is not a JSON object in a line: {why}"));
    let text = std::str::from_utf8(line).map_err(|_| not_json("it is not UTF-8".to_string()))?;
    if !text.trim_start().starts_with('{') {
        return Err(not_json("it does not begin with `{`".to_string()));
    }
    serde_json::from_str(text).map_err(|error| {
        // The parser stops at a wrong field, even if what follows is not JSON: that is the fault to report then.
        if let Err(error) = serde_json::from_str::<&RawValue>(text) {
            return not_json(error.to_string());
        }
        // To know the field always would take longer than to read the answer again.
        let again = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text));
        let place = again.map(|_: T| ()).err().map_or_else(String::new, |error| error.path().to_string());
        JudgeFault::new("JD-FIELD", field_error(&place, &error.to_string()))
    })
}

/// A parser's message about the field at `place`, with the nearest known one.
fn field_error(place: &str, message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`'));
    match unknown {
        Some((name, rest)) => {
            let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
            format!("no answer has a field `{name}`{}", crate::nearest::did_you_mean(name, known))
        }
        None if place == "." => message.to_string(),
        None => format!("`{place}` is wrong: {message}"),
    }
}

/// An answer of a judge about a game: a position, `illegal` moves, `legal` ones, a picture (`svg`) or an `error`.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerFields<'a> {
    /// Everything that decides how the game goes on; any JSON value.
    #[schemars(with = "Option<Value>")]
    #[serde(borrow, default, deserialize_with = "present")]
    state: Option<&'a RawValue>,
    /// The seats that act now, ascending. None if the game is over.
    #[serde(default, deserialize_with = "present")]
    turn: Option<Vec<i64>>,
    /// What every seat that acts is sent.
    #[schemars(with = "Option<String>")]
    #[serde(borrow, default, deserialize_with = "present")]
    view: Option<Text<'a>>,
    /// What each seat is sent; null for nothing.
    #[serde(default, deserialize_with = "present")]
    views: Option<Vec<Option<String>>>,
    /// The points of each seat: the game is over.
    #[schemars(with = "Option<Vec<i64>>")]
    #[serde(default, deserialize_with = "present")]
    points: Option<Vec<Value>>,
    /// The place of each seat, from 1: the game is over.
    #[schemars(with = "Option<Vec<u8>>")]
    #[serde(default, deserialize_with = "present")]
    places: Option<Vec<Value>>,
    /// The moves in notation, parallel to the question's `turn`; null for a forfeit.
    #[serde(default, deserialize_with = "present")]
    moves: Option<Vec<Option<String>>>,
    /// The board for people and the record.
    #[serde(default, deserialize_with = "present")]
    board: Option<String>,
    /// What each seat holds now.
    #[schemars(with = "Option<Vec<u32>>")]
    #[serde(default, deserialize_with = "present")]
    territory: Option<Vec<Number>>,
    /// How well each seat stands.
    #[schemars(with = "Option<Vec<f64>>")]
    #[serde(default, deserialize_with = "present")]
    value: Option<Vec<Number>>,
    /// What the move did.
    #[serde(default, deserialize_with = "present")]
    words: Option<String>,
    /// What is wrong with each move, parallel to `turn`; null for a legal one.
    #[serde(default, deserialize_with = "present")]
    illegal: Option<Vec<Option<String>>>,
    /// A short name for what is wrong with each move.
    #[serde(default, deserialize_with = "present")]
    kinds: Option<Vec<Option<String>>>,
    /// The legal moves of the seat, in notation.
    #[serde(default, deserialize_with = "present")]
    legal: Option<Vec<String>>,
    /// A picture of the position.
    #[serde(default, deserialize_with = "present")]
    svg: Option<String>,
    /// Why the game cannot start.
    #[serde(default, deserialize_with = "present")]
    error: Option<String>,
}

/// A text that is not copied unless it has escapes. Only the JSON Schema needs `Serialize`.
#[derive(serde::Serialize, serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads a field that is present. Without this, `null` would count as an absent field; so it is a wrong value.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Checks that an answer of this `form` has no other fields than those `allowed`.
fn check_fields(line: &[u8], allowed: &[&str], form: &str) -> Result<(), JudgeFault> {
    let mut others: BTreeMap<Cow<str>, IgnoredAny> = parsed(line)?;
    others.retain(|name, _| !allowed.contains(&name.as_ref()));
    if others.is_empty() {
        return Ok(());
    }
    let others: Vec<&str> = others.keys().map(Cow::as_ref).collect();
    Err(JudgeFault::new("JD-FORM", format!("{form} has no `{}`", others.join("`, `"))))
}

/// Reads the answer to `start`.
pub fn start(line: &[u8], asked: &Asked) -> Result<StartAnswer, JudgeFault> {
    let fields: AnswerFields = parsed(line)?;
    if let Some(why) = &fields.error {
        check_fields(line, &["error"], "an answer that the game cannot start")?;
        check_size("`error`", why.len(), MAX_WORDS)?;
        return Ok(StartAnswer::Error(why.clone()));
    }
    if fields.illegal.is_some() || fields.kinds.is_some() {
        return Err(JudgeFault::new("JD-FORM", "`illegal` is no answer to `start`"));
    }
    Ok(StartAnswer::Position(Box::new(position(fields, asked)?)))
}

/// Reads the answer to `move`.
pub fn moved(line: &[u8], asked: &Asked) -> Result<MoveAnswer, JudgeFault> {
    let fields: AnswerFields = parsed(line)?;
    if fields.illegal.is_some() || fields.kinds.is_some() {
        check_fields(line, &["illegal", "kinds"], "an answer with `illegal`")?;
        return illegal(&fields, asked).map(MoveAnswer::Illegal);
    }
    if fields.error.is_some() {
        return Err(JudgeFault::new("JD-FORM", "`error` is an answer to `start` alone; a move is `illegal`"));
    }
    Ok(MoveAnswer::Position(Box::new(position(fields, asked)?)))
}

/// Reads an answer that moves are illegal.
fn illegal(fields: &AnswerFields, asked: &Asked) -> Result<Vec<Option<IllegalMove>>, JudgeFault> {
    let wrong = |what: String| Err(JudgeFault::new("JD-ILLEGAL", what));
    let Some(illegal) = &fields.illegal else {
        return Err(JudgeFault::new("JD-FORM", "`kinds` is an answer only together with `illegal`"));
    };
    let count = asked.turn.len() as usize;
    if illegal.len() != count {
        return wrong(format!("`illegal` has {} items, but `turn` has {count}", illegal.len()));
    }
    if fields.kinds.as_ref().is_some_and(|kinds| kinds.len() != count) {
        return wrong(format!("`kinds` must have {count} items, as `turn` has"));
    }
    if illegal.iter().all(Option::is_none) {
        return wrong("`illegal` has only null: then no move is illegal".to_string());
    }
    let refused = || (0..count).zip(asked.turn.iter()).filter(|(index, _)| illegal[*index].is_some());
    if refused().all(|(index, _)| asked.moves[index].is_none()) {
        let seats: Vec<String> = refused().map(|(_, seat)| seat.0.to_string()).collect();
        let what = format!("it refuses the forfeit of seat {}", seats.join(" and "));
        return Err(JudgeFault::new("JD-FORFEIT", what));
    }
    let mut found = Vec::new();
    for ((index, why), seat) in illegal.iter().enumerate().zip(asked.turn.iter()) {
        let Some(why) = why else {
            found.push(None);
            continue;
        };
        if asked.moves[index].is_none() {
            return wrong(format!("`illegal` names seat {}, whose move is null: it forfeits", seat.0));
        }
        check_size("a text of `illegal`", why.len(), MAX_WORDS)?;
        let kind = fields.kinds.as_ref().and_then(|kinds| kinds[index].clone());
        let kind = kind.unwrap_or_else(|| "illegal".to_string());
        if !is_name(&kind, '-') {
            return wrong(format!("the kind `{kind}` must be small letters, digits and hyphens, at most 32"));
        }
        found.push(Some(IllegalMove { kind, why: why.clone() }));
    }
    Ok(found)
}

fn check_size(what: &str, size: usize, most: usize) -> Result<(), JudgeFault> {
    if size <= most {
        return Ok(());
    }
    Err(JudgeFault::new("JD-SIZE", format!("{what} has {size} bytes, but at most {most} are allowed")))
}

/// Reads a position.
fn position(fields: AnswerFields, asked: &Asked) -> Result<JudgePosition, JudgeFault> {
    if fields.legal.is_some() || fields.svg.is_some() {
        return Err(JudgeFault::new("JD-FORM", "`legal` and `svg` are answers to other questions"));
    }
    let is_over = fields.points.is_some() || fields.places.is_some();
    if !is_over && fields.state.is_none() {
        return Err(JudgeFault::new(
            "JD-FIELD",
            "`state` is missing, and the game is not over: there is no `points`",
        ));
    }
    let state = fields.state.map_or("", RawValue::get);
    check_size("`state`", state.len(), MAX_TEXT)?;
    let turn = turn(fields.turn.as_deref(), is_over, asked)?;
    let result = if is_over { Some(result(&fields, asked)?) } else { None };
    let moves = moves(fields.moves, asked)?;
    let territory = fields.territory.unwrap_or_default().iter().map(spots_held).collect::<Result<Vec<_>, _>>()?;
    let value = fields.value.unwrap_or_default();
    for (name, there) in [("territory", territory.len()), ("value", value.len())] {
        if there != 0 && there != usize::from(asked.seats) {
            let seats = asked.seats;
            return Err(JudgeFault::new("JD-FIELD", format!("`{name}` has {there} items for {seats} seats")));
        }
    }
    let words = fields.words.unwrap_or_default();
    check_size("`words`", words.len(), MAX_WORDS)?;
    if let Some(board) = &fields.board {
        check_size("`board`", board.len(), MAX_TEXT)?;
    }
    let views = views(fields.view, fields.views, turn, is_over, asked)?;
    let state = state.into();
    let board = fields.board;
    Ok(JudgePosition { state, turn, views, result, moves, board, territory, value, words })
}

/// The number of spots that a seat holds.
fn spots_held(number: &Number) -> Result<u32, JudgeFault> {
    let Some(held) = number.as_u64() else {
        return Err(JudgeFault::new("JD-FIELD", format!("`territory` has {number}; expected an integer from 0")));
    };
    u32::try_from(held).map_err(|_| {
        JudgeFault::new("JD-SIZE", format!("`territory` has {held}, but at most {} is allowed", u32::MAX))
    })
}

/// Reads the seats that act.
fn turn(given: Option<&[i64]>, is_over: bool, asked: &Asked) -> Result<Seats, JudgeFault> {
    let wrong = |what: String| Err(JudgeFault::new("JD-TURN", what));
    let given = match given {
        None if is_over => &[],
        None => return Err(JudgeFault::new("JD-FIELD", "`turn` is missing, and the game is not over")),
        Some(given) => given,
    };
    if is_over && !given.is_empty() {
        return wrong(format!("the game is over, and `turn` is {given:?}"));
    }
    if !is_over && given.is_empty() {
        return wrong("`turn` is [], so no seat acts, but the game is not over: there is no `points`".to_string());
    }
    let mut seats = Seats::NONE;
    let mut last = -1;
    for &number in given {
        let seat = u8::try_from(number).ok().filter(|seat| *seat < asked.seats).map(Seat);
        let Some(seat) = seat else {
            return wrong(format!("`turn` has seat {number}, but the game has {} seats, from 0", asked.seats));
        };
        if number <= last {
            return wrong(format!("`turn` is {given:?}: seats must be ascending, each once"));
        }
        last = number;
        if asked.out.contains(seat) {
            return Err(JudgeFault::new("JD-OUT", format!("`turn` has seat {number}, which is out")));
        }
        seats = seats.with(seat);
    }
    Ok(seats)
}

/// Reads what the seats are sent.
fn views(
    view: Option<Text>,
    views: Option<Vec<Option<String>>>,
    turn: Seats,
    is_over: bool,
    asked: &Asked,
) -> Result<Views, JudgeFault> {
    let wrong = |what: String| Err(JudgeFault::new("JD-VIEW", what));
    match (view, views) {
        (Some(_), Some(_)) => wrong("there are both `view` and `views`".to_string()),
        (Some(Text(view)), None) => {
            check_size("`view`", view.len(), MAX_TEXT)?;
            Ok(Views::Same(view.into_owned()))
        }
        (None, Some(views)) => {
            if views.len() != usize::from(asked.seats) {
                return wrong(format!("`views` has {} items for {} seats", views.len(), asked.seats));
            }
            for (seat, view) in (0u8..).map(Seat).zip(&views) {
                match view {
                    None if turn.contains(seat) => {
                        return wrong(format!("`views` sends nothing to seat {}, which acts", seat.0));
                    }
                    Some(_) if asked.filter && !is_over && !turn.contains(seat) => {
                        return wrong(format!(
                            "`views` has a view for seat {}, which does not act: in `filter` nothing could be sent",
                            seat.0
                        ));
                    }
                    Some(view) => check_size("a view", view.len(), MAX_TEXT)?,
                    None => {}
                }
            }
            Ok(Views::Each(views))
        }
        (None, None) if is_over => Ok(Views::None),
        (None, None) => {
            wrong("there is neither `view` nor `views`, so the seats in `turn` are sent nothing".to_string())
        }
    }
}

/// The moves in notation: as the judge writes them, or else the usual one of each text.
fn moves(given: Option<Vec<Option<String>>>, asked: &Asked) -> Result<Vec<Option<String>>, JudgeFault> {
    let wrong = |what: String| Err(JudgeFault::new("JD-NOTATION", what));
    let Some(given) = given else {
        let usual = |text: &Option<String>| text.as_deref().and_then(usual_notation);
        return Ok(asked.moves.iter().map(usual).collect());
    };
    if given.len() != asked.moves.len() {
        return wrong(format!("`moves` has {} items, but the question has {}", given.len(), asked.moves.len()));
    }
    for (notation, text) in given.iter().zip(asked.moves) {
        match (notation, text) {
            (Some(notation), Some(_)) if !is_notation(notation) => {
                let shown: String = notation.chars().take(60).collect();
                return wrong(format!(
                    "`moves` has {shown:?}: a move in notation is one line of 1 to {MAX_NOTATION} characters, without \
                     control characters"
                ));
            }
            (None, Some(_)) => return wrong("`moves` has null for a move that is not a forfeit".to_string()),
            (Some(_), None) => return wrong("`moves` has a move for a seat that forfeits".to_string()),
            _ => {}
        }
    }
    Ok(given)
}

/// Whether `text` can be a move in notation.
pub fn is_notation(text: &str) -> bool {
    (1..=MAX_NOTATION).contains(&text.chars().count())
        && !text.contains(|c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}')
}

/// The notation of a move whose judge does not write it: the text, each run of white space one space, none at the ends;
/// `None` if that is not notation.
pub fn usual_notation(text: &str) -> Option<String> {
    // A notation has at most `MAX_NOTATION` characters of up to four bytes each.
    let mut notation = String::new();
    for word in text.split_whitespace() {
        if notation.len() + word.len() > 4 * MAX_NOTATION {
            return None;
        }
        if !notation.is_empty() {
            notation.push(' ');
        }
        notation.push_str(word);
    }
    is_notation(&notation).then_some(notation)
}

/// Reads the end of a game: what is missing of places and points follows from the other.
fn result(fields: &AnswerFields, asked: &Asked) -> Result<GameResult, JudgeFault> {
    let points = fields.points.as_deref().map(|given| numbers("points", given, asked.seats)).transpose()?;
    let places = match &fields.places {
        Some(given) => places(&numbers("places", given, asked.seats)?)?,
        None => places_of(points.as_deref().unwrap_or_default(), asked.out),
    };
    for (seat, place) in (0u8..).map(Seat).zip(&places) {
        let beats = |(other, its): &(Seat, &u8)| !asked.out.contains(*other) && place <= its;
        if asked.out.contains(seat)
            && let Some((other, _)) = (0u8..).map(Seat).zip(&places).find(beats)
        {
            let words =
                format!("seat {}, which is out, is not placed behind seat {}, which is not", seat.0, other.0);
            return Err(JudgeFault::new("JD-OUT", words));
        }
    }
    let worse = |place: &u8| places.iter().filter(|other| *other > place).count() as i64;
    let points = points.unwrap_or_else(|| places.iter().map(worse).collect());
    Ok(GameResult { places, points })
}

/// Reads the list of numbers in the field `name`, one for each seat.
fn numbers(name: &str, given: &[Value], seats: u8) -> Result<Vec<i64>, JudgeFault> {
    if given.len() != usize::from(seats) {
        let what = format!("`{name}` has {} items for {seats} seats", given.len());
        return Err(JudgeFault::new("JD-OUTCOME", what));
    }
    let number = |value: &Value| match value.as_i64() {
        Some(number) if number.unsigned_abs() <= MAX_NUMBER as u64 => Ok(number),
        None if !value.is_u64() => {
            Err(JudgeFault::new("JD-OUTCOME", format!("`{name}` has {value}; expected an integer")))
        }
        _ => Err(JudgeFault::new("JD-SIZE", format!("`{name}` has {value}, beyond 2 to the power of 53"))),
    };
    given.iter().map(number).collect()
}

/// Checks that each of the `given` places is 1 + the number of better ones.
fn places(given: &[i64]) -> Result<Vec<u8>, JudgeFault> {
    for (seat, place) in given.iter().enumerate() {
        let wanted = 1 + given.iter().filter(|other| *other < place).count() as i64;
        if *place != wanted {
            let what = format!(
                "`places` are {given:?}, but that of seat {seat} must be 1 + the number of seats with a better one, \
                 {wanted}"
            );
            return Err(JudgeFault::new("JD-OUTCOME", what));
        }
    }
    Ok(given.iter().map(|place| *place as u8).collect())
}

/// The places of seats with these points, of which those that are `out` come last.
fn places_of(points: &[i64], out: Seats) -> Vec<u8> {
    let key = |(seat, points): (u8, &i64)| (out.contains(Seat(seat)), std::cmp::Reverse(*points));
    let keys: Vec<_> = (0u8..).zip(points).map(key).collect();
    keys.iter().map(|key| 1 + keys.iter().filter(|other| *other < key).count() as u8).collect()
}

/// Reads the answer to `legal`: moves in notation.
pub fn legal(line: &[u8]) -> Result<Vec<String>, JudgeFault> {
    let fields: AnswerFields = parsed(line)?;
    check_fields(line, &["legal"], "an answer to `legal`")?;
    let Some(legal) = fields.legal else {
        return Err(JudgeFault::new("JD-FIELD", "`legal` is missing"));
    };
    if legal.len() > MAX_LEGAL {
        let what = format!("`legal` has {} moves, but at most {MAX_LEGAL} are allowed", legal.len());
        return Err(JudgeFault::new("JD-SIZE", what));
    }
    if legal.is_empty() {
        return Err(JudgeFault::new("JD-LEGAL", "`legal` is [], but a seat that acts has a move"));
    }
    if let Some(odd) = legal.iter().find(|text| !is_notation(text)) {
        let shown: String = odd.chars().take(60).collect();
        return Err(JudgeFault::new("JD-NOTATION", format!("`legal` has {shown:?}, which is not notation")));
    }
    let mut sorted: Vec<&String> = legal.iter().collect();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
        return Err(JudgeFault::new("JD-LEGAL", format!("`legal` has `{}` twice", twice[0])));
    }
    Ok(legal)
}

/// Reads the answer to `picture`: an SVG image.
pub fn picture(line: &[u8]) -> Result<String, JudgeFault> {
    let fields: AnswerFields = parsed(line)?;
    check_fields(line, &["svg"], "an answer to `picture`")?;
    let svg = fields.svg.ok_or_else(|| JudgeFault::new("JD-FIELD", "`svg` is missing"))?;
    super::check_svg(&svg).map_err(|why| JudgeFault::new("JD-PICTURE", why.0))?;
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_field_is_named() {
        let check = |line: &str, id: &str, wanted: &str| {
            let Err(fault) = parsed::<AnswerFields>(line.as_bytes()) else { panic!("{line} is read") };
            assert_eq!((fault.id, fault.what.as_str()), (id, wanted), "{line}");
        };
        check(
            r#"{"state":1,"turn":[0],"words":["x"]}"#,
            "JD-FIELD",
            "`words` is wrong: invalid type: sequence, expected a string",
        );
        check(
            r#"{"state":1,"turn":[0,"1"]}"#,
            "JD-FIELD",
            "`turn[1]` is wrong: invalid type: string \"1\", expected i64",
        );
        check(r#"{"state":1,"state":2}"#, "JD-FIELD", "duplicate field `state`");
        check(r#"{"teritory":[1]}"#, "JD-FIELD", "no answer has a field `teritory` (did you mean `territory`?)");
        check(
            r#"{"words":1,"turn"}"#,
            "JD-JSON",
            "the answer is not a JSON object in a line: expected `:` at line 1 column 18",
        );
    }
}
