//! Captures, ko, suicide and superko (G6).

use super::*;

#[test]
fn stones_without_liberties_are_captured() {
    // One stone, in the middle, at an edge and in a corner.
    check_board("..... ..X.. .XOX. ..... .....", "C2", "..... ..X.. .X.X. ..X.. .....");
    check_board("..... ..... X.... OX... .....", "A1", "..... ..... X.... .X... X....");
    check_board("OX... ..... ..... ..... .....", "A4", ".X... X.... ..... ..... .....");
    // A chain of several stones.
    check_board("..... .XXX. XOOO. .XXX. .....", "E3", "..... .XXX. X...X .XXX. .....");
}

#[test]
fn one_move_can_capture_several_chains() {
    check_board("..... .XOX. XO.OX .XOX. ..X..", "C5 E1 C3", "..X.. .X.X. X.X.X .X.X. ..X.O");
    check_board("XO.OX .X.X. ..X.. ..... .....", "C5", "X.X.X .X.X. ..X.. ..... .....");
}

#[test]
fn a_chain_with_a_liberty_is_not_captured() {
    check_board("..... ..X.. .XOX. ..O.. .....", "E1 C1 B2 E2", "..... ..X.. .XOX. .XO.O ..O.X");
    check_board("OO.X. XX.X. ..... ..... .....", "E1 C5", "OOOX. XX.X. ..... ..... ....X");
}

#[test]
fn a_capture_is_not_suicide() {
    // A stone without a liberty captures two chains: first alone, then joined to others.
    check_board(".OX.. OX... X.... ..... .....", "A5", "X.X.. .X... X.... ..... .....");
    check_board(".OX.. XOX.. OX... ..... .....", "A5", "X.X.. X.X.. OX... ..... .....");
}

/// White can capture in a ko at B3.
const KO: &str = "..... .XO.. X.XO. .XO.. .....";

/// Black makes two stones by A5, white captures them with C5, and black recaptures one with B5: the position repeats.
const SEND_TWO: &str = ".X.X. OOX.. ..... ..... .....";

/// Three kos: white can capture in the first, black in the two others.
const TRIPLE_KO: &str =
    ".XO...... X.XO..... .XO...... .XO...... XO.O..... .XO...... .XO...... XO.O..... .XO......";

#[test]
fn a_ko_may_not_be_retaken_immediately() {
    let go = small(5);
    let words = "C3 retakes the ko immediately: B3 captured that stone with move 2; play elsewhere first";
    check_illegal(&go, KO, "E1 B3 C3", ("ko", words));
    check_board(KO, "E1 B3", "..... .XO.. XO.O. .XO.. ....X");
}

#[test]
fn a_ko_may_be_retaken_after_a_move_elsewhere() {
    check_board(KO, "E1 B3 E5 A1 C3", "....X .XO.. X.XO. .XO.. O...X");
    check_board(KO, "E1 B3 pass A1 C3", "..... .XO.. X.XO. .XO.. O...X");
    // Then the other side may not retake it immediately, but after a move elsewhere.
    let words = "B3 retakes the ko immediately: C3 captured that stone with move 5; play elsewhere first";
    check_illegal(&small(5), KO, "E1 B3 E5 A1 C3 B3", ("ko", words));
    check_board(KO, "E1 B3 E5 A1 C3 A5 D1 B3", "O...X .XO.. XO.O. .XO.. O..XX");
}

#[test]
fn a_ko_can_be_filled() {
    check_board(KO, "B3", "..... .XO.. XXXO. .XO.. .....");
    check_board(KO, "E1 B3 E5 C3", "....X .XO.. XOOO. .XO.. ....X");
}

#[test]
fn capturing_one_stone_is_not_a_ko_if_the_new_stone_has_a_liberty() {
    let mut state = start(&small(5), "OX... ..... ..... ..... .....");
    make(&small(5), &mut state, "A4").unwrap();
    assert_eq!((state.position().ko(), state.position().lost()), (None, [0, 1]));
    let mut state = start(&small(5), KO);
    make(&small(5), &mut state, "E1 B3").unwrap();
    let retaking = state.position().point(Spot { row: 2, col: 2 });
    assert_eq!(state.position().ko(), Some((retaking, Colour::Black)));
}

#[test]
fn recapturing_several_stones_is_not_a_ko() {
    // Snapback: black throws a stone in, white captures it and loses all five.
    check_board("XO..X XOOOX .XXX. ..... .....", "C5 D5 C5", "X.X.X X...X .XXX. ..... .....");
    // White captures two stones, black recaptures one.
    check_board(SEND_TWO, "A5 C5 B5", SEND_TWO);
}

#[test]
fn suicide_is_illegal() {
    let go = small(5);
    let one = "black at A5 is suicide: the stone has no liberty and captures nothing";
    check_illegal(&go, ".O... O.... ..... ..... .....", "A5", ("suicide", one));
    let many = "white at A5 is suicide: the chain of 3 stones it joins has no liberty and captures nothing";
    check_illegal(&go, ".OX.. OX... X.... ..... .....", "E1 A5", ("suicide", many));
}

#[test]
fn a_suicide_lists_every_stone_that_would_be_lost() {
    let mut state = start(&small(5), ".OX.. OX... X.... ..... .....");
    let violation = make(&small(5), &mut state, "E1 A5").unwrap_err();
    let spots: Vec<String> = violation.spots.iter().map(|&spot| vertex(spot, 5)).collect();
    assert_eq!(spots, ["A5", "B5", "A4"]);
}

#[test]
fn an_occupied_point_is_reported_with_its_colour_and_its_move() {
    let go = small(5);
    let rows = "..... ..X.. ..O.. ..... .....";
    check_illegal(
        &go,
        rows,
        "C4",
        ("occupied", "C4 is occupied by a black stone, this bot's own, from the start"),
    );
    check_illegal(
        &go,
        rows,
        "C3",
        ("occupied", "C3 is occupied by a white stone, the opponent's, from the start"),
    );
    check_illegal(
        &go,
        rows,
        "A1 a1",
        ("occupied", "A1 is occupied by a black stone, the opponent's, since move 1"),
    );
    check_illegal(
        &go,
        rows,
        "A1 A2 A1",
        ("occupied", "A1 is occupied by a black stone, this bot's own, since move 1"),
    );
}

#[test]
fn superko_is_a_setting() {
    for (size, rows, cycle, back) in [(5, SEND_TWO, "A5 C5 B5", "B5"), (9, TRIPLE_KO, "C5 B8 C2 B5 C8 B2", "B2")] {
        let superko = Go { superko: true, ..small(size) };
        check_legal(&small(size), rows, cycle);
        let words = format!("{back} repeats the position before the first move (superko)");
        check_illegal(&superko, rows, cycle, ("superko", &words));
        // After two moves elsewhere, the repeated position is a later one.
        let words = format!("{back} repeats the position after move 2 (superko)");
        check_illegal(&superko, rows, &format!("E1 E3 {cycle}"), ("superko", &words));
    }
}

#[test]
fn with_superko_a_ko_is_still_reported_as_a_ko() {
    let words = "C3 retakes the ko immediately: B3 captured that stone with move 2; play elsewhere first";
    check_illegal(&Go { superko: true, ..small(5) }, KO, "E1 B3 C3", ("ko", words));
}

/// Passes do not change the board: a move that is legal by the simple ko rule after two passes repeats a position.
#[test]
fn with_superko_a_ko_may_not_be_retaken_after_passes() {
    let cycle = "E1 B3 pass pass C3";
    let go = Go { superko: true, ..small(5) };
    let mut state = start(&go, KO);
    make(&go, &mut state, "E1 B3 pass").unwrap();
    state.make(Move::Pass);
    let point = state.position().point(Spot { row: 2, col: 2 });
    assert!(state.position().is_legal(point, Colour::Black), "{cycle}");
    assert_eq!(go.read(&state, Seat(0), b"C3").unwrap_err().kind, "superko", "{cycle}");
}

#[test]
fn without_superko_a_triple_ko_goes_on_to_the_move_cap() {
    let go = Go { move_cap: 60, ..small(9) };
    let mut state = start(&go, TRIPLE_KO);
    make(&go, &mut state, &"C5 B8 C2 B5 C8 B2 ".repeat(10)).unwrap();
    assert_eq!(go.board(&state), board(TRIPLE_KO));
    assert_eq!(state.position().lost(), [30, 30]);
    assert_eq!(go.outcome(&state).map(|outcome| outcome.end), Some(End::Played));
}
