//! Setups, and boards as text (G1, G7).

use super::*;

#[track_caller]
fn check_refused(go: &Go, setup: Setup, expected: &str) {
    assert_eq!(go.start(&setup).unwrap_err().0, expected);
}

fn seated(board: &[u8]) -> Setup {
    Setup { seats: 2, board: board.to_vec(), ..Setup::default() }
}

#[test]
fn a_setup_that_does_not_fit_is_refused_with_the_reason() {
    let go = small(5);
    for size in [0, 4, 26, 255] {
        check_refused(&small(size), seated(b""), &format!("a go board has 5 to 25 lines per side, not {size}"));
    }
    check_refused(
        &Go { move_cap: 0, ..small(5) },
        seated(b""),
        "a game of go needs at least 1 move before it is scored, not 0",
    );
    check_refused(&go, Setup { seats: 1, ..seated(b"") }, "go has 2 seats, not 1");
    check_refused(&go, Setup { seats: 3, ..seated(b"") }, "go has 2 seats, not 3");
    check_refused(&go, Setup { marks: b"A".to_vec(), ..seated(b"") }, "1 mark for 2 seats");
    check_refused(&go, Setup { marks: b"ABC".to_vec(), ..seated(b"") }, "3 marks for 2 seats");
    for (rows, words) in [
        ("..... ..... .....", "3 rows instead of 5"),
        ("..... ..... ..... ..... ..... .....", "6 rows instead of 5"),
        ("..... ..... .... ..... .....", "row 3 has 4 points instead of 5"),
        ("..... ..... ...... ..... .....", "row 3 has 6 points instead of 5"),
        ("..... .x... ..... ..... .....", "`x` at row 2, column 2 is not `.`, `X` (black) or `O` (white)"),
        ("OX... X.... ..... ..... .....", "the stone at A5 has no liberty"),
        ("..... ..O.. .OXO. .OXO. ..O..", "the stone at C3 has no liberty"),
    ] {
        check_refused(&go, seated(&board(rows)), &format!("not a go board: {words}"));
    }
    check_refused(&go, seated(b"\n"), "not a go board: 1 rows instead of 5");
    check_refused(
        &Go::default(),
        seated(&board("..... ..... ..... ..... .....")),
        "not a go board: 5 rows instead of 19",
    );
}

#[test]
fn a_board_is_read_as_it_was_written() {
    let rows = ".X.X. OOX.. ..... ...X. ...XO";
    for text in [board(rows), board(rows)[..29].to_vec(), rows.replace(' ', "\r\n").into_bytes()] {
        let state = small(5).start(&seated(&text)).unwrap();
        assert_eq!(small(5).board(&state), board(rows));
    }
    for size in SIZES {
        let state = small(size).start(&seated(b"")).unwrap();
        let text = small(size).board(&state);
        assert_eq!(text.len(), usize::from(size) * (usize::from(size) + 1));
        assert_eq!(small(size).start(&seated(&text)), Ok(state));
    }
}

#[test]
fn the_default_rules_are_those_of_the_announcement() {
    assert_eq!(Go::default(), Go { size: 19, komi_halves: 13, superko: false, move_cap: 1000 });
    let game = InProgress::new(Go::default(), &Setup { marks: b"BW".to_vec(), ..seated(b"") }).unwrap();
    assert_eq!((game.board().len(), game.to_act()), (19 * 20, Seats::only(Seat(0))));
}

/// The diagram from the announcement, with a capital J in place of its lower-case one.
const ANNOUNCED: &str = "      A B C D E F G H J K L M N O P Q R S T
  19  + + + + + + + + + + + + + + + + + + +  19
  18  + + + + + + + + + + + + + + + + + + +  18
  17  + + + O @ + + + + + + + + + + + + + +  17
  16  + + + O + + + O + @ + + + + + @ + + +  16
  15  + + + + + + + + + + + + + + + + + + +  15
  14  + + O O + + + O + @ + + + + + + + + +  14
  13  + + @ + + + + + + + + + + + + + + + +  13
  12  + + + + + + + + + + + + + + + + + + +  12
  11  + + + + + + + + + + + + + + + + + + +  11
  10  + + + + + + + + + + + + + + + + + + +  10
   9  + + + + + + + + + + + + + + + + + + +  9
   8  + + + + + + + + + + + + + O O O O @ +  8
   7  + + O @ + + + + + + + + + O @ @ @ @ @  7
   6  + + @ O O + + + + + + + + + O O O @ +  6
   5  + + O + + + + + + + + + + + + + O @ @  5
   4  + + + O + + + + + + + + + + + + O @ +  4
   3  + + @ @ + @ + + + + + + + + @ @ O @ +  3
   2  + + + + + + + + + + + + + + + + + + +  2
   1  + + + + + + + + + + + + + + + + + + +  1
      A B C D E F G H J K L M N O P Q R S T
";

#[test]
fn a_diagram_is_drawn_as_the_announcement_draws_it() {
    let rows = ANNOUNCED.lines().filter(|line| line.contains('+'));
    let points = rows.map(|row| row.chars().filter(|c| "+@O".contains(*c)).collect::<String>());
    let text = points.collect::<Vec<_>>().join(" ").replace('+', ".").replace('@', "X");
    let state = start(&Go::default(), &text);
    assert_eq!(state.diagram(), ANNOUNCED);
}

#[track_caller]
fn check_last(text: &str, row: usize, expected: &str) {
    let mut state = start(&small(5), "");
    make(&small(5), &mut state, text).unwrap();
    assert_eq!(state.diagram().lines().nth(row), Some(expected), "{text}");
}

#[test]
fn the_last_stone_is_in_brackets() {
    check_last("C3", 3, "   3  + +(@)+ +  3");
    check_last("C3 A5", 1, "   5 (O)+ + + +  5");
    check_last("C3 E1", 5, "   1  + + + +(O) 1");
    check_last("C3 pass", 3, "   3  + + @ + +  3");
}
