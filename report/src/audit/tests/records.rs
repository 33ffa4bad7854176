//! Tests of the turns of recorded games: what counts as the same view.

use super::*;
use crate::testing::{forfeited, moved, recorded};
use cornerman::game::Setup;
use cornerman::games::boxing::{Arena, Square};
use cornerman_harness::games::{boxing, rps};
use cornerman_harness::kit::AnyKit;
use cornerman_harness::record::{FaultRecord, GameRecord};
use cornerman_harness::ruleset::Ruleset;

/// A game between two entrants from `setup`. Seats take turns; a move that begins with `!` is an illegal answer.
fn game(table: u32, seats: [u16; 2], setup: Setup, moves: &[&str]) -> GameRecord {
    let mut game = recorded(pairing(table, seats), setup);
    for (number, notation) in (1..).zip(moves) {
        let seat = ((number - 1) % 2) as u8;
        match notation.strip_prefix('!') {
            None => game.moves.push(moved(number, seat, notation)),
            Some(answer) => {
                let kind = if answer.is_empty() { "died" } else { "too-short" };
                let answer = answer.as_bytes().to_vec();
                game.faults.push(FaultRecord { answer, ..forfeited(number, seat, kind, "") });
            }
        }
    }
    game
}

/// A game of the Boxing Match on six spots of the first row. A move is the column of a single spot, from 1.
fn boxing(table: u32, seats: [u16; 2], marks: &[u8; 2], moves: &[&str]) -> GameRecord {
    let mut arena = Arena::from_rows([[b'o'; 32]; 16]);
    for col in 0..6 {
        arena.set(cornerman::game::Spot { row: 0, col }, b'-');
    }
    let setup =
        Setup { seats: 2, board: arena.to_bytes().to_vec(), marks: marks.to_vec(), seed: u64::from(table) };
    let square = |col: &&str| match col.parse::<u8>() {
        Ok(col) => Square { row: 0, col: col - 1, size: 1 }.to_string(),
        Err(_) => col.to_string(),
    };
    let moves: Vec<String> = moves.iter().map(square).collect();
    game(table, seats, setup, &moves.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A game of rock-paper-scissors, in which each bot is sent its own fixed seed.
fn hands(table: u32, seats: [u16; 2], moves: &[&str]) -> GameRecord {
    game(table, seats, Setup { seats: 2, seed: u64::from(table), ..Setup::default() }, moves)
}

/// The verdict on `entrant` in these games, and its first difference as `MATCH.MOVE ANSWER / MATCH.MOVE ANSWER`.
#[track_caller]
fn check(ruleset: &Ruleset, games: &[GameRecord], entrant: u16, verdict: AuditVerdict, difference: &str) {
    let mut audit = Audit::new(&[]);
    let of = |game: &GameRecord| turns(game, ruleset).expect("the record follows the rules");
    for game in games {
        audit.note(&of(game));
    }
    for game in games {
        audit.compare(&game.pairing, &of(game));
    }
    let report = audit.finish("Club night");
    let found = report.entrants.iter().find(|found| found.who.id() == EntrantId(entrant)).expect("it played");
    let difference_found =
        found.differences.first().map(|it| it.answers.iter().map(words).collect::<Vec<_>>().join(" / "));
    assert_eq!((found.verdict, difference_found.unwrap_or_default()), (verdict, difference.to_string()));
}

#[test]
fn in_the_boxing_match_the_same_arena_is_the_same_view() {
    let rules = boxing::KIT.default_ruleset();
    let same = AuditVerdict::Same;
    let differs = AuditVerdict::ByOpponent;
    let check = |games: [GameRecord; 2], entrant, verdict, difference: &str| {
        check(&rules, &games, entrant, verdict, difference);
    };
    let spot = |col: u8| Square { row: 0, col, size: 1 }.to_string();
    let ab = b"AB";
    // The first seat knows nothing yet. Another seed of the setup changes nothing, because bots are not sent it.
    let opening = [boxing(1, [0, 1], ab, &["1", "2"]), boxing(2, [0, 2], ab, &["3", "2"])];
    check(opening.clone(), 0, differs, &format!("1.1 {} / 2.1 {}", spot(0), spot(2)));
    // The second seat answers another arena.
    check(opening, 1, same, "");
    // Its opponents reach the same arena in another order.
    let other_ways = |last: &'static str| {
        [boxing(1, [1, 0], ab, &["1", "2", "3", "4"]), boxing(2, [2, 0], ab, &["3", "2", "1", last])]
    };
    check(other_ways("4"), 0, same, "");
    check(other_ways("6"), 0, differs, &format!("1.4 {} / 2.4 {}", spot(3), spot(5)));
    // Another seat is another view.
    check([boxing(1, [0, 1], ab, &["1"]), boxing(2, [2, 0], ab, &["1", "3"])], 0, same, "");
}

#[test]
fn marks_are_renamed_in_the_order_of_seats() {
    let rules = boxing::KIT.default_ruleset();
    let second = |marks| boxing(2, [2, 0], marks, &["1", "3"]);
    let first = boxing(1, [1, 0], b"AB", &["1", "2"]);
    let spot = |col: u8| Square { row: 0, col, size: 1 }.to_string();
    let difference = format!("1.2 {} / 2.2 {}", spot(1), spot(2));
    for marks in [b"AB", b"BA", b"XY", b"#A"] {
        check(&rules, &[first.clone(), second(marks)], 0, AuditVerdict::ByOpponent, &difference);
    }
}

#[test]
fn an_illegal_answer_is_an_answer_and_silence_is_none() {
    let rules = boxing::KIT.default_ruleset();
    let games =
        |second: &'static str| [boxing(1, [1, 0], b"AB", &["1", "2"]), boxing(2, [2, 0], b"AB", &["1", second])];
    let legal = Square { row: 0, col: 1, size: 1 }.to_string();
    let words = format!("1.2 {legal} / 2.2 an illegal answer (too-short)");
    check(&rules, &games("!nonsense"), 0, AuditVerdict::ByOpponent, &words);
    check(&rules, &games("!"), 0, AuditVerdict::Same, "");
}

#[test]
fn in_a_line_game_the_same_messages_so_far_are_the_same_view() {
    let rules = rps::KIT.built_in("rps-published").expect("it is built in");
    let check = |games: [GameRecord; 2], verdict, difference: &str| check(&rules, &games, 0, verdict, difference);
    // Against the same hands it plays the same.
    let same = |table, opponent| hands(table, [0, opponent], &["0", "1", "2", "1", "1", "1"]);
    check([same(1, 1), same(2, 2)], AuditVerdict::Same, "");
    // The last message is the same, but not the one before.
    check(
        [hands(1, [0, 1], &["0", "1", "2", "1", "1", "0"]), hands(2, [0, 2], &["0", "2", "2", "1", "0", "0"])],
        AuditVerdict::Same,
        "",
    );
    check(
        [same(1, 1), hands(2, [0, 2], &["0", "1", "2", "1", "0", "1"])],
        AuditVerdict::ByOpponent,
        "1.5 1 / 2.5 0",
    );
    // The seat decides which seed it is sent.
    check([same(1, 1), hands(2, [2, 0], &["1", "1", "1", "2"])], AuditVerdict::Same, "");
}

#[test]
fn a_record_that_contradicts_the_rules_is_refused() {
    let rules = boxing::KIT.default_ruleset();
    let wrong = turns(&boxing(1, [0, 1], b"AB", &["1", "1"]), &rules).unwrap_err();
    assert_eq!(wrong.to_string(), "move 2: row 1, column 1 is not vacant (B2)");
}
