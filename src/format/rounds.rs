//! The rounds of a format, in one form for all that have some: what it takes to show who met whom.

use super::{EntrantId, Pairing, PairingId, Remark, Results};
use crate::game::Outcome;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The rounds of a stage, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The rounds.
    pub list: Vec<Round>,
    /// Whether each match leads on to the next match of those who stay in, so that they can be drawn as a bracket.
    pub lead_on: bool,
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Which one, from 0.
    pub number: u16,
    /// The board of all its games, if it is one and worth telling.
    pub board: Option<u32>,
    /// The brackets of it, or all of it.
    pub parts: Vec<Part>,
}

/// One bracket of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Which bracket, if there are several.
    pub title: Option<&'static str>,
    /// Its matches.
    pub matches: Vec<Match>,
    /// Who has no opponent.
    pub byes: Vec<EntrantId>,
}

/// A match of two, or a game of more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Its number in the round, from 0.
    pub table: u32,
    /// Who plays: in a match the better seed or the first to move; of more than two, once all is played, the best
    /// first.
    pub sides: Vec<Side>,
    /// How many games have been played.
    pub games: u32,
    /// Whether all have.
    pub over: bool,
    /// Who won it alone.
    pub winner: Option<EntrantId>,
    /// What else is to be known, in words.
    pub notes: Vec<&'static str>,
}

/// Who plays, and what it has gathered in the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Who.
    pub entrant: EntrantId,
    /// Games won alone.
    pub wins: u32,
    /// Points; in the Modified Swiss those of the place (S3).
    pub points: i64,
}

impl Rounds {
    /// Rounds of one part each: the `matches`, which come with their round, and the byes among `remarks`.
    pub(crate) fn of(
        matches: impl IntoIterator<Item = (u16, Match)>,
        remarks: &[Remark],
        lead_on: bool,
    ) -> Rounds {
        let mut rounds: BTreeMap<u16, Part> = BTreeMap::new();
        for (round, one) in matches {
            rounds.entry(round).or_default().matches.push(one);
        }
        for remark in remarks {
            if let Remark::Bye { round, entrant } = remark {
                rounds.entry(*round).or_default().byes.push(*entrant);
            }
        }
        let round = |(number, part)| Round { number, board: None, parts: vec![part] };
        Rounds { list: rounds.into_iter().map(round).collect(), lead_on }
    }

    /// The rounds of a Swiss system whose games are `games`, those of a match one after the other; `points` are those
    /// of each seat.
    pub(crate) fn of_swiss(
        games: &[Pairing],
        done: &Results,
        remarks: &[Remark],
        points: impl Fn(&Outcome) -> Vec<i64>,
    ) -> Rounds {
        let of_one_match = |a: &Pairing, b: &Pairing| (a.id.round, a.id.table) == (b.id.round, b.id.table);
        let matches =
            games.chunk_by(of_one_match).map(|games| (games[0].id.round, Match::of(games, done, &points)));
        Rounds::of(matches, remarks, false)
    }
}

impl Match {
    /// The match of `games`, as far as they are done. One of two that is over has a winner, if it has won more of
    /// them.
    fn of(games: &[Pairing], done: &Results, points: impl Fn(&Outcome) -> Vec<i64>) -> Match {
        let side = |&entrant: &EntrantId| Side { entrant, wins: 0, points: 0 };
        let mut sides: Vec<Side> = games[0].seats.iter().map(side).collect();
        let mut played = 0;
        for game in games {
            let Some(outcome) = done.with_seats(game.id, game.seats.len()) else { continue };
            played += 1;
            let (points, alone) = (points(outcome), outcome.winners().count() == 1);
            for side in &mut sides {
                let Some(seat) = game.seats.iter().position(|&id| id == side.entrant) else { continue };
                side.wins += u32::from(alone && outcome.places[seat] == 1);
                side.points += points[seat];
            }
        }
        let over = played == games.len();
        let mut winner = None;
        if let ([a, b], true) = (&sides[..], over) {
            winner = (a.wins != b.wins).then_some(if a.wins > b.wins { a.entrant } else { b.entrant });
        } else if over {
            sides.sort_by_key(|side| core::cmp::Reverse(side.points));
        }
        Match { table: games[0].id.table, sides, games: played as u32, over, winner, notes: Vec::new() }
    }
}

/// How many of this many games of a match have been played; the `game` of `first` is not looked at.
pub(crate) fn games_played(done: &Results, first: PairingId, games: u16) -> u32 {
    (0..games).filter(|&game| done.get(PairingId { game, ..first }).is_some()).count() as u32
}
