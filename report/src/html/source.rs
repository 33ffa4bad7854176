//! What a page is made from: the tournament, its record and rules, ratings, and how far a run is.

use crate::Tournament;
use crate::view::View;
use cornerman::format::{EntrantId, PairingId};
use cornerman_harness::record::Record;
use cornerman_harness::ruleset::Ruleset;
use std::time::Duration;

/// What a page is made from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The tournament as far as it has come.
    pub tournament: &'a Tournament<'a>,
    /// Its record.
    pub record: &'a Record,
    /// Its rules.
    pub ruleset: &'a Ruleset,
    /// How games by these rules are shown.
    pub view: &'a dyn View,
    /// Ratings, the best first; without any, the page has no such section.
    pub ratings: &'a [RatingRow],
    /// What a reader types to call the program: `cargo xtask`.
    pub command: &'a str,
    /// How far the run is, while there is one: the page then reloads itself.
    pub live: Option<&'a Live>,
}

/// An entrant's rating.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingRow {
    /// Whose.
    pub name: String,
    /// The rating, in the unit that ratings are told in.
    pub rating: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// From how many games.
    pub games: u32,
    /// How likely it is to be better than the one below, from 0 to 1, if that is known.
    pub above_next: Option<f64>,
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// Games in play, and who sits where.
    pub in_play: Vec<(PairingId, Vec<EntrantId>)>,
    /// Games that have been played.
    pub played: usize,
    /// Games known so far, played ones included: later stages may add to them.
    pub known: usize,
    /// How long those that are known will take, once that can be told.
    pub left: Option<Duration>,
    /// Whether the run has ended: the page no longer reloads itself.
    pub over: bool,
}
