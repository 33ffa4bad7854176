//! Ratings as a table with bars for the intervals, and as JSON.

use super::{LEAST_MATCHES, LEAST_OWN_MATCHES, Rating, Ratings};
use crate::style::Grid;
use crate::{SCHEMA, Style, Tournament};
use cornerman_harness::record::Role;
use serde_json::{Value, json};

/// The width of the bars, in characters: at most, and at least.
const WIDTHS: [usize; 2] = [32, 10];

impl Ratings {
    /// The table, under a heading; empty if no games were played.
    pub fn text(&self, tournament: &Tournament, style: Style) -> String {
        if self.list.is_empty() {
            return String::new();
        }
        let caption = self.caption();
        let mut grid = self.grid(tournament);
        // The bars have what the other columns leave of the width.
        let others = grid.text(Style { colour: false, ..style }).lines().map(|line| line.chars().count()).max();
        let left = style.width.saturating_sub(others.unwrap_or(0) + 2);
        // A narrow terminal has no room for them.
        if left >= WIDTHS[1] || style.width >= Style::plain().width {
            grid.header.push(String::new());
            let width = left.clamp(WIDTHS[1], WIDTHS[0]);
            for (row, rating) in grid.rows.iter_mut().zip(&self.list) {
                row.push(self.bar(rating, width));
            }
        }
        let body = grid.text(style);
        format!("{}\n{}\n{body}", style.heading("Ratings"), style.caption(&caption))
    }

    /// The table as Markdown, under its caption; empty if no games were played.
    pub fn markdown(&self, tournament: &Tournament) -> String {
        if self.list.is_empty() {
            return String::new();
        }
        // Without bars: Markdown collapses blanks.
        format!("{}\n\n{}", self.caption(), self.grid(tournament).markdown())
    }

    /// An explanation of the figures.
    pub(crate) fn caption(&self) -> String {
        let method = self.method.name();
        format!(
            "{method}; 0 is the average, +400 means odds of 10 to 1; the standings do not use ratings; an interval needs \
             {LEAST_MATCHES} matches, {LEAST_OWN_MATCHES} of them the entrant's own"
        )
    }

    /// The columns of the table after the names: rating, interval, games and the share of `above_next`, in words.
    pub(crate) fn words(&self, at: usize) -> [String; 4] {
        let rating = &self.list[at];
        let few = || "too few matches".to_string();
        let interval =
            rating.interval.map_or_else(few, |[low, high]| format!("{} to {}", points(low), points(high)));
        let is_last = at + 1 == self.list.len();
        let above = rating.above_next.map_or_else(|| if is_last { String::new() } else { few() }, percent);
        [points(rating.rating), interval, rating.games.to_string(), above]
    }

    /// The lowest and the highest end of an interval, or rating without one.
    pub(crate) fn range(&self) -> [f64; 2] {
        let ends = || self.list.iter().flat_map(|one| one.interval.unwrap_or([one.rating; 2]));
        [ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// For each of the list, its kind, such as `reference`; empty for an entry. `None` unless the list has both
    /// entries and other bots.
    pub(crate) fn kinds(&self, tournament: &Tournament) -> Option<Vec<&'static str>> {
        let kind = |rating: &Rating| match tournament.entrants.get(rating.entrant.index()) {
            Some(entrant) if entrant.role != Role::Entry => entrant.role.name(),
            Some(entrant) if entrant.is_reference_bot() => "reference",
            _ => "",
        };
        let kinds: Vec<&str> = self.list.iter().map(kind).collect();
        let has_both = kinds.iter().any(|kind| kind.is_empty()) && kinds.iter().any(|kind| !kind.is_empty());
        has_both.then_some(kinds)
    }

    fn grid(&self, tournament: &Tournament) -> Grid {
        let kinds = self.kinds(tournament);
        let header = ["", "name", "rating", "95 % interval", "games", "above next"].into_iter();
        let header = header.chain(kinds.as_ref().map(|_| "kind")).map(String::from).collect();
        let row = |(at, rating): (usize, &Rating)| {
            let kind = kinds.as_ref().map(|kinds| kinds[at].to_string());
            let start = [(at + 1).to_string(), tournament.name(rating.entrant)];
            start.into_iter().chain(self.words(at)).chain(kind).collect()
        };
        Grid { header, texts: vec![1, 6, 7], rows: self.list.iter().enumerate().map(row).collect() }
    }

    /// The ratings to a tenth of a point, the best first.
    pub fn json(&self, tournament: &Tournament) -> Value {
        let rating = |rating: &Rating| {
            let mut value = tournament.entrant_json(rating.entrant);
            value["role"] = json!(tournament.role(rating.entrant).name());
            value["rating"] = json!(tenths(rating.rating));
            value["low"] = json!(rating.interval.map(|[low, _]| tenths(low)));
            value["high"] = json!(rating.interval.map(|[_, high]| tenths(high)));
            value["games"] = json!(rating.games);
            value["matches"] = json!(rating.matches);
            value["above_next"] = json!(rating.above_next.map(|share| (share * 1e3).round() / 1e3));
            value
        };
        json!({
            "schema": SCHEMA,
            "method": self.method.name(),
            "interval": 0.95,
            "resamples": self.method.resamples(),
            "least_matches": LEAST_MATCHES,
            "least_own_matches": LEAST_OWN_MATCHES,
            "ratings": self.list.iter().map(rating).collect::<Vec<_>>(),
        })
    }

    /// `   ├───●─────┤`, on a scale of `width` characters that fits all intervals.
    fn bar(&self, rating: &Rating, width: usize) -> String {
        let [least, most] = self.range();
        let at = |value: f64| {
            if most > least {
                ((value - least) / (most - least) * (width - 1) as f64).round() as usize
            } else {
                width / 2
            }
        };
        let [low, high] = rating.interval.unwrap_or([rating.rating; 2]).map(at);
        let own = at(rating.rating);
        let character = |place: usize| match place {
            _ if place == own => '●',
            _ if place == low => '├',
            _ if place == high => '┤',
            _ if place > low && place < high => '─',
            _ => ' ',
        };
        (0..width).map(character).collect::<String>().trim_end().to_string()
    }
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

fn tenths(rating: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (rating * 10.0).round() / 10.0 + 0.0
}
