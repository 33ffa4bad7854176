//! Whole games between two strategies within one process: for tests, and for measuring the ladder.

use super::{History, Start};
use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::rps::Rps;

/// Plays one game of `rounds` rounds, and returns the rounds that the first bot won minus those it lost.
///
/// # Panics
/// When the rules do not allow these rounds or seeds.
pub fn bout(rounds: u32, seeds: [u16; 2], bots: [Start; 2]) -> i64 {
    let rps = Rps { rounds, seeds: Some(seeds) };
    let mut state =
        rps.start(&Setup { seats: 2, ..Setup::default() }).expect("rounds and seeds as the rules allow");
    let mut strategies = [0, 1].map(|seat| bots[seat](seeds[seat]));
    let mut histories = [History::default(), History::default()];
    while !rps.to_act(&state).is_empty() {
        let [one, two] = [0, 1].map(|seat| strategies[seat].choose(&histories[seat]));
        rps.apply(&mut state, &[(Seat(0), Action::Move(one)), (Seat(1), Action::Move(two))]);
        histories[0].push(one, two);
        histories[1].push(two, one);
    }
    state.margin(Seat(0))
}
