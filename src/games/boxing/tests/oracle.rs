//! Compares the judge with the most naive one: try every square, fill it, compare.

use super::frame;
use super::*;

/// The move in `answer`, found by trying all moves on `before`: `Some(None)` if a full arena is returned unchanged,
/// `None` if the answer is illegal.
fn naive(before: &[u8], mark: u8, max_square: u8, answer: &[u8]) -> Option<Option<Square>> {
    if !before.contains(&VACANT) {
        return (answer == before).then_some(None);
    }
    for size in 1..=max_square {
        for row in 0..=HEIGHT as u8 - size {
            for col in 0..=WIDTH as u8 - size {
                let tried = square(size, row, col);
                let at = |row: u8, col: u8| usize::from(row) * 33 + usize::from(col);
                if tried.spots().all(|spot| before[at(spot.row, spot.col)] == b'-')
                    && answer == filled(before, mark, &[tried])
                {
                    return Some(Some(tried));
                }
            }
        }
    }
    None
}

fn check(arena: &Arena, mark: u8, max_square: u8, answer: &[u8]) {
    let judged = judge(arena, mark, max_square, answer);
    let expected = naive(&arena.to_bytes(), mark, max_square, answer);
    assert_eq!(judged.as_ref().ok().copied(), expected, "{judged:?} of {}", answer.escape_ascii());
    if let Err(violation) = judged {
        assert!(VIOLATIONS.contains(&violation.kind), "{violation:?}");
        assert!(["B1", "B2", "B5", "B6", "B7"].contains(&violation.rule), "{violation:?}");
        assert!(!violation.detail.is_empty(), "{violation:?}");
    }
}

/// `text` with one byte at `at` replaced by `byte`, with it removed, and with `byte` inserted there.
fn corrupted(text: &[u8], at: usize, byte: u8) -> [Vec<u8>; 3] {
    let (head, rest) = text.split_at(at);
    let after = rest.get(1..).unwrap_or_default();
    [[head, &[byte], after].concat(), [head, after].concat(), [head, &[byte], rest].concat()]
}

/// A random legal move on `arena`, if there is one.
fn legal(arena: &Arena, seed: u64) -> Option<Square> {
    let squares: Vec<Square> = arena.vacant().squares().collect();
    Rng::new(seed).pick(&squares).copied()
}

/// Any byte, preferably one with a meaning.
fn meaningful_byte() -> impl Strategy<Value = u8> {
    prop_oneof![prop::sample::select(&b"-oAaB\n\r\0 "[..]), any::<u8>()]
}

fn any_mark() -> impl Strategy<Value = u8> {
    (b'!'..=b'~').prop_filter("a mark", |&mark| is_mark(mark))
}

/// Noise, and text that is almost an arena.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let near = (any_arena(), prop::collection::vec((0usize..600, meaningful_byte(), 0u8..4), 0..6)).prop_map(
        |(arena, changes)| {
            let mut text = arena.to_bytes().to_vec();
            for (at, byte, how) in changes {
                let at = at % (text.len() + 1);
                match how {
                    3 => text.truncate(at.max(1)),
                    how => text = corrupted(&text, at, byte)[usize::from(how)].clone(),
                }
            }
            text
        },
    );
    prop_oneof![
        near,
        prop::collection::vec(any::<u8>(), 0..1200),
        prop::collection::vec(prop::sample::select(&b"-\n\r"[..]), 500..560),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_legal_square_is_accepted(arena in any_arena(), max_square in 1..=LARGEST_SQUARE) {
        for square in arena.vacant().squares() {
            let judged = judge(&arena, b'A', max_square, &filled(&arena.to_bytes(), b'A', &[square]));
            if square.size <= max_square {
                prop_assert_eq!(judged, Ok(Some(square)));
            } else {
                prop_assert_eq!(judged.unwrap_err().kind, "square");
            }
        }
    }

}

proptest! {
    // Each case judges more than 1500 answers.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn an_answer_with_one_wrong_byte_is_judged_correctly(arena in any_arena(), seed: u64, byte in meaningful_byte()) {
        let before = arena.to_bytes();
        let answer = legal(&arena, seed).map_or(before.to_vec(), |square| filled(&before, b'A', &[square]));
        for at in 0..=ARENA_BYTES {
            for text in corrupted(&answer, at, byte) {
                check(&arena, b'A', LARGEST_SQUARE, &text);
            }
        }
    }

    #[test]
    fn the_input_with_one_byte_changed_is_judged_correctly(arena in any_arena(), byte in meaningful_byte()) {
        for at in 0..=ARENA_BYTES {
            for text in corrupted(&arena.to_bytes(), at, byte) {
                check(&arena, b'A', LARGEST_SQUARE, &text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_answer_is_judged_correctly(arena in any_arena(), answer in any_text(), mark in any_mark(), max in 1u8..=16) {
        check(&arena, mark, max, &answer);
    }

    #[test]
    fn random_marks_are_judged_correctly(
        arena in any_arena(), mark in any_mark(),
        spots in prop::collection::vec((0u8..16, 0u8..32, meaningful_byte()), 1..5), squares in 0u64..3,
    ) {
        let drawn: Vec<Square> = (0..squares).filter_map(|seed| legal(&arena, seed)).collect();
        let text = filled(&arena.to_bytes(), mark, &drawn);
        check(&arena, mark, LARGEST_SQUARE, &text);
        check(&arena, mark, LARGEST_SQUARE, &spotted(&text, &spots));
    }

    #[test]
    fn text_is_written_as_it_was_read(text in any_text()) {
        match Arena::parse(&text) {
            Ok(arena) => prop_assert_eq!(arena.to_bytes().to_vec(), text),
            Err(violation) => prop_assert!(!violation.detail.is_empty()),
        }
    }

    #[test]
    fn an_arena_is_read_as_it_was_written(arena in any_arena()) {
        prop_assert_eq!(Arena::parse(&arena.to_bytes()), Ok(arena));
    }

    #[test]
    fn the_format_is_right_exactly_if_there_are_16_rows_of_32(text in any_text()) {
        let rows: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
        let well_formed = rows.len() == 17 && rows[16].is_empty() && rows[..16].iter().all(|row| row.len() == 32);
        // 16 rows of 31 spots and a carriage return each have the right number of bytes.
        let carriage_returns = well_formed && rows[..16].iter().all(|row| row[31] == b'\r');
        prop_assert_eq!(frame::read(&text).is_ok(), well_formed && !carriage_returns);
    }
}
