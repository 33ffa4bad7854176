//! Weng–Lin, for games of any number of seats: each game in turn moves the ratings of its players (Weng and Lin, "A
//! Bayesian Approximation Method for Online Ranking", JMLR 12, 2011, with full pairs).

use super::GamePlaces;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// The strengths of `entrants` after `games`, in natural logarithms with mean 0, as for Bradley–Terry: a lead of x
/// means a win with probability 1 / (1 + exp(-x)).
pub(super) fn strengths<'a>(games: impl Iterator<Item = &'a GamePlaces>, entrants: usize) -> Vec<f64> {
    let config = WengLinConfig::new();
    let mut ratings = vec![[WengLinRating::new()]; entrants];
    for game in games {
        let seats = game.iter().map(|&(id, place)| (&ratings[id][..], MultiTeamOutcome::new(place.into())));
        let seats: Vec<_> = seats.collect();
        let after = weng_lin_multi_team(&seats, &config);
        for ((id, _), rating) in game.iter().zip(after) {
            ratings[*id] = [rating[0]];
        }
    }
    // The unit of the model's ratings, if their uncertainties are taken as 0.
    let unit = config.beta * 2f64.sqrt();
    let mean = ratings.iter().map(|[rating]| rating.rating).sum::<f64>() / entrants.max(1) as f64;
    ratings.iter().map(|[rating]| (rating.rating - mean) / unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_game_moves_ratings_as_in_the_paper() {
        // Algorithm 1 of the paper, with all ratings at 25, sigma 25/3 and beta 25/6: w worse and l better opponents
        // move a rating by (w - l) / 2 * sigma² / c, where c² = 2 sigma² + 2 beta².
        let check = |places: &[u8], wanted: &[f64]| {
            let game: GamePlaces = places.iter().copied().enumerate().collect();
            let sigma = 25.0f64 / 3.0;
            let beta = 25.0f64 / 6.0;
            let c = (2.0 * sigma * sigma + 2.0 * beta * beta).sqrt();
            let step = sigma * sigma / c / 2.0 / (beta * 2f64.sqrt());
            for (found, wanted) in strengths([&game].into_iter(), places.len()).iter().zip(wanted) {
                assert!((found - wanted * step).abs() < 1e-12, "{found} is not {wanted} times {step}");
            }
        };
        check(&[1, 2], &[1.0, -1.0]);
        check(&[1, 1], &[0.0, 0.0]);
        check(&[2, 1, 4, 3], &[1.0, 3.0, -3.0, -1.0]);
        check(&[1, 2, 2, 2], &[3.0, -1.0, -1.0, -1.0]);
    }

    #[test]
    fn teams_of_three_come_out_as_the_library_publishes() {
        // The example of its documentation (skillratings 0.29, `weng_lin_multi_team`).
        let at = |rating, uncertainty| WengLinRating { rating, uncertainty };
        let one = [WengLinRating::new(), at(30.0, 1.2), at(21.0, 6.5)];
        let two = [WengLinRating::new(), at(41.0, 1.4), at(19.2, 4.3)];
        let three = [WengLinRating::new(), at(29.4, 1.6), at(17.2, 2.1)];
        let teams: Vec<_> =
            [(&one[..], 2), (&two[..], 1), (&three[..], 3)].map(|(t, p)| (t, MultiTeamOutcome::new(p))).into();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        let rounded: Vec<f64> = after.iter().flatten().map(|it| (it.rating * 100.0).round()).collect();
        assert_eq!(rounded, [2538.0, 3001.0, 2123.0, 2796.0, 4108.0, 1999.0, 2166.0, 2928.0, 1699.0]);
    }
}
