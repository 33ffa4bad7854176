//! The games as data that the script steps through.
//!
//! A game is one JSON element, read only when it is asked for; `docs/report.md` has every member. Boards that
//! games begin from are kept once.

use super::source::Source;
use crate::trace::{Action, Change, Trace};
use crate::{Tournament, plain, raw_name_of};
use cornerman::game::End;
use cornerman_harness::plain::plain_json;
use cornerman_harness::record::{FaultRecord, GameHead, GameRecord, RecordError, Used};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

/// The version of the data in a page: any change of what a member means is a new one.
pub const VERSION: u32 = 1;

/// Of what a bot answered or was shown at a forfeit, as many bytes are in the page.
const MOST_ANSWERED: usize = 4096;

/// Games as data.
#[derive(Default)]
pub struct Traces {
    /// The elements, one after the other.
    text: String,
    /// What games begin from, each once.
    boards: Vec<String>,
    /// Names by number of entrant.
    names: Vec<String>,
}

impl Traces {
    /// The data of these games; `None` if it takes more than `most` bytes.
    pub fn of<'a>(
        source: &Source,
        games: impl Iterator<Item = &'a GameHead>,
        most: usize,
    ) -> Result<Option<Traces>, RecordError> {
        let names = source.tournament.entrants.iter().map(|entrant| plain(&entrant.name)).collect();
        let mut traces = Traces { names, ..Traces::default() };
        for head in games {
            if let Some(game) = source.record.game(head.pairing.id)? {
                traces.add(source, &game);
            }
            if traces.text.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(traces))
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The elements.
    pub fn markup(&self) -> Markup {
        html! {
            @if !self.is_empty() {
                (data("names", &json!(self.names)))
                (data("boards", &json!(self.boards)))
                (PreEscaped(&self.text))
            }
        }
    }

    fn add(&mut self, source: &Source, game: &GameRecord) {
        let trace = Trace::of(game, source.ruleset);
        let board = text_of(&trace.start);
        let board = self.boards.iter().position(|known| *known == board).unwrap_or_else(|| {
            self.boards.push(board);
            self.boards.len() - 1
        });
        let value = json!({
            "v": VERSION,
            "id": game.pairing.id.to_string(),
            "kind": source.view.script().kind,
            "board": board,
            "who": game.pairing.seats.iter().map(|id| id.0).collect::<Vec<_>>(),
            "marks": text_of(&game.setup.marks),
            "places": game.outcome.places,
            "points": game.outcome.points,
            "held": game.outcome.territory,
            "end": ending(source.tournament, game),
            "voids": game.voids.len(),
            "wrong": trace.wrong,
            "steps": trace.steps.iter().map(step).collect::<Vec<_>>(),
        });
        self.text.push_str(&data(&format!("game:{}", game.pairing.id), &value).0);
        self.text.push('\n');
    }
}

/// An element of data that nothing in it can end: `<` is written in another way.
pub fn data(id: &str, value: &Value) -> Markup {
    let text = plain_json(value).replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}

/// `[number, seat, notation, changes, wall, cpu, lag, more]`; changes are places and texts in turn, and there is
/// more where a move has remarks (text) or is a forfeit (an object, and no notation).
fn step(change: &Change) -> Value {
    let changes: Vec<Value> =
        change.changes.iter().flat_map(|(at, run)| [json!(at), json!(text_of(run))]).collect();
    let Used { wall, cpu, lag } = change.action.used();
    let micros = [wall, cpu, lag].map(|duration| duration.as_micros() as u64);
    let (notation, more) = match change.action {
        Action::Moved(made) if made.remarks.is_empty() => (json!(plain(&made.notation)), None),
        Action::Moved(made) => (json!(plain(&made.notation)), Some(json!(plain(&made.remarks)))),
        Action::Forfeited(fault) => (Value::Null, Some(forfeit(fault, change.other_view))),
    };
    let mut all = vec![json!(change.action.number()), json!(change.action.seat().0), notation, json!(changes)];
    all.extend(micros.map(Value::from));
    all.extend(more);
    Value::Array(all)
}

/// What is to be known of a forfeit; what was shown only where it was not the board.
fn forfeit(fault: &FaultRecord, other_view: bool) -> Value {
    let cut = |bytes: &[u8]| text_of(&bytes[..bytes.len().min(MOST_ANSWERED)]);
    json!({
        "kind": plain(&fault.kind),
        "detail": plain(&fault.detail),
        "shown": other_view.then(|| cut(&fault.view)),
        "answer": cut(&fault.answer),
        "bytes": fault.answer.len(),
        "stderr": fault.stderr,
    })
}

/// Bytes as text, each a character.
fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// `gull (A) wins with 120`, and how it came to its end.
fn ending(tournament: &Tournament, game: &GameRecord) -> String {
    let name = |seat: usize| {
        let name = plain(raw_name_of(tournament.entrants, game.pairing.seats[seat]));
        match game.setup.marks.get(seat) {
            Some(&mark) => format!("{name} ({})", char::from(mark)),
            None => name,
        }
    };
    let winners: Vec<usize> = game.outcome.winners().map(|seat| seat.index()).collect();
    let names: Vec<String> = winners.iter().map(|&seat| name(seat)).collect();
    let points = winners.first().map_or(0, |&seat| game.outcome.points[seat]);
    let result = match &names[..] {
        [one] => format!("{one} wins with {points}"),
        several => format!("{} share the win with {points}", several.join(" and ")),
    };
    match game.outcome.end {
        End::Played => result,
        End::Forfeited => format!("{result}: too few are left to play on"),
    }
}
