//! Tests of remarks and forfeits.

use super::*;
use crate::doc::Block;
use crate::json::ForfeitJson;
use crate::testing::{self, Played, all, forfeited, play, text_of, two_brackets, with_fillers};
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Setup;
use cornerman_harness::record::{FaultRecord, GameRecord, Record, TimeUsed, Writer};
use std::time::Duration;

fn nine() -> Played {
    play(with_fillers(9, 1), vec![("Brackets", all(two_brackets()))], usize::MAX)
}

/// The forfeits of `played`, written to a record and read back; a seat forfeits in each of the first games.
fn recorded(played: &Played) -> Vec<Forfeit> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.db");
    let mut writer = Writer::create_or_resume(&path, &played.header).unwrap();
    writer.add_entrants(&played.entrants).unwrap();
    for (number, head) in played.games.iter().enumerate() {
        writer.add_game(&game(number, head)).unwrap();
    }
    drop(writer);
    Record::open(&path).unwrap().digest(&mut |_| {}).unwrap().forfeits
}

fn game(number: usize, head: &cornerman_harness::record::GameSummary) -> GameRecord {
    let used =
        TimeUsed { wall: Duration::from_micros(2_000_001), cpu: Duration::ZERO, lag: Duration::from_micros(7) };
    let (kind, detail) = match number {
        0..6 => ("timeout", "no answer within 2.0 s (B10)"),
        _ => ("line-ending", "\x1b[2Jlines end with a carriage return (B6)"),
    };
    let fault = FaultRecord { view: b"-\n".to_vec(), used, ..forfeited(3, 1, kind, detail) };
    let setup = Setup { seats: 2, board: b"-\n".to_vec(), marks: b"AB".to_vec(), seed: 1 };
    GameRecord {
        outcome: head.outcome.clone(),
        faults: if number < 8 { vec![fault] } else { Vec::new() },
        seats: vec![Default::default(); 2],
        ..testing::recorded(head.pairing.clone(), setup)
    }
}

#[test]
fn remarks_name_their_entrants() {
    let played = nine();
    let lines = Block::List(lines(&played.tournament(), 0));
    insta::assert_snapshot!(text_of([Section::new("", "Remarks").with(lines)], &played.entrants));
}

#[test]
fn every_remark_has_words() {
    let played = nine();
    let check = |remark, wanted: &str| assert_eq!(words(&line(&remark), &played.entrants), wanted);
    let [a, b] = [EntrantId(0), EntrantId(1)];
    check(StageRemark::Bye { round: 0, entrant: a }, "round 1: gull has a bye");
    check(
        StageRemark::Repeat { round: 4, pair: (a, b) },
        "round 5: gull and tern meet again: nothing else was possible",
    );
    check(
        StageRemark::Filler { round: 1, entrant: EntrantId(9) },
        "round 2: the organizer's swan fills an empty seat",
    );
    check(StageRemark::Lot { about: "seats".to_string(), order: vec![b, a] }, "lots drawn for seats: tern, gull");
    check(StageRemark::Note("not\x07 played".to_string()), "not\\u{7} played");
    check(StageRemark::Bye { round: 0, entrant: EntrantId(99) }, "round 1: entrant 100 has a bye");
}

#[test]
fn forfeits_are_grouped_by_entrant_and_fault() {
    let played = nine();
    insta::assert_snapshot!(text_of(forfeits(&recorded(&played)), &played.entrants));
    assert_eq!(forfeits(&[]), None);
}

#[test]
fn of_many_games_the_first_are_named() {
    let played = nine();
    let mut all = recorded(&played);
    for forfeit in &mut all {
        forfeit.entrant = EntrantId(1);
    }
    let text = text_of(forfeits(&all), &played.entrants);
    assert!(
        text.contains("timeout          6  s1/r1/m1/g1, s1/r1/m1/g2, s1/r1/m2/g1 and 3 more  no answer"),
        "{text}"
    );
}

#[test]
fn json_has_every_forfeit_with_its_game() {
    let played = nine();
    let all: Vec<ForfeitJson> =
        recorded(&played).iter().map(|forfeit| ForfeitJson::new(forfeit, &played.entrants)).collect();
    assert_eq!(all.len(), 8);
    insta::assert_json_snapshot!(all[7]);
    insta::assert_json_snapshot!(json(&played.tournament())[0]);
}

fn six_unplayed() -> Vec<Unplayed> {
    let game = |table, attempts, why: &str| Unplayed {
        id: GameId { stage: 0, round: 1, table, game: 0, attempt: 0 },
        attempts,
        why: why.to_string(),
    };
    let mut all: Vec<Unplayed> = (0..5).map(|table| game(table, 3, "the sandbox failed: no room")).collect();
    all.push(game(7, 6, "the worker panicked: \x1b[2J|"));
    all
}

#[test]
fn games_are_grouped_by_reason() {
    let wanted = "6 games could not be played\n \
         games                                             attempts  why (the last time)\n \
         s1/r2/m1/g1, s1/r2/m2/g1, s1/r2/m3/g1 and 2 more        15  the sandbox failed: no room\n \
         s1/r2/m8/g1                                              6  the worker panicked: \\u{1b}[2J|\n";
    assert_eq!(text_of(unplayed(&six_unplayed()), &[]), wanted);
    assert_eq!(unplayed(&[]), None);
    assert_eq!(serde_json::to_value(&six_unplayed()[5]).unwrap()["attempts"], 6);
}
