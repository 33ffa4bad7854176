//! Ratings as a table with drawings of the intervals, and as JSON.

use super::{LEAST_MATCHES, LEAST_OWN_MATCHES, Rating, Ratings};
use crate::doc::{Block, Cell, Column, Drawing, Section, Table, row};
use crate::{SCHEMA, Tournament};
use cornerman_harness::record::Role;
use serde_json::{Value, json};

impl Ratings {
    /// The table, with an explanation; `None` if no games were played.
    pub fn section(&self, tournament: &Tournament) -> Option<Section> {
        let kinds = self.kinds(tournament);
        let columns = [
            Column::number(""),
            Column::name("name"),
            Column::number("rating"),
            Column::number("95 % interval"),
            Column::number("games"),
            Column::number("above next"),
            Column::text("kind"),
            Column::text(""),
        ];
        let scale = self.range();
        let few = "too few matches";
        let row = |(at, rating): (usize, &Rating)| {
            let interval = rating.interval.map(|[low, high]| format!("{} to {}", points(low), points(high)));
            let is_last = at + 1 == self.list.len();
            let above = rating.above_next.map_or_else(|| if is_last { "" } else { few }.to_string(), percent);
            let drawing = Drawing::Interval { at: rating.rating, ends: rating.interval, scale };
            row![
                at + 1,
                rating.entrant,
                Cell::Figure(points(rating.rating)),
                Cell::Figure(interval.unwrap_or_else(|| few.to_string())),
                rating.games,
                above,
                kinds.as_ref().map_or("", |kinds| kinds[at]),
                drawing,
            ]
        };
        let table = Table::new("", columns).rows(self.list.iter().enumerate().map(row)).without_empty(6);
        let method = self.method.name();
        let note = format!(
            "{method}; 0 is the average, +400 means odds of 10 to 1; the standings do not use ratings; an interval needs \
             {LEAST_MATCHES} matches, {LEAST_OWN_MATCHES} of them the entrant's own"
        );
        let section = Section::new("rating", "Ratings").with(Block::Note(note.into())).with(table);
        (!self.list.is_empty()).then_some(section)
    }

    /// The lowest and the highest end of an interval, or rating without one.
    fn range(&self) -> [f64; 2] {
        let ends = || self.list.iter().flat_map(|one| one.interval.unwrap_or([one.rating; 2]));
        [ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// For each of the list, its kind, such as `reference`; empty for an entry. `None` unless the list has both
    /// entries and other bots.
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
