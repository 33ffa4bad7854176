//! The kind and the message of each violation (B2, B5, B6, B7).
//!
//! Unless a row says otherwise, `B` answers in the partial game from the announcement, where a 2x2 square at row 15,
//! column 11 is a legal move.

use super::*;
use std::string::ToString;

const MOVE: Square = Square { row: 14, col: 10, size: 2 };

fn legal() -> Vec<u8> {
    filled(PARTIAL, b'B', &[MOVE])
}

fn judged(arena: &[u8], max_square: u8, answer: &[u8]) -> Result<Option<Square>, Violation> {
    judge(&Arena::parse(arena).unwrap(), b'B', max_square, answer)
}

fn kind(arena: &[u8], answer: &[u8]) -> &'static str {
    judged(arena, LARGEST_SQUARE, answer).map_or_else(|violation| violation.kind, |_| "legal")
}

/// Each row has a description, an answer in the partial game, and the kind of its violation.
fn check(table: &[(&str, Vec<u8>, &str)]) {
    for (what, answer, expected) in table {
        assert_eq!(kind(PARTIAL, answer), *expected, "{what}: {}", answer.escape_ascii());
    }
}

/// The legal answer with its lines, without line feeds, changed by `change`, and each of them ended by `end`.
fn relined(change: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>, end: &str) -> Vec<u8> {
    let lines = legal().strip_suffix(b"\n").unwrap().split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    change(lines).into_iter().flat_map(|line| [&line[..], end.as_bytes()].concat()).collect()
}

/// The legal answer with line `row`, counted from 0, changed by `change`.
fn with_line(row: usize, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    relined(
        |mut lines| {
            change(&mut lines[row]);
            lines
        },
        "\n",
    )
}

/// The legal answer with the bytes `from..to` replaced by `bytes`.
fn spliced(from: usize, to: usize, bytes: &[u8]) -> Vec<u8> {
    let mut text = legal();
    text.splice(from..to, bytes.iter().copied());
    text
}

fn before(bytes: &[u8]) -> Vec<u8> {
    [bytes, &legal()].concat()
}

fn after(bytes: &[u8]) -> Vec<u8> {
    [&legal(), bytes].concat()
}

fn transposed(lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
    (0..WIDTH).map(|col| lines.iter().map(|line| line[col]).collect()).collect()
}

#[test]
fn bytes_before_or_after_an_arena_are_named() {
    check(&[
        ("exactly the move", legal(), "legal"),
        ("a byte order mark", before(b"\xef\xbb\xbf"), "lead"),
        ("a banner", before(b"MegaBoxer 1.0\n"), "lead"),
        ("a banner with a carriage return", before(b"MegaBoxer 1.0\r\n"), "lead"),
        ("a prompt", before(b"> "), "lead"),
        ("an empty line first", before(b"\n"), "lead"),
        ("an empty line last", after(b"\n"), "trail"),
        ("a space", after(b" "), "trail"),
        ("a debug line", after(b"took 2x2 at 14,10\n"), "trail"),
        ("a debug line of 32 bytes", after(b"my move is a 2x2 at row 14 col 3\n"), "trail"),
        ("a debug line with a carriage return", after(b"done\r\n"), "trail"),
        ("a debug word", after(b"done"), "trail"),
        ("the NUL that ends a C string", after(b"\0"), "trail"),
        ("a buffer full of NUL", after(&[0; 512]), "trail"),
        ("the arena twice", after(&legal()), "trail"),
        ("the input, then the answer", [&PARTIAL[..], &legal()].concat(), "trail"),
        ("the arena three times", after(&[legal(), legal()].concat()), "trail"),
    ]);
}

#[test]
fn wrong_line_ends_are_named() {
    check(&[
        ("carriage return and line feed", relined(|lines| lines, "\r\n"), "line-ending"),
        ("the same, last row unfinished", relined(|lines| lines, "\r\n")[..542].to_vec(), "line-ending"),
        ("the same, 15 rows", relined(|lines| lines[1..].to_vec(), "\r\n"), "line-ending"),
        (
            "the same, of 31 columns: 528 bytes",
            relined(|lines| lines.iter().map(|line| line[1..].to_vec()).collect(), "\r\n"),
            "line-ending",
        ),
        ("carriage returns alone", relined(|lines| lines, "\r"), "line-ending"),
        ("a carriage return in one row", with_line(4, |line| line.push(b'\r')), "line-ending"),
        ("a carriage return for one line feed", spliced(32, 33, b"\r"), "line-ending"),
        ("no line feeds", relined(|lines| lines, ""), "line-ending"),
        ("spaces for line feeds", relined(|lines| lines, " "), "line-ending"),
        ("NULs for line feeds", relined(|lines| lines, "\0"), "line-ending"),
        ("a line feed is missing", spliced(65, 66, b""), "line-ending"),
        ("a space for one line feed", spliced(65, 66, b" "), "line-ending"),
        ("no final line feed", legal()[..527].to_vec(), "final-newline"),
        ("NUL for the final line feed", spliced(527, 528, b"\0"), "final-newline"),
    ]);
}

#[test]
fn sizes_other_than_16_by_32_are_named() {
    let each = |change: fn(&[u8]) -> Vec<u8>| relined(|l| l.iter().map(|line| change(line)).collect(), "\n");
    check(&[
        ("15 rows", legal()[..15 * 33].to_vec(), "rows"),
        ("15 rows, the first missing", legal()[33..].to_vec(), "rows"),
        ("15 rows, the last unfinished", legal()[..15 * 33 - 1].to_vec(), "rows"),
        ("17 rows", after(&legal()[..33]), "rows"),
        ("17 rows, the last unfinished", after(&legal()[..32]), "rows"),
        ("31 columns", each(|line| line[..31].to_vec()), "rows"),
        ("33 columns", each(|line| [line, b"-"].concat()), "rows"),
        ("a space after every row", each(|line| [line, b" "].concat()), "rows"),
        ("a space between spots", each(|line| line.iter().flat_map(|&b| [b, b' ']).collect()), "rows"),
        ("rows and columns swapped", relined(|lines| transposed(&lines), "\n"), "rows"),
        ("an empty line after every row", relined(|lines| lines, "\n\n"), "rows"),
        ("one row of 31 spots", with_line(9, |line| line.truncate(31)), "rows"),
        ("one row of 33 spots", with_line(9, |line| line.push(b'-')), "rows"),
        ("one row twice as long", with_line(9, |line| line.extend([b'-'; 40])), "rows"),
        ("a line feed within a row", spliced(40, 40, b"\n"), "rows"),
        ("a line feed for a spot", spliced(40, 41, b"\n"), "rows"),
        ("a mark of two bytes", spliced(480, 481, "é".as_bytes()), "rows"),
    ]);
}

#[test]
fn anything_but_an_arena_has_the_wrong_length() {
    check(&[
        ("nothing", Vec::new(), "length"),
        ("an empty line", b"\n".to_vec(), "length"),
        ("stopped at 512 bytes", legal()[..512].to_vec(), "length"),
        ("stopped in the second row", legal()[..40].to_vec(), "length"),
        ("stopped one spot early", legal()[..526].to_vec(), "length"),
        ("the move in words", b"2x2 at 14,10\n".to_vec(), "length"),
        ("an error message", b"Traceback (most recent call last):\n  File \"bot.py\"\n".repeat(5), "length"),
        ("one row", legal()[..33].to_vec(), "length"),
        ("a megabyte of noise", std::vec![b'x'; 1 << 20], "length"),
    ]);
}

#[test]
fn wrong_marks_are_named() {
    let fill = |mark: u8, squares: &[Square]| filled(PARTIAL, mark, squares);
    let spots = |spots: &[(u8, u8)]| {
        spotted(PARTIAL, &spots.iter().map(|&(row, col)| (row, col, b'B')).collect::<Vec<_>>())
    };
    check(&[
        ("one spot", fill(b'B', &[square(1, 15, 0)]), "legal"),
        ("a move next to own spots", fill(b'B', &[square(3, 11, 11)]), "legal"),
        ("nothing", PARTIAL.to_vec(), "none"),
        ("NUL instead of the mark", fill(0, &[MOVE]), "charset"),
        ("a tab in the square", spotted(&legal(), &[(15, 11, b'\t')]), "charset"),
        ("DEL over an opponent", spotted(&legal(), &[(0, 1, 0x7f)]), "charset"),
        ("a carriage return for a spot", spotted(&legal(), &[(3, 4, b'\r')]), "charset"),
        ("the mark in lower case", fill(b'b', &[MOVE]), "mark"),
        ("always A", fill(b'A', &[MOVE]), "mark"),
        ("o for a mark", fill(b'o', &[MOVE]), "mark"),
        ("a space for a mark", fill(b' ', &[MOVE]), "mark"),
        ("a byte outside ASCII for a mark", fill(0xe9, &[MOVE]), "mark"),
        ("one spot of the square with another mark", spotted(&legal(), &[(15, 10, b'A')]), "mark"),
        ("over an o", fill(b'B', &[square(3, 11, 22)]), "vacant"),
        ("over an opponent", fill(b'B', &[square(2, 12, 10)]), "vacant"),
        ("over own and vacant spots: the new ones form an L", fill(b'B', &[square(3, 9, 20)]), "vacant"),
        ("an opponent's mark replaced by another opponent's", spotted(&legal(), &[(0, 1, b'C')]), "vacant"),
        ("an opponent's mark replaced by the bot's own", spotted(PARTIAL, &[(0, 1, b'B')]), "vacant"),
        ("one of the bot's own marks erased", spotted(&legal(), &[(0, 11, b'-')]), "vacant"),
        ("an o erased", spotted(&legal(), &[(0, 0, b'-')]), "vacant"),
        ("a different arena", START.to_vec(), "vacant"),
        ("a rectangle", fill(b'B', &[square(2, 14, 10), square(2, 14, 11)]), "square"),
        ("two spots below own ones", spots(&[(11, 11), (11, 12)]), "square"),
        ("a square without a corner", spots(&[(14, 10), (15, 10), (15, 11)]), "filled"),
        ("a square with a hole", spotted(&fill(b'B', &[square(3, 13, 12)]), &[(14, 13, b'-')]), "filled"),
        ("two spots that touch at a corner", spots(&[(14, 10), (15, 11)]), "filled"),
        ("a cross", spots(&[(13, 13), (14, 12), (14, 13), (14, 14), (15, 13)]), "filled"),
        ("a square and a spot next to it", fill(b'B', &[MOVE, square(1, 15, 12)]), "filled"),
        ("two squares", fill(b'B', &[MOVE, square(1, 15, 20)]), "one"),
        ("three squares", fill(b'B', &[MOVE, square(1, 15, 20), square(2, 11, 15)]), "one"),
    ]);
}

#[test]
fn a_square_that_crosses_the_edge_is_not_a_square() {
    let open = Arena::open().to_bytes();
    let wrapped: Vec<(u8, u8, u8)> =
        [(2, 30), (2, 31), (3, 0), (3, 30), (3, 31), (4, 0), (4, 30), (4, 31), (5, 0)]
            .map(|(row, col)| (row, col, b'B'))
            .to_vec();
    assert_eq!(kind(&open, &spotted(&open, &wrapped)), "square");
    let clipped: Vec<(u8, u8, u8)> = wrapped.iter().copied().filter(|&(_, col, _)| col != 0).collect();
    assert_eq!(kind(&open, &spotted(&open, &clipped)), "square");
}

#[test]
fn a_full_arena_must_be_returned_unchanged() {
    let full: Vec<u8> = START.iter().map(|&b| if b == VACANT { b'C' } else { b }).collect();
    assert_eq!(judged(&full, LARGEST_SQUARE, &full), Ok(None));
    let overwritten: Vec<u8> = full.iter().map(|&b| if b == b'C' { b'B' } else { b }).collect();
    for (answer, expected) in [
        (overwritten, "full"),
        (filled(&full, b'B', &[square(1, 0, 0)]), "full"),
        (spotted(&full, &[(0, 0, 0)]), "charset"),
        (Vec::new(), "length"),
        (full[..527].to_vec(), "final-newline"),
    ] {
        assert_eq!(kind(&full, &answer), expected, "{}", answer.escape_ascii());
    }
}

#[test]
fn a_square_is_at_most_as_large_as_the_ruleset_allows() {
    let open = Arena::open().to_bytes();
    for size in 1..=16 {
        let answer = filled(&open, b'B', &[square(size, 0, 16)]);
        assert_eq!(judged(&open, size, &answer), Ok(Some(square(size, 0, 16))));
        if size > 1 {
            assert_eq!(judged(&open, size - 1, &answer).unwrap_err().kind, "square", "{size}");
        }
    }
}

#[test]
fn a_violation_of_the_format_has_the_first_place_concerned() {
    for (answer, row, col) in [
        (with_line(4, |line| line.push(b'\r')), 4, 32),
        (relined(|lines| lines, "\r\n"), 0, 32),
        (spliced(65, 66, b""), 1, 32),
        (legal()[..527].to_vec(), 15, 32),
        (after(b"done"), 16, 0),
        (with_line(9, |line| line.truncate(31)), 9, 31),
        (legal()[..15 * 33].to_vec(), 15, 0),
        (legal()[..512].to_vec(), 15, 17),
    ] {
        let violation = judged(PARTIAL, LARGEST_SQUARE, &answer).unwrap_err();
        assert_eq!(violation.spots, [Spot { row, col }], "{violation}");
    }
}

#[test]
fn a_violation_has_a_message_for_beginners() {
    let fill = |mark: u8, squares: &[Square]| filled(PARTIAL, mark, squares);
    for (answer, words) in [
        (Vec::new(), "nothing was written: expected 528 bytes (B6)"),
        (b"2x2\n".to_vec(), r"4 bytes that are not an arena, beginning `2x2\n` (B6)"),
        (legal()[..512].to_vec(), "the output stops after 512 of 528 bytes, in row 16 (B6)"),
        (
            relined(|lines| lines, "\r\n"),
            "lines end with carriage return and line feed (CR LF): a row ends with a line feed (byte 10) alone (B6)",
        ),
        (spliced(65, 66, b""), "no line feed between rows 2 and 3 (B6)"),
        (legal()[..527].to_vec(), "the last row does not end with a line feed: 527 bytes instead of 528 (B6)"),
        (before(b"hello\n"), r"`hello\n` before the arena: 6 bytes too many (B6)"),
        (after(b"\0"), "a NUL byte after the arena: 1 byte too many (B6)"),
        (after(&legal()), "a second arena after the arena: 528 bytes too many (B6)"),
        (
            relined(|lines| transposed(&lines), "\n"),
            "32 rows of 16 spots instead of 16 of 32: rows and columns are swapped (B1)",
        ),
        (with_line(9, |line| line.truncate(31)), "row 10 has 31 spots instead of 32 (B1)"),
        (fill(0, &[square(1, 15, 0)]), "row 16, column 1 holds the control byte 0 (B6)"),
        (PARTIAL.to_vec(), "nothing was marked though 165 spots are vacant, the first at row 1, column 7 (B2)"),
        (
            fill(b'B', &[square(3, 11, 22)]),
            "row 13, column 24 was not vacant: it was blocked (`o`), and it is now `B` (B2)",
        ),
        (
            fill(b'B', &[square(2, 12, 10)]),
            "row 13, column 11 was not vacant: an opponent held it (`A`), and it is now `B`; 1 more spot is wrong too (B2)",
        ),
        (
            fill(b'B', &[square(3, 9, 20)]),
            "the square 3x3 at row 10, column 21 covers row 10, column 21, which this bot held already \
             (5 of its spots are new) (B2)",
        ),
        (
            fill(b'b', &[MOVE]),
            "row 15, column 11 holds `b`, but this bot's mark, its first argument, is `B`; 3 more spots are wrong too (B5)",
        ),
        (
            fill(b'B', &[MOVE, square(2, 14, 11)]),
            "a rectangle 3 wide and 2 tall at row 15, column 11 instead of a square (B2)",
        ),
        (fill(b'B', &[MOVE, square(1, 15, 20)]), "2 separate squares were marked; a move is one square (B2)"),
        (
            fill(b'B', &[square(1, 14, 10), square(1, 15, 11)]),
            "2 spots were marked in a rectangle 2 wide and 2 tall at row 15, column 11; a move fills one \
             square without holes (B2)",
        ),
    ] {
        let violation = judged(PARTIAL, LARGEST_SQUARE, &answer).unwrap_err();
        assert_eq!(violation.to_string(), words);
    }
}
