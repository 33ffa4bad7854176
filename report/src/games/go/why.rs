//! Why a game of Go was lost, by playing out: the moves after which the expected score fell.

use crate::why::{Curve, CurveLine, Effort, Explanation, Lost, MeanInterval, Standing, drops, mean_and_error};
use cornerman::games::go::{Colour, Go, Position};
use cornerman::rng::Rng;

/// The moves of the loser after which its random games end with fewer points.
pub(super) fn explain(lost: &Lost<Go>) -> Explanation {
    // The points of the board times the random games from all positions together.
    let work = match lost.means.effort {
        Effort::Brief => return Explanation::default(),
        Effort::Usual => 300_000,
        Effort::Thorough => 1_500_000,
    };
    let points = usize::from(lost.rules.size).pow(2);
    let games = (work / points / lost.positions.len()).clamp(20, 400);
    let colour = Colour::for_seat(lost.seat);
    let mut rng = Rng::new(lost.record.setup.seed);
    let mut value = |at: usize| -> MeanInterval {
        let to_move = lost.turns.get(at).map_or(colour, |turn| Colour::for_seat(turn.seat));
        let position = lost.positions[at].position();
        let scores: Vec<f64> =
            (0..games).map(|_| score(lost.rules, position, to_move, colour, &mut rng)).collect();
        mean_and_error(&scores)
    };
    let values = (0..lost.positions.len()).map(|at| Some(value(at))).collect();
    let curve = Curve {
        about: format!("points after playing out each position at random {games} times; an engine knows more"),
        standing: Standing::Lines(vec![CurveLine { seat: Some(lost.seat), values }]),
        missed: Vec::new(),
    };
    drops(&lost.turns, lost.seat, curve, |points| format!("{points:.1}"))
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
