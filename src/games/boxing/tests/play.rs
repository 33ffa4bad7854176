//! Whole games: whose turn it is, who wins, with how many points (B3, B4), and which setups are refused (B1, B4, B5).

use super::*;
use crate::game::{InProgress, LiveGame};

fn setup(seats: u8, board: &[u8]) -> Setup {
    Setup { seats, board: board.to_vec(), ..Setup::default() }
}

/// An arena whose first `vacant` spots are vacant and whose other spots are blocked.
fn nearly_full(vacant: usize) -> Vec<u8> {
    let mut text = Arena::open().to_bytes();
    for b in text.iter_mut().filter(|b| **b == VACANT).skip(vacant) {
        *b = BLOCKED;
    }
    text.to_vec()
}

/// The seat whose turn it is marks the first vacant spot.
fn move_on(game: &mut dyn LiveGame) -> Seat {
    let seat = game.to_act().iter().next().unwrap();
    let mut answer = game.view(seat);
    let spot = answer.iter().position(|&b| b == VACANT).unwrap();
    answer[spot] = b'A' + seat.0;
    game.answer(seat, &answer).unwrap();
    seat
}

/// The seat whose turn it is forfeits.
fn give_up(game: &mut dyn LiveGame) -> Seat {
    let seat = game.to_act().iter().next().unwrap();
    game.forfeit(seat);
    seat
}

/// Plays `script`, in which `.` is a move and `x` a forfeit by the seat whose turn it is, in an arena with `vacant`
/// vacant spots. `expected` are the seats in the order in which they acted, the points, the territory and the end.
fn check(seats: u8, vacant: usize, script: &str, expected: (&[u8], &[i64], &[u32], End)) {
    let mut game = InProgress::new(Boxing::default(), &setup(seats, &nearly_full(vacant))).unwrap();
    let mut acted = Vec::new();
    for act in script.chars() {
        assert_eq!(game.outcome(), None, "{script}: the game is over early");
        assert_eq!(game.to_act().len(), 1);
        acted.push(if act == '.' { move_on(&mut game) } else { give_up(&mut game) }.0);
    }
    let outcome = game.outcome().expect(script);
    let (seats, points, territory, end) = expected;
    assert_eq!(acted, seats, "{script}");
    assert_eq!((&outcome.points[..], &outcome.territory[..], outcome.end), (points, territory, end), "{script}");
    assert_eq!(outcome.winners().count(), 1, "{script}");
    let places: Vec<u8> = points
        .iter()
        .enumerate()
        .map(|(seat, _)| if outcome.winners().any(|w| w.index() == seat) { 1 } else { 2 })
        .collect();
    assert_eq!(outcome.places, places);
    assert!(game.to_act().is_empty());
}

#[test]
fn the_last_move_wins_and_scores_one_point_per_spot() {
    check(2, 1, ".", (&[0], &[1, 0], &[1, 0], End::Played));
    check(2, 4, "....", (&[0, 1, 0, 1], &[0, 2], &[2, 2], End::Played));
    check(2, 5, ".....", (&[0, 1, 0, 1, 0], &[3, 0], &[3, 2], End::Played));
    check(3, 4, "....", (&[0, 1, 2, 0], &[2, 0, 0], &[2, 1, 1], End::Played));
}

#[test]
fn seats_move_in_turn() {
    check(
        8,
        9,
        ".........",
        (&[0, 1, 2, 3, 4, 5, 6, 7, 0], &[2, 0, 0, 0, 0, 0, 0, 0], &[2, 1, 1, 1, 1, 1, 1, 1], End::Played),
    );
}

#[test]
fn with_two_seats_the_one_that_does_not_forfeit_wins() {
    check(2, 9, "x", (&[0], &[0, 0], &[0, 0], End::Forfeited));
    check(2, 9, ".x", (&[0, 1], &[1, 0], &[1, 0], End::Forfeited));
    check(2, 9, "...x", (&[0, 1, 0, 1], &[2, 0], &[2, 1], End::Forfeited));
    check(2, 9, "..x", (&[0, 1, 0], &[0, 1], &[1, 1], End::Forfeited));
}

#[test]
fn a_seat_that_forfeits_moves_no_more_and_its_marks_stay() {
    check(3, 9, "..x..x", (&[0, 1, 2, 0, 1, 0], &[0, 2, 0], &[2, 2, 0], End::Forfeited));
    check(3, 9, "...x..x", (&[0, 1, 2, 0, 1, 2, 1], &[0, 0, 2], &[1, 2, 2], End::Forfeited));
    check(3, 4, ".x...", (&[0, 1, 2, 0, 2], &[0, 0, 2], &[2, 0, 2], End::Played));
    check(4, 9, "xxx", (&[0, 1, 2], &[0, 0, 0, 0], &[0, 0, 0, 0], End::Forfeited));
    check(4, 2, "x.x.", (&[0, 1, 2, 3], &[0, 0, 0, 1], &[0, 1, 0, 1], End::Played));
}

#[test]
fn an_illegal_answer_changes_nothing() {
    let mut game = InProgress::new(Boxing::default(), &setup(2, &nearly_full(3))).unwrap();
    let view = game.view(Seat(0));
    assert_eq!(game.answer(Seat(0), &view).unwrap_err().kind, "none");
    assert_eq!(game.view(Seat(0)), view);
    assert_eq!(game.to_act(), Seats::only(Seat(0)));
}

#[test]
fn a_move_is_written_as_size_and_place() {
    let open = Arena::open().to_bytes();
    let mut game = InProgress::new(Boxing::default(), &setup(2, &open)).unwrap();
    let written = game.answer(Seat(0), &filled(&open, b'A', &[square(4, 2, 4)]));
    assert_eq!(written.as_deref(), Ok("4x4 at row 3, column 5"));
}

#[test]
fn marks_can_be_chosen() {
    let boxing = Boxing::default();
    let marks = Setup { marks: b"%z".to_vec(), ..setup(2, START) };
    let state = boxing.start(&marks).unwrap();
    assert_eq!([Seat(0), Seat(1)].map(|seat| state.mark(seat)), *b"%z");
    assert_eq!(boxing.read(&state, Seat(0), &filled(START, b'%', &[square(1, 0, 0)])), Ok(square(1, 0, 0)));
    assert_eq!(boxing.read(&state, Seat(1), &filled(START, b'%', &[square(1, 0, 0)])).unwrap_err().kind, "mark");
}

#[test]
fn a_setup_that_does_not_fit_is_refused_with_the_reason() {
    let marks = |marks: &[u8]| Setup { marks: marks.to_vec(), ..setup(2, START) };
    for (setup, words) in [
        (setup(0, START), "a boxing match has 2 to 8 seats, not 0"),
        (setup(1, START), "a boxing match has 2 to 8 seats, not 1"),
        (setup(9, START), "a boxing match has 2 to 8 seats, not 9"),
        (marks(b"A"), "1 mark for 2 seats"),
        (marks(b"ABC"), "3 marks for 2 seats"),
        (marks(b"A-"), "`-` cannot be a mark: a printable character other than `-` and `o` can"),
        (marks(b"oA"), "`o` cannot be a mark: a printable character other than `-` and `o` can"),
        (marks(b"A "), "` ` cannot be a mark: a printable character other than `-` and `o` can"),
        (marks(b"A\n"), r"`\n` cannot be a mark: a printable character other than `-` and `o` can"),
        (marks(b"A\xe9"), r"`\xe9` cannot be a mark: a printable character other than `-` and `o` can"),
        (marks(b"AA"), "seats 1 and 2 have the same mark `A`"),
        (setup(2, &nearly_full(0)), "the arena has no vacant spot: there is nothing to play for"),
        (setup(2, &START[..495]), "not an arena: 15 rows instead of 16 (B1)"),
        (setup(2, &spotted(START, &[(2, 3, 7)])), "not an arena: row 3, column 4 holds the control byte 7"),
    ] {
        assert_eq!(Boxing::default().start(&setup).unwrap_err().0, words);
    }
}

#[test]
fn a_generated_arena_has_at_most_40_spots_blocked() {
    let blocked: Vec<u32> = (0..2000).map(|seed| Arena::generate(seed).count(BLOCKED)).collect();
    assert_eq!((blocked.iter().min(), blocked.iter().max()), (Some(&0), Some(&40)));
    assert_eq!(Arena::generate(5), Arena::generate(5));
    assert_ne!(Arena::generate(5), Arena::generate(6));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A game without forfeits ends with the move that fills the arena, and the seat that made it wins (B3).
    #[test]
    fn a_game_ends_exactly_when_the_arena_is_full(seed: u64, seats in 2..=MAX_SEATS, max_square in 1u8..=16) {
        let boxing = Boxing { max_square };
        let mut state = boxing.start(&Setup { seats, seed, ..Setup::default() }).unwrap();
        let mut rng = Rng::new(seed);
        let mut turn = 0u8;
        while boxing.board(&state).contains(&VACANT) {
            prop_assert_eq!(boxing.outcome(&state), None);
            prop_assert_eq!(boxing.to_act(&state), Seats::only(Seat(turn % seats)));
            let squares: Vec<Square> =
                state.arena().vacant().squares().filter(|square| square.size <= max_square).collect();
            boxing.apply(&mut state, &[(Seat(turn % seats), Action::Move(*rng.pick(&squares).unwrap()))]);
            turn = (turn + 1) % (seats * 16);
        }
        let last = (turn + seats - 1) % seats;
        let outcome = boxing.outcome(&state).unwrap();
        prop_assert!(boxing.to_act(&state).is_empty());
        prop_assert_eq!(outcome.end, End::Played);
        prop_assert!(outcome.winners().eq([Seat(last)]));
        for seat in 0..seats {
            let held = boxing.board(&state).iter().filter(|&&b| b == b'A' + seat).count();
            prop_assert_eq!(outcome.territory[usize::from(seat)] as usize, held);
            prop_assert_eq!(outcome.points[usize::from(seat)], if seat == last { held as i64 } else { 0 });
        }
    }
}
