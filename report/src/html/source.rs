//! The data that a page is made from: the tournament, its record and rules, ratings, and the progress of a run.

use crate::Tournament;
use crate::rating::Ratings;
use crate::view::View;
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::record::Record;
use cornerman_harness::ruleset::Ruleset;
use std::time::Duration;

/// The data that a page is made from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The tournament so far.
    pub tournament: &'a Tournament<'a>,
    /// Its record.
    pub record: &'a Record,
    /// Its rules.
    pub ruleset: &'a Ruleset,
    /// How games by these rules are shown.
    pub view: &'a dyn View,
    /// Ratings; if there are none, the page has no such section.
    pub ratings: &'a Ratings,
    /// How a reader calls the program, for commands shown on the page: `cargo xtask`.
    pub command: &'a str,
    /// The progress of the run, if one is under way: the page then reloads itself.
    pub live: Option<&'a Live>,
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The games in play, with the entrants by seat.
    pub in_play: Vec<(GameId, Vec<EntrantId>)>,
    /// The number of games played.
    pub played: usize,
    /// The number of games known so far, including those played; later rounds and stages may add more.
    pub known: usize,
    /// The estimated time for the rest of the known games; `None` until it can be estimated.
    pub left: Option<Duration>,
    /// Whether the run has ended: the page no longer reloads itself.
    pub over: bool,
    /// The workers on other machines that play, in words; `None` if this machine plays.
    pub workers: Option<String>,
}
