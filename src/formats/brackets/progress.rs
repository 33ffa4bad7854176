//! Replays the brackets from the results so far: round after round, until a round is not finished or all is over.
//! Reports get the rounds from here.
//!
//! Entrants appear as their seeds, from 0. The filler follows as the lowest seed, because it is paired like one.

use super::pairing::pair;
use super::{
    BracketMatch, BracketRound, Brackets, DecidedBy, MAX_FINALISTS, MIN_FINALISTS, MatchResult, RoundState, STALL,
};
use crate::format::{self, Part, Results, Side, games_played};
use crate::formats::lot;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

/// The state of the brackets after the results so far.
pub(super) struct BracketsState<'a> {
    brackets: &'a Brackets,
    done: &'a Results,
    /// The rounds, of which the last may be unfinished.
    pub(super) rounds: Vec<RoundState>,
    /// The number of finished rounds.
    pub(super) finished: usize,
    /// The seeds in the winners' bracket.
    pub(super) winners: Vec<usize>,
    /// The seeds in the losers' bracket.
    pub(super) losers: Vec<usize>,
    /// The eliminated seeds, each with the round in which it went out.
    pub(super) eliminated: Vec<(u16, usize)>,
    /// For each seed, whether it has had a bye.
    had_bye: Vec<bool>,
    /// For each seed, and last for the filler, the seeds that it has met.
    met: Vec<Vec<usize>>,
    /// The number of rounds in a row without a loss, in the winners' and the losers' bracket.
    rounds_without_loss: [u32; 2],
}

impl<'a> BracketsState<'a> {
    /// Replays `brackets` as far as the results in `done` go.
    pub(super) fn from_results(brackets: &'a Brackets, done: &'a Results) -> BracketsState<'a> {
        let n = brackets.entrants.len();
        let mut progress = BracketsState {
            brackets,
            done,
            rounds: Vec::new(),
            finished: 0,
            winners: (0..n).collect(),
            losers: Vec::new(),
            eliminated: Vec::new(),
            had_bye: vec![false; n],
            met: vec![Vec::new(); n + 1],
            rounds_without_loss: [0; 2],
        };
        while !progress.is_over() && progress.finished == progress.rounds.len() {
            progress.replay_round();
        }
        progress
    }

    /// Whether the finalists are known (F8).
    pub(super) fn is_over(&self) -> bool {
        let winners = self.winners.len();
        let losers = self.losers.len();
        let losers_wanted = self.brackets.k.min(MAX_FINALISTS.saturating_sub(winners));
        winners + losers <= MIN_FINALISTS || (self.winners_are_done() && losers <= losers_wanted)
    }

    fn winners_are_done(&self) -> bool {
        self.winners.len() <= 2 * self.brackets.k
    }

    /// The finalists, once all is over: the winners' bracket, the losers' bracket and, if these are too few, the last
    /// eliminated (F8).
    pub(super) fn finalists(&self) -> Vec<usize> {
        let mut eliminated = self.eliminated.clone();
        eliminated.sort_by_key(|&(round, seed)| (Reverse(round), seed));
        let Brackets { entrants, journal, stage, .. } = self.brackets;
        let plays = |seed: &usize| !journal.has_left(*stage, entrants[*seed]);
        let left: Vec<usize> = self.winners.iter().chain(&self.losers).copied().filter(plays).collect();
        let more = eliminated.iter().map(|&(_, seed)| seed).filter(plays);
        let more = more.take(MIN_FINALISTS.saturating_sub(left.len()));
        left.iter().copied().chain(more).collect()
    }

    /// Whether the entrant with this seed left in `round` or earlier, so that it is not paired in the next round. If
    /// so, its match in `round` is a walkover unless it was played. The filler never leaves.
    fn has_left_by(&self, round: u16, seed: usize) -> bool {
        seed < self.brackets.entrants.len() && self.is_unpaired(round.saturating_add(1), seed)
    }

    /// Whether the entrant with this seed left before `round` was paired.
    fn is_unpaired(&self, round: u16, seed: usize) -> bool {
        self.brackets.journal.is_unpaired(self.brackets.stage, round, self.brackets.entrants[seed])
    }

    /// Replays one round, as far as there are results.
    fn replay_round(&mut self) {
        let number = u16::try_from(self.rounds.len()).expect("the limit on entrants bounds the rounds");
        let board = self.brackets.board(number);
        let winners = if self.winners_are_done() { Vec::new() } else { self.winners.clone() };
        let (winners, dropped) = self.replay_bracket(number, 0, winners, 0);
        let tables = winners.matches.len() as u32;
        let (losers, eliminated) = self.replay_bracket(number, 1, self.losers.clone(), tables);
        let round = RoundState { number, board, winners, losers };
        if round.matches().all(|m| m.result.is_some()) {
            self.winners.retain(|seed| !dropped.contains(seed));
            self.losers.retain(|seed| !eliminated.contains(seed));
            self.losers.extend(dropped);
            self.losers.sort_unstable();
            self.eliminated.extend(eliminated.into_iter().map(|seed| (number, seed)));
            self.finished += 1;
        }
        self.rounds.push(round);
    }

    /// Replays one round of the bracket that consists of `field`. Returns the round and the seeds that lost so far.
    /// `which` is 0 for the winners' bracket and 1 for the losers'.
    fn replay_bracket(
        &mut self,
        round: u16,
        which: usize,
        mut field: Vec<usize>,
        first_table: u32,
    ) -> (BracketRound, Vec<usize>) {
        let bye = self.make_even(round, &mut field);
        let pairs = pair(&field, &self.met);
        let pairs: Vec<(usize, usize)> = pairs.into_iter().map(|(a, b)| (field[a], field[b])).collect();
        let mut matches: Vec<BracketMatch> =
            (first_table..).zip(&pairs).map(|(table, &(a, b))| self.look_up(round, table, a, b)).collect();
        let stalled = self.break_stall(round, which, &mut matches);
        let mut lost = Vec::new();
        for (&(a, b), m) in pairs.iter().zip(&matches) {
            if m.is_walkover() {
                lost.extend([a, b].into_iter().zip(m.gone).filter_map(|(seed, gone)| gone.then_some(seed)));
                continue;
            }
            self.met[a].push(b);
            self.met[b].push(a);
            match m.result {
                Some(MatchResult::WonBy(winner)) if winner != m.pair()[0] => lost.push(a),
                Some(MatchResult::WonBy(_)) if !m.filler => lost.push(b),
                _ => {}
            }
        }
        (BracketRound { bye: bye.map(|seed| self.brackets.entrants[seed]), matches, stalled }, lost)
    }

    /// Makes the size of `field` even (F4): the best seed that has had no bye and has not left gets one, is removed and
    /// returned; without such a seed, the filler joins.
    fn make_even(&mut self, round: u16, field: &mut Vec<usize>) -> Option<usize> {
        if field.len().is_multiple_of(2) {
            return None;
        }
        let Some(at) = field.iter().position(|&seed| !self.had_bye[seed] && !self.is_unpaired(round, seed)) else {
            field.push(self.brackets.entrants.len());
            return None;
        };
        let seed = field.remove(at);
        self.had_bye[seed] = true;
        Some(seed)
    }

    /// The match between the seeds `a` and `b` after the results so far; `b` may be the filler.
    fn look_up(&self, round: u16, table: u32, a: usize, b: usize) -> BracketMatch {
        let entrant = |seed: usize| *self.brackets.entrants.get(seed).unwrap_or(&self.brackets.filler);
        let pair = [entrant(a), entrant(b)];
        let mut sides = pair.map(Side::new);
        let games = [0, 1].map(|game| self.done.outcome_of(self.brackets.game(round, table, game), 2));
        for (seats, outcome) in [pair, [pair[1], pair[0]]].iter().zip(games) {
            let Some(outcome) = outcome else { continue };
            for side in &mut sides {
                side.add_game(seats, outcome);
            }
        }
        let [one, other] = &sides;
        let decided = match self.brackets.decided_by {
            DecidedBy::Wins => one.wins.cmp(&other.wins),
            DecidedBy::Points => one.points.cmp(&other.points),
        };
        let is_played = games.iter().all(Option::is_some);
        let gone = [a, b].map(|seed| !is_played && self.has_left_by(round, seed));
        let result = match gone {
            [true, true] => Some(MatchResult::Tied),
            [true, false] => Some(MatchResult::WonBy(pair[1])),
            [false, true] => Some(MatchResult::WonBy(pair[0])),
            [false, false] if !is_played => None,
            [false, false] => Some(match decided {
                Ordering::Greater => MatchResult::WonBy(pair[0]),
                Ordering::Less => MatchResult::WonBy(pair[1]),
                Ordering::Equal => MatchResult::Tied,
            }),
        };
        BracketMatch {
            table,
            sides,
            filler: b == self.brackets.entrants.len(),
            repeat: self.met[a].contains(&b),
            result,
            by_lot: false,
            gone,
        }
    }

    /// Counts the rounds of a bracket without a loss. After too many in a row, points decide the ties of this round;
    /// returns whether they did (F8).
    fn break_stall(&mut self, round: u16, which: usize, matches: &mut [BracketMatch]) -> bool {
        let lost = |m: &BracketMatch| match m.result {
            Some(MatchResult::WonBy(winner)) => !m.filler || winner != m.pair()[0],
            Some(MatchResult::Tied) => m.is_walkover(),
            None => true,
        };
        let among_entrants = matches.iter().any(|m| !m.filler);
        if !among_entrants || matches.iter().any(lost) {
            self.rounds_without_loss[which] = 0;
            return false;
        }
        self.rounds_without_loss[which] += 1;
        if self.rounds_without_loss[which] < STALL {
            return false;
        }
        self.rounds_without_loss[which] = 0;
        for m in matches.iter_mut().filter(|m| m.result == Some(MatchResult::Tied)) {
            let winner = match (m.sides[0].points.cmp(&m.sides[1].points), self.brackets.lots) {
                (_, None) if m.filler => continue,
                (Ordering::Less, _) => 1,
                (Ordering::Equal, Some(seed)) => {
                    m.by_lot = true;
                    let first = lot(seed, round, m.table);
                    let mut drawn = [first, 1 - first];
                    self.brackets.journal.keep_lots(self.brackets.stage, "", &mut drawn, |&side| m.pair()[side]);
                    drawn[0]
                }
                (Ordering::Greater | Ordering::Equal, _) => 0,
            };
            m.result = Some(MatchResult::WonBy(m.pair()[winner]));
        }
        true
    }
}

impl Brackets {
    /// A round as reports show it.
    pub(super) fn shown(&self, round: &RoundState, done: &Results) -> format::Round {
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
        let winner = match self.result {
            Some(MatchResult::WonBy(id)) => Some(id),
            _ => None,
        };
        let notes = [
            (self.repeat, "met before"),
            (self.filler, "filler"),
            (stalled, "stalled: points decide ties"),
            (self.by_lot, "by lot"),
            (self.is_walkover(), "walkover"),
        ];
        format::Match {
            table: self.table,
            sides: self.sides.to_vec(),
            over: self.result.is_some(),
            winner,
            notes: notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect(),
            ..format::Match::default()
        }
    }
}
