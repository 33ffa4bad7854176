//! Moves as text (G1, G5).

use super::*;

#[track_caller]
fn check(line: &str, size: u8, expected: Option<&str>) {
    let parsed = parse_move(line.as_bytes(), size);
    let go = Go { size, ..Go::default() };
    assert_eq!(parsed.map(|m| go.notation(&m)).as_deref(), expected, "{line:?} on {size} lines");
    assert_eq!(is_move(line.as_bytes(), size), expected.is_some(), "{line:?} on {size} lines");
}

#[test]
fn a_move_is_a_letter_and_a_number_or_a_pass() {
    check("G7", 19, Some("G7"));
    check("A1", 19, Some("A1"));
    check("T19", 19, Some("T19"));
    check("J10", 19, Some("J10"));
    check("q16", 19, Some("Q16"));
    check("pass", 19, Some("pass"));
    check("PASS", 19, Some("pass"));
    check("Pass", 5, Some("pass"));
    check("E5", 5, Some("E5"));
    check("Z25", 25, Some("Z25"));
    check("u20", 25, Some("U20"));
}

#[test]
fn white_space_around_a_move_is_ignored() {
    for line in ["G7\n", "G7\r\n", " G7", "\tG7  ", "  G7 \r"] {
        check(line, 19, Some("G7"));
    }
    check(" pass\r", 19, Some("pass"));
}

#[test]
fn every_other_line_is_garbage() {
    for line in [
        "",
        " ",
        "I5",
        "i5",
        "Z9",
        "A20",
        "U1",
        "A0",
        "A00",
        "A01",
        "A007",
        "A-1",
        "A+1",
        "G",
        "7",
        "7G",
        "GG7",
        "G 7",
        "G7.",
        "G7 H8",
        "(G7)",
        "G7\nH8",
        "pas",
        "passs",
        "pass pass",
        "resign",
        "G7\0",
        "G1234567890",
        "A1\u{a0}",
        "Å1",
    ] {
        check(line, 19, None);
    }
    check("F5", 5, None);
    check("E6", 5, None);
    check("I9", 25, None);
    check("A26", 25, None);
    check("Z99", 25, None);
    assert!(!is_move(b"G7\xff", 19) && !is_move(b"\xc37", 19));
}

#[test]
fn each_point_of_each_board_is_read_from_its_name() {
    for size in SIZES {
        let go = Go { size, ..Go::default() };
        let position = Position::new(size);
        let spots: Vec<Spot> = position.points().map(|point| position.spot(point)).collect();
        assert_eq!(spots.len(), usize::from(size) * usize::from(size));
        for spot in spots {
            assert_eq!(position.spot(position.point(spot)), spot);
            assert_eq!(parse_move(vertex(spot, size).as_bytes(), size), Some(Move::Place(spot)));
            assert!(!go.notation(&Move::Place(spot)).contains('I'));
        }
    }
}

#[test]
fn rows_count_from_the_bottom_and_columns_from_the_left() {
    assert_eq!(vertex(Spot { row: 0, col: 0 }, 19), "A19");
    assert_eq!(vertex(Spot { row: 18, col: 18 }, 19), "T1");
    assert_eq!(vertex(Spot { row: 12, col: 6 }, 19), "G7");
    assert_eq!(vertex(Spot { row: 3, col: 8 }, 9), "J6");
}

#[test]
fn a_line_that_is_not_a_move_is_quoted() {
    let go = Go::default();
    let expected = "expected a vertex from A1 to T19 (without the letter I) or `pass`";
    for (line, seen) in [
        (&b"I5"[..], "`I5`"),
        (b" resign \r\n", "`resign`"),
        (b"", "an empty line"),
        (b" \r\n", "an empty line"),
        (b"\x1b[31mG7", r"`\x1b[31mG7`"),
    ] {
        let state = go.start(&Setup { seats: 2, ..Setup::default() }).unwrap();
        let violation = go.read(&state, Seat(0), line).unwrap_err();
        assert_eq!((violation.kind, violation.rule, violation.spots.len()), ("no-move", "G5", 0));
        assert_eq!(violation.detail, format!("{seen} is not a move: {expected}"));
    }
    let long = go.read(&start(&go, ""), Seat(0), &[b'x'; 1000]).unwrap_err();
    assert!(long.detail.starts_with(&format!("`{}…` is not a move", "x".repeat(60))), "{}", long.detail);
}
