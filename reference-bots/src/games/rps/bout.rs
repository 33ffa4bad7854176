//! Whole games between two ideas within one process: for tests, and for measuring the ladder.

use super::{Past, Start};
use cornerman::game::{Act, Game, Seat, Setup};
use cornerman::games::rps::Rps;

/// Plays one game of so many rounds, each bot with its seed; the rounds won by the first minus those lost.
///
/// # Panics
/// When the rules do not allow so many rounds, or such seeds.
pub fn bout(rounds: u32, seeds: [u16; 2], bots: [Start; 2]) -> i64 {
    let rps = Rps { rounds, seeds: Some(seeds) };
    let mut state =
        rps.start(&Setup { seats: 2, ..Setup::default() }).expect("rounds and seeds as the rules allow");
    let mut ideas = [0, 1].map(|seat| bots[seat](seeds[seat]));
    let mut pasts = [Past::default(), Past::default()];
    while !rps.to_act(&state).is_empty() {
        let [one, two] = [0, 1].map(|seat| ideas[seat].choose(&pasts[seat]));
        rps.apply(&mut state, &[(Seat(0), Act::Move(one)), (Seat(1), Act::Move(two))]);
        pasts[0].push(one, two);
        pasts[1].push(two, one);
    }
    state.margin(Seat(0))
}
