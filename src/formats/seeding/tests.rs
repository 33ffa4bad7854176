//! Seedings with results that are worked out by hand.

use super::*;
use crate::format::{Field, Pairing};
use crate::formats::testing::start;
use crate::game::{End, Outcome};
use alloc::vec;

const PROGRAMS: [EntrantId; 3] = [EntrantId(90), EntrantId(91), EntrantId(92)];

fn seeding(entrants: u16, seed: u64) -> Seeding {
    let programs = (0..3).map(OrganizerBot).collect();
    let settings = SeedingSettings { board: Some(BoardNumber(7)), programs, bonus: Bonus::default() };
    let entrants: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
    Seeding::new(&StageInput { field: &Field::new(90, 3), seed, ..start(2, &entrants) }, &settings).unwrap()
}

/// The entrants, the best seed first; `None` until all games are played.
fn seeds(seeding: &Seeding, done: &Results) -> Option<Vec<EntrantId>> {
    let standings = || seeding.standings(done).into_iter().map(|standing| standing.entrant).collect();
    (seeding.plan(done) == Plan::Finished).then(standings)
}

/// The results of a seeding in which `end` gives the places and points of each game, by seat.
fn played(seeding: &Seeding, end: impl Fn(&Pairing) -> ([u8; 2], [i64; 2])) -> Results {
    let mut done = Results::new();
    for pairing in seeding.plan(&done).into_games() {
        let (places, points) = end(&pairing);
        let outcome =
            Outcome { places: places.to_vec(), points: points.to_vec(), territory: vec![0; 2], end: End::Played };
        done.insert(pairing.id, outcome);
    }
    done
}

/// The entrant, in either seat, beats the seed program with these points.
fn entrant_wins(pairing: &Pairing, points: i64) -> ([u8; 2], [i64; 2]) {
    if PROGRAMS.contains(&pairing.seats[1]) { ([1, 2], [points, 0]) } else { ([2, 1], [0, points]) }
}

fn seat_of(pairing: &Pairing, entrant: u16) -> Option<usize> {
    pairing.seats.iter().position(|&id| id == EntrantId(entrant))
}

#[test]
fn each_entrant_plays_each_program_once_from_each_seat_on_one_board() {
    let seeding = seeding(5, 0);
    let due = seeding.plan(&Results::new()).into_games();
    assert_eq!(due.len(), 5 * 6);
    for entrant in 0..5 {
        for program in PROGRAMS {
            let orders = [[EntrantId(entrant), program], [program, EntrantId(entrant)]];
            let times = orders.map(|order| due.iter().filter(|pairing| pairing.seats == order).count());
            assert_eq!(times, [1, 1], "entrant {entrant} and program {program:?}");
        }
    }
    assert!(due.iter().all(|pairing| pairing.board == 7 && (pairing.id.stage, pairing.id.round) == (2, 0)));
    let mut ids: Vec<GameId> = due.iter().map(|pairing| pairing.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 30, "two games have the same id");
}

#[test]
fn points_with_bonuses_rank_the_entrants() {
    let seeding = seeding(3, 0);
    let done = played(&seeding, |pairing| match (seat_of(pairing, 0), seat_of(pairing, 1)) {
        (Some(_), _) => ([1, 1], [200, 200]),
        (_, Some(0)) => ([1, 2], [40, 0]),
        (_, Some(_)) => ([2, 1], [0, 40]),
        _ => ([2, 2], [0, 0]),
    });
    let standings: Vec<(u16, Vec<i64>)> =
        seeding.standings(&done).into_iter().map(|standing| (standing.entrant.0, standing.figures)).collect();
    assert_eq!(standings, [(1, vec![3 * 2200 + 240, 6, 0]), (0, vec![3 * 1100 + 1200, 0, 0]), (2, vec![0, 0, 0])]);
    assert_eq!(seeds(&seeding, &done), Some([1, 0, 2].map(EntrantId).to_vec()));
    assert_eq!((seeding.plan(&done), seeding.remarks(&done)), (Plan::Finished, vec![]));
}

#[test]
fn wins_break_ties_of_points() {
    let seeding = seeding(2, 0);
    // Entrant 0 ties all six games with 550 points each; entrant 1 wins three, from the first seat.
    let done = played(&seeding, |pairing| match (seat_of(pairing, 0), seat_of(pairing, 1)) {
        (Some(_), _) => ([1, 1], [550, 550]),
        (_, Some(0)) => ([1, 2], [1200, 0]),
        _ => ([1, 2], [1, 0]),
    });
    let figures: Vec<Vec<i64>> = seeding.standings(&done).into_iter().map(|standing| standing.figures).collect();
    assert_eq!(figures, [[6600, 3, 0], [6600, 0, 0]]);
    assert_eq!(seeds(&seeding, &done), Some([1, 0].map(EntrantId).to_vec()));
}

#[test]
fn a_lot_breaks_ties_and_is_in_the_remarks() {
    let done =
        played(&seeding(8, 0), |pairing| entrant_wins(pairing, if seat_of(pairing, 5).is_some() { 9 } else { 5 }));
    let draw = |lots| {
        let seeding = seeding(8, lots);
        let seeds = seeds(&seeding, &done).unwrap();
        let about = "entrants with equal points and wins (F3)".to_string();
        assert_eq!(seeds[0], EntrantId(5), "a lot decided although points differ");
        assert_eq!(seeding.remarks(&done), [StageRemark::Lot { about, order: seeds[1..].to_vec() }]);
        let places: Vec<u32> = seeding.standings(&done).iter().map(|standing| standing.place).collect();
        assert_eq!(places, (1..=8).collect::<Vec<u32>>());
        seeds
    };
    assert_eq!(draw(1), draw(1));
    assert!((2..20).any(|seed| draw(seed) != draw(1)), "every seed draws the same");
}

#[test]
fn no_lot_is_reported_before_the_last_game() {
    let seeding = seeding(3, 0);
    let all = played(&seeding, |pairing| entrant_wins(pairing, 5));
    let mut done = Results::new();
    for pairing in seeding.plan(&Results::new()).into_games().into_iter().rev() {
        assert_eq!((seeds(&seeding, &done), seeding.remarks(&done)), (None, vec![]));
        assert!(seeding.plan(&done).into_games().contains(&pairing));
        done.insert(pairing.id, all.get(pairing.id).unwrap().clone());
    }
    assert_eq!(seeding.remarks(&done).len(), 1);
    assert!(seeds(&seeding, &done).is_some());
    assert!(seeding.standings(&Results::new()).iter().all(|standing| standing.place == 1));
}

#[test]
fn missing_repeated_and_competing_programs_are_refused() {
    let refused = |programs: &[u16]| {
        let settings = SeedingSettings {
            programs: programs.iter().copied().map(OrganizerBot).collect(),
            ..SeedingSettings::default()
        };
        // Entrants 2 and 3 are the organizer's first two bots.
        let entrants = [0, 1, 2, 3].map(EntrantId);
        let start = StageInput { field: &Field::new(2, 9), ..start(0, &entrants) };
        Seeding::new(&start, &settings).unwrap_err().to_string()
    };
    assert_eq!(refused(&[9]), "the organizer has no bot 10: the last is 9");
    assert_eq!(refused(&[]), "seeding needs at least one seed program (F1): name it in `programs`");
    assert_eq!(refused(&[7, 1]), "entrant 4 cannot be both a seed program and a competitor (F1)");
    assert_eq!(refused(&[6, 6]), "entrant 9 is named twice: name it once");
}
