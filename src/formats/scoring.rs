//! How games make standings: what a game is worth to each of its seats, and how equal totals are told apart.
//!
//! Every figure is a sum over games, so it depends neither on their order nor on who adds them up.

use super::Wrong;
use crate::format::{Column, EntrantId, Standing, rank};
use crate::game::{End, Outcome, Seat};
use alloc::vec;
use alloc::vec::Vec;

/// What counts, by its name in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum ScoringKind {
    /// [`Scoring::WinsThenScore`].
    #[default]
    Wins,
    /// [`Scoring::Bonus`].
    Bonus,
    /// [`Scoring::WinsMinusLosses`].
    WonMinusLost,
    /// [`Scoring::Margins`].
    Margins,
}

impl ScoringKind {
    /// The scoring with a `bonus` or a `threshold`, if it has one; else with the usual bonus and 0.
    pub fn with(self, bonus: Option<Bonus>, threshold: Option<u32>) -> Scoring {
        match self {
            ScoringKind::Wins => Scoring::WinsThenScore,
            ScoringKind::Bonus => Scoring::Bonus(bonus.unwrap_or_default()),
            ScoringKind::WonMinusLost => Scoring::WinsMinusLosses,
            ScoringKind::Margins => Scoring::Margins { threshold: threshold.unwrap_or_default() },
        }
    }
}

/// Fills in the `bonus` and the `threshold` that one of `kinds` has.
pub(super) fn fill_in(
    kinds: &[ScoringKind],
    bonus: &mut Option<Bonus>,
    threshold: &mut Option<u32>,
) -> Result<(), Wrong> {
    match (kinds.contains(&ScoringKind::Bonus), &bonus) {
        (true, _) => *bonus = Some(bonus.unwrap_or_default()),
        (false, Some(_)) => return Err(Wrong::of("bonus", "`bonus` goes with scoring = \"bonus\"")),
        (false, None) => {}
    }
    match (kinds.contains(&ScoringKind::Margins), &threshold) {
        (true, _) => *threshold = Some(threshold.unwrap_or_default()),
        (false, Some(_)) => return Err(Wrong::of("threshold", "`threshold` goes with scoring = \"margins\"")),
        (false, None) => {}
    }
    Ok(())
}

/// What counts, most important first. A win is place 1 held alone, a tie place 1 held with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Games won, then the points of all games (B11).
    WinsThenScore,
    /// Points of all games with a bonus for wins and ties by seat, then games won (F2, F3, F9).
    Bonus(Bonus),
    /// Games won minus games lost (R9).
    WinsMinusLosses,
    /// The [margins](margin) summed over games, then games won minus lost, where a game decided by no more than
    /// `threshold` is a tie: [`Scoring::margins_of`] has the usual one (R9).
    Margins {
        /// The largest margin that tells nobody apart, in points.
        threshold: u32,
    },
}

/// What wins and ties add to the points on the board (F2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Bonus {
    /// For a win in the first seat.
    pub first_win: u32,
    /// For a win in any other seat.
    pub second_win: u32,
    /// For a tie in the first seat.
    pub first_tie: u32,
    /// For a tie in any other seat.
    pub second_tie: u32,
}

impl Default for Bonus {
    /// 1000 and 1200 for wins, 500 and 600 for ties (F2).
    fn default() -> Bonus {
        Bonus { first_win: 1000, second_win: 1200, first_tie: 500, second_tie: 600 }
    }
}

/// What a game was for one of its seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is alone in place 1.
    Won,
    /// It shares place 1.
    Tied,
    /// Another is in place 1.
    Lost,
}

/// What the game was for `seat`.
pub fn verdict(outcome: &Outcome, seat: Seat) -> Verdict {
    match (outcome.places[seat.index()], outcome.winners().count()) {
        (1, 1) => Verdict::Won,
        (1, _) => Verdict::Tied,
        _ => Verdict::Lost,
    }
}

impl Scoring {
    /// Margins for games of `rounds` rounds: within the square root of their number, rounded down, is a tie (R9).
    pub fn margins_of(rounds: u32) -> Scoring {
        Scoring::Margins { threshold: rounds.isqrt() }
    }

    /// What the figures are, most important first.
    pub fn columns(&self) -> &'static [Column] {
        const WINS: Column = Column::count("wins");
        const SCORE: Column = Column::count("score");
        const POINTS: Column = Column::count("points");
        const MARGIN: Column = Column::count("margin");
        const WON_MINUS_LOST: Column = Column::count("won - lost");
        match self {
            Scoring::WinsThenScore => &[WINS, SCORE],
            Scoring::Bonus(_) => &[POINTS, WINS],
            Scoring::WinsMinusLosses => &[WON_MINUS_LOST],
            Scoring::Margins { .. } => &[MARGIN, WON_MINUS_LOST],
        }
    }

    /// What the game was worth to `seat` is added to its `figures`, one for each of the [columns](Self::columns).
    pub fn add(&self, figures: &mut [i64], seat: Seat, outcome: &Outcome) {
        let verdict = verdict(outcome, seat);
        let points = outcome.points[seat.index()];
        match self {
            Scoring::WinsThenScore => {
                figures[0] += i64::from(verdict == Verdict::Won);
                figures[1] += points;
            }
            Scoring::Bonus(bonus) => {
                figures[0] += points + bonus.of(seat, verdict, outcome.end);
                figures[1] += i64::from(verdict == Verdict::Won);
            }
            Scoring::WinsMinusLosses => {
                figures[0] += match verdict {
                    Verdict::Won => 1,
                    Verdict::Tied => 0,
                    Verdict::Lost => -1,
                }
            }
            Scoring::Margins { threshold } => {
                let margin = margin(outcome, seat);
                figures[0] += margin;
                figures[1] += if margin.unsigned_abs() > u64::from(*threshold) { margin.signum() } else { 0 };
            }
        }
    }

    /// The figures of one entrant, which had these seats in these games.
    pub fn figures<'a>(&self, games: impl IntoIterator<Item = (Seat, &'a Outcome)>) -> Vec<i64> {
        let mut figures = vec![0; self.columns().len()];
        games.into_iter().for_each(|(seat, outcome)| self.add(&mut figures, seat, outcome));
        figures
    }

    /// The figures of each of `entrants`, in their order, from `games`: who sat where, and the outcome. Others
    /// who sat in a game are passed over.
    pub fn table<'a, S: AsRef<[EntrantId]>>(
        &self,
        entrants: &[EntrantId],
        games: impl IntoIterator<Item = (S, &'a Outcome)>,
    ) -> Vec<(EntrantId, Vec<i64>)> {
        let rows = Rows::of(entrants);
        let mut table: Vec<_> = entrants.iter().map(|&id| (id, vec![0; self.columns().len()])).collect();
        for (seats, outcome) in games {
            for (seat, &id) in (0u8..).zip(seats.as_ref()) {
                if let Some(row) = rows.get(id) {
                    self.add(&mut table[row].1, Seat(seat), outcome);
                }
            }
        }
        table
    }
}

impl Bonus {
    /// The bonus of one game. Who forfeits gets none; an opponent that is left has won (F2).
    fn of(&self, seat: Seat, verdict: Verdict, end: End) -> i64 {
        let first = seat.0 == 0;
        i64::from(match verdict {
            Verdict::Won if first => self.first_win,
            Verdict::Won => self.second_win,
            // Place 1 shared after a forfeit: all gave up at once.
            Verdict::Tied if end == End::Forfeited => 0,
            Verdict::Tied if first => self.first_tie,
            Verdict::Tied => self.second_tie,
            Verdict::Lost => 0,
        })
    }
}

/// Own points minus those of the best opponent. Points that sum to 0 are margins already, as those of
/// rock-paper-scissors: one seat has what the other lacks.
pub fn margin(outcome: &Outcome, seat: Seat) -> i64 {
    if outcome.points.iter().sum::<i64>() == 0 {
        return outcome.points[seat.index()];
    }
    let others = outcome.points.iter().enumerate().filter(|&(at, _)| at != seat.index());
    outcome.points[seat.index()] - others.map(|(_, &points)| points).max().unwrap_or(0)
}

/// The column that [`settle_head_to_head`] adds.
pub const HEAD_TO_HEAD: Column = Column::count("head-to-head");

/// The standings by `table`, with one more figure for those that it does not tell apart: their first figure
/// in the games between them alone. Who is equal even so shares a place (F9).
pub fn settle_head_to_head<'a, S: AsRef<[EntrantId]>>(
    scoring: &Scoring,
    table: Vec<(EntrantId, Vec<i64>)>,
    games: impl IntoIterator<Item = (S, &'a Outcome)>,
) -> Vec<Standing> {
    let standings = rank(table);
    let ids: Vec<EntrantId> = standings.iter().map(|standing| standing.entrant).collect();
    let rows = Rows::of(&ids);
    let mut between = vec![vec![0; scoring.columns().len()]; ids.len()];
    for (seats, outcome) in games {
        let place = |id: &EntrantId| rows.get(*id).map(|row| standings[row].place);
        let Some(first) = seats.as_ref().first().and_then(place) else { continue };
        if seats.as_ref().iter().all(|id| place(id) == Some(first)) {
            for (seat, &id) in (0u8..).zip(seats.as_ref()) {
                if let Some(row) = rows.get(id) {
                    scoring.add(&mut between[row], Seat(seat), outcome);
                }
            }
        }
    }
    let with = |(mut standing, between): (Standing, Vec<i64>)| {
        standing.figures.push(between[0]);
        (standing.entrant, standing.figures)
    };
    rank(standings.into_iter().zip(between).map(with).collect())
}

/// Where each entrant's row is.
struct Rows(Vec<Option<u16>>);

impl Rows {
    fn of(entrants: &[EntrantId]) -> Rows {
        let mut rows = vec![None; entrants.iter().map(|id| id.index() + 1).max().unwrap_or(0)];
        for (row, id) in (0u16..).zip(entrants) {
            rows[id.index()] = Some(row);
        }
        Rows(rows)
    }

    fn get(&self, id: EntrantId) -> Option<usize> {
        self.0.get(id.index()).copied().flatten().map(usize::from)
    }
}

#[cfg(test)]
mod tests;
