//! Ratings: how strong the entrants seem by all games of a tournament, and how sure that is.
//!
//! They inform; the contest's own rules rank. Where all games had two seats they are [Bradley–Terry](bradley_terry)'s,
//! else [Weng–Lin](weng_lin)'s. Intervals and chances come from a bootstrap: the same tournament with its matches drawn
//! again, some twice and some not at all, [some hundred times](Method::resamples). Matches are drawn, not games, for the
//! games of a match are on one board and often come out alike.

mod bradley_terry;
mod resample;
mod show;
mod weng_lin;

use bradley_terry::{PRIOR, Pair};
use cornerman::format::{EntrantId, PairingId};
use cornerman_harness::record::GameHead;
use std::collections::BTreeMap;

/// Of the resamples, so many fall below the interval, and as many above it.
const TAIL: f64 = 0.025;

/// An entrant's rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// Whose.
    pub entrant: EntrantId,
    /// The rating: 0 is the average of the tournament, and 400 more are ten times the chance to win.
    pub rating: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// From how many games.
    pub games: u32,
    /// How likely it is to be better than the next one of the list, from 0 to 1; `None` for the last.
    pub above_next: Option<f64>,
}

/// How ratings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// For games of two seats.
    BradleyTerry,
    /// Where a game had more.
    WengLin,
}

impl Method {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::BradleyTerry => "Bradley–Terry",
            Method::WengLin => "Weng–Lin",
        }
    }

    /// How often the tournament is drawn again: less often where that takes longer, so that 30,000 games are a matter
    /// of seconds.
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
    /// How they were made.
    pub method: Method,
    /// A rating for everyone who has played.
    pub list: Vec<Rating>,
}

/// The ratings by `games`, in whatever order they come; chance is drawn from `seed`. A tie is half a win for each, and
/// who forfeited has lost, as the places say.
pub fn ratings<'a>(games: impl IntoIterator<Item = &'a GameHead>, seed: u64) -> Ratings {
    let played = Played::of(games);
    let method = played.method();
    let lots = resample::Lots { resamples: method.resamples(), matches: played.matches.len(), seed };
    let (once, entrants) = (vec![1; played.matches.len()], played.who.len());
    let (strengths, drawn) = match method {
        Method::BradleyTerry => {
            let meetings = Meetings::of(&played);
            let strengths = meetings.strengths(&once, &vec![0.0; entrants]);
            let drawn = lots.drawn(&|times| meetings.strengths(times, &strengths));
            (strengths, drawn)
        }
        Method::WengLin => {
            let rate = |times: &[u32]| weng_lin::strengths(played.again(times), entrants);
            (rate(&once), lots.drawn(&rate))
        }
    };
    Ratings { method, list: list(&played, &strengths, &drawn) }
}

/// Who sat in a game, as numbers of [`Played::who`], with their places.
type Places = Vec<(usize, u8)>;

/// The games as far as ratings go.
struct Played {
    /// Who has played.
    who: Vec<EntrantId>,
    /// In how many games.
    games: Vec<u32>,
    /// The matches in the order of the contest, each with its games.
    matches: Vec<Vec<Places>>,
}

impl Played {
    fn of<'a>(games: impl IntoIterator<Item = &'a GameHead>) -> Played {
        let mut in_order: BTreeMap<PairingId, &GameHead> = BTreeMap::new();
        let mut count: BTreeMap<EntrantId, u32> = BTreeMap::new();
        for game in games {
            in_order.insert(game.pairing.id, game);
            game.pairing.seats.iter().for_each(|id| *count.entry(*id).or_default() += 1);
        }
        let (who, games): (Vec<EntrantId>, Vec<u32>) = count.into_iter().unzip();
        let mut matches: Vec<Vec<Places>> = Vec::new();
        let mut last = None;
        for (id, game) in in_order {
            let number = |id: &EntrantId| who.binary_search(id).expect("everyone was counted");
            let seats = game.pairing.seats.iter().map(number);
            let match_of = Some(PairingId { game: 0, ..id });
            if last != match_of {
                matches.push(Vec::new());
                last = match_of;
            }
            let places = seats.zip(game.outcome.places.iter().copied()).collect();
            matches.last_mut().expect("just pushed").push(places);
        }
        Played { who, games, matches }
    }

    fn method(&self) -> Method {
        let all_pairs = self.matches.iter().flatten().all(|game| game.len() == 2);
        if all_pairs { Method::BradleyTerry } else { Method::WengLin }
    }

    /// The games, each as often as its match was drawn.
    fn again<'a>(&'a self, times: &'a [u32]) -> impl Iterator<Item = &'a Places> {
        let repeated = |(games, times): (&'a Vec<Places>, &u32)| (0..*times).flat_map(move |_| games);
        self.matches.iter().zip(times).flat_map(repeated)
    }
}

/// The games of two seats, pair by pair.
struct Meetings {
    /// The pairs without their games.
    pairs: Vec<Pair>,
    /// For each match the pairs that it adds to: their numbers, wins and games.
    matches: Vec<Vec<(usize, f64, f64)>>,
}

impl Meetings {
    fn of(played: &Played) -> Meetings {
        let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut of_game = |game: &Places| -> (usize, f64, f64) {
            let [(a, place), (b, other)] = game[..] else { unreachable!("all games have two seats") };
            let score = match place.cmp(&other) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            let (first, second, wins) = if a < b { (a, b, score) } else { (b, a, 1.0 - score) };
            let number = *numbers.entry((first, second)).or_insert_with(|| {
                pairs.push(Pair { a: first, b: second, wins: 0.0, games: 0.0 });
                pairs.len() - 1
            });
            (number, wins, 1.0)
        };
        let mut of_match = |games: &Vec<Places>| {
            let mut sums: Vec<(usize, f64, f64)> = Vec::new();
            for (number, wins, games) in games.iter().map(&mut of_game) {
                match sums.iter_mut().find(|sum| sum.0 == number) {
                    Some(sum) => *sum = (number, sum.1 + wins, sum.2 + games),
                    None => sums.push((number, wins, games)),
                }
            }
            sums
        };
        let matches = played.matches.iter().map(&mut of_match).collect();
        Meetings { pairs, matches }
    }

    /// The strengths by the matches, each as often as `times` says; the search begins at `begin`.
    fn strengths(&self, times: &[u32], begin: &[f64]) -> Vec<f64> {
        let mut pairs = self.pairs.clone();
        for (games, times) in self.matches.iter().zip(times) {
            let times = f64::from(*times);
            for &(number, wins, games) in games {
                pairs[number].wins += times * wins;
                pairs[number].games += times * games;
            }
        }
        pairs.retain(|pair| pair.games > 0.0);
        bradley_terry::strengths(&pairs, PRIOR, begin)
    }
}

/// The ratings, the best first, from the strengths and those of each resample.
fn list(played: &Played, strengths: &[f64], drawn: &[Vec<f64>]) -> Vec<Rating> {
    let points = 400.0 / std::f64::consts::LN_10;
    let rating = |number: usize| {
        let mut own: Vec<f64> = drawn.iter().map(|strengths| strengths[number]).collect();
        own.sort_by(f64::total_cmp);
        let strength = strengths[number];
        // What is resampled of a whole has less to go by, so it can lie beside it altogether.
        let (low, high) = (quantile(&own, TAIL).min(strength), quantile(&own, 1.0 - TAIL).max(strength));
        Rating {
            entrant: played.who[number],
            rating: strength * points,
            low: low * points,
            high: high * points,
            games: played.games[number],
            above_next: None,
        }
    };
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    // Nearly equal is equal: which comes first is not to depend on the last bits.
    order.sort_by_key(|&number| (-(strengths[number] * points * 1e3).round() as i64, number));
    let mut list: Vec<Rating> = order.iter().map(|&number| rating(number)).collect();
    for (at, two) in order.windows(2).enumerate() {
        let better = |strengths: &Vec<f64>| match strengths[two[0]].total_cmp(&strengths[two[1]]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        list[at].above_next = Some(drawn.iter().map(better).sum::<f64>() / drawn.len() as f64);
    }
    list
}

/// The value below which the `share` of `sorted` lies, between two of them if need be.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    below + (above - below) * at.fract()
}

#[cfg(test)]
mod tests;
