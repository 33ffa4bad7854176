//! What every tournament format is to the kit: from the results so far, the games to play next and the standings.
//!
//! A format is a function of results: it keeps nothing, so resuming after a crash, games finished in any order
//! and many workers are nothing special. The plan is computed anew, and asks for whatever has no result yet.

mod field;
mod rounds;

pub use field::{Field, Organizer, Start};
pub(crate) use rounds::games_played;
pub use rounds::{Match, Part, Round, Rounds, Side};

use crate::game::Outcome;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// An entrant of a contest: its number in the contest's list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntrantId(pub u16);

impl EntrantId {
    /// The entrant as an index into a list of one thing an entrant.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Which game of a contest: by its place in it, never by when it was played, so that a resumed contest knows
/// its games again. All parts count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairingId {
    /// The stage.
    pub stage: u8,
    /// The round in the stage.
    pub round: u16,
    /// The match in the round.
    pub table: u32,
    /// The game in the match.
    pub game: u16,
}

impl fmt::Display for PairingId {
    /// `s1/r2/m3/g1`, counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let from_one = |part: u32| u64::from(part) + 1;
        let [stage, round, table, game] =
            [self.stage.into(), self.round.into(), self.table, self.game.into()].map(from_one);
        write!(f, "s{stage}/r{round}/m{table}/g{game}")
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairing {
    /// Which one.
    pub id: PairingId,
    /// Who sits where, in order of play.
    pub seats: Vec<EntrantId>,
    /// Which of the contest's boards it begins from: the number of a board that the contest file gives or that
    /// is generated from the contest's seed and this number.
    pub board: u32,
}

/// What is known of the games so far, by what they are: the order of their arrival is nowhere in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results(BTreeMap<PairingId, Outcome>);

impl Results {
    /// No game has been played.
    pub fn new() -> Results {
        Results::default()
    }

    /// Adds the outcome of a game; its lists are by seat.
    pub fn insert(&mut self, id: PairingId, outcome: Outcome) {
        self.0.insert(id, outcome);
    }

    /// The outcome of a game, if it has been played.
    pub fn get(&self, id: PairingId) -> Option<&Outcome> {
        self.0.get(&id)
    }

    /// The outcome of a game of this many seats, if it has been played. A result that comes from elsewhere may have
    /// other seats than the format gave the game: it counts as none.
    pub fn with_seats(&self, id: PairingId, seats: usize) -> Option<&Outcome> {
        self.get(id).filter(|outcome| outcome.places.len() == seats)
    }

    /// How many games have been played.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What is to be played now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Every game that may start and has no result.
    Play(Vec<Pairing>),
    /// Nothing: all has been played.
    Finished,
}

impl Plan {
    /// The plan to play `games`, or that nothing is left when there is none.
    pub fn of(games: impl IntoIterator<Item = Pairing>) -> Plan {
        let games: Vec<Pairing> = games.into_iter().collect();
        if games.is_empty() { Plan::Finished } else { Plan::Play(games) }
    }
}

/// An entrant's standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Who.
    pub entrant: EntrantId,
    /// The place, from 1; entrants that nothing tells apart share it.
    pub place: u32,
    /// What decided it, most important first: one figure for each of [`Schedule::columns`].
    pub figures: Vec<i64>,
}

/// What a figure of a standing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name for people.
    pub name: &'static str,
    /// How it is read.
    pub figure: Figure,
}

/// How a figure is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// As it is.
    Count,
    /// As a number of millionths (S5).
    Millionths,
    /// These words stand for these figures; all others are read as they are.
    Words(&'static [(i64, &'static str)]),
}

impl Column {
    /// A number of something.
    pub const fn count(name: &'static str) -> Column {
        Column { name, figure: Figure::Count }
    }

    /// 1 for yes, 0 for no.
    pub const fn flag(name: &'static str) -> Column {
        Column { name, figure: Figure::Words(&[(1, "yes"), (0, "-")]) }
    }

    /// What was drawn, more being better; 0 where no lot was needed.
    pub const LOT: Column = Column { name: "lot", figure: Figure::Words(&[(0, "-")]) };
}

/// Standings by other figures than those that decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// What the figures are, most important first.
    pub columns: Vec<Column>,
    /// The standings, best first.
    pub standings: Vec<Standing>,
}

/// Something that happened in a format and is to be known of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// An entrant had no opponent in a round.
    Bye {
        /// The round, from 0.
        round: u16,
        /// Who.
        entrant: EntrantId,
    },
    /// Two met who had met before, because nothing else was possible (F7).
    Repeat {
        /// The round, from 0.
        round: u16,
        /// Who.
        pair: (EntrantId, EntrantId),
    },
    /// An entrant of the organizer's took part to fill up.
    Filler {
        /// The round, from 0.
        round: u16,
        /// Who.
        entrant: EntrantId,
    },
    /// A lot decided an order.
    Lot {
        /// What was decided.
        about: String,
        /// The order drawn.
        order: Vec<EntrantId>,
    },
    /// Anything else, in words.
    Note(String),
}

/// A tournament format for known entrants.
pub trait Schedule {
    /// Every game that may start and has no result: all that are due in the round under way.
    fn plan(&self, done: &Results) -> Plan;

    /// What the figures of a standing are, most important first.
    fn columns(&self) -> Vec<Column>;

    /// The standings by the results so far, best first.
    fn standings(&self, done: &Results) -> Vec<Standing>;

    /// Further standings over the same games, which are shown and decide nothing (R9).
    fn further_rankings(&self, _done: &Results) -> Vec<Ranking> {
        Vec::new()
    }

    /// The rounds so far, the one under way last; `None` where rounds mean nothing to people.
    fn rounds(&self, _done: &Results) -> Option<Rounds> {
        None
    }

    /// Who goes on to a stage that follows, best first, where the format itself says so: `None` until it is over,
    /// and where the standings decide.
    fn advancing(&self, _done: &Results) -> Option<Vec<EntrantId>> {
        None
    }

    /// Byes, repeats, lots and whatever else is to be known.
    fn remarks(&self, done: &Results) -> Vec<Remark>;
}

/// Why a format cannot be played with these entrants and settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError(pub String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for FormatError {}

/// Gives places to `rows`, which come with their figures: more is better, the first figure counts most, and
/// those that are equal in all figures share a place.
pub fn rank(mut rows: Vec<(EntrantId, Vec<i64>)>) -> Vec<Standing> {
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut standings: Vec<Standing> = Vec::with_capacity(rows.len());
    for (at, (entrant, figures)) in rows.into_iter().enumerate() {
        let place = match standings.last() {
            Some(above) if above.figures == figures => above.place,
            _ => at as u32 + 1,
        };
        standings.push(Standing { entrant, place, figures });
    }
    standings
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    #[test]
    fn equal_figures_share_a_place_and_the_next_place_is_skipped() {
        let rows = vec![(2, 3), (0, 5), (1, 3), (3, 1)];
        let rows = rows.into_iter().map(|(id, points)| (EntrantId(id), vec![points])).collect();
        let places: Vec<(u16, u32)> = rank(rows).iter().map(|s| (s.entrant.0, s.place)).collect();
        assert_eq!(places, [(0, 1), (1, 2), (2, 2), (3, 4)]);
    }

    #[test]
    fn a_pairing_is_named_by_its_place() {
        assert_eq!(PairingId { stage: 0, round: 1, table: 2, game: 0 }.to_string(), "s1/r2/m3/g1");
    }
}
