//! Scoring: what a game is worth to each of its seats, and how tied totals are broken.
//!
//! Every figure is a sum over games, so it does not depend on their order.

use super::SettingsError;
use crate::format::{EntrantId, Ranking, Standing, StandingsColumn, rank};
use crate::game::{End, Outcome, Seat};
use alloc::vec;
use alloc::vec::Vec;

/// The name of a scoring in contest files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum ScoringKind {
    /// [`Scoring::WinsThenScore`] (B11).
    #[default]
    Wins,
    /// [`Scoring::Bonus`] (F2).
    Bonus,
    /// [`Scoring::WinsMinusLosses`] (R9).
    WonMinusLost,
    /// [`Scoring::Margins`] (R9).
    Margins,
}

impl ScoringKind {
    /// The scoring with this `bonus`, if it has such a setting. The defaults are those of [`Bonus`].
    pub fn with(self, bonus: Option<Bonus>) -> Scoring {
        match self {
            ScoringKind::Wins => Scoring::WinsThenScore,
            ScoringKind::Bonus => Scoring::Bonus(bonus.unwrap_or_default()),
            ScoringKind::WonMinusLost => Scoring::WinsMinusLosses,
            ScoringKind::Margins => Scoring::Margins,
        }
    }
}

/// Checks that no two of a stage's `kinds`, its scoring and its further rankings, are equal.
///
/// # Errors
/// When two are equal.
pub(super) fn refuse_repeated(kinds: &[ScoringKind]) -> Result<(), SettingsError> {
    if (1..kinds.len()).any(|at| kinds[..at].contains(&kinds[at])) {
        return Err(SettingsError::new("tables", "`tables` must not repeat `scoring` or each other"));
    }
    Ok(())
}

/// Fills in the default `bonus` and `threshold` if one of `kinds` has such a setting.
///
/// # Errors
/// When one of them is given and no kind has it.
pub(super) fn fill_in_defaults(
    kinds: &[ScoringKind],
    bonus: &mut Option<Bonus>,
    threshold: &mut Option<u32>,
) -> Result<(), SettingsError> {
    match (kinds.contains(&ScoringKind::Bonus), &bonus) {
        (true, _) => *bonus = Some(bonus.unwrap_or_default()),
        (false, Some(_)) => return Err(SettingsError::new("bonus", "`bonus` requires scoring = \"bonus\"")),
        (false, None) => {}
    }
    match (kinds.contains(&ScoringKind::Margins), &threshold) {
        (true, _) => *threshold = Some(threshold.unwrap_or_default()),
        (false, Some(_)) => {
            return Err(SettingsError::new("threshold", "`threshold` requires scoring = \"margins\""));
        }
        (false, None) => {}
    }
    Ok(())
}

/// The largest margin of a pair that is a tie in the cross-table, if one of `kinds` counts margins (R9). By default 0.
pub(super) fn tie_margin(kinds: &[ScoringKind], threshold: Option<u32>) -> Option<u32> {
    kinds.contains(&ScoringKind::Margins).then(|| threshold.unwrap_or_default())
}

/// The figures by which entrants are ranked. A win is place 1 alone; a tie is place 1 shared with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// The number of games won, then the points of all games (B11).
    WinsThenScore,
    /// The points of all games, with a bonus for wins and ties that depends on the seat; then the number of games won
    /// (F2, F3, F9).
    Bonus(Bonus),
    /// The number of games won minus the number of games lost (R9).
    WinsMinusLosses,
    /// The sum of the [margins](margin) of all games, then games won minus games lost (R9).
    Margins,
}

/// The bonuses that wins and ties add to the points of a game (F2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Bonus {
    /// The points for a win in the first seat.
    pub first_win: u32,
    /// The points for a win in any other seat.
    pub second_win: u32,
    /// The points for a tie in the first seat.
    pub first_tie: u32,
    /// The points for a tie in any other seat.
    pub second_tie: u32,
}

impl Default for Bonus {
    /// The bonuses of the published rules: 1000 and 1200 points for wins, 500 and 600 for ties (F2).
    fn default() -> Bonus {
        Bonus { first_win: 1000, second_win: 1200, first_tie: 500, second_tie: 600 }
    }
}

/// The result of a game for one of its seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatResult {
    /// The seat has place 1 alone.
    Won,
    /// The seat shares place 1.
    Tied,
    /// The seat has a lower place.
    Lost,
}

impl SeatResult {
    fn won_minus_lost(self) -> i64 {
        match self {
            SeatResult::Won => 1,
            SeatResult::Tied => 0,
            SeatResult::Lost => -1,
        }
    }
}

/// The result of the game for `seat`.
///
/// # Panics
/// When the game has no such seat.
pub fn seat_result(outcome: &Outcome, seat: Seat) -> SeatResult {
    match (outcome.places[seat.index()], outcome.winners().count()) {
        (1, 1) => SeatResult::Won,
        (1, _) => SeatResult::Tied,
        _ => SeatResult::Lost,
    }
}

impl Scoring {
    /// The columns of the figures, most important first.
    pub fn columns(&self) -> &'static [StandingsColumn] {
        const WINS: StandingsColumn = StandingsColumn::count("wins");
        const SCORE: StandingsColumn = StandingsColumn::count("score");
        const POINTS: StandingsColumn = StandingsColumn::count("points");
        const MARGIN: StandingsColumn = StandingsColumn::count("margin");
        const WON_MINUS_LOST: StandingsColumn = StandingsColumn::count("won - lost");
        match self {
            Scoring::WinsThenScore => &[WINS, SCORE],
            Scoring::Bonus(_) => &[POINTS, WINS],
            Scoring::WinsMinusLosses => &[WON_MINUS_LOST],
            Scoring::Margins => &[MARGIN, WON_MINUS_LOST],
        }
    }

    /// Adds what the game was worth to `seat` to its `figures`, one for each of the [columns](Self::columns).
    fn add(&self, figures: &mut [i64], seat: Seat, outcome: &Outcome) {
        let result = seat_result(outcome, seat);
        let points = outcome.points[seat.index()];
        match self {
            Scoring::WinsThenScore => {
                figures[0] += i64::from(result == SeatResult::Won);
                figures[1] += points;
            }
            Scoring::Bonus(bonus) => {
                figures[0] += points + bonus.points_for(seat, result, outcome.end);
                figures[1] += i64::from(result == SeatResult::Won);
            }
            Scoring::WinsMinusLosses => figures[0] += result.won_minus_lost(),
            Scoring::Margins => {
                figures[0] += margin(outcome, seat);
                figures[1] += result.won_minus_lost();
            }
        }
    }

    /// The figures of each of `entrants`, in their order. `games` gives the entrants by seat and the outcome of each
    /// game; participants that are not among `entrants` are ignored.
    pub fn totals<'a, S: AsRef<[EntrantId]>>(
        &self,
        entrants: &[EntrantId],
        games: impl IntoIterator<Item = (S, &'a Outcome)>,
    ) -> Vec<(EntrantId, Vec<i64>)> {
        let rows = StandingsRows::for_entrants(entrants);
        let mut totals: Vec<_> = entrants.iter().map(|&id| (id, vec![0; self.columns().len()])).collect();
        for (seats, outcome) in games {
            for (seat, &id) in (0u8..).zip(seats.as_ref()) {
                if let Some(row) = rows.get(id) {
                    self.add(&mut totals[row].1, Seat(seat), outcome);
                }
            }
        }
        totals
    }

    /// The ranking of `entrants` by their [`totals`](Scoring::totals).
    pub fn ranking<'a, S: AsRef<[EntrantId]>>(
        &self,
        entrants: &[EntrantId],
        games: impl IntoIterator<Item = (S, &'a Outcome)>,
    ) -> Ranking {
        Ranking { columns: self.columns().to_vec(), standings: rank(self.totals(entrants, games)) }
    }
}

impl Bonus {
    /// The bonus of one game. A seat that forfeits gets none; an opponent that remains has won (F2).
    fn points_for(&self, seat: Seat, result: SeatResult, end: End) -> i64 {
        let first = seat.0 == 0;
        i64::from(match result {
            SeatResult::Won if first => self.first_win,
            SeatResult::Won => self.second_win,
            // If place 1 of a game of two is shared after a forfeit, both seats forfeited at the same time.
            SeatResult::Tied if end == End::Forfeited => 0,
            SeatResult::Tied if first => self.first_tie,
            SeatResult::Tied => self.second_tie,
            SeatResult::Lost => 0,
        })
    }
}

/// The seat's points minus those of its best opponent. Points that sum to 0 already are margins, as in
/// rock-paper-scissors, where one seat gains what the other loses.
pub fn margin(outcome: &Outcome, seat: Seat) -> i64 {
    if outcome.points.iter().sum::<i64>() == 0 {
        return outcome.points[seat.index()];
    }
    let others = outcome.points.iter().enumerate().filter(|&(at, _)| at != seat.index());
    outcome.points[seat.index()] - others.map(|(_, &points)| points).max().unwrap_or(0)
}

/// The seat's points minus those of the seat `other`, or in a game of two its [margin].
pub fn margin_over(outcome: &Outcome, seat: Seat, other: Seat) -> i64 {
    match outcome.points.len() {
        2 => margin(outcome, seat),
        _ => outcome.points[seat.index()] - outcome.points[other.index()],
    }
}

/// The column that [`rank_with_head_to_head`] adds.
pub const HEAD_TO_HEAD: StandingsColumn = StandingsColumn::count("head-to-head");

/// The standings by `totals`, with one more figure that breaks ties: the first figure of the scoring, counted only in
/// the games between the tied entrants. Entrants that are still equal share a place (F9).
pub fn rank_with_head_to_head<'a, S: AsRef<[EntrantId]>>(
    scoring: &Scoring,
    totals: Vec<(EntrantId, Vec<i64>)>,
    games: impl IntoIterator<Item = (S, &'a Outcome)>,
) -> Vec<Standing> {
    let standings = rank(totals);
    let ids: Vec<EntrantId> = standings.iter().map(|standing| standing.entrant).collect();
    let rows = StandingsRows::for_entrants(&ids);
    let place = |id: &EntrantId| rows.get(*id).map(|row| standings[row].place);
    let are_tied = |seats: &[EntrantId]| {
        let first = seats.first().and_then(place);
        first.is_some() && seats.iter().all(|id| place(id) == first)
    };
    let between = scoring.totals(&ids, games.into_iter().filter(|(seats, _)| are_tied(seats.as_ref())));
    let with = |(mut standing, (entrant, between)): (Standing, (EntrantId, Vec<i64>))| {
        standing.figures.push(between[0]);
        (entrant, standing.figures)
    };
    rank(standings.into_iter().zip(between).map(with).collect())
}

/// The row of each entrant, by its number: a list instead of a map, because it is looked up for each seat of each game.
struct StandingsRows(Vec<Option<u16>>);

impl StandingsRows {
    fn for_entrants(entrants: &[EntrantId]) -> StandingsRows {
        let mut rows = vec![None; entrants.iter().map(|id| id.index() + 1).max().unwrap_or(0)];
        for (row, id) in (0u16..).zip(entrants) {
            rows[id.index()] = Some(row);
        }
        StandingsRows(rows)
    }

    fn get(&self, id: EntrantId) -> Option<usize> {
        self.0.get(id.index()).copied().flatten().map(usize::from)
    }
}

#[cfg(test)]
mod tests;
