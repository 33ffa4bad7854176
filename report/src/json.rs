//! What JSON of Cornerman has in common: one way to number and name things, and, but for
//! `check`, `doctor` and `judge`, one version.
//!
//! Things have the numbers that people see: entrants, stages, rounds, matches, boards, seats and moves count from 1,
//! and a game is `s1/r2/m3/g1`. The names of members with durations end in the unit. Names of entrants are unchanged.

use crate::Tournament;
use cornerman::format::EntrantId;
use cornerman::game::{End, Outcome};
use cornerman_harness::record::{EntrantRecord, Forfeit};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// The version of JSON, which every object that a command prints has as `schema`; `check`, `doctor` and `judge` have
/// versions of their own. It grows when a member is renamed, removed or changes its meaning; new members may appear at
/// any time.
pub const SCHEMA: u32 = 1;

/// What a command prints: one object, or several on a line each.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Output")]
pub struct JsonOutput<T> {
    /// The version of the format.
    pub schema: u32,
    /// The members of this output.
    #[serde(flatten)]
    pub content: T,
}

impl<T> JsonOutput<T> {
    /// This content with the version.
    pub fn new(content: T) -> JsonOutput<T> {
        JsonOutput { schema: SCHEMA, content }
    }
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EntrantJson {
    /// Its number.
    pub entrant: u32,
    /// Its name.
    pub name: String,
}

impl EntrantJson {
    /// An entrant among those of its record.
    pub fn new(id: EntrantId, entrants: &[EntrantRecord]) -> EntrantJson {
        EntrantJson { entrant: u32::from(id.0) + 1, name: crate::raw_name_of(entrants, id) }
    }

    /// The entrant in its record.
    pub(crate) fn id(&self) -> EntrantId {
        EntrantId((self.entrant - 1) as u16)
    }
}

impl Tournament<'_> {
    pub(crate) fn entrant_json(&self, id: EntrantId) -> EntrantJson {
        EntrantJson::new(id, self.entrants)
    }
}

/// The result of a game, by seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ResultJson {
    /// The places; equal ones are shared.
    pub places: Vec<u8>,
    /// The points.
    pub points: Vec<i64>,
}

impl From<&Outcome> for ResultJson {
    fn from(outcome: &Outcome) -> ResultJson {
        ResultJson { places: outcome.places.clone(), points: outcome.points.clone() }
    }
}

/// A forfeit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ForfeitJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// The game.
    pub game: String,
    /// Its seat.
    pub seat: u8,
    /// The move that it would have been.
    #[serde(rename = "move")]
    pub number: u32,
    /// What kind of fault: an identifier such as `timeout`.
    pub kind: String,
    /// What was wrong.
    pub detail: String,
}

impl ForfeitJson {
    pub(crate) fn new(forfeit: &Forfeit, entrants: &[EntrantRecord]) -> ForfeitJson {
        ForfeitJson {
            who: EntrantJson::new(forfeit.entrant, entrants),
            game: forfeit.id.to_string(),
            seat: forfeit.seat.0 + 1,
            number: forfeit.number,
            kind: forfeit.kind.clone(),
            detail: forfeit.detail.clone(),
        }
    }
}

/// How a game ended: `played` or `forfeited`.
pub fn end(end: End) -> &'static str {
    match end {
        End::Played => "played",
        End::Forfeited => "forfeited",
    }
}

/// A time in microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A value to this many decimals, and never -0.
pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale + 0.0
}
