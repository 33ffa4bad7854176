//! Whole games between every pair of strategies, in which every move is judged.

use crate::program::{PARTIAL_GAME, SAMPLE_START};
use cornerman::games::boxing::{Arena, SPOTS, Square};
use proptest::prelude::*;
use reference_bots::games::boxing::{
    BoxingTurn, ChooseSquare, STRATEGIES, THINKERS, bout, first_fit, greedy, parity, smallest,
};

#[test]
fn every_pair_plays_by_the_rules_to_the_end() {
    let arenas = [SAMPLE_START, PARTIAL_GAME].map(|text| Arena::parse(text).unwrap());
    for (first, one) in STRATEGIES {
        for (second, two) in STRATEGIES {
            for arena in &arenas {
                let vacant = arena.vacant().count() as usize;
                match bout(arena, &mut [*one, *two]) {
                    Ok(game) => assert!((1..=vacant).contains(&game.moves), "{first} - {second}: {game:?}"),
                    Err(violation) => panic!("{first} - {second}: {violation}"),
                }
            }
        }
    }
}

#[test]
fn the_simple_strategies_take_what_their_names_say() {
    let check = |choose: ChooseSquare, row, col, size| {
        let turn = BoxingTurn { arena: Arena::parse(PARTIAL_GAME).unwrap(), mark: b'B', replies: Vec::new() };
        assert_eq!(choose(&turn), Square { row, col, size });
    };
    check(first_fit, 0, 6, 4);
    check(smallest, 0, 6, 1);
    check(greedy, 11, 11, 5);
}

#[test]
fn more_than_two_seats_play_by_the_rules_too() {
    let all: Vec<ChooseSquare> = STRATEGIES.iter().map(|(_, choose)| *choose).collect();
    let game = bout(&Arena::open(), &mut all.clone()).unwrap();
    assert!(game.winner < all.len() && game.moves <= SPOTS, "{game:?}");
}

#[test]
fn parity_beats_greedy_nearly_always() {
    const ARENAS: u64 = 20;
    let won = (1000..1000 + ARENAS)
        .map(Arena::generate)
        .flat_map(|arena| {
            let first = bout(&arena, &mut [parity as ChooseSquare, greedy]).unwrap();
            let second = bout(&arena, &mut [greedy as ChooseSquare, parity]).unwrap();
            [first.winner == 0, second.winner == 1]
        })
        .filter(|won| *won)
        .count();
    assert!(won >= 38, "{won} of {}", 2 * ARENAS);
}

/// Chooses a square at each turn.
type Player<'a> = Box<dyn FnMut(&BoxingTurn) -> Square + 'a>;

#[test]
fn bots_that_calculate_beat_parity_by_the_rules() {
    for (id, think) in THINKERS {
        let mut won = 0;
        for seed in 0..3 {
            for seat in 0..2 {
                let mut notes = Vec::new();
                let calculates = |turn: &BoxingTurn| think(turn, &mut notes, 4_000);
                let mut seats: [Player; 2] = [Box::new(calculates), Box::new(parity)];
                seats.rotate_left(seat);
                let game = bout(&Arena::generate(seed), &mut seats);
                won += usize::from(game.unwrap_or_else(|violation| panic!("{id}: {violation}")).winner == seat);
            }
        }
        assert!(won >= 5, "{id}: {won} of 6");
    }
}

#[test]
fn notes_change_what_is_known_and_not_who_may_play() {
    // Any bytes may be in the notes: another program may have left them.
    let turn = BoxingTurn { arena: Arena::parse(PARTIAL_GAME).unwrap(), mark: b'A', replies: Vec::new() };
    for (id, think) in THINKERS {
        for mut notes in [Vec::new(), b"nonsense".to_vec(), vec![0; 4096], (0..=255).cycle().take(4097).collect()]
        {
            let square = think(&turn, &mut notes, 2_000);
            assert!(turn.arena.vacant().fits(square), "{id}: {square}");
        }
    }
}

proptest! {
    #[test]
    fn every_strategy_finds_a_vacant_square_if_there_is_one(
        rows in prop::array::uniform16((any::<u32>(), any::<u32>(), any::<u32>())),
        sparse in any::<bool>(),
        spare in 0..SPOTS,
        foe in any::<u8>(),
        reply in (0u8..16, 0u8..32, 1u8..=16),
    ) {
        let mut spots = rows.map(|(a, b, c)| {
            let vacant = if sparse { a & b & c } else { a | b | c };
            core::array::from_fn(|col| if vacant >> col & 1 == 1 { b'-' } else { foe })
        });
        spots[spare / 32][spare % 32] = b'-';
        let arena = Arena::from_rows(spots);
        let reply = Some(Square { row: reply.0, col: reply.1, size: reply.2 }).filter(|square| square.in_arena());
        let turn = BoxingTurn { arena, mark: b'A', replies: reply.into_iter().collect() };
        for (id, choose) in STRATEGIES {
            let square = choose(&turn);
            prop_assert!(turn.arena.vacant().fits(square), "{id}: {square}");
        }
    }
}
