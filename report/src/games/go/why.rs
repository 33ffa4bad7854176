//! Why a game of Go was lost, by playing out: the moves after which the expected score fell.

use crate::why::{Cause, Lost, drops, mean_and_error};
use cornerman::games::go::{Colour, Go, Position};
use cornerman::rng::Rng;

/// The points of the board times the random games from all positions together: some seconds.
const WORK: usize = 1_500_000;

/// The moves of the loser after which its random games end with fewer points.
pub(super) fn causes(lost: &Lost<Go>) -> Vec<Cause> {
    let points = usize::from(lost.rules.size).pow(2);
    let own = lost.turns.iter().filter(|turn| turn.seat == lost.seat).count().max(1);
    let games = (WORK / points / own / 2).clamp(20, 400);
    let colour = Colour::for_seat(lost.seat);
    let mut rng = Rng::new(lost.record.setup.seed);
    let mut value = |position: &Position, to_move: Colour| {
        let scores: Vec<f64> =
            (0..games).map(|_| score(lost.rules, position, to_move, colour, &mut rng)).collect();
        mean_and_error(&scores)
    };
    let moves: Vec<_> = (0..lost.turns.len())
        .filter(|&at| lost.turns[at].seat == lost.seat)
        .map(|at| {
            let after = lost.turns.get(at + 1).map_or(&lost.last, |turn| &turn.before);
            let before = value(lost.turns[at].before.position(), colour);
            lost.turns[at].valued(before, value(after.position(), colour.other()))
        })
        .collect();
    let how = format!("points after playing out each position at random {games} times; an engine knows more");
    drops(&moves, &how, |points| format!("{points:.1}"))
}

/// The score of `colour` when both play on at random, without filling their eyes.
fn score(go: &Go, position: &Position, mut to_move: Colour, colour: Colour, rng: &mut Rng) -> f64 {
    let mut position = position.clone();
    let mut passes = 0;
    for _ in 0..3 * usize::from(go.size).pow(2) {
        match position.random_move(to_move, rng) {
            Some(point) => {
                position.play(point, to_move);
                passes = 0;
            }
            None => {
                position.pass();
                passes += 1;
            }
        }
        if passes == 2 {
            break;
        }
        to_move = to_move.other();
    }
    let [black, white] = go.scores_halves(position.area());
    let lead = (black - white) as f64 / 2.0;
    if colour == Colour::Black { lead } else { -lead }
}
