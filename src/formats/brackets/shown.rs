//! Converts the rounds of the brackets to the form that reports use for all formats.

use super::{BracketMatch, BracketRound, Brackets, MatchResult, Round};
use crate::format::{self, Part, Results, Side, games_played};
use alloc::vec;

impl Brackets {
    /// A round as reports show it.
    pub(super) fn shown(&self, round: &Round, done: &Results) -> format::Round {
        let games = |m: &BracketMatch| games_played(done, self.game(round.number, m.table, 0), 2);
        let shown = |m: &BracketMatch, stalled| format::Match { games: games(m), ..m.shown(stalled) };
        let part = |title, bracket: &BracketRound| Part {
            title: Some(title),
            matches: bracket.matches.iter().map(|m| shown(m, bracket.stalled)).collect(),
            byes: bracket.bye.into_iter().collect(),
        };
        let parts = [part("winners' bracket", &round.winners), part("losers' bracket", &round.losers)];
        let parts = parts.into_iter().filter(|part| !part.matches.is_empty() || !part.byes.is_empty()).collect();
        format::Round { number: round.number, board: Some(round.board), parts }
    }
}

impl BracketMatch {
    fn shown(&self, stalled: bool) -> format::Match {
        let side = |at: usize| Side { entrant: self.pair[at], wins: self.wins[at], points: self.points[at] };
        let winner = match self.result {
            Some(MatchResult::WonBy(id)) => Some(id),
            _ => None,
        };
        let notes = [
            (self.repeat, "met before"),
            (self.filler, "filler"),
            (stalled, "stalled: points decide ties"),
            (self.by_lot, "by lot"),
        ];
        format::Match {
            table: self.table,
            sides: vec![side(0), side(1)],
            over: self.result.is_some(),
            winner,
            notes: notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect(),
            ..format::Match::default()
        }
    }
}
