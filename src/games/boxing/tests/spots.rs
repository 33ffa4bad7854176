//! Compares the operations on squares and sets of spots with plain loops.

use super::*;

/// A set of spots, from nearly empty to nearly full.
fn any_spots() -> impl Strategy<Value = SpotSet> {
    let rows = || any::<[u32; HEIGHT]>();
    (rows(), rows(), 0u8..4).prop_map(|(a, b, how)| {
        SpotSet(core::array::from_fn(|row| match how {
            0 => a[row] & b[row],
            1 => a[row],
            2 => a[row] | b[row],
            _ => a[row] | b[row] | a[row].rotate_left(7) | b[row].rotate_left(13) | a[15 - row],
        }))
    })
}

fn naively_fits(set: SpotSet, square: Square) -> bool {
    let end = |from: u8| usize::from(from) + usize::from(square.size);
    square.size > 0
        && end(square.row) <= HEIGHT
        && end(square.col) <= WIDTH
        && (usize::from(square.row)..end(square.row))
            .all(|row| (usize::from(square.col)..end(square.col)).all(|col| set.0[row] >> col & 1 == 1))
}

fn naive_squares(set: SpotSet) -> Vec<Square> {
    let mut squares = Vec::new();
    for size in 1..=16 {
        for row in 0..HEIGHT as u8 {
            for col in 0..WIDTH as u8 {
                squares.extend(Some(square(size, row, col)).filter(|&square| naively_fits(set, square)));
            }
        }
    }
    squares
}

fn check(set: SpotSet) {
    let squares = naive_squares(set);
    assert!(set.squares().eq(squares.iter().copied()));
    assert_eq!(set.count_squares() as usize, squares.len());
    assert_eq!(set.largest(), squares.iter().map(|square| square.size).max().unwrap_or(0));
    assert!(set.spots().eq(all_spots().filter(|&spot| set.contains(spot))));
    assert_eq!(set.count() as usize, set.spots().count());
    assert!((0..).map_while(|index| set.nth(index)).eq(set.spots()));
    assert_eq!(set.is_empty(), set.count() == 0);
    assert_eq!(set.spots().collect::<SpotSet>(), set);
    for size in 0..=17 {
        let expected: SpotSet = squares
            .iter()
            .filter(|square| square.size == size)
            .map(|square| Spot { row: square.row, col: square.col })
            .collect();
        assert_eq!(set.anchors(size), expected, "corners of {size}x{size}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sets_agree_with_plain_loops(set in any_spots()) {
        check(set);
    }

    #[test]
    fn arenas_agree_with_plain_loops(arena in any_arena()) {
        check(arena.vacant());
    }

    #[test]
    fn a_square_fits_where_plain_loops_say(set in any_spots(), size in any::<u8>(), row: u8, col: u8, near: bool) {
        let place = if near { square(size % 5, row % 16, col % 32) } else { square(size, row, col) };
        prop_assert_eq!(set.fits(place), naively_fits(set, place));
    }

    #[test]
    fn a_square_is_read_back_from_its_notation(size in 1u8..=16, row in 0u8..16, col in 0u8..32) {
        let written = square(size, row, col);
        let expected = if written.in_arena() { Ok(written) } else { Err(ParseSquareError) };
        prop_assert_eq!(written.to_string().parse::<Square>(), expected);
    }

    #[test]
    fn text_that_is_a_square_is_its_notation(
        text in "[0-9]{1,2}x[0-9]{1,2} at row \\+?[0-9]{1,2}, column [0-9 ]{1,3}",
    ) {
        if let Ok(read) = text.parse::<Square>() {
            prop_assert_eq!(read.to_string(), text);
        }
    }

    #[test]
    fn a_set_without_a_square_lacks_exactly_its_spots(
        set in any_spots(), size in 1u8..=16, row in 0u8..16, col in 0u8..32,
    ) {
        let taken = square(size, row, col);
        prop_assume!(taken.in_arena());
        let expected: SpotSet = set.spots().filter(|spot| !taken.spots().any(|s| s == *spot)).collect();
        prop_assert_eq!(set.without(taken), expected);
        prop_assert_eq!(taken.spots().count() as u32, taken.area());
    }
}

#[test]
fn only_the_notation_of_a_square_is_read() {
    assert_eq!("4x4 at row 3, column 5".parse(), Ok(square(4, 2, 4)));
    assert_eq!("16x16 at row 1, column 17".parse(), Ok(square(16, 0, 16)));
    let others = [
        "",
        "pass",
        "4x5 at row 3, column 5",
        "0x0 at row 3, column 5",
        "4x4 at row 0, column 5",
        "4x4 at row 14, column 5",
        "+4x+4 at row 3, column 5",
        "4x4 at row 03, column 5",
        "4x4 at row 3, column 5 ",
        "4x4 at row 3, column 261",
    ];
    for text in others {
        assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text:?}");
    }
}

#[test]
fn the_full_and_the_empty_set_agree_with_plain_loops() {
    check(SpotSet::ALL);
    check(SpotSet::NONE);
    assert_eq!(SpotSet::ALL.largest(), LARGEST_SQUARE);
    // A square with sides of k has (17 - k)(33 - k) places.
    assert_eq!(SpotSet::ALL.count_squares(), (1..=16).map(|k| (17 - k) * (33 - k)).sum());
}
