//! Whole tournaments with invented results, compared as text.

use super::*;
use crate::rng::Rng;

/// A game between uneven bots: the better seed mostly wins, and one game in seven is a tie.
pub(super) fn invented(pairing: &Pairing, seed: u64) -> Outcome {
    let [a, b] = pairing.seats[..] else { panic!("a game of the brackets has two seats") };
    let id = pairing.id;
    let name = [id.round.into(), id.table.into(), id.game.into(), a.0.into(), b.0.into()];
    let mixed = name.iter().fold(seed, |mixed, &part: &u64| Rng::new(mixed ^ part).draw());
    let mut rng = Rng::new(mixed);
    let strength = |id: EntrantId| 40 + 100 / (5 + u64::from(id.0.min(200)));
    let points = [rng.below(250), rng.below(250)].map(|points| points as i64);
    if rng.below(7) == 0 {
        return outcome([1, 1], points);
    }
    let first_wins = rng.below(strength(a).pow(3) + strength(b).pow(3)) < strength(a).pow(3);
    if first_wins { outcome([1, 2], [points[0], 0]) } else { outcome([2, 1], [0, points[1]]) }
}

#[track_caller]
fn check(name: &str, n: u16) {
    let brackets = brackets(n);
    let done = play(&brackets, |pairing| invented(pairing, 1));
    let mut text = tree(&brackets, &done);
    for standing in brackets.standings(&done) {
        writeln!(text, "{:>2}. {:>2}  {:?}", standing.place, standing.entrant.0, standing.figures).unwrap();
    }
    for remark in brackets.remarks(&done) {
        writeln!(text, "{remark:?}").unwrap();
    }
    insta::assert_snapshot!(name, text);
}

#[test]
fn sixteen_entrants_play_down_to_the_finalists() {
    check("sixteen", 16);
}

#[test]
fn twenty_seven_entrants_play_down_to_the_finalists() {
    check("twenty-seven", 27);
}
