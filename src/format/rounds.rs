//! The rounds of a stage, in one form for all formats, for reports that show who met whom.

use super::{EntrantId, GameId, Pairing, Results, StageRemark};
use crate::game::Outcome;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The rounds of a stage, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The rounds.
    pub list: Vec<Round>,
    /// The entrants, the best seed first, if the rounds can be drawn as a bracket; `None` for other rounds.
    pub seeds: Option<Vec<EntrantId>>,
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 0.
    pub number: u16,
    /// The board of all its games in double elimination; `None` in other formats.
    pub board: Option<u32>,
    /// Its parts, one for each bracket that has matches or byes; a single one if the format has no brackets.
    pub parts: Vec<Part>,
}

/// A part of a round: one bracket, or the whole round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The name of the bracket, if there are several.
    pub title: Option<&'static str>,
    /// Its matches.
    pub matches: Vec<Match>,
    /// The entrants without an opponent.
    pub byes: Vec<EntrantId>,
}

/// A match between two entrants, or one game of more than two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Its number in the round, from 0.
    pub table: u32,
    /// The attempt at its first game that counts.
    pub attempt: u16,
    /// The sides. Of two, the better seed or the first to move comes first; more than two are ordered from best to
    /// worst once the game is over.
    pub sides: Vec<Side>,
    /// The number of games played so far.
    pub games: u32,
    /// Whether all of its games have been played, or it was a walkover in an elimination format.
    pub over: bool,
    /// The only winner, if it has one.
    pub winner: Option<EntrantId>,
    /// Remarks for people, such as "met before".
    pub notes: Vec<&'static str>,
}

/// One side of a match, with its totals so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The entrant.
    pub entrant: EntrantId,
    /// The number of games that it alone won.
    pub wins: u32,
    /// Its points; in the Modified Swiss, those for its place in the game (S3).
    pub points: i64,
}

impl Rounds {
    /// Rounds of one part each, made of `matches`, each with its round, and of the byes among `remarks`.
    pub(crate) fn from_matches(
        matches: impl IntoIterator<Item = (u16, Match)>,
        remarks: &[StageRemark],
        seeds: Option<Vec<EntrantId>>,
    ) -> Rounds {
        let mut rounds: BTreeMap<u16, Part> = BTreeMap::new();
        for (round, one) in matches {
            rounds.entry(round).or_default().matches.push(one);
        }
        for remark in remarks {
            if let StageRemark::Bye { round, entrant } = remark {
                rounds.entry(*round).or_default().byes.push(*entrant);
            }
        }
        let round = |(number, part)| Round { number, board: None, parts: vec![part] };
        Rounds { list: rounds.into_iter().map(round).collect(), seeds }
    }

    /// The rounds of a Swiss system. In `games`, the games of a match follow each other; `counted` gives the
    /// places and points that a game counts for.
    pub(crate) fn of_swiss(
        games: &[Pairing],
        done: &Results,
        remarks: &[StageRemark],
        counted: impl Fn(&Outcome) -> Outcome,
    ) -> Rounds {
        let of_one_match = |a: &Pairing, b: &Pairing| (a.id.round, a.id.table) == (b.id.round, b.id.table);
        let matches = games
            .chunk_by(of_one_match)
            .map(|games| (games[0].id.round, Match::from_games(games, done, &counted)));
        Rounds::from_matches(matches, remarks, None)
    }
}

impl Match {
    /// The match that consists of `games`, after the results so far. A finished match of two is won by the side with
    /// more games won.
    fn from_games(games: &[Pairing], done: &Results, counted: impl Fn(&Outcome) -> Outcome) -> Match {
        let mut sides: Vec<Side> = games[0].seats.iter().copied().map(Side::new).collect();
        let mut played = 0;
        for game in games {
            let Some(outcome) = done.outcome_of(game.id, game.seats.len()) else { continue };
            played += 1;
            let outcome = counted(outcome);
            for side in &mut sides {
                side.add_game(&game.seats, &outcome);
            }
        }
        let over = played == games.len();
        let mut winner = None;
        if let ([a, b], true) = (&sides[..], over) {
            winner = (a.wins != b.wins).then_some(if a.wins > b.wins { a.entrant } else { b.entrant });
        } else if over {
            sides.sort_by_key(|side| core::cmp::Reverse(side.points));
        }
        Match { table: games[0].id.table, sides, games: played as u32, over, winner, ..Match::default() }
    }
}

impl Side {
    /// A side before its first game.
    pub(crate) fn new(entrant: EntrantId) -> Side {
        Side { entrant, wins: 0, points: 0 }
    }

    /// Adds a game between the entrants in `seats`, if this side is one of them.
    pub(crate) fn add_game(&mut self, seats: &[EntrantId], outcome: &Outcome) {
        let Some(seat) = seats.iter().position(|id| *id == self.entrant) else { return };
        self.wins += u32::from(outcome.places[seat] == 1 && outcome.winners().count() == 1);
        self.points += outcome.points[seat];
    }
}

/// How many of the first `games` games of a match have been played. The `game` of `first` is ignored.
pub(crate) fn games_played(done: &Results, first: GameId, games: u16) -> u32 {
    (0..games).filter(|&game| done.get(GameId { game, ..first }).is_some()).count() as u32
}
