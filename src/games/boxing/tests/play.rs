//! Whole games: who moves, who wins, what it scores (B3, B4), and which set-ups are refused (B1, B4, B5).

use super::*;
use crate::game::{InProgress, LiveGame};

fn setup(seats: u8, board: &[u8]) -> Setup {
    Setup { seats, board: board.to_vec(), ..Setup::default() }
}

/// An arena whose only vacant spots are the `vacant` first ones, the others blocked.
fn nearly_full(vacant: usize) -> Vec<u8> {
    let mut text = Arena::open().to_bytes();
    text.iter_mut().filter(|b| **b == VACANT).skip(vacant).for_each(|b| *b = BLOCKED);
    text.to_vec()
}

/// The next seat marks the first vacant spot.
fn move_on(table: &mut dyn LiveGame) -> Seat {
    let seat = table.to_act().iter().next().unwrap();
    let mut answer = table.view(seat);
    let spot = answer.iter().position(|&b| b == VACANT).unwrap();
    answer[spot] = b'A' + seat.0;
    table.answer(seat, &answer).unwrap();
    seat
}

/// The next seat forfeits.
fn give_up(table: &mut dyn LiveGame) -> Seat {
    let seat = table.to_act().iter().next().unwrap();
    table.forfeit(seat);
    seat
}

/// Plays `script`, `.` a move and `x` a forfeit by whoever is to act, in an arena of so many vacant spots;
/// `due` are the seats that acted, the points and the territory.
fn check(seats: u8, vacant: usize, script: &str, due: (&[u8], &[i64], &[u32], End)) {
    let mut table = InProgress::new(Boxing::default(), &setup(seats, &nearly_full(vacant))).unwrap();
    let mut acted = Vec::new();
    for act in script.chars() {
        assert_eq!(table.outcome(), None, "{script}: over before its end");
        assert_eq!(table.to_act().len(), 1);
        acted.push(if act == '.' { move_on(&mut table) } else { give_up(&mut table) }.0);
    }
    let outcome = table.outcome().expect(script);
    let (due_acted, points, territory, end) = due;
    assert_eq!(acted, due_acted, "{script}");
    assert_eq!((&outcome.points[..], &outcome.territory[..], outcome.end), (points, territory, end), "{script}");
    assert_eq!(outcome.winners().count(), 1, "{script}");
    let places: Vec<u8> = points
        .iter()
        .enumerate()
        .map(|(seat, _)| if outcome.winners().any(|w| w.index() == seat) { 1 } else { 2 })
        .collect();
    assert_eq!(outcome.places, places);
    assert!(table.to_act().is_empty());
}

#[test]
fn the_last_spot_wins_and_scores_the_winners_marks() {
    check(2, 1, ".", (&[0], &[1, 0], &[1, 0], End::Played));
    check(2, 4, "....", (&[0, 1, 0, 1], &[0, 2], &[2, 2], End::Played));
    check(2, 5, ".....", (&[0, 1, 0, 1, 0], &[3, 0], &[3, 2], End::Played));
    check(3, 4, "....", (&[0, 1, 2, 0], &[2, 0, 0], &[2, 1, 1], End::Played));
}

#[test]
fn seats_move_in_sequence() {
    check(
        8,
        9,
        ".........",
        (&[0, 1, 2, 3, 4, 5, 6, 7, 0], &[2, 0, 0, 0, 0, 0, 0, 0], &[2, 1, 1, 1, 1, 1, 1, 1], End::Played),
    );
}

#[test]
fn of_two_seats_the_one_that_does_not_forfeit_wins() {
    check(2, 9, "x", (&[0], &[0, 0], &[0, 0], End::Forfeited));
    check(2, 9, ".x", (&[0, 1], &[1, 0], &[1, 0], End::Forfeited));
    check(2, 9, "...x", (&[0, 1, 0, 1], &[2, 0], &[2, 1], End::Forfeited));
    check(2, 9, "..x", (&[0, 1, 0], &[0, 1], &[1, 1], End::Forfeited));
}

#[test]
fn a_forfeit_leaves_the_sequence_and_its_marks_stay() {
    check(3, 9, "..x..x", (&[0, 1, 2, 0, 1, 0], &[0, 2, 0], &[2, 2, 0], End::Forfeited));
    check(3, 9, "...x..x", (&[0, 1, 2, 0, 1, 2, 1], &[0, 0, 2], &[1, 2, 2], End::Forfeited));
    check(3, 4, ".x...", (&[0, 1, 2, 0, 2], &[0, 0, 2], &[2, 0, 2], End::Played));
    check(4, 9, "xxx", (&[0, 1, 2], &[0, 0, 0, 0], &[0, 0, 0, 0], End::Forfeited));
    check(4, 2, "x.x.", (&[0, 1, 2, 3], &[0, 0, 0, 1], &[0, 1, 0, 1], End::Played));
}

/// A seat that has won by the last spot keeps the win, and one that broke the rules plays no further.
#[test]
fn an_illegal_answer_changes_nothing() {
    let mut table = InProgress::new(Boxing::default(), &setup(2, &nearly_full(3))).unwrap();
    let view = table.view(Seat(0));
    assert_eq!(table.answer(Seat(0), &view).unwrap_err().kind, "none");
    assert_eq!(table.view(Seat(0)), view);
    assert_eq!(table.to_act(), Seats::only(Seat(0)));
}

#[test]
fn a_move_is_written_as_size_and_place() {
    let open = Arena::open().to_bytes();
    let mut table = InProgress::new(Boxing::default(), &setup(2, &open)).unwrap();
    let written = table.answer(Seat(0), &filled(&open, b'A', &[square(4, 2, 4)]));
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
        (setup(2, &START[..495]), "this is no arena: 15 rows instead of 16 (B1)"),
        (
            setup(2, &spotted(START, &[(2, 3, 7)])),
            "this is no arena: the control byte 7 stands at row 3, column 4",
        ),
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

    /// B3: a game without forfeits ends with the move that fills the arena, and whoever made it wins.
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
                state.arena().vacancy().squares().filter(|square| square.size <= max_square).collect();
            boxing.apply(&mut state, &[(Seat(turn % seats), Act::Move(*rng.pick(&squares).unwrap()))]);
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
