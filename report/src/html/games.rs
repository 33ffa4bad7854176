//! The games as data that the script steps through, and their pages in a folder.
//!
//! A game is one JSON element, read only when it is asked for; `docs/report.md` has every member. Boards that
//! games begin from are kept once.

use super::context::Context;
use super::layout::{self, Page};
use super::{Links, Source};
use crate::film::{Act, Film, Frame, Rules};
use crate::style::time;
use crate::{Tournament, plain, raw_name_of};
use cornerman::format::PairingId;
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
pub struct Films {
    /// The elements, one after the other.
    text: String,
    /// What games begin from, each once.
    boards: Vec<String>,
    /// Names by number of entrant.
    names: Vec<String>,
}

impl Films {
    /// The data of these games; `None` if it takes more than `most` bytes.
    pub fn of<'a>(
        source: &Source,
        games: impl Iterator<Item = &'a GameHead>,
        most: usize,
    ) -> Result<Option<Films>, RecordError> {
        let rules = Rules::of(source.tournament.header);
        let names = source.tournament.entrants.iter().map(|entrant| plain(&entrant.name)).collect();
        let mut films = Films { names, ..Films::default() };
        for head in games {
            if let Some(game) = source.record.game(head.pairing.id)? {
                films.add(source.tournament, &game, &rules);
            }
            if films.text.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(films))
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

    fn add(&mut self, tournament: &Tournament, game: &GameRecord, rules: &Rules) {
        let film = Film::of(game, rules);
        let board = text_of(&film.start);
        let board = self.boards.iter().position(|known| *known == board).unwrap_or_else(|| {
            self.boards.push(board);
            self.boards.len() - 1
        });
        let value = json!({
            "v": VERSION,
            "id": game.pairing.id.to_string(),
            "kind": rules.kind().name(),
            "board": board,
            "who": game.pairing.seats.iter().map(|id| id.0).collect::<Vec<_>>(),
            "marks": text_of(&game.setup.marks),
            "places": game.outcome.places,
            "points": game.outcome.points,
            "held": game.outcome.territory,
            "end": ending(tournament, game),
            "voids": game.voids.len(),
            "wrong": film.wrong,
            "steps": film.frames.iter().map(step).collect::<Vec<_>>(),
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
fn step(frame: &Frame) -> Value {
    let changes: Vec<Value> =
        frame.changes.iter().flat_map(|(at, run)| [json!(at), json!(text_of(run))]).collect();
    let Used { wall, cpu, lag } = frame.act.used();
    let micros = [wall, cpu, lag].map(|duration| duration.as_micros() as u64);
    let (notation, more) = match frame.act {
        Act::Moved(made) if made.remarks.is_empty() => (json!(plain(&made.notation)), None),
        Act::Moved(made) => (json!(plain(&made.notation)), Some(json!(plain(&made.remarks)))),
        Act::Forfeited(fault) => (Value::Null, Some(forfeit(fault, frame.other_view))),
    };
    let mut all = vec![json!(frame.act.number()), json!(frame.act.seat().0), notation, json!(changes)];
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

/// A match: the game's id but for its last part.
pub fn match_of(id: PairingId) -> (u8, u16, u32) {
    (id.stage, id.round, id.table)
}

/// The page of a game's match below the folder.
pub fn file(id: PairingId) -> String {
    let from_one = |part: u32| u64::from(part) + 1;
    let [stage, round, table] = [id.stage.into(), id.round.into(), id.table].map(from_one);
    format!("games/s{stage}-r{round}-m{table}.html")
}

/// The page of a match: its games, and the viewer with the first of them open.
///
/// # Errors
/// When the record cannot be read.
pub fn page(context: &Context, games: &[GameHead]) -> Result<String, RecordError> {
    let films = Films::of(context.source, games.iter(), usize::MAX)?.unwrap_or_default();
    let id = games[0].pairing.id;
    let title = format!("Match {}", id.to_string().rsplit_once('/').map_or("", |(title, _)| title));
    let row = |game: &GameHead| {
        html! {
            tr {
                th scope="row" { (context.game(game.pairing.id, None)) }
                td { (seats(context, game)) }
                td.n { (game.moves) }
                td.n { (time(game.wall)) }
            }
        }
    };
    let body = html! {
        header.title { h1 { (title) } p { (context.tournament().stage_title(id.stage)) } }
        (super::context::scroll("The games of the match", html! {
            table {
                caption { "Games" }
                thead { tr {
                    th scope="col" { "game" } th scope="col" { "seats, with points" }
                    th.n scope="col" { "moves" } th.n scope="col" { "took" }
                } }
                tbody { @for game in games { (row(game)) } }
            }
        }))
    };
    let Links::Folder { up } = context.links else { unreachable!("pages of matches are in folders") };
    let page = Page {
        title: &format!("{title}, {}", context.title()),
        up: Some(up),
        live: None,
        contents: &[],
        body,
        films: &films,
    };
    Ok(layout::whole(&page))
}

/// Who sat where, with points; winners are said to be.
pub fn seats(context: &Context, game: &GameHead) -> Markup {
    html! {
        @for (seat, &id) in game.pairing.seats.iter().enumerate() {
            @if seat > 0 { ", " }
            @let place = game.outcome.places[seat];
            @if place == 1 { strong { (context.who(id)) " ✓" } } @else { (context.who(id)) }
            " " (game.outcome.points[seat])
        }
    }
}
