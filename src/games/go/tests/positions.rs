//! What bots need to know of a position: liberties, chains, eyes and playouts.

use super::*;

fn position(rows: &str) -> Position {
    Position::parse(&board(rows), rows.split_whitespace().count() as u8).unwrap()
}

fn point(position: &Position, name: &str) -> Point {
    match parse_move(name.as_bytes(), position.size()) {
        Some(Move::Place(spot)) => position.point(spot),
        _ => panic!("{name} is not a point"),
    }
}

#[track_caller]
fn check_chain(rows: &str, at: &str, expected: (&[&str], &[&str])) {
    let position = position(rows);
    let chain = position.chain(point(&position, at)).unwrap();
    let sorted = |points: &mut dyn Iterator<Item = Point>| {
        let mut names: Vec<String> = points.map(|p| vertex(position.spot(p), position.size())).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(
        (sorted(&mut chain.stones()), sorted(&mut chain.liberties())),
        (expected.0.iter().map(|n| n.to_string()).collect(), expected.1.iter().map(|n| n.to_string()).collect())
    );
    assert_eq!(chain.only_liberty().is_some(), expected.1.len() == 1);
}

#[test]
fn a_chain_has_its_stones_and_liberties_once_each() {
    let rows = "XX... .X.O. .XOO. ..... ....X";
    check_chain(rows, "A5", (&["A5", "B3", "B4", "B5"], &["A3", "A4", "B2", "C4", "C5"]));
    check_chain(rows, "C3", (&["C3", "D3", "D4"], &["C2", "C4", "D2", "D5", "E3", "E4"]));
    check_chain(rows, "E1", (&["E1"], &["D1", "E2"]));
    check_chain(".OX.. OX... ..... ..... .....", "B5", (&["B5"], &["A5"]));
    // First a chain with two liberties, then one whose only liberty has four of its stones next to it.
    check_chain(
        "XXX.. X.XO. XXXO. OOO.. .....",
        "A5",
        (&["A3", "A4", "A5", "B3", "B5", "C3", "C4", "C5"], &["B4", "D5"]),
    );
    check_chain(
        "XXXO. X.XO. XXXO. OOO.. .....",
        "A5",
        (&["A3", "A4", "A5", "B3", "B5", "C3", "C4", "C5"], &["B4"]),
    );
}

#[test]
fn an_empty_point_has_no_chain() {
    let position = position("XX... ..... ..... ..... ....O");
    assert!(position.chain(point(&position, "C3")).is_none());
    let chains: Vec<(Colour, u32)> =
        position.chains().map(|chain| (chain.colour(), chain.stone_count())).collect();
    assert_eq!(chains, [(Colour::Black, 2), (Colour::White, 1)]);
}

#[track_caller]
fn check_eye(rows: &str, at: &str, expected: bool) {
    let position = position(rows);
    assert_eq!(position.is_own_eye(point(&position, at), Colour::Black), expected, "{at} of {rows}");
    assert!(!position.is_own_eye(point(&position, at), Colour::White), "{at} of {rows}");
}

#[test]
fn an_eye_is_false_if_the_opponent_has_too_many_corners() {
    check_eye("..... .XXX. .X.X. .XXX. .....", "C3", true);
    check_eye("..... .OXX. .X.X. .XXX. .....", "C3", true);
    check_eye("..... .OXX. .X.X. .XXO. .....", "C3", false);
    check_eye("..... ..X.. .X.X. ..X.. .....", "C3", true);
    check_eye("..... .XXX. .X.O. .XXX. .....", "C3", false);
    // At the edge, one corner is enough.
    check_eye(".X... XX... ..... ..... .....", "A5", true);
    check_eye(".X... XO... ..... ..... .....", "A5", false);
    check_eye(".X.X. .XXX. ..... ..... .....", "C5", true);
    check_eye(".X.X. .OXX. ..... ..... .....", "C5", false);
}

/// Plays random moves from `colour` on until neither colour has one, at most three per point of the board.
fn play_out(position: &mut Position, mut colour: Colour, rng: &mut Rng) -> u32 {
    let mut moves = 0;
    let mut passes = 0;
    while passes < 2 && moves < 3 * u32::from(position.size()).pow(2) {
        if let Some(point) = position.random_move(colour, rng) {
            position.play(point, colour);
            moves += 1;
            passes = 0;
        } else {
            position.pass();
            passes += 1;
        }
        colour = colour.other();
    }
    moves
}

#[test]
fn a_playout_ends_when_only_eyes_are_left() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut position = Position::new([5, 9, 13][seed as usize % 3]);
        let most = 3 * u32::from(position.size()).pow(2);
        let moves = play_out(&mut position, Colour::Black, &mut rng);
        assert!(moves <= most, "{moves}");
        if moves == most {
            continue;
        }
        for colour in Colour::BOTH {
            assert_eq!(position.random_move(colour, &mut rng), None, "{}", position.diagram(None));
            for &p in position.empties() {
                assert!(!position.is_legal(p, colour) || position.is_own_eye(p, colour));
            }
        }
        assert!(position.area().iter().sum::<u32>() > 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_playout() {
    let played = |seed| {
        let mut position = Position::new(9);
        play_out(&mut position, Colour::White, &mut Rng::new(seed));
        position.to_text()
    };
    assert_eq!(played(3), played(3));
    assert_ne!(played(3), played(4));
}

#[test]
fn hashes_depend_on_the_stones_only() {
    let hash = |rows: &str| position(rows).hash();
    assert_eq!(Position::new(19).hash(), 0);
    assert_ne!(hash("X.... ..... ..... ..... ....."), hash("O.... ..... ..... ..... ....."));
    assert_ne!(hash("X.... ..... ..... ..... ....."), hash(".X... ..... ..... ..... ....."));
    let mut taken = position("OX... ..... ..... ..... .....");
    taken.play(point(&taken, "A4"), Colour::Black);
    assert_eq!(taken.hash(), hash(".X... X.... ..... ..... ....."));
    assert!(taken.has_same_stones(&position(".X... X.... ..... ..... .....")));
    assert!(!Position::new(5).has_same_stones(&Position::new(6)));
}
