//! The games as data for the page's script.
//!
//! On a page, each game is one JSON element, which the script parses only when the game is opened; `docs/report.md`
//! describes every member. Games that begin from the same board share it. In a site, the games of a match are a script,
//! because a page that is opened from a disk can load scripts but no data.

use super::{Logs, PageSource};
use crate::judged::picture;
use crate::why::Explanation;
use crate::{plain, raw_name_of};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use cornerman::format::GameId;
use cornerman::game::{End, Outcome, Seat};
use cornerman_harness::record::{
    FaultRecord, GameRecord, RecordError, RecordedAction, SeatRecord, TimeUsed, actions,
};
use cornerman_harness::replay::{Step, open, play_again};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::text::plain_json;
use flate2::Compression;
use flate2::read::ZlibEncoder;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

/// The version of the data in a page. It grows whenever the meaning of a member changes.
pub const VERSION: u32 = 1;

/// How many bytes the page has at most of what a bot was shown at a forfeit, and of its answer.
const MOST_ANSWERED: usize = 4096;

/// Games as data.
#[derive(Default)]
pub(super) struct Traces {
    /// The games as JSON in which no `<` occurs, in the order of the contest.
    games: BTreeMap<GameId, String>,
    /// The boards that games begin from, without duplicates.
    boards: Vec<String>,
    /// The names of the entrants, by number.
    names: Vec<String>,
}

impl Traces {
    /// The data of these games, which are taken in this order up to the first that would make it more than `most`
    /// bytes. The games in `explained` say why they were lost.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn from_games(
        source: &PageSource,
        games: impl IntoIterator<Item = GameId>,
        explained: &BTreeSet<GameId>,
        most: usize,
    ) -> Result<Traces, RecordError> {
        let names = source.tournament.entrants.iter().map(|entrant| plain(&entrant.name)).collect();
        let mut traces = Traces { names, ..Traces::default() };
        let mut size = data("names", &json!(traces.names)).0.len() + data("boards", &json!([])).0.len();
        for id in games {
            if let Some(mut game) = source.record.game(id)? {
                for fault in &mut game.faults {
                    if !source.logs.have(game.pairing.seats[fault.seat.index()]) {
                        fault.stderr.clear();
                    }
                }
                size += traces.add(source, &game, explained.contains(&id));
            }
            if size > most {
                traces.games.remove(&id);
                break;
            }
        }
        Ok(traces)
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// The elements for the page: names, boards and games.
    pub(super) fn markup(&self) -> Markup {
        html! {
            @if !self.games.is_empty() {
                (data("names", &json!(self.names)))
                (data("boards", &json!(self.boards)))
                @for (id, text) in &self.games { (element(&id_of(*id), text)) "\n" }
            }
        }
    }

    /// A script that gives the page's own script these games, all of the match `name`, and the games before and after
    /// them. They are JSON, compressed in zlib's format and written in base 64.
    pub(super) fn script(&self, name: &str, [before, after]: [Option<GameId>; 2]) -> io::Result<Vec<u8>> {
        let head = json!({
            "names": self.names,
            "boards": self.boards,
            "before": before.map(|id| id.to_string()),
            "after": after.map(|id| id.to_string()),
        });
        let games = self.games.values().map(String::as_str).collect::<Vec<_>>().join(",");
        let whole = format!("{{\"head\":{},\"games\":[{games}]}}", plain_json(&head));
        let mut compressed = Vec::new();
        ZlibEncoder::new(whole.as_bytes(), Compression::best()).read_to_end(&mut compressed)?;
        Ok(format!("cornerman.match(\"{name}\", \"{}\");\n", BASE64_STANDARD.encode(compressed)).into_bytes())
    }

    /// Adds a game, `explained` or not, and returns how many bytes it takes.
    fn add(&mut self, source: &PageSource, game: &GameRecord, explained: bool) -> usize {
        let mut size = 0;
        let trace = Trace::from_game(game, source.ruleset);
        let board = text_of(&trace.boards[0]);
        let board = self.boards.iter().position(|known| *known == board).unwrap_or_else(|| {
            size += data(",", &json!(board)).0.len();
            self.boards.push(board);
            self.boards.len() - 1
        });
        let mut value = json!({
            "v": VERSION,
            "id": game.pairing.id.to_string(),
            "kind": source.view.script().kind,
            "board": board,
            "who": game.pairing.seats.iter().map(|id| id.0).collect::<Vec<_>>(),
            "marks": text_of(&game.setup.marks),
            "places": game.outcome.places,
            "points": game.outcome.points,
            "held": game.outcome.territory,
            "end": ending(source, game),
            "wrong": trace.wrong,
            "steps": trace.steps,
        });
        if source.logs != Logs::None {
            let said = |(seat, conduct): (usize, &SeatRecord)| -> Vec<Value> {
                let shown = conduct.said.iter().filter(|_| source.logs.have(game.pairing.seats[seat]));
                shown.map(|said| json!([seat, said.number, said.text, said.left_out])).collect()
            };
            let said: Vec<Value> = game.seats.iter().enumerate().flat_map(said).collect();
            value["said"] = json!(said);
        }
        if let Some(why) = explained.then(|| why(source, game)).flatten() {
            value["why"] = why;
        }
        if let Some(measure) = source.tournament.measure(game.pairing.id.stage) {
            let counted = measure.counted(&game.outcome);
            value["counted"] = json!({ "places": counted.places, "points": counted.points });
        }
        let text = without_markup(&value);
        size += element(&id_of(game.pairing.id), &text).0.len() + 1;
        self.games.insert(game.pairing.id, text);
        size
    }
}

/// Why the first seat that lost did so, and how the seats stood; `None` if nothing is known.
fn why(source: &PageSource, game: &GameRecord) -> Option<Value> {
    let seats = &game.pairing.seats;
    let counted = source.tournament.counted_outcome(&game.pairing, &game.outcome);
    let loser = counted.places.iter().position(|place| *place != 1)?;
    let names: Vec<String> = seats.iter().map(|id| plain(raw_name_of(source.tournament.entrants, *id))).collect();
    let Explanation { causes, curve } = (source.why?.explain)(game, &names, Seat(loser as u8))?;
    let mut value = curve.map_or_else(|| json!({}), |curve| json!(curve));
    value["lost"] = json!(loser);
    value["causes"] = causes.iter().map(|cause| json!([cause.number, cause.text])).collect();
    Some(value)
}

/// A data element.
fn data(id: &str, value: &Value) -> Markup {
    element(id, &without_markup(value))
}

/// A data element with JSON in which no `<` occurs.
fn element(id: &str, json: &str) -> Markup {
    html! { script type="application/json" id=(id) { (PreEscaped(json)) } }
}

/// The id of a game's data element.
fn id_of(game: GameId) -> String {
    format!("game:{game}")
}

/// A value as JSON. `<` is escaped, so that nothing in it can end the element around it.
fn without_markup(value: &Value) -> String {
    plain_json(value).replace('<', "\\u003c")
}

/// A recorded game as a list of steps, up to the first that contradicts the rules.
pub(super) struct Trace {
    /// The board before the first move and that after the last step, or the judge's pictures of them.
    pub boards: [Vec<u8>; 2],
    /// Moves and forfeits, in order, as data.
    pub steps: Vec<Value>,
    /// Why the record cannot be played again to its end; `None` if it can.
    pub wrong: Option<String>,
}

impl Trace {
    /// Plays `game` again by `ruleset`. If the record was tampered with, or belongs to other rules, the trace ends
    /// before the first step that is not legal.
    pub(super) fn from_game(game: &GameRecord, ruleset: &Ruleset) -> Trace {
        let start = &game.setup.board;
        let mut trace = Trace { boards: [start.clone(), start.clone()], steps: Vec::new(), wrong: None };
        let played = open(ruleset, game).and_then(|mut live| {
            let start = picture(&*live).unwrap_or_else(|| live.board());
            trace.boards = [start.clone(), start];
            let Trace { boards: [_, last], steps, .. } = &mut trace;
            play_again(&mut *live, &actions(game), &mut |played| {
                let after = picture(played.live).unwrap_or_else(|| played.after.to_vec());
                steps.push(step(&played, &changes(last, &after)));
                *last = after;
            })
        });
        trace.wrong = played.err().map(|deviation| deviation.to_string());
        trace
    }
}

/// Stands in place of an offset, where the text replaces the whole board.
const WHOLE: i32 = -1;

/// Runs of `after` that differ from `before`, with the offset of each; all of `after` if the lengths differ.
fn changes(before: &[u8], after: &[u8]) -> Vec<(i32, Vec<u8>)> {
    if before.len() != after.len() {
        return vec![(WHOLE, after.to_vec())];
    }
    let mut runs: Vec<(i32, Vec<u8>)> = Vec::new();
    for (at, (_, new)) in (0i32..).zip(before.iter().zip(after)).filter(|(_, (old, new))| old != new) {
        match runs.last_mut() {
            Some((start, run)) if *start + run.len() as i32 == at => run.push(*new),
            _ => runs.push((at, vec![*new])),
        }
    }
    runs
}

/// `[number, seat, notation, changes, wall, cpu, lag, more]`: `changes` alternates offsets and texts; `more` is text if
/// a move has remarks, an object if it is a forfeit (whose notation is null), and otherwise missing.
fn step(played: &Step, changes: &[(i32, Vec<u8>)]) -> Value {
    let changes: Vec<Value> = changes.iter().flat_map(|(at, run)| [json!(at), json!(text_of(run))]).collect();
    let action = played.action;
    let TimeUsed { wall, cpu, lag } = action.used();
    let micros = [wall, cpu, lag].map(|duration| duration.as_micros() as u64);
    let (notation, more) = match action {
        RecordedAction::Moved(made) if made.remarks.is_empty() => (json!(plain(&made.notation)), None),
        RecordedAction::Moved(made) => (json!(plain(&made.notation)), Some(json!(plain(made.remarks_in_words())))),
        RecordedAction::Forfeited(fault) => (Value::Null, Some(forfeit(fault, played.before))),
    };
    let mut all = vec![json!(action.number()), json!(action.seat().0), notation, json!(changes)];
    all.extend(micros.map(Value::from));
    all.extend(more);
    Value::Array(all)
}

/// The details of a forfeit; `shown` is null if the bot was shown the board that was there `before`.
fn forfeit(fault: &FaultRecord, before: &[u8]) -> Value {
    let cut = |bytes: &[u8]| text_of(&bytes[..bytes.len().min(MOST_ANSWERED)]);
    json!({
        "kind": plain(&fault.kind),
        "detail": plain(&fault.detail),
        "shown": (fault.view != before).then(|| cut(&fault.view)),
        "answer": cut(&fault.answer),
        "bytes": fault.answer.len(),
        "stderr": fault.stderr,
    })
}

/// Bytes as text, with a character for each byte.
fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// The result in words, such as `gull (A) wins with 120`. If the contest has another measure than the game, and
/// another winner by it, both are named: `gull (A) fills the last spot; tern (B) wins by territory with 70`.
fn ending(source: &PageSource, game: &GameRecord) -> String {
    let name = |seat: Seat| {
        let name = plain(raw_name_of(source.tournament.entrants, game.pairing.seats[seat.index()]));
        match game.setup.marks.get(seat.index()) {
            Some(&mark) => format!("{name} ({})", char::from(mark)),
            None => name,
        }
    };
    let outcome = &game.outcome;
    let wins = |outcome: &Outcome, how: &str, amounts: &[i64]| {
        let winners: Vec<Seat> = outcome.winners().collect();
        let amount = winners.first().map_or(0, |seat| amounts[seat.index()]);
        match &winners[..] {
            [one] => format!("{} wins {how}with {amount}", name(*one)),
            several => {
                let names: Vec<String> = several.iter().map(|&seat| name(seat)).collect();
                format!("{} share the win {how}with {amount}", names.join(" and "))
            }
        }
    };
    let result = match source.tournament.measure(game.pairing.id.stage) {
        None => wins(outcome, "", &outcome.points),
        Some(measure) => {
            let counted = measure.counted(outcome);
            let result = wins(&counted, &format!("by {} ", measure.name), &(measure.amounts)(outcome));
            let same = outcome.winners().eq(counted.winners());
            let own =
                outcome.winners().map(|seat| format!("{} {}; ", name(seat), source.view.decision(outcome.end)));
            if same { result } else { own.collect::<String>() + &result }
        }
    };
    match outcome.end {
        End::Played => result,
        End::Forfeited => format!("{result}; forfeits ended the game"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_runs_of_new_text() {
        let check = |before: &str, after: &str, wanted: &[(i32, &str)]| {
            let found = changes(before.as_bytes(), after.as_bytes());
            let found: Vec<(i32, String)> =
                found.into_iter().map(|(at, run)| (at, String::from_utf8(run).unwrap())).collect();
            let wanted: Vec<(i32, String)> = wanted.iter().map(|(at, run)| (*at, run.to_string())).collect();
            assert_eq!(found, wanted, "{before:?} to {after:?}");
        };
        check("..\n..\n", "..\n..\n", &[]);
        check("..\n..\n", "XX\n.O\n", &[(0, "XX"), (4, "O")]);
        // A captured stone is a change like any other.
        check(".XO\n", "X.O\n", &[(0, "X.")]);
        check("", "01", &[(WHOLE, "01")]);
        check("0121", "01", &[(WHOLE, "01")]);
    }
}
