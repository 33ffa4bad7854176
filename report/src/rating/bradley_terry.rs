//! Bradley–Terry: the strengths under which the results of games between pairs are most likely.
//!
//! A wins against B with probability 1 / (1 + exp(b - a)); a tie is half a win for each. Newton's method finds the
//! strengths, and conjugate gradients solve its linear equations: a step visits every pair that has met once, so even
//! 1000 entrants are fast. Resamples start from the strengths by the real games.

/// A pair that has met, with its results from the view of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The first entrant, as an index from 0.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// Wins of the first; a tie is half a win.
    pub wins: f64,
    /// Games between them.
    pub games: f64,
}

/// The number of games that every entrant is assumed to have tied with an average one. Without them, an entrant that
/// won every game would be infinitely strong, and groups that never met could not be compared.
pub(super) const PRIOR: f64 = 1.0;

/// The most steps of Newton's method. Five are usual.
const MOST_STEPS: usize = 60;

/// The search ends with a step that changes every strength by less than this. The error that is left is about the square
/// of it.
const NEAR: f64 = 1e-4;

/// The strengths by `pairs` and `prior` games tied with an average entrant, in natural logarithms with mean 0. The
/// search begins at `begin`, which has one strength for each entrant.
pub(super) fn strengths(pairs: &[Pair], prior: f64, begin: &[f64]) -> Vec<f64> {
    let mut at = begin.to_vec();
    let mut likelihood = Likelihood::at(pairs, prior, &at);
    for _ in 0..MOST_STEPS {
        let step = likelihood.newton_step(pairs);
        let largest = step.iter().fold(0.0, |most: f64, change| most.max(change.abs()));
        // Far from the maximum a whole step can overshoot, so it is shortened: to a change of 2 at most, and then until
        // the likelihood does not fall.
        let mut part = (2.0 / largest).min(1.0);
        loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(at, change)| at + part * change).collect();
            let found = Likelihood::at(pairs, prior, &next);
            if found.logarithm >= likelihood.logarithm || part * largest < NEAR {
                (at, likelihood) = (next, found);
                break;
            }
            part /= 2.0;
        }
        if part * largest < NEAR {
            break;
        }
    }
    let mean = at.iter().sum::<f64>() / at.len().max(1) as f64;
    at.iter().map(|strength| strength - mean).collect()
}

/// The likelihood of games at some strengths, with its derivatives.
struct Likelihood {
    logarithm: f64,
    /// The first derivative of the logarithm by each strength.
    gradient: Vec<f64>,
    /// Its negated second derivative by each strength.
    diagonal: Vec<f64>,
    /// Its second derivative by the two strengths of each pair.
    bonds: Vec<f64>,
}

impl Likelihood {
    /// The likelihood of `pairs` and of the `prior` games if the strengths are `at`.
    fn at(pairs: &[Pair], prior: f64, at: &[f64]) -> Likelihood {
        let mut logarithm = 0.0;
        // Adds the games against one who is weaker by `lead`. Returns the derivatives by it, the second one negated.
        let mut add = |lead: f64, wins: f64, games: f64| {
            // In a form that does not overflow.
            let tail = (-lead.abs()).exp();
            let win = if lead >= 0.0 { 1.0 } else { tail } / (1.0 + tail);
            logarithm += wins * lead.min(0.0) + (games - wins) * (-lead).min(0.0) - games * (1.0 + tail).ln();
            (wins - games * win, games * win * (1.0 - win))
        };
        let of_prior = |&strength: &f64| add(strength, prior / 2.0, prior);
        let (mut gradient, mut diagonal): (Vec<f64>, Vec<f64>) = at.iter().map(of_prior).unzip();
        let bond = |pair: &Pair| {
            let (surplus, bond) = add(at[pair.a] - at[pair.b], pair.wins, pair.games);
            gradient[pair.a] += surplus;
            gradient[pair.b] -= surplus;
            diagonal[pair.a] += bond;
            diagonal[pair.b] += bond;
            bond
        };
        let bonds = pairs.iter().map(bond).collect();
        Likelihood { logarithm, gradient, diagonal, bonds }
    }

    /// The negated matrix of second derivatives, times `vector`.
    fn times(&self, pairs: &[Pair], vector: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = self.diagonal.iter().zip(vector).map(|(d, v)| d * v).collect();
        for (pair, bond) in pairs.iter().zip(&self.bonds) {
            product[pair.a] -= bond * vector[pair.b];
            product[pair.b] -= bond * vector[pair.a];
        }
        product
    }

    /// The step to the maximum if the likelihood were a parabola: conjugate gradients with the diagonal as the
    /// preconditioner.
    fn newton_step(&self, pairs: &[Pair]) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let eased = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(&self.diagonal).map(|(rest, d)| if *d > 0.0 { rest / d } else { 0.0 }).collect()
        };
        let mut step = vec![0.0; self.gradient.len()];
        let mut rest = self.gradient.clone();
        let mut towards = eased(&rest);
        let mut left = dot(&rest, &towards);
        let enough = left * 1e-8;
        for _ in 0..2 * step.len() {
            if left <= enough {
                break;
            }
            let product = self.times(pairs, &towards);
            let bend = dot(&towards, &product);
            if bend <= 0.0 {
                break;
            }
            let far = left / bend;
            for (step, towards) in step.iter_mut().zip(&towards) {
                *step += far * towards;
            }
            for (rest, product) in rest.iter_mut().zip(&product) {
                *rest -= far * product;
            }
            let eased = eased(&rest);
            let now = dot(&rest, &eased);
            for (towards, eased) in towards.iter_mut().zip(&eased) {
                *towards = eased + now / left * *towards;
            }
            left = now;
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs by a table of wins, row against column.
    fn pairs<const N: usize>(wins: [[u32; N]; N]) -> Vec<Pair> {
        let pair = |a: usize, b: usize| {
            let won = f64::from(wins[a][b]);
            let lost = f64::from(wins[b][a]);
            Pair { a, b, wins: won, games: won + lost }
        };
        (0..N).flat_map(|a| (a + 1..N).map(move |b| pair(a, b))).filter(|pair| pair.games > 0.0).collect()
    }

    #[track_caller]
    fn check(found: &[f64], wanted: &[f64], within: f64) {
        assert_eq!(found.len(), wanted.len());
        let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < within);
        assert!(near, "{found:?} are not {wanted:?}");
    }

    #[test]
    fn baseball_comes_out_as_published() {
        // American League, East, 1987: Agresti, Categorical Data Analysis (1990), table 10.10; the strengths relative
        // to Baltimore as in Turner and Firth, "Bradley-Terry Models in R" (Journal of Statistical Software, 2012).
        // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let found = strengths(&pairs(wins), 0.0, &[0.0; 7]);
        let relative: Vec<f64> = found.iter().map(|strength| strength - found[6]).collect();
        check(&relative, &[1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0], 5e-5);
    }

    #[test]
    fn a_small_table_comes_out_as_published() {
        // The worked example of Wikipedia's article "Bradley–Terry model". Its strengths are not logarithms, and their
        // geometric mean is 1.
        let wins = [[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]];
        let found = strengths(&pairs(wins), 0.0, &[0.0; 4]);
        let plain: Vec<f64> = found.iter().map(|strength| strength.exp()).collect();
        check(&plain, &[0.640, 1.043, 0.660, 2.270], 5e-4);
    }

    #[test]
    fn the_answer_does_not_depend_on_where_the_search_begins() {
        let wins = [[0, 9, 3, 1], [0, 0, 4, 1], [1, 2, 0, 9], [1, 1, 0, 0]];
        let near = strengths(&pairs(wins), PRIOR, &[0.0; 4]);
        check(&strengths(&pairs(wins), PRIOR, &[9.0, -9.0, 4.0, 0.5]), &near, 1e-5);
    }

    #[test]
    fn winning_every_game_gives_a_finite_strength_that_grows_with_games() {
        let few = strengths(&pairs([[0, 2], [0, 0]]), PRIOR, &[0.0; 2]);
        let many = strengths(&pairs([[0, 200], [0, 0]]), PRIOR, &[0.0; 2]);
        assert!(few[0] > 0.5 && many[0] > few[0] && many[0] < 10.0, "{few:?} {many:?}");
        check(&[few[0] + few[1], many[0] + many[1]], &[0.0, 0.0], 1e-9);
    }

    #[test]
    fn a_long_chain_of_entrants_is_followed_to_its_end() {
        // Each met only the next one, and won two of three games.
        let pairs: Vec<Pair> = (0..199).map(|a| Pair { a, b: a + 1, wins: 2.0, games: 3.0 }).collect();
        let found = strengths(&pairs, 1e-9, &vec![0.0; 200]);
        assert!((found[0] - found[199] - 199.0 * 2f64.ln()).abs() < 0.01, "{}", found[0] - found[199]);
    }

    #[test]
    fn without_games_strengths_are_zero() {
        assert_eq!(strengths(&[], PRIOR, &[]), Vec::<f64>::new());
        assert_eq!(strengths(&[], PRIOR, &[0.0; 3]), [0.0; 3]);
    }
}
