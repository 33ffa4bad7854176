//! The two arenas from the contest's announcement, read and played as it describes them (B14).

use super::*;

fn check(text: &[u8; ARENA_BYTES], counts: &[(u8, u32)]) {
    let arena = Arena::parse(text).unwrap();
    for &(byte, count) in counts {
        assert_eq!(arena.count(byte), count, "spots with `{}`", byte.escape_ascii());
    }
    assert_eq!(arena.vacant().count(), arena.count(VACANT));
    assert_eq!(
        counts.iter().map(|(_, count)| count).sum::<u32>(),
        SPOTS as u32,
        "the counts must cover the arena"
    );
    assert_eq!(&arena.to_bytes(), text);
}

#[test]
fn the_sample_start_has_its_published_counts() {
    check(START, &[(BLOCKED, 15), (VACANT, 497)]);
}

#[test]
fn the_partial_game_has_its_published_counts() {
    check(PARTIAL, &[(BLOCKED, 20), (b'A', 142), (b'B', 185), (VACANT, 165)]);
}

/// Replays the five moves that led to the partial game, starting with only its blocked spots (B2).
#[test]
fn the_partial_game_is_reached_by_its_published_moves() {
    let bare: Vec<u8> = PARTIAL.iter().map(|&b| if b == b'A' || b == b'B' { VACANT } else { b }).collect();
    let moves = [square(9, 5, 2), square(8, 0, 24), square(5, 0, 1), square(11, 0, 11), square(6, 8, 26)];
    let boxing = Boxing::default();
    let mut state = boxing.start(&Setup { seats: 2, board: bare, ..Setup::default() }).unwrap();
    for (turn, square) in moves.into_iter().enumerate() {
        let seat = Seat((turn % 2) as u8);
        let answer = filled(&boxing.view(&state, seat), state.mark(seat), &[square]);
        assert_eq!(boxing.read(&state, seat, &answer), Ok(square));
        boxing.apply(&mut state, &[(seat, Action::Move(square))]);
    }
    assert_eq!(boxing.board(&state), PARTIAL);
    assert_eq!(boxing.to_act(&state), Seats::only(Seat(1)));
}
