//! The solver against exhaustive search, which knows neither groups nor nimbers of parts.

use super::{MANY, Solver};
use crate::game::Spot;
use crate::games::boxing::{Arena, SpotSet, Square};
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;

/// More positions than the solver looks at for any arena here.
const PLENTY: u64 = 1 << 32;

/// The nimber of `vacancy`; `None` if the solver has no room for its groups, or if it is 63 or more.
fn nimber(solver: &mut Solver, vacancy: SpotSet) -> Option<u8> {
    let sum = solver.sum(vacancy);
    solver.limit = solver.spent + PLENTY;
    let mut nimber = sum.nimber;
    for &group in &sum.groups {
        nimber ^= solver.exact(group).ok()?;
    }
    (nimber < MANY).then_some(nimber)
}

/// The nimbers of all arenas of `tall`×`wide` spots, by their vacant spots as a number, row by row: the least number
/// that no position after one move has.
fn nimbers(tall: u8, wide: u8, max_square: u8) -> Vec<u8> {
    let squares = spot_set(tall, wide, u32::MAX).squares().take_while(|square| square.size <= max_square);
    let number = |square: Square| {
        square.spots().fold(0, |number: u32, spot| {
            number | 1 << (u32::from(spot.row) * u32::from(wide) + u32::from(spot.col))
        })
    };
    let squares: Vec<u32> = squares.map(number).collect();
    let mut nimbers = vec![0u8; 1 << (tall * wide)];
    for vacant in 0..nimbers.len() as u32 {
        let moves = squares.iter().filter(|&&square| vacant & square == square);
        let seen = moves.fold(0u64, |seen, square| seen | 1 << nimbers[(vacant & !square) as usize]);
        nimbers[vacant as usize] = seen.trailing_ones() as u8;
    }
    nimbers
}

/// The spots of `tall`×`wide` that `vacant` has as bits.
fn spot_set(tall: u8, wide: u8, vacant: u32) -> SpotSet {
    let spots = (0..tall).flat_map(|row| (0..wide).map(move |col| Spot { row, col }));
    (0u32..).zip(spots).filter(|(bit, _)| vacant >> bit & 1 == 1).map(|(_, spot)| spot).collect()
}

/// Checks every `step`th arena of `tall`×`wide` spots: its nimber, whether the seat to move loses, and whether a square
/// wins.
fn check(tall: u8, wide: u8, max_square: u8, step: usize) {
    let expected = nimbers(tall, wide, max_square);
    let mut solver = Solver::new(max_square, 16);
    for vacant in (0..expected.len()).step_by(step) {
        let spots = spot_set(tall, wide, vacant as u32);
        let shown = || std::format!("{spots:?}, squares up to {max_square}");
        assert_eq!(solver.is_lost(spots, PLENTY), Some(expected[vacant] == 0), "{}", shown());
        assert_eq!(nimber(&mut solver, spots), Some(expected[vacant]), "{}", shown());
        let wins = solver.replies(spots).iter().any(|(sum, _)| solver.is_zero(sum, PLENTY) == Some(true));
        assert_eq!(wins, expected[vacant] != 0, "{}", shown());
    }
}

#[test]
fn all_small_arenas_have_the_nimbers_of_exhaustive_search() {
    for max_square in 1..=4 {
        check(4, 4, max_square, 1);
        check(2, 8, max_square, 1);
    }
    check(16, 1, 16, 1);
    for max_square in [2, 3, 16] {
        check(4, 5, max_square, 31);
        check(10, 2, max_square, 37);
        check(3, 7, max_square, 101);
    }
}

#[test]
fn large_groups_have_the_nimbers_of_exhaustive_search() {
    // A strip of two rows is too long for a small group.
    for max_square in [2, 16] {
        check(2, 11, max_square, 997);
        check(11, 2, max_square, 997);
    }
}

/// Random vacant spots of an arena, in which the solver has much to do.
fn scattered(seed: u64, vacant: usize) -> SpotSet {
    let mut rng = Rng::new(seed);
    let mut spots: Vec<Spot> = Arena::open().vacant().spots().filter(|spot| spot.col < 16).collect();
    rng.shuffle(&mut spots);
    spots.into_iter().take(vacant).collect()
}

#[test]
fn a_position_and_a_copy_of_it_cancel() {
    for seed in 0..20 {
        // The two columns between them are not vacant, so no square reaches from one to the other.
        let one = SpotSet(scattered(seed, 120).0.map(|row| row & 0x7fff));
        let both = SpotSet(one.0.map(|row| row | row.reverse_bits()));
        assert_eq!(Solver::new(16, 12).is_lost(both, 1), Some(true));
    }
}

#[test]
fn the_square_in_the_middle_wins_an_open_arena() {
    let open = Arena::open().vacant();
    for size in [2, 4, 10] {
        let middle = Square { row: 8 - size / 2, col: 16 - size / 2, size };
        assert_eq!(Solver::new(16, 12).is_lost(open.without(middle), 1), Some(true), "{size}");
    }
    // With an odd square in the middle of an odd arena too.
    let odd = spot_set(11, 2, u32::MAX);
    let odd = SpotSet(core::array::from_fn(|row| if odd.0[row] == 0 { 0 } else { 0x7fff }));
    assert_eq!(Solver::new(16, 12).is_lost(odd.without(Square { row: 4, col: 6, size: 3 }), 1), Some(true));
}

#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    let mut experienced = Solver::new(16, 10);
    for seed in 0..60 {
        let spots = scattered(seed, 130);
        let fresh = nimber(&mut Solver::new(16, 16), spots).expect("few spots");
        assert_eq!(nimber(&mut experienced, spots), Some(fresh), "{seed}");
        experienced.trim();
        let mut told = Solver::new(16, 16);
        told.recall(&experienced.notes());
        assert_eq!(nimber(&mut told, spots), Some(fresh), "{seed}");
    }
}

#[test]
fn it_stops_after_the_positions_it_may_look_at() {
    let open = Arena::open().vacant();
    let asymmetric = open.without(Square { row: 0, col: 0, size: 1 });
    let mut solver = Solver::new(16, 16);
    assert_eq!(solver.is_lost(asymmetric, 5_000), None);
    // The moves of one position are looked at together.
    let moves = u64::from(asymmetric.count_squares());
    assert!((5_000..5_000 + moves).contains(&solver.positions()), "{}", solver.positions());
}
