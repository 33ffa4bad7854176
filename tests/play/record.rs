//! Checks the output of `--format json` against the rules: every move is judged again.

use cornerman::game::{End, LiveGame, Reply, Seat, Setup};
use cornerman_harness::ruleset::Ruleset;
use serde_json::Value;

/// The events of a match.
pub struct Record {
    pub events: Vec<Value>,
}

impl Record {
    /// [`Record::replayed_by`] the rules of the Boxing Match.
    #[track_caller]
    pub fn replayed(text: &str) -> Record {
        Record::replayed_by(text, "boxing-1994")
    }

    /// Reads the lines of `--format json`, plays them again, and checks that all of it follows from the rules.
    #[track_caller]
    pub fn replayed_by(text: &str, ruleset: &str) -> Record {
        let ruleset = cornerman_cli::games::all()
            .into_iter()
            .find_map(|game| game.kit.built_in(ruleset))
            .expect("a built-in ruleset");
        let record = Record::read(text);
        let mut table: Option<Box<dyn LiveGame>> = None;
        let mut entrants = Vec::new();
        let mut wins = Vec::new();
        for event in &record.events {
            match (event["event"].as_str().expect("the event"), &mut table) {
                ("game-started", _) => {
                    table = Some(start(event, &ruleset));
                    entrants = numbers(&event["entrants"]);
                    wins.resize(entrants.len(), 0);
                }
                ("moved", Some(table)) => judge(&mut **table, event),
                ("faulted", Some(table)) => {
                    assert_eq!(bytes(&event["view"]), table.view(seat(event)));
                    table.forfeit(seat(event));
                }
                ("game-ended", Some(table)) => {
                    let places = compare_ends(&**table, event);
                    for (&entrant, _) in entrants.iter().zip(&places).filter(|(_, place)| **place == 1) {
                        wins[entrant as usize - 1] += 1;
                    }
                }
                ("match-ended", _) => {
                    let told = event["entrants"].as_array().expect("entrants").iter();
                    assert_eq!(told.map(|one| one["wins"].as_u64().unwrap()).collect::<Vec<_>>(), wins);
                }
                (other, _) => panic!("{other} out of place"),
            }
        }
        record
    }

    /// Reads the lines of `--format json`.
    #[track_caller]
    pub fn read(text: &str) -> Record {
        let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(events.iter().all(|event| event["schema"] == 1), "{text}");
        assert_eq!(events.last().expect("a last line")["event"], "match-ended");
        Record { events }
    }

    /// The events of this name.
    pub fn named(&self, name: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["event"] == name).collect()
    }

    /// The only event of this name.
    #[track_caller]
    pub fn only(&self, name: &str) -> &Value {
        let found = self.named(name);
        assert_eq!(found.len(), 1, "{name}");
        found[0]
    }

    /// All moves and boards, without what may differ from run to run.
    pub fn play(&self) -> Vec<(&Value, &Value)> {
        self.events.iter().map(|event| (&event["move"], &event["board"])).collect()
    }
}

fn start(event: &Value, ruleset: &Ruleset) -> Box<dyn LiveGame> {
    let marks = event["marks"].as_str().expect("marks").as_bytes().to_vec();
    let seats = event["names"].as_array().expect("names").len() as u8;
    // Line games start from their usual board.
    let board = if is_boxing(ruleset) { bytes(&event["board"]) } else { Vec::new() };
    let setup = Setup { seats, marks, board, seed: event["seed"].as_u64().expect("a seed") };
    let table = ruleset.open(&setup).expect("the setup of a played game is valid");
    compare_boards(&*table, event);
    table
}

fn is_boxing(ruleset: &Ruleset) -> bool {
    ruleset.game() == "boxing"
}

fn compare_boards(table: &dyn LiveGame, event: &Value) {
    let board = table.board();
    let board = board.strip_suffix(b"\n").unwrap_or(&board);
    assert_eq!(bytes(&event["board"]).strip_suffix(b"\n"), Some(board), "{event}");
}

fn judge(table: &mut dyn LiveGame, event: &Value) {
    let seat = seat(event);
    assert!(table.to_act().contains(seat), "{event} out of turn");
    let notation = event["move"].as_str().expect("a move");
    match table.play(seat, &Reply::Notation(notation.to_string())) {
        Ok(judged) => assert_eq!(notation, judged),
        Err(violation) => panic!("{event}: {violation}"),
    }
    compare_boards(table, event);
}

/// Checks the end of a game against the rules, and returns the places.
fn compare_ends(table: &dyn LiveGame, event: &Value) -> Vec<u64> {
    let outcome = table.outcome().expect("the game is over by the rules");
    assert_eq!(serde_json::json!(outcome.places), event["places"]);
    assert_eq!(serde_json::json!(outcome.points), event["points"]);
    assert_eq!(serde_json::json!(outcome.territory), event["territory"]);
    assert_eq!(event["end"], if outcome.end == End::Played { "played" } else { "forfeited" });
    numbers(&event["places"])
}

fn seat(event: &Value) -> Seat {
    Seat(event["seat"].as_u64().expect("a seat") as u8 - 1)
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// The bytes of a board from its rows.
pub fn bytes(rows: &Value) -> Vec<u8> {
    let rows = rows.as_array().expect("rows").iter().map(|row| row.as_str().expect("a row"));
    rows.flat_map(|row| row.chars().map(|spot| spot as u8).chain([b'\n'])).collect()
}
