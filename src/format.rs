//! The interface of every tournament format: from the results so far, which games to play next, and the standings.
//!
//! A format is a function of the results and keeps no state. Each plan is computed from scratch and lists the games
//! that have no result yet, so resuming after a crash, games that finish in any order and many workers need no
//! special handling.

mod attendance;
mod rounds;
pub use attendance::{Arrival, Departure, LeftGames};
pub(crate) use rounds::games_played;
pub use rounds::{Match, Part, Round, Rounds, Side};

use crate::game::{MAX_SEATS, Outcome};
use crate::journal::Journal;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

/// An entrant of a contest, by its number in the contest's list, from 0. The organizer's bots follow the entrants, and
/// then the bots and versions that decisions added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntrantId(pub u16);

impl EntrantId {
    /// The number as an index into a list with one item per entrant.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Identifies a game of a contest by its place in the schedule, never by the time it was played: a resumed contest
/// finds its games again. All parts count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameId {
    /// The stage.
    pub stage: u8,
    /// The round in the stage.
    pub round: u16,
    /// The match in the round.
    pub table: u32,
    /// The game in the match.
    pub game: u16,
    /// The attempt: a game that the organizer annulled is played again, as another attempt at the same place.
    pub attempt: u16,
}

impl GameId {
    /// Its place in the schedule, which all attempts share: the id of the first of them.
    pub fn place(self) -> GameId {
        GameId { attempt: 0, ..self }
    }
}

impl fmt::Display for GameId {
    /// `s1/r2/m3/g1`, counted from 1; from the second attempt on `s1/r2/m3/g1/a2`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let from_one = |part: u32| u64::from(part) + 1;
        let [stage, round, table, game] =
            [self.stage.into(), self.round.into(), self.table, self.game.into()].map(from_one);
        write!(f, "s{stage}/r{round}/m{table}/g{game}")?;
        if self.attempt == 0 { Ok(()) } else { write!(f, "/a{}", from_one(self.attempt.into())) }
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairing {
    /// Which game of the contest it is.
    pub id: GameId,
    /// The entrant in each seat, in order of play.
    pub seats: Vec<EntrantId>,
    /// The number of its starting board, from 0. The contest file gives the board, or it is generated from the
    /// contest's seed and this number.
    pub board: u32,
}

/// The outcomes so far, of the games that were played and not annulled and of those that were awarded. They are listed
/// by the places of the games in the schedule, because formats know nothing of attempts. The order in which outcomes
/// arrived is not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results(BTreeMap<GameId, Outcome>);

impl FromIterator<(GameId, Outcome)> for Results {
    /// The games with their outcomes.
    fn from_iter<I: IntoIterator<Item = (GameId, Outcome)>>(games: I) -> Results {
        Results(games.into_iter().map(|(id, outcome)| (id.place(), outcome)).collect())
    }
}

impl Results {
    /// Results before the first game.
    pub fn new() -> Results {
        Results::default()
    }

    /// Adds the outcome of a game, with one item per seat in each of its lists.
    pub fn insert(&mut self, id: GameId, outcome: Outcome) {
        self.0.insert(id.place(), outcome);
    }

    /// Removes the outcome of a game.
    pub fn remove(&mut self, id: GameId) {
        self.0.remove(&id.place());
    }

    /// The outcome of a game, if it has been played.
    pub fn get(&self, id: GameId) -> Option<&Outcome> {
        self.0.get(&id.place())
    }

    /// The outcome of a game with this number of seats, if it has been played. A result read from a file may have a
    /// different number of seats than the format planned: such a result is ignored.
    pub fn outcome_of(&self, id: GameId, seats: usize) -> Option<&Outcome> {
        self.get(id).filter(|outcome| outcome.places.len() == seats)
    }

    /// Whether a game of this stage, from 0, has been played.
    pub fn has_stage(&self, stage: u8) -> bool {
        self.next_round(stage) > 0
    }

    /// The first round of this stage, from 0, after all those of which a game has been played.
    pub fn next_round(&self, stage: u8) -> u32 {
        let last = GameId { stage, round: u16::MAX, table: u32::MAX, game: u16::MAX, attempt: 0 };
        let last = self.0.range(..=last).next_back().filter(|(id, _)| id.stage == stage);
        last.map_or(0, |(id, _)| u32::from(id.round) + 1)
    }

    /// The results of all games before a round of a stage, both from 0.
    #[must_use]
    pub fn before_round(&self, stage: u8, round: u16) -> Results {
        let first = GameId { stage, round, table: 0, game: 0, attempt: 0 };
        Results(self.0.range(..first).map(|(id, outcome)| (*id, outcome.clone())).collect())
    }

    /// How many games have been played.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no game has been played.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The games to play next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Every game that may start and has no result; at least one.
    Play(Vec<Pairing>),
    /// No game is left to play.
    Finished,
}

impl Plan {
    /// The plan to play `games`; [`Plan::Finished`] if there are none.
    pub fn from_games(games: impl IntoIterator<Item = Pairing>) -> Plan {
        let games: Vec<Pairing> = games.into_iter().collect();
        if games.is_empty() { Plan::Finished } else { Plan::Play(games) }
    }

    /// The games to play; none if the plan is finished.
    pub fn into_games(self) -> Vec<Pairing> {
        match self {
            Plan::Play(games) => games,
            Plan::Finished => Vec::new(),
        }
    }
}

/// An entrant's standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The entrant.
    pub entrant: EntrantId,
    /// Its place, from 1. Entrants that tie share a place.
    pub place: u32,
    /// The figures beside the place, most important first: one for each of [`Schedule::columns`].
    pub figures: Vec<i64>,
}

/// A column of the standings: the name of a figure, and how to print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingsColumn {
    /// The heading.
    pub name: &'static str,
    /// How its figures are printed.
    pub kind: FigureKind,
}

/// How a figure is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// As a whole number.
    Count,
    /// As a decimal fraction: the figure counts millionths (S5).
    Millionths,
    /// As the word listed for it; a figure that is not listed, as a whole number.
    Words(&'static [(i64, &'static str)]),
}

impl StandingsColumn {
    /// A column of whole numbers.
    pub const fn count(name: &'static str) -> StandingsColumn {
        StandingsColumn { name, kind: FigureKind::Count }
    }

    /// A column whose figures are 1 for yes and 0 for no.
    pub const fn flag(name: &'static str) -> StandingsColumn {
        StandingsColumn { name, kind: FigureKind::Words(&[(1, "yes"), (0, "-")]) }
    }

    /// The lot drawn for an entrant: the higher, the better; 0 where no lot was needed.
    pub const LOT: StandingsColumn = StandingsColumn { name: "lot", kind: FigureKind::Words(&[(0, "-")]) };
}

/// A ranking by other figures than those that decide the standings (R9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Its columns, most important first.
    pub columns: Vec<StandingsColumn>,
    /// One row per entrant, best first.
    pub standings: Vec<Standing>,
}

/// The measure that decides the games of a format in place of the game's own winners.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name, such as `territory`.
    pub name: &'static str,
    /// How much of it each seat has: the seat with the most wins.
    pub amounts: fn(&Outcome) -> Vec<i64>,
    /// The points of each seat.
    pub points: fn(&Outcome) -> Vec<i64>,
}

impl Measure {
    /// The outcome with places and points by this measure. An outcome from a file that lacks the amount of a seat is
    /// returned unchanged.
    pub fn counted(&self, outcome: &Outcome) -> Outcome {
        let amounts = (self.amounts)(outcome);
        if amounts.len() != outcome.places.len() {
            return outcome.clone();
        }
        let place = |own: &i64| 1 + amounts.iter().filter(|other| *other > own).count() as u8;
        Outcome { places: amounts.iter().map(place).collect(), points: (self.points)(outcome), ..outcome.clone() }
    }
}

/// Something that happened in a stage and that its report mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageRemark {
    /// An entrant had no opponent in a round.
    Bye {
        /// The round, from 0.
        round: u16,
        /// The entrant with the bye.
        entrant: EntrantId,
    },
    /// Two entrants met again, because no allowed pairing of the round had fewer repeats (F7).
    Repeat {
        /// The round, from 0.
        round: u16,
        /// The two entrants.
        pair: (EntrantId, EntrantId),
    },
    /// One of the organizer's bots filled an empty seat (F4, S2).
    Filler {
        /// The round, from 0.
        round: u16,
        /// The organizer's bot.
        entrant: EntrantId,
    },
    /// An order was drawn by lot.
    Lot {
        /// What the lot decided.
        about: String,
        /// The order drawn, best first.
        order: Vec<EntrantId>,
    },
    /// Anything else, as a sentence.
    Note(String),
}

/// The facts about a stage that do not depend on its results.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleFacts {
    /// How the stage goes on without a bot that has left.
    pub departure: Departure,
    /// How a bot that is admitted after the stage has begun takes part in it.
    pub arrival: Arrival,
    /// The largest margin, over all games of a pair, that counts as a tie in the cross-table; `None` if no ranking
    /// counts margins (R9).
    pub tie_margin: Option<u32>,
    /// What decides the games of the stage; `None` if the game's own winners do.
    pub measure: Option<Measure>,
}

impl ScheduleFacts {
    /// The facts of a stage that neither counts margins nor has a measure.
    pub(crate) const fn new(departure: Departure, arrival: Arrival) -> ScheduleFacts {
        ScheduleFacts { departure, arrival, tie_margin: None, measure: None }
    }
}

/// A tournament format whose entrants are known. Every method is a function of the results so far.
pub trait Schedule: Sync {
    /// Every game that may start and has no result, such as the unplayed games of the current round.
    fn plan(&self, done: &Results) -> Plan;

    /// The columns of the standings, most important first.
    fn columns(&self) -> Vec<StandingsColumn>;

    /// The standings after the results so far, best first.
    fn standings(&self, done: &Results) -> Vec<Standing>;

    /// Further rankings of the same games, which are shown and decide nothing (R9).
    fn further_rankings(&self, _done: &Results) -> Vec<Ranking> {
        Vec::new()
    }

    /// The rounds so far, in order; `None` for a format whose games are all known from the start.
    fn rounds(&self, _done: &Results) -> Option<Rounds> {
        None
    }

    /// The entrants that advance to a later stage, best first, if the format itself chooses them. `None` until the
    /// stage is over, and for formats whose standings decide who advances.
    fn advancing(&self, _done: &Results) -> Option<Vec<EntrantId>> {
        None
    }

    /// The byes, repeated pairings, fillers, lots and notes so far.
    fn remarks(&self, _done: &Results) -> Vec<StageRemark> {
        Vec::new()
    }

    /// The facts that do not depend on the results.
    fn facts(&self) -> ScheduleFacts;

    /// Whether a recorded game counts, after the organizer's decisions.
    fn counts(&self, _game: &Pairing) -> bool {
        true
    }
}

/// The reason why a format cannot be played with these entrants and settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError(pub String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for FormatError {}

/// Ranks `rows` of entrants and figures: more is better, the first figure counts most, and entrants that are equal in
/// all figures share a place.
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

/// The numbered participants of a contest: first its entrants, from 0, then the organizer's bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of entrants that compete.
    pub entrants: u16,
    /// The number of bots that the organizer adds: seed programs and fillers. They play where a format needs them
    /// and never advance (S2).
    pub organizer_bots: u16,
    /// The groups of entrants with preliminaries of their own (S1), each in the contest's order.
    pub groups: Vec<Vec<EntrantId>>,
    /// The organizer's bots that fill empty seats, in the order in which they are used (F4, S2).
    pub fillers: Vec<EntrantId>,
    /// The numbers of seats that a game can have.
    pub seats: RangeInclusive<u8>,
}

/// One of the organizer's bots, by its place among them, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrganizerBot(pub u16);

impl Field {
    /// A field with these numbers of participants, without groups and fillers, for games of any number of seats.
    pub const fn new(entrants: u16, organizer_bots: u16) -> Field {
        Field { entrants, organizer_bots, groups: Vec::new(), fillers: Vec::new(), seats: 1..=MAX_SEATS }
    }

    /// The contest-wide number of one of the organizer's bots.
    ///
    /// # Errors
    /// When the organizer has fewer bots.
    pub fn organizer(&self, OrganizerBot(place): OrganizerBot) -> Result<EntrantId, FormatError> {
        let last = self.organizer_bots;
        let none =
            || FormatError(format!("the organizer has no bot {}: the last is {last}", u32::from(place) + 1));
        (place < last).then(|| EntrantId(self.entrants + place)).ok_or_else(none)
    }
}

/// What a format starts a stage from.
#[derive(Clone, Copy, Debug)]
pub struct StageInput<'a> {
    /// The number of the stage in the contest, from 0.
    pub stage: u8,
    /// The entrants with which the stage begins, the best seed first.
    pub entrants: &'a [EntrantId],
    /// All participants of the contest.
    pub field: &'a Field,
    /// The seed of every random choice that the format makes.
    pub seed: u64,
    /// The organizer's decisions.
    pub journal: &'a Journal,
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
    fn a_game_id_is_printed_from_one() {
        let id = GameId { stage: 0, round: 1, table: 2, game: 0, attempt: 0 };
        assert_eq!(id.to_string(), "s1/r2/m3/g1");
        assert_eq!(GameId { attempt: 1, ..id }.to_string(), "s1/r2/m3/g1/a2");
    }
}
