//! Who wins: area, komi, passes, the cap, forfeits, and what bots are told at each (G2, G4).

use super::*;

#[track_caller]
fn check_area(rows: &str, due: [u32; 2]) {
    let size = rows.split_whitespace().count() as u8;
    assert_eq!(Position::parse(&board(rows), size).unwrap().area(), due, "{rows}");
}

#[test]
fn area_is_stones_and_what_they_alone_surround() {
    check_area("..... ..... ..... ..... .....", [0, 0]);
    check_area("..... ..... ..X.. ..... .....", [25, 0]);
    check_area("..... ..... ..O.. ..... .....", [0, 25]);
    check_area("..XO. ..XO. ..XO. ..XO. ..XO.", [15, 10]);
    check_area(".XXO. X.XO. XX.XO .XXO. XXXOO", [16, 9]);
}

#[test]
fn regions_that_touch_both_colours_are_nobodys() {
    check_area("..X.O ..X.O ..X.O ..X.O ..X.O", [15, 5]);
    check_area("..... ..X.. ..... ..O.. .....", [1, 1]);
    // Seki: neither can take, and the two points between them are nobody's.
    check_area("XO.XO XO.XO XOOXO XXXXO .....", [10, 8]);
}

/// Dead stones stay: whoever wants them off the board takes them (G2).
#[test]
fn every_stone_is_alive() {
    check_area("..X.. ..X.. O.X.. ..X.. ..X..", [15, 1]);
}

/// Black has 15 points and white 10; both pass: `due` are the places.
#[track_caller]
fn check_komi(komi_halves: i32, due: [u8; 2]) {
    let go = Go { komi_halves, ..small(5) };
    let mut state = start(&go, "..XO. ..XO. ..XO. ..XO. ..XO.");
    make(&go, &mut state, "pass pass").unwrap();
    let outcome = go.outcome(&state).unwrap();
    assert_eq!((outcome.places.as_slice(), outcome.end), (due.as_slice(), End::Played), "{komi_halves}");
    assert_eq!((outcome.points, outcome.territory), (vec![15, 10], vec![15, 10]), "komi is in who wins only");
}

#[test]
fn komi_counts_for_white() {
    check_komi(0, [1, 2]);
    check_komi(9, [1, 2]);
    check_komi(10, [1, 1]);
    check_komi(11, [2, 1]);
    check_komi(-60, [1, 2]);
    assert_eq!(Go::default().scores_halves([184, 177]), [368, 367]);
    assert_eq!(Go::default().scores_halves([183, 178]), [366, 369]);
}

/// Plays `text` on an empty board: whether the game is over, and what black and white are told next.
#[track_caller]
fn check_told(text: &str, over: bool, due: [&str; 2]) {
    let go = small(9);
    let mut state = start(&go, "");
    make(&go, &mut state, text).unwrap();
    assert_eq!(go.outcome(&state).is_some(), over, "{text}");
    let told = [Seat(0), Seat(1)].map(|seat| String::from_utf8(go.view(&state, seat)).unwrap());
    assert_eq!(told, due, "{text}");
}

#[test]
fn a_bot_is_told_its_opponents_move_once() {
    check_told("", false, ["", ""]);
    check_told("g7", false, ["", "G7\n"]);
    check_told("G7 c3", false, ["C3\n", ""]);
    check_told("pass", false, ["", "pass\n"]);
}

#[test]
fn two_passes_in_sequence_end_the_game() {
    check_told("pass pass", true, ["pass\n", ""]);
    check_told("C3 pass pass", true, ["", "pass\n"]);
    check_told("pass C3 pass D3", false, ["D3\n", ""]);
    check_told("pass C3 pass D3 pass pass", true, ["pass\n", ""]);
}

#[test]
fn the_cap_ends_the_game_and_the_board_is_scored() {
    let go = Go { move_cap: 3, ..small(5) };
    let mut state = start(&go, "");
    make(&go, &mut state, "A1 pass").unwrap();
    assert_eq!(go.outcome(&state), None);
    make(&go, &mut state, "B1").unwrap();
    assert!(go.to_act(&state).is_empty());
    let due = Outcome { places: vec![1, 2], points: vec![25, 0], territory: vec![25, 0], end: End::Played };
    assert_eq!(go.outcome(&state), Some(due));
    assert_eq!([Seat(0), Seat(1)].map(|seat| go.view(&state, seat)), [b"".to_vec(), b"B1\n".to_vec()]);
}

/// After `text` the seat to act forfeits: `due` are the places and the points.
#[track_caller]
fn check_forfeit(text: &str, due: ([u8; 2], [i64; 2])) {
    let go = small(5);
    let mut table = InProgress::new(go.clone(), &Setup { seats: 2, ..Setup::default() }).unwrap();
    let mut seats = (0..2).map(Seat).cycle();
    for word in text.split_whitespace() {
        table.answer(seats.next().unwrap(), word.as_bytes()).unwrap();
    }
    table.forfeit(seats.next().unwrap());
    let outcome = table.outcome().unwrap();
    assert_eq!(
        (outcome.places.as_slice(), outcome.points.as_slice()),
        (due.0.as_slice(), due.1.as_slice()),
        "{text}"
    );
    assert_eq!(outcome.end, End::Forfeited);
    assert!(table.to_act().is_empty());
    assert_eq!([Seat(0), Seat(1)].map(|seat| table.view(seat)), [vec![], vec![]], "both have been told all");
}

#[test]
fn whoever_forfeits_loses_whatever_the_board_says() {
    check_forfeit("", ([2, 1], [0, 0]));
    check_forfeit("C3", ([1, 2], [25, 0]));
    check_forfeit("C3 pass", ([2, 1], [25, 0]));
    check_forfeit("C3 A1", ([2, 1], [1, 1]));
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut table = InProgress::new(small(5), &Setup { seats: 2, ..Setup::default() }).unwrap();
    assert_eq!(table.answer(Seat(0), b" c3\r\n").as_deref(), Ok("C3"));
    assert_eq!(table.answer(Seat(1), b"C3").unwrap_err().kind, "occupied");
    assert_eq!(table.to_act(), Seats::only(Seat(1)));
    assert_eq!((table.view(Seat(1)), table.board()), (b"C3\n".to_vec(), board("..... ..... ..X.. ..... .....")));
    assert_eq!(table.answer(Seat(1), b"Pass").as_deref(), Ok("pass"));
}
