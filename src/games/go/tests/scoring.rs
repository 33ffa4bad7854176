//! The winner of a game: area, komi, passes, the move cap and forfeits, and what bots are sent after each (G2, G4).

use super::*;

#[track_caller]
fn check_area(rows: &str, expected: [u32; 2]) {
    let size = rows.split_whitespace().count() as u8;
    assert_eq!(Position::parse(&board(rows), size).unwrap().area(), expected, "{rows}");
}

#[test]
fn area_is_stones_and_the_points_that_they_alone_surround() {
    check_area("..... ..... ..... ..... .....", [0, 0]);
    check_area("..... ..... ..X.. ..... .....", [25, 0]);
    check_area("..... ..... ..O.. ..... .....", [0, 25]);
    check_area("..XO. ..XO. ..XO. ..XO. ..XO.", [15, 10]);
    check_area(".XXO. X.XO. XX.XO .XXO. XXXOO", [16, 9]);
}

#[test]
fn regions_next_to_both_colours_belong_to_neither() {
    check_area("..X.O ..X.O ..X.O ..X.O ..X.O", [15, 5]);
    check_area("..... ..X.. ..... ..O.. .....", [1, 1]);
    // Seki: neither can capture, and the two points between them belong to neither.
    check_area("XO.XO XO.XO XOOXO XXXXO .....", [10, 8]);
}

/// Dead stones stay on the board until they are captured (G2).
#[test]
fn every_stone_is_alive() {
    check_area("..X.. ..X.. O.X.. ..X.. ..X..", [15, 1]);
}

/// Black has 15 points and white 10; both pass: `expected` are the places.
#[track_caller]
fn check_komi(komi_halves: i32, expected: [u8; 2]) {
    let go = Go { komi_halves, ..small(5) };
    let mut state = start(&go, "..XO. ..XO. ..XO. ..XO. ..XO.");
    make(&go, &mut state, "pass pass").unwrap();
    let outcome = go.outcome(&state).unwrap();
    assert_eq!((outcome.places.as_slice(), outcome.end), (expected.as_slice(), End::Played), "{komi_halves}");
    assert_eq!((outcome.points, outcome.territory), (vec![15, 10], vec![15, 10]), "komi only decides the places");
}

#[test]
fn komi_is_added_to_whites_score() {
    check_komi(0, [1, 2]);
    check_komi(9, [1, 2]);
    check_komi(10, [1, 1]);
    check_komi(11, [2, 1]);
    check_komi(-60, [1, 2]);
    assert_eq!(Go::default().scores_halves([184, 177]), [368, 367]);
    assert_eq!(Go::default().scores_halves([183, 178]), [366, 369]);
}

/// Plays `text` on an empty board: `over` is whether the game ends, `expected` what black and white are sent then.
#[track_caller]
fn check_sent(text: &str, over: bool, expected: [&str; 2]) {
    let go = small(9);
    let mut state = start(&go, "");
    make(&go, &mut state, text).unwrap();
    assert_eq!(go.outcome(&state).is_some(), over, "{text}");
    let sent = [Seat(0), Seat(1)].map(|seat| String::from_utf8(go.view(&state, seat)).unwrap());
    assert_eq!(sent, expected, "{text}");
}

#[test]
fn a_bot_is_sent_its_opponents_move_once() {
    check_sent("", false, ["", ""]);
    check_sent("g7", false, ["", "G7\n"]);
    check_sent("G7 c3", false, ["C3\n", ""]);
    check_sent("pass", false, ["", "pass\n"]);
}

#[test]
fn two_passes_in_a_row_end_the_game() {
    check_sent("pass pass", true, ["pass\n", ""]);
    check_sent("C3 pass pass", true, ["", "pass\n"]);
    check_sent("pass C3 pass D3", false, ["D3\n", ""]);
    check_sent("pass C3 pass D3 pass pass", true, ["pass\n", ""]);
}

#[test]
fn the_move_cap_ends_the_game_and_the_board_is_scored() {
    let go = Go { move_cap: 3, ..small(5) };
    let mut state = start(&go, "");
    make(&go, &mut state, "A1 pass").unwrap();
    assert_eq!(go.outcome(&state), None);
    make(&go, &mut state, "B1").unwrap();
    assert!(go.to_act(&state).is_empty());
    let expected = Outcome { places: vec![1, 2], points: vec![25, 0], territory: vec![25, 0], end: End::Played };
    assert_eq!(go.outcome(&state), Some(expected));
    assert_eq!([Seat(0), Seat(1)].map(|seat| go.view(&state, seat)), [b"".to_vec(), b"B1\n".to_vec()]);
}

/// After `text`, the seat whose turn it is forfeits: `expected` are the places and the points.
#[track_caller]
fn check_forfeit(text: &str, expected: ([u8; 2], [i64; 2])) {
    let go = small(5);
    let mut game = InProgress::new(go.clone(), &Setup { seats: 2, ..Setup::default() }).unwrap();
    let mut seats = (0..2).map(Seat).cycle();
    for word in text.split_whitespace() {
        game.answer(seats.next().unwrap(), word.as_bytes()).unwrap();
    }
    game.forfeit(seats.next().unwrap());
    let outcome = game.outcome().unwrap();
    assert_eq!(
        (outcome.places.as_slice(), outcome.points.as_slice()),
        (expected.0.as_slice(), expected.1.as_slice()),
        "{text}"
    );
    assert_eq!(outcome.end, End::Forfeited);
    assert!(game.to_act().is_empty());
    assert_eq!([Seat(0), Seat(1)].map(|seat| game.view(seat)), [vec![], vec![]], "both have been sent every move");
}

#[test]
fn a_forfeit_loses_regardless_of_the_board() {
    check_forfeit("", ([2, 1], [0, 0]));
    check_forfeit("C3", ([1, 2], [25, 0]));
    check_forfeit("C3 pass", ([2, 1], [25, 0]));
    check_forfeit("C3 A1", ([2, 1], [1, 1]));
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = InProgress::new(small(5), &Setup { seats: 2, ..Setup::default() }).unwrap();
    assert_eq!(game.answer(Seat(0), b" c3\r\n").as_deref(), Ok("C3"));
    assert_eq!(game.answer(Seat(1), b"C3").unwrap_err().kind, "occupied");
    assert_eq!(game.to_act(), Seats::only(Seat(1)));
    assert_eq!((game.view(Seat(1)), game.board()), (b"C3\n".to_vec(), board("..... ..... ..X.. ..... .....")));
    assert_eq!(game.answer(Seat(1), b"Pass").as_deref(), Ok("pass"));
}
