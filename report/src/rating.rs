//! Ratings: estimates of the entrants' strengths from the games of a tournament, with confidence intervals.
//!
//! Ratings do not decide the order of a contest; its own rules do. If all games have two seats, they are Bradley–Terry
//! ratings, otherwise Weng–Lin. Intervals and probabilities come from a bootstrap: the matches are drawn again with
//! replacement, [a few hundred times](Method::resamples). It draws matches rather than games because the games of a
//! match share a board and often end alike. Few matches say nothing about their own spread, however many games they
//! have, so an interval needs [`LEAST_MATCHES`] and [`LEAST_OWN_MATCHES`].

mod bradley_terry;
mod show;
mod weng_lin;

use bradley_terry::{PRIOR, Pair};
use cornerman::format::{EntrantId, GameId};
use cornerman::rng::Rng;
use cornerman_harness::record::GameSummary;
use cornerman_harness::{machine, pool};
pub use show::{RatingJson, RatingsJson};
pub(crate) use show::{percent, points};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The share of the resamples below the interval, and of those above it.
const TAIL: f64 = 0.025;

/// The fewest matches of a tournament from which intervals are computed. A bootstrap interval of n equal shares is too
/// narrow by the factor sqrt((n - 1) / n) and by the normal distribution's quantile over Student's t (Hesterberg, "What
/// Teachers Should Know About the Bootstrap", 2015): with ten matches by a fifth, with five by more than a third, and
/// with one it has no width.
pub const LEAST_MATCHES: usize = 10;

/// The fewest matches of an entrant for which its interval is computed. An entrant with m matches is in none of the
/// drawn ones with the probability exp(-m). With fewer than four that exceeds `TAIL`, so that an end of its interval
/// would come from resamples without any of its games.
pub const LEAST_OWN_MATCHES: u32 = 4;

/// Strengths that differ by less are the same, and differ only by rounding errors: two entrants of a resample in which
/// they have the same results.
const SAME: f64 = 1e-5;

/// An entrant's rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// The entrant.
    pub entrant: EntrantId,
    /// The rating: 0 is the tournament's average, and a lead of 400 means odds of 10 to 1.
    pub rating: f64,
    /// The ends of the 95 % interval; `None` if there are too few matches, or if all resamples agree.
    pub interval: Option<[f64; 2]>,
    /// The number of games that it comes from.
    pub games: u32,
    /// The number of matches with these games.
    pub matches: u32,
    /// Its strength in each resample.
    pub(crate) resampled: Vec<f64>,
}

impl Rating {
    /// The probability that it is stronger than another one of the list, from 0 to 1; `None` if either has no interval.
    pub fn above(&self, other: &Rating) -> Option<f64> {
        self.interval.and(other.interval)?;
        let better = |(own, other): (&f64, &f64)| match own - other {
            lead if lead.abs() < SAME => 0.5,
            lead if lead > 0.0 => 1.0,
            _ => 0.0,
        };
        let above: f64 = self.resampled.iter().zip(&other.resampled).map(better).sum();
        Some(above / self.resampled.len() as f64)
    }
}

/// How ratings are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// For tournaments whose games all have two seats.
    BradleyTerry,
    /// For all others.
    WengLin,
}

impl Method {
    /// Its name: `Bradley–Terry` or `Weng–Lin`.
    pub fn name(self) -> &'static str {
        match self {
            Method::BradleyTerry => "Bradley–Terry",
            Method::WengLin => "Weng–Lin",
        }
    }

    /// The number of resamples. The slower method has fewer, so that 30,000 games take only seconds.
    pub fn resamples(self) -> usize {
        match self {
            Method::BradleyTerry => 400,
            Method::WengLin => 200,
        }
    }
}

/// The ratings of a tournament, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// How they were computed.
    pub method: Method,
    /// A rating for each entrant that has played.
    pub list: Vec<Rating>,
}

impl Ratings {
    /// The ratings of a tournament without games.
    pub const NONE: &Ratings = &Ratings { method: Method::BradleyTerry, list: Vec::new() };
}

/// The ratings by `games`, whose order does not matter; `seed` decides which matches the bootstrap draws. A tie counts
/// as half a win for each, and a forfeit as a loss, as the places say.
pub fn ratings<'a>(games: impl IntoIterator<Item = &'a GameSummary>, seed: u64) -> Ratings {
    let played = RatedGames::from_games(games);
    let method = played.method();
    let matches = played.matches.len();
    let entrants = played.entrants.len();
    let once = vec![1; matches];
    let (strengths, drawn) = match method {
        Method::BradleyTerry => {
            let pairs = PairedGames::from_games(&played);
            let strengths = pairs.strengths(&once, &vec![0.0; entrants]);
            let drawn = resampled(method.resamples(), matches, seed, &|times| pairs.strengths(times, &strengths));
            (strengths, drawn)
        }
        Method::WengLin => {
            let rate = |times: &[u32]| weng_lin::strengths(played.resampled_games(times), entrants);
            (rate(&once), resampled(method.resamples(), matches, seed, &rate))
        }
    };
    Ratings { method, list: list(&played, &strengths, &drawn) }
}

/// The players of a game, as indices into [`RatedGames::entrants`], with their places.
type GamePlaces = Vec<(usize, u8)>;

/// The games, reduced to what ratings need.
struct RatedGames {
    /// The entrants that have played.
    entrants: Vec<EntrantId>,
    /// How many games each has played.
    games: Vec<u32>,
    /// In how many matches each has played.
    own_matches: Vec<u32>,
    /// The matches in the order of the contest, each with its games.
    matches: Vec<Vec<GamePlaces>>,
}

impl RatedGames {
    fn from_games<'a>(games: impl IntoIterator<Item = &'a GameSummary>) -> RatedGames {
        let mut in_order: BTreeMap<GameId, &GameSummary> = BTreeMap::new();
        let mut count: BTreeMap<EntrantId, u32> = BTreeMap::new();
        for game in games {
            in_order.insert(game.pairing.id, game);
            for id in &game.pairing.seats {
                *count.entry(*id).or_default() += 1;
            }
        }
        let (entrants, games): (Vec<EntrantId>, Vec<u32>) = count.into_iter().unzip();
        let mut matches: Vec<Vec<GamePlaces>> = Vec::new();
        let mut last = None;
        for (id, game) in in_order {
            let number = |id: &EntrantId| entrants.binary_search(id).expect("everyone was counted");
            let seats = game.pairing.seats.iter().map(number);
            let match_of = Some(GameId { game: 0, ..id.place() });
            if last != match_of {
                matches.push(Vec::new());
                last = match_of;
            }
            let places = seats.zip(game.outcome.places.iter().copied()).collect();
            matches.last_mut().expect("just pushed").push(places);
        }
        let mut own_matches = vec![0; entrants.len()];
        for games in &matches {
            let players: BTreeSet<usize> = games.iter().flatten().map(|(number, _)| *number).collect();
            for number in players {
                own_matches[number] += 1;
            }
        }
        RatedGames { entrants, games, own_matches, matches }
    }

    fn method(&self) -> Method {
        let all_pairs = self.matches.iter().flatten().all(|game| game.len() == 2);
        if all_pairs { Method::BradleyTerry } else { Method::WengLin }
    }

    /// The games, each repeated as often as its match was drawn.
    fn resampled_games<'a>(&'a self, times: &'a [u32]) -> impl Iterator<Item = &'a GamePlaces> {
        let repeated = |(games, times): (&'a Vec<GamePlaces>, &u32)| (0..*times).flat_map(move |_| games);
        self.matches.iter().zip(times).flat_map(repeated)
    }
}

/// The games of two seats, grouped by pairs of entrants.
struct PairedGames {
    /// The pairs that met, with wins and games still 0.
    pairs: Vec<Pair>,
    /// For each match, what its games add to pairs.
    matches: Vec<Vec<PairScore>>,
}

/// What a game adds to a pair.
struct PairScore {
    /// The index of the pair.
    pair: usize,
    /// The win of its first entrant, 0 or 1; a tie is half a win.
    win: f64,
}

impl PairedGames {
    fn from_games(played: &RatedGames) -> PairedGames {
        let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut score_of_game = |game: &GamePlaces| {
            let [(a, place), (b, other)] = game[..] else { unreachable!("all games have two seats") };
            let score = match place.cmp(&other) {
                Ordering::Less => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Greater => 0.0,
            };
            let (first, second, win) = if a < b { (a, b, score) } else { (b, a, 1.0 - score) };
            let pair = *numbers.entry((first, second)).or_insert_with(|| {
                pairs.push(Pair { a: first, b: second, wins: 0.0, games: 0.0 });
                pairs.len() - 1
            });
            PairScore { pair, win }
        };
        let matches = played.matches.iter().map(|games| games.iter().map(&mut score_of_game).collect()).collect();
        PairedGames { pairs, matches }
    }

    /// The strengths if each match had been played as often as `times` says. The search begins at `begin`.
    fn strengths(&self, times: &[u32], begin: &[f64]) -> Vec<f64> {
        let mut pairs = self.pairs.clone();
        for (scores, times) in self.matches.iter().zip(times) {
            let times = f64::from(*times);
            for score in scores {
                pairs[score.pair].wins += times * score.win;
                pairs[score.pair].games += times;
            }
        }
        pairs.retain(|pair| pair.games > 0.0);
        bradley_terry::strengths(&pairs, PRIOR, begin)
    }
}

/// The bootstrap (Efron, 1979): the strengths that `rate` computes from matches drawn from the real ones, with
/// replacement, as many times as there are `resamples`. Its argument is how often each match was drawn. The result
/// does not depend on the number of processors.
fn resampled(
    resamples: usize,
    matches: usize,
    seed: u64,
    rate: &(impl Fn(&[u32]) -> Vec<f64> + Sync),
) -> Vec<Vec<f64>> {
    let mut rng = Rng::new(seed);
    let seeds: Vec<u64> = (0..resamples).map(|_| rng.draw()).collect();
    pool::map(seeds, machine::cores(), |seed| rate(&times(matches, seed)))
}

/// How often each of `matches` matches is drawn when that many are drawn with replacement.
fn times(matches: usize, seed: u64) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    let mut times = vec![0; matches];
    for _ in 0..matches {
        times[rng.below(matches as u64) as usize] += 1;
    }
    times
}

/// The ratings, the best first, from the strengths by the real games and those of each resample.
fn list(played: &RatedGames, strengths: &[f64], drawn: &[Vec<f64>]) -> Vec<Rating> {
    // In whole thousandths, so that neither the order nor a drawing depends on rounding errors.
    let thousandths = |strength: f64| (strength * 400e3 / std::f64::consts::LN_10).round();
    let points = |strength: f64| thousandths(strength) / 1e3 + 0.0;
    let rating = |number: usize| {
        let resampled: Vec<f64> = drawn.iter().map(|strengths| strengths[number]).collect();
        let mut own = resampled.clone();
        own.sort_by(f64::total_cmp);
        let strength = strengths[number];
        let [low, high] = [TAIL, 1.0 - TAIL].map(|share| quantile(&own, share));
        let enough = played.matches.len() >= LEAST_MATCHES && played.own_matches[number] >= LEAST_OWN_MATCHES;
        // The resampled strengths can all lie on one side of the real one; the interval still contains it.
        let interval = [low.min(strength), high.max(strength)].map(points);
        Rating {
            entrant: played.entrants[number],
            rating: points(strength),
            interval: (enough && points(high - low) > 1e-3).then_some(interval),
            games: played.games[number],
            matches: played.own_matches[number],
            resampled,
        }
    };
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    order.sort_by_key(|&number| (-thousandths(strengths[number]) as i64, number));
    order.into_iter().map(rating).collect()
}

/// The value below which the `share` of `sorted` lies, interpolated between two neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = sorted[at.floor() as usize];
    let above = sorted[at.ceil() as usize];
    below + (above - below) * at.fract()
}

#[cfg(test)]
mod tests;
