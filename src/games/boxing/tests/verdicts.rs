//! What every way of getting an answer wrong is called, and in which words (B2, B5, B6, B7).
//!
//! Unless a row says otherwise, `B` answers on the announcement's partial game, where a 2x2 square at row
//! 15, column 11 is a legal move.

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

/// Each answer, given on the partial game, is of its kind.
fn check(table: &[(&str, Vec<u8>, &str)]) {
    for (what, answer, due) in table {
        assert_eq!(kind(PARTIAL, answer), *due, "{what}: {}", answer.escape_ascii());
    }
}

/// The lines of the legal answer, each without its line feed, put together again by `put`.
fn relined(put: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>, end: &str) -> Vec<u8> {
    let lines = legal().strip_suffix(b"\n").unwrap().split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    put(lines).into_iter().flat_map(|line| [&line[..], end.as_bytes()].concat()).collect()
}

/// The legal answer with only its line number `row`, from 0, changed.
fn with_line(row: usize, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    relined(
        |mut lines| {
            change(&mut lines[row]);
            lines
        },
        "\n",
    )
}

/// The legal answer with `bytes` in place of those from `from` to `to`.
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
fn what_surrounds_a_whole_arena_is_named() {
    check(&[
        ("exactly the move", legal(), "legal"),
        ("a byte order mark", before(b"\xef\xbb\xbf"), "lead"),
        ("a banner", before(b"MegaBoxer 1.0\n"), "lead"),
        ("a banner with a carriage return", before(b"MegaBoxer 1.0\r\n"), "lead"),
        ("a prompt", before(b"> "), "lead"),
        ("an empty line first", before(b"\n"), "lead"),
        ("an empty line last", after(b"\n"), "trail"),
        ("a blank", after(b" "), "trail"),
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
fn line_ends_are_named() {
    check(&[
        ("carriage return and line feed", relined(|lines| lines, "\r\n"), "line-ending"),
        ("the same, last row open", relined(|lines| lines, "\r\n")[..542].to_vec(), "line-ending"),
        ("the same, 15 rows", relined(|lines| lines[1..].to_vec(), "\r\n"), "line-ending"),
        (
            "the same, of 31 columns: 528 bytes",
            relined(|lines| lines.iter().map(|line| line[1..].to_vec()).collect(), "\r\n"),
            "line-ending",
        ),
        ("carriage returns alone", relined(|lines| lines, "\r"), "line-ending"),
        ("a carriage return in one row", with_line(4, |line| line.push(b'\r')), "line-ending"),
        ("a carriage return for one line feed", spliced(32, 33, b"\r"), "line-ending"),
        ("no line feeds at all", relined(|lines| lines, ""), "line-ending"),
        ("blanks for line feeds", relined(|lines| lines, " "), "line-ending"),
        ("NULs for line feeds", relined(|lines| lines, "\0"), "line-ending"),
        ("a line feed is missing", spliced(65, 66, b""), "line-ending"),
        ("a blank for one line feed", spliced(65, 66, b" "), "line-ending"),
        ("no final line feed", legal()[..527].to_vec(), "final-newline"),
        ("NUL for the final line feed", spliced(527, 528, b"\0"), "final-newline"),
    ]);
}

#[test]
fn other_sides_than_16_by_32_are_named() {
    let each = |change: fn(&[u8]) -> Vec<u8>| relined(|l| l.iter().map(|line| change(line)).collect(), "\n");
    check(&[
        ("15 rows", legal()[..15 * 33].to_vec(), "rows"),
        ("15 rows, the first missing", legal()[33..].to_vec(), "rows"),
        ("15 rows, the last open", legal()[..15 * 33 - 1].to_vec(), "rows"),
        ("17 rows", after(&legal()[..33]), "rows"),
        ("17 rows, the last open", after(&legal()[..32]), "rows"),
        ("31 columns", each(|line| line[..31].to_vec()), "rows"),
        ("33 columns", each(|line| [line, b"-"].concat()), "rows"),
        ("a blank after every row", each(|line| [line, b" "].concat()), "rows"),
        ("a blank between spots", each(|line| line.iter().flat_map(|&b| [b, b' ']).collect()), "rows"),
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
fn what_is_no_arena_is_of_the_wrong_length() {
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
fn what_was_marked_wrongly_is_named() {
    let fill = |mark: u8, squares: &[Square]| filled(PARTIAL, mark, squares);
    let spots = |spots: &[(u8, u8)]| {
        spotted(PARTIAL, &spots.iter().map(|&(row, col)| (row, col, b'B')).collect::<Vec<_>>())
    };
    check(&[
        ("one spot", fill(b'B', &[square(1, 15, 0)]), "legal"),
        ("a move beside own spots", fill(b'B', &[square(3, 11, 11)]), "legal"),
        ("nothing", PARTIAL.to_vec(), "none"),
        ("NUL instead of the mark", fill(0, &[MOVE]), "charset"),
        ("a tab in the square", spotted(&legal(), &[(15, 11, b'\t')]), "charset"),
        ("DEL over an opponent", spotted(&legal(), &[(0, 1, 0x7f)]), "charset"),
        ("a carriage return for a spot", spotted(&legal(), &[(3, 4, b'\r')]), "charset"),
        ("the mark in lower case", fill(b'b', &[MOVE]), "mark"),
        ("always A", fill(b'A', &[MOVE]), "mark"),
        ("o for a mark", fill(b'o', &[MOVE]), "mark"),
        ("a blank for a mark", fill(b' ', &[MOVE]), "mark"),
        ("a byte beyond ASCII for a mark", fill(0xe9, &[MOVE]), "mark"),
        ("one spot of the square with another mark", spotted(&legal(), &[(15, 10, b'A')]), "mark"),
        ("over an o", fill(b'B', &[square(3, 11, 22)]), "vacant"),
        ("over an opponent", fill(b'B', &[square(2, 12, 10)]), "vacant"),
        ("over own spots and free ones: an L is new", fill(b'B', &[square(3, 9, 20)]), "vacant"),
        ("an opponent's mark swapped", spotted(&legal(), &[(0, 1, b'C')]), "vacant"),
        ("an opponent's mark taken", spotted(PARTIAL, &[(0, 1, b'B')]), "vacant"),
        ("an own mark erased", spotted(&legal(), &[(0, 11, b'-')]), "vacant"),
        ("an o erased", spotted(&legal(), &[(0, 0, b'-')]), "vacant"),
        ("another arena altogether", START.to_vec(), "vacant"),
        ("a rectangle", fill(b'B', &[square(2, 14, 10), square(2, 14, 11)]), "square"),
        ("two spots under own ones", spots(&[(11, 11), (11, 12)]), "square"),
        ("a square without a corner", spots(&[(14, 10), (15, 10), (15, 11)]), "filled"),
        ("a square with a hole", spotted(&fill(b'B', &[square(3, 13, 12)]), &[(14, 13, b'-')]), "filled"),
        ("two spots corner to corner", spots(&[(14, 10), (15, 11)]), "filled"),
        ("a cross", spots(&[(13, 13), (14, 12), (14, 13), (14, 14), (15, 13)]), "filled"),
        ("a square and a spot beside it", fill(b'B', &[MOVE, square(1, 15, 12)]), "filled"),
        ("two squares", fill(b'B', &[MOVE, square(1, 15, 20)]), "one"),
        ("three squares", fill(b'B', &[MOVE, square(1, 15, 20), square(2, 11, 15)]), "one"),
    ]);
}

#[test]
fn a_square_that_runs_over_the_edge_is_no_square() {
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
fn a_full_arena_comes_back_unchanged() {
    let full: Vec<u8> = START.iter().map(|&b| if b == VACANT { b'C' } else { b }).collect();
    assert_eq!(judged(&full, LARGEST_SQUARE, &full), Ok(None));
    let overwritten: Vec<u8> = full.iter().map(|&b| if b == b'C' { b'B' } else { b }).collect();
    for (answer, due) in [
        (overwritten, "full"),
        (filled(&full, b'B', &[square(1, 0, 0)]), "full"),
        (spotted(&full, &[(0, 0, 0)]), "charset"),
        (Vec::new(), "length"),
        (full[..527].to_vec(), "final-newline"),
    ] {
        assert_eq!(kind(&full, &answer), due, "{}", answer.escape_ascii());
    }
}

#[test]
fn a_square_is_no_larger_than_the_ruleset_allows() {
    let open = Arena::open().to_bytes();
    for size in 1..=16 {
        let answer = filled(&open, b'B', &[square(size, 0, 16)]);
        assert_eq!(judged(&open, size, &answer), Ok(Some(square(size, 0, 16))));
        if size > 1 {
            assert_eq!(judged(&open, size - 1, &answer).unwrap_err().kind, "square", "{size}");
        }
    }
}

/// The place of a fault of form is the first one concerned.
#[test]
fn faults_of_form_have_their_place() {
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
fn a_violation_is_told_in_words_for_a_beginner() {
    let fill = |mark: u8, squares: &[Square]| filled(PARTIAL, mark, squares);
    for (answer, words) in [
        (Vec::new(), "nothing at all was written: 528 bytes were due (B6)"),
        (b"2x2\n".to_vec(), r"4 bytes that are not an arena, beginning `2x2\n` (B6)"),
        (legal()[..512].to_vec(), "the output stops after 512 of 528 bytes, in row 16 (B6)"),
        (
            relined(|lines| lines, "\r\n"),
            "lines end with carriage return and line feed (CR LF): a line feed (byte 10) alone ends a row (B6)",
        ),
        (spliced(65, 66, b""), "no line feed stands between rows 2 and 3 (B6)"),
        (legal()[..527].to_vec(), "the last row is not ended by a line feed: 527 bytes instead of 528 (B6)"),
        (before(b"hello\n"), r"`hello\n` before the arena: 6 bytes too many (B6)"),
        (after(b"\0"), "a NUL byte after the arena: 1 byte too many (B6)"),
        (after(&legal()), "a second arena after the arena: 528 bytes too many (B6)"),
        (
            relined(|lines| transposed(&lines), "\n"),
            "32 rows of 16 spots instead of 16 of 32: rows and columns are swapped (B1)",
        ),
        (with_line(9, |line| line.truncate(31)), "row 10 has 31 spots instead of 32 (B1)"),
        (fill(0, &[square(1, 15, 0)]), "the control byte 0 stands at row 16, column 1 (B6)"),
        (PARTIAL.to_vec(), "nothing was marked though 165 spots are vacant, the first at row 1, column 7 (B2)"),
        (
            fill(b'B', &[square(3, 11, 22)]),
            "row 13, column 24 was not vacant: `o` was never available, and `B` stands there now (B2)",
        ),
        (
            fill(b'B', &[square(2, 12, 10)]),
            "row 13, column 11 was not vacant: `A` belonged to an opponent, and `B` stands there now, \
             and 1 more spot (B2)",
        ),
        (
            fill(b'B', &[square(3, 9, 20)]),
            "the square 3x3 at row 10, column 21 covers row 10, column 21, which was already this bot's own \
             (5 of its spots are new) (B2)",
        ),
        (
            fill(b'b', &[MOVE]),
            "`b` was written at row 15, column 11 where the mark given as the first argument, `B`, was due, \
             and 3 more spots (B5)",
        ),
        (
            fill(b'B', &[MOVE, square(2, 14, 11)]),
            "a rectangle 3 wide and 2 tall at row 15, column 11 instead of a square (B2)",
        ),
        (fill(b'B', &[MOVE, square(1, 15, 20)]), "2 separate squares were marked; a move is one (B2)"),
        (
            fill(b'B', &[square(1, 14, 10), square(1, 15, 11)]),
            "2 spots were marked within a rectangle 2 wide and 2 tall at row 15, column 11: a move fills one \
             square without holes (B2)",
        ),
    ] {
        let violation = judged(PARTIAL, LARGEST_SQUARE, &answer).unwrap_err();
        assert_eq!(violation.to_string(), words);
    }
}
