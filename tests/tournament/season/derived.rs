//! The standings of a season, derived from the rows of its record, which are read by SQL, and by the oracle of the rules
//! crate's tests.

use super::super::decisions::{fine, rows};
use crate::support::Scratch;
use cornerman::contest::{Field, Participants, Quota, Stage};
use cornerman::format::{EntrantId, GameId, LeftGames, Pairing, Standing};
use cornerman::formats::scoring::{Bonus, ScoringKind};
use cornerman::formats::swiss::SwissSettings;
use cornerman::formats::{
    BoardNumber, Bounded, Format, all_play_all, brackets, gauntlet, knockout, pair_swiss, permutations, seeding,
};
use cornerman::game::{End, Outcome};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::kit::Games;
use cornerman_harness::record::Record;
use oracle::{Decided, Derived, Lots, Recorded, What};
use rusqlite::{Connection, Row};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

#[path = "../../../src/contest/tests/oracle.rs"]
mod oracle;

/// Checks that the printed standings of `db`, whose contest is over, follow from its rows. `chosen` has the organizer's choices
/// for the games of bots that left.
#[track_caller]
pub fn standings_follow(scratch: &Scratch, db: &str, chosen: &[(&str, LeftGames)]) {
    let printed = fine(scratch, &format!("standings {db} --format json")).stdout;
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let source = Source(Connection::open(scratch.path().join(db)).expect("a record"));
    let names = source.list("SELECT name FROM entrants ORDER BY number", |row| row.get::<_, String>(0));
    let chosen: BTreeMap<EntrantId, LeftGames> =
        chosen.iter().map(|(name, games)| (number(&names, name), *games)).collect();
    let (mut recorded, actions) = source.recorded(scratch, db, &chosen);
    for (game, _) in &recorded.rows {
        assert!(
            game.id.attempt <= recorded.attempt(game.id.place()),
            "{} is an attempt that no decision asks for",
            game.id
        );
    }
    let lots = Lots::from_published(source.lots());
    let is_group = |stage: &&Stage| matches!(stage.who, Participants::Group(_));
    let groups = recorded.stages.iter().take_while(is_group).count() as u8;
    begin_stages(&mut recorded, &lots, 0..groups);
    fill_in_awarded(&mut recorded, &lots, groups);
    let last = recorded.stages.len() as u8;
    begin_stages(&mut recorded, &lots, groups..last);
    let stages = recorded.derive(&lots);
    for (nth, (derived, printed)) in stages.iter().zip(printed["stages"].as_array().expect("stages")).enumerate() {
        let derived = derived.as_ref().expect("all stages have begun");
        assert_eq!(derived.due, [], "stage {}", nth + 1);
        let own = with_names(&names, &derived.standings);
        assert_eq!(sorted(rows(&printed["standings"])), sorted(own), "stage {}", nth + 1);
        check_places(nth, derived, &actions);
    }
    let own = with_names(&names, &recorded.standings(&stages));
    assert_eq!(sorted(rows(&printed["final"]["standings"])), sorted(own), "the whole contest");
}

fn number(names: &[String], name: &str) -> EntrantId {
    let at = names.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name} is not in {names:?}"));
    EntrantId(at as u16)
}

type Named = (String, u64, Vec<i64>);

fn with_names(names: &[String], standings: &[Standing]) -> Vec<Named> {
    let name = |it: &Standing| (names[it.entrant.index()].clone(), u64::from(it.place), it.figures.clone());
    standings.iter().map(name).collect()
}

fn sorted(mut rows: Vec<Named>) -> Vec<Named> {
    rows.sort_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
    rows
}

/// Checks that the decisions have stored the rounds in which bots left and came, and what became of their games.
fn check_places(stage: usize, derived: &Derived, actions: &[Value]) {
    for gone in &derived.gone {
        let is_it = |action: &&Value| action["leave"]["entrant"] == gone.entrant.0;
        let stored = &actions.iter().find(is_it).expect("it has left")["leave"]["stages"][stage];
        assert_eq!(
            (&stored["round"], &stored["games"]),
            (&gone.round.into(), &gone.games.name().into()),
            "{stored}"
        );
    }
    for (late, round) in &derived.late {
        let is_it = |action: &&Value| action["admit"]["entrant"] == late.0;
        let stored = &actions.iter().find(is_it).expect("it was admitted")["admit"]["stages"][stage];
        assert_eq!(stored, &Value::from(*round));
    }
}

/// Does `work` with the record as it was when the first game of a stage was recorded.
fn as_it_began<T>(recorded: &mut Recorded, stage: u8, work: impl FnOnce(&mut Recorded) -> T) -> T {
    let first = recorded.rows.iter().position(|(game, _)| game.id.stage == stage).expect("it was played");
    let later = recorded.rows.split_off(first);
    let decided = recorded.decided.clone();
    recorded.decided.retain(|it| it.after <= first);
    let done = work(recorded);
    recorded.rows.extend(later);
    recorded.decided = decided;
    done
}

/// Notes with which entrants these stages began.
fn begin_stages(recorded: &mut Recorded, lots: &Lots, stages: Range<u8>) {
    for stage in stages {
        as_it_began(recorded, stage, |then| then.begin(stage, lots));
    }
}

/// A game of a group that was awarded before it was played is in no row. It is the one that kept the `next` stage from its
/// beginning.
fn fill_in_awarded(recorded: &mut Recorded, lots: &Lots, next: u8) {
    let awarded = recorded.decided.iter().filter_map(|it| match it.what {
        What::Award(game, _) if !recorded.planned.contains_key(&game.place()) => Some(game),
        _ => None,
    });
    let awarded: Vec<GameId> = awarded.collect();
    let [game] = awarded[..] else { panic!("not one game: {awarded:?}") };
    let stages = as_it_began(recorded, next, |then| then.derive_until(next, lots));
    let [due] = &stages[usize::from(game.stage)].as_ref().expect("a stage").due[..] else { panic!("{game}") };
    let (seats, board) = (due.seats.clone(), due.board);
    recorded.planned.insert(game.place(), Pairing { id: game, seats, board });
}

/// What a record has.
struct Source(Connection);

impl Source {
    fn list<T>(&self, sql: &str, read: impl FnMut(&Row) -> rusqlite::Result<T>) -> Vec<T> {
        let mut select = self.0.prepare(sql).expect("SQL");
        let rows = select.query_map([], read).expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    }

    /// The lots that were published.
    fn lots(&self) -> Vec<(u8, String, Vec<EntrantId>)> {
        self.list("SELECT stage, text, entrants FROM remarks WHERE kind = 'lot'", |row| {
            let order: Vec<u16> = serde_json::from_str(&row.get::<_, String>(2)?).expect("numbers");
            Ok((row.get(0)?, row.get(1)?, order.into_iter().map(EntrantId).collect()))
        })
    }

    /// The games in the order in which they ended, each with its number, without late results, which are attempts that no
    /// decision asks for.
    fn games(&self) -> Vec<(u32, Pairing, Outcome)> {
        let sql = "SELECT g.id, g.stage, g.round, g.tbl, g.game, g.attempt, g.board, g.ending,
            json_group_array(s.entrant), json_group_array(s.place), json_group_array(s.points), json_group_array(s.territory)
            FROM games g JOIN (SELECT * FROM seats ORDER BY game, seat) s ON s.game = g.id
            WHERE g.attempt = 0 OR EXISTS (
                SELECT 1 FROM decisions WHERE json_extract(action, '$.annul.attempt') = g.attempt
                AND json_extract(action, '$.annul.game.stage') = g.stage AND json_extract(action, '$.annul.game.round') = g.round
                AND json_extract(action, '$.annul.game.table') = g.tbl AND json_extract(action, '$.annul.game.game') = g.game)
            GROUP BY g.id ORDER BY g.id";
        self.list(sql, |row| {
            let id = GameId {
                stage: row.get(1)?,
                round: row.get(2)?,
                table: row.get(3)?,
                game: row.get(4)?,
                attempt: row.get(5)?,
            };
            let seats: Vec<u16> = numbers(&row.get::<_, String>(8)?);
            let end = if row.get::<_, String>(7)? == "forfeited" { End::Forfeited } else { End::Played };
            let outcome = Outcome {
                places: numbers(&row.get::<_, String>(9)?),
                points: numbers(&row.get::<_, String>(10)?),
                territory: numbers(&row.get::<_, String>(11)?),
                end,
            };
            let seats = seats.into_iter().map(EntrantId).collect();
            Ok((row.get(0)?, Pairing { id, seats, board: row.get(6)? }, outcome))
        })
    }

    /// The contest as it was played, and the decisions in force.
    fn recorded(
        &self,
        scratch: &Scratch,
        db: &str,
        chosen: &BTreeMap<EntrantId, LeftGames>,
    ) -> (Recorded, Vec<Value>) {
        let kits = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
        let record = Record::open(&scratch.path().join(db)).expect("a record");
        let contest = ContestFile::recorded(&record, &kits).expect("a contest").contest;
        let games = self.games();
        // A bot that loses before its first move leaves its opponent without a spot (B3).
        let forfeit = |places: [u8; 2]| Outcome {
            places: places.to_vec(),
            points: vec![0, 0],
            territory: vec![0, 0],
            end: End::Forfeited,
        };
        let mut recorded = Recorded {
            name: db.to_string(),
            field: contest.field().clone(),
            stages: contest.stages().to_vec(),
            forfeits: [forfeit([2, 1]), forfeit([1, 2])],
            rows: games.iter().map(|(_, game, outcome)| (game.clone(), outcome.clone())).collect(),
            planned: games.iter().map(|(_, game, _)| (game.id.place(), game.clone())).collect(),
            decided: Vec::new(),
            begun: BTreeMap::new(),
        };
        let taken: Vec<(u32, Value)> = self.list("SELECT id, action FROM decisions ORDER BY id", |row| {
            Ok((row.get(0)?, serde_json::from_str(&row.get::<_, String>(1)?).expect("JSON")))
        });
        let undone: BTreeSet<u64> = taken.iter().filter_map(|(_, it)| it["undo"]["decision"].as_u64()).collect();
        let in_force = (1..).zip(taken).filter(|(number, _)| !undone.contains(number)).map(|(_, it)| it);
        let mut actions = Vec::new();
        for (place, action) in in_force {
            let after = games.iter().filter(|(id, ..)| *id < place).count();
            if let Some(what) = decided(&recorded, &action, chosen) {
                if let What::Leave { entrant, .. } = what {
                    self.fall_away(&mut recorded, entrant, after);
                }
                recorded.decided.push(Decided { what, after });
            }
            actions.push(action);
        }
        (recorded, actions)
    }

    /// The match of a Swiss of pairs in which `leaver` was to play when it left, after the first `after` games, is in no row. Its
    /// opponent is the one that did not play in the round either, and had no bye.
    fn fall_away(&self, recorded: &mut Recorded, leaver: EntrantId, after: usize) {
        let is_of_pairs = |stage: &u8| matches!(recorded.stages[usize::from(*stage)].format, Format::PairSwiss(_));
        for stage in (0..recorded.stages.len() as u8).filter(is_of_pairs) {
            let before = recorded.rows[..after].iter().filter(|(game, _)| game.id.stage == stage);
            let Some(round) = before.map(|(game, _)| game.id.round).max() else { continue };
            let games = recorded.rows.iter().map(|(game, _)| game);
            let of_round: Vec<&Pairing> =
                games.filter(|game| (game.id.stage, game.id.round) == (stage, round)).collect();
            let seated: Vec<EntrantId> = of_round.iter().flat_map(|game| game.seats.iter().copied()).collect();
            let Participants::Group(group) = &recorded.stages[usize::from(stage)].who else { panic!("no group") };
            let group = &recorded.field.groups[usize::from(*group)];
            if !group.contains(&leaver) || seated.contains(&leaver) {
                continue;
            }
            let idle: Vec<EntrantId> = group.iter().copied().filter(|id| !seated.contains(id)).collect();
            assert_eq!((idle.len(), idle.contains(&leaver)), (2, true), "who was to meet {leaver:?}: {idle:?}");
            let is_free = |table: &u32| of_round.iter().all(|game| game.id.table != *table);
            let table = (0..).find(is_free).expect("a number");
            let id = GameId { stage, round, table, game: 0, attempt: 0 };
            let board = of_round[0].board;
            recorded.planned.insert(id, Pairing { id, seats: idle, board });
        }
    }
}

fn numbers<T: for<'a> serde::Deserialize<'a>>(list: &str) -> Vec<T> {
    serde_json::from_str(list).expect("numbers")
}

/// The effect of an action on standings and plans; `None` if it has none.
fn decided(recorded: &Recorded, action: &Value, chosen: &BTreeMap<EntrantId, LeftGames>) -> Option<What> {
    let bot = |it: &Value| EntrantId(it.as_u64().expect("a number") as u16);
    let game = |it: &Value| -> GameId { serde_json::from_value(it.clone()).expect("a game") };
    let (kind, it) = action.as_object()?.iter().next()?;
    match kind.as_str() {
        "leave" => {
            let entrant = bot(&it["entrant"]);
            let is_disqualified = it["disqualified"] == true;
            Some(What::Leave { entrant, is_disqualified, choice: chosen.get(&entrant).copied() })
        }
        "admit" => {
            let stages = it["stages"].as_array()?.iter().map(|round| !round.is_null()).collect();
            Some(What::Admit { entrant: bot(&it["entrant"]), stages })
        }
        "annul" => Some(What::Annul(game(&it["game"]))),
        "award" => {
            let id = game(&it["game"]);
            let places: Vec<u8> = numbers(&it["outcome"]["places"].to_string());
            let loser = places.iter().position(|place| *place == 2)?;
            // The seats of a game are known if it was played.
            if let Some(played) = recorded.planned.get(&id.place()) {
                assert_ne!(played.seats[loser], bot(&it["winner"]));
            }
            Some(What::Award(id, recorded.forfeits[loser].clone()))
        }
        _ => None,
    }
}
