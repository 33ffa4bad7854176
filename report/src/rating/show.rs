//! Ratings as a table with drawings of the intervals, and as JSON.

use super::{LEAST_MATCHES, LEAST_OWN_MATCHES, Rating, Ratings};
use crate::Tournament;
use crate::doc::{Block, Cell, Column, Drawing, Listing, Section};
use crate::json::{EntrantJson, rounded};
use cornerman_harness::record::Role;
use schemars::JsonSchema;
use serde::Serialize;

impl Ratings {
    /// The table, with an explanation. If there are both entries and other bots, the latter are below, without numbers.
    /// `None` if no games were played.
    pub fn section(&self, tournament: &Tournament) -> Option<Section> {
        let scale = self.range();
        let few = || "too few matches".to_string();
        let interval = |it: &Rating| {
            it.interval.map_or_else(few, |[low, high]| format!("{} to {}", points(low), points(high)))
        };
        let kinds = self.kinds(tournament).unwrap_or_else(|| vec![""; self.list.len()]);
        let (entries, others): (Vec<_>, Vec<_>) =
            self.list.iter().zip(kinds).partition(|(_, kind)| kind.is_empty());
        let mut rows = Vec::new();
        for group in [entries, others] {
            for (at, (rating, kind)) in group.iter().enumerate() {
                let next = group.get(at + 1).map(|(next, _)| *next);
                rows.push((kind.is_empty().then_some(at + 1), *rating, *kind, next));
            }
        }
        let table = Listing(rows).columns(&[
            (Column::number(""), &|(number, ..)| Cell::or_empty(*number)),
            (Column::name("name"), &|(_, it, ..)| it.entrant.into()),
            (Column::number("rating"), &|(_, it, ..)| Cell::Figure(points(it.rating))),
            (Column::number("95 % interval"), &|(_, it, ..)| Cell::Figure(interval(it))),
            (Column::number("games"), &|(_, it, ..)| it.games.into()),
            (Column::number("above next"), &|(_, it, _, next)| {
                Cell::or_empty(next.map(|next| it.above(next).map_or_else(few, percent)))
            }),
            (Column::text("kind"), &|(_, _, kind, _)| (*kind).into()),
            (Column::text(""), &|(_, it, ..)| {
                Drawing::Interval { at: it.rating, ends: it.interval, scale }.into()
            }),
        ]);
        let table = table.without_empty(6);
        let method = self.method.name();
        let note = format!(
            "{method}; 0 is the average, +400 means odds of 10 to 1; the standings do not use ratings; an interval needs \
             {LEAST_MATCHES} matches, {LEAST_OWN_MATCHES} of them the entrant's own"
        );
        let section = Section::new("rating", "Ratings").with(Block::Note(note.into())).with(table);
        (!self.list.is_empty()).then_some(section)
    }

    /// The lowest and the highest end of all intervals, and of the ratings that have none.
    fn range(&self) -> [f64; 2] {
        let ends = || self.list.iter().flat_map(|one| one.interval.unwrap_or([one.rating; 2]));
        [ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// The kind of each entrant of the list, such as `reference`; empty for an entry that is not a reference bot.
    /// `None` unless the list has both such entries and other bots.
    pub(super) fn kinds(&self, tournament: &Tournament) -> Option<Vec<&'static str>> {
        let kind = |rating: &Rating| match tournament.entrants.get(rating.entrant.index()) {
            Some(entrant) if entrant.role != Role::Entry => entrant.role.name(),
            Some(entrant) if entrant.is_reference_bot() => "reference",
            _ => "",
        };
        let kinds: Vec<&str> = self.list.iter().map(kind).collect();
        let has_both = kinds.iter().any(|kind| kind.is_empty()) && kinds.iter().any(|kind| !kind.is_empty());
        has_both.then_some(kinds)
    }

    /// The ratings to a tenth of a point, the best first.
    pub fn json(&self, tournament: &Tournament) -> RatingsJson {
        let rating = |(at, rating): (usize, &Rating)| RatingJson {
            who: tournament.entrant_json(rating.entrant),
            role: tournament.role(rating.entrant).name(),
            rating: rounded(rating.rating, 1),
            low: rating.interval.map(|[low, _]| rounded(low, 1)),
            high: rating.interval.map(|[_, high]| rounded(high, 1)),
            games: rating.games,
            matches: rating.matches,
            above_next: self.list.get(at + 1).and_then(|next| rating.above(next)).map(|share| rounded(share, 3)),
        };
        RatingsJson {
            method: self.method.name(),
            interval: 0.95,
            resamples: self.method.resamples(),
            least_matches: LEAST_MATCHES,
            least_own_matches: LEAST_OWN_MATCHES,
            ratings: self.list.iter().enumerate().map(rating).collect(),
        }
    }
}

/// Ratings, and how they were computed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RatingsJson {
    /// `Bradley–Terry`, or `Weng–Lin` if a game had more than two seats.
    pub method: &'static str,
    /// The share of the resamples that an interval contains.
    pub interval: f64,
    /// The number of resamples.
    pub resamples: usize,
    /// The fewest matches of a tournament with intervals.
    pub least_matches: usize,
    /// The fewest matches of an entrant with an interval.
    pub least_own_matches: u32,
    /// The ratings, the best first.
    pub ratings: Vec<RatingJson>,
}

/// An entrant's rating.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RatingJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// What it is to the contest, such as `entry`.
    pub role: &'static str,
    /// 0 is the average, and a lead of 400 means odds of 10 to 1.
    pub rating: f64,
    /// The lower end of the interval; null if there are too few matches.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number of its games.
    pub games: u32,
    /// The number of its matches.
    pub matches: u32,
    /// The probability that it is stronger than the next.
    pub above_next: Option<f64>,
}

/// `+120`, `0`, `-35`.
pub(crate) fn points(rating: f64) -> String {
    match rating.round() as i64 {
        0 => "0".to_string(),
        points => format!("{points:+}"),
    }
}

/// A share in whole percent; `0 %` and `100 %` only if that is exact.
pub(crate) fn percent(share: f64) -> String {
    match share {
        share if share > 0.99 && share < 1.0 => "> 99 %".to_string(),
        share if share < 0.01 && share > 0.0 => "< 1 %".to_string(),
        share => format!("{:.0} %", share * 100.0),
    }
}
