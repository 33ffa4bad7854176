//! Double elimination: rounds in two brackets, until 4 to 8 finalists are left for a playoff (F4–F8).
//!
//! All entrants begin in the winners' bracket. A match is two games on one board, and each side is first once. An
//! entrant that wins or ties stays in its bracket; one that loses drops to the losers' bracket and, from there, out. In
//! each round both brackets play on the round's own board, paired by [seeding](crate::formats::seeding) and by earlier
//! meetings (`brackets/pairing.rs`).
//!
//! The published rules leave some cases open. They are settled as follows:
//! - **Odd brackets.** The best seed that has not had a bye gets one. When all have had one, the filler, a bot of the
//!   organizer's, joins as the lowest seed for this round only. A loss to it is a loss, and it never advances. This
//!   also applies to a bracket of one.
//! - **The end.** The winners' bracket plays until at most 2K entrants are left. Meanwhile the losers' bracket plays in
//!   every round, however small it is, because more entrants will drop into it. Then it plays on alone until at most K
//!   are left, or fewer if there would be more than 8 finalists. All is over when at most 4 are left in both brackets
//!   together.
//! - **K.** The organizer chooses it; a K that would leave the winners' bracket without a game is reduced.
//! - **Too few.** If fewer than 4 are left, the last eliminated become finalists too, the best seed of the latest round
//!   first. Of 4 entrants or fewer, all are finalists without a game.
//! - **Stalls.** After 10 rounds in a row in which a bracket's entrants played each other and none lost, points decide
//!   the ties of the tenth round, those with the filler too, and a lot decides ties with equal points.

mod pairing;
mod progress;
#[cfg(test)]
mod tests;

use crate::format::{
    Arrival, Departure, EntrantId, FigureKind, FormatError, GameId, Pairing, Plan, Results, Rounds, Schedule,
    ScheduleFacts, Side, StageInput, StageRemark, Standing, StandingsColumn,
};
use crate::formats::keys::{boards_of_rounds, far_board, fill_in_first_board};
use crate::formats::{BoardNumber, Bounded, FormatSettings, SettingsError, distinct};
use crate::journal::Journal;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};
use progress::BracketsState;

/// The fewest finalists, unless there are fewer entrants (F8).
pub const MIN_FINALISTS: usize = 4;
/// The most finalists (F8).
pub const MAX_FINALISTS: usize = 8;
/// The number of rounds in a row without a loss after which points decide the ties of a bracket (F8).
pub const STALL: u32 = 10;
/// The most entrants: even if every loss took a stall, the number of rounds would fit in a `u16`.
pub const MAX_ENTRANTS: usize = 3000;

/// The settings of brackets (F4–F8).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct BracketsSettings {
    /// The board of the first round; each later round has the next board (F6).
    pub first_board: Option<BoardNumber>,
    /// K: at most 2K of the winners' bracket and about K of the losers' bracket become the 4 to 8 finalists (F8).
    pub k: Bounded<1, 3>,
    /// What decides a match (F5).
    pub decided_by: DecidedBy,
    /// Whether a lot decides a stalled match with equal points, and whether points decide a stalled tie with the filler
    /// (F8). If not, the better seed wins such a match, and such a tie stands.
    pub lots: bool,
}

impl Default for BracketsSettings {
    /// The published rules: K is 2, games won decide, and lots are drawn.
    fn default() -> BracketsSettings {
        BracketsSettings { first_board: None, k: Bounded::new(2), decided_by: DecidedBy::Wins, lots: true }
    }
}

impl FormatSettings for BracketsSettings {
    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        fill_in_first_board(&mut self.first_board, next_board)
    }

    fn boards(&self, stage: u8) -> Vec<Range<u32>> {
        self.first_board.iter().flat_map(|&first| boards_of_rounds(first, stage)).collect()
    }

    /// With fewer, all are finalists without a game.
    fn min_entrants(&self) -> usize {
        MIN_FINALISTS + 1
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Brackets::new(start, self)?))
    }

    fn min_fillers(&self) -> Option<usize> {
        Some(1)
    }

    fn is_open_ended(&self) -> bool {
        true
    }
}

/// What decides a match; if both sides are equal, it is a tie (F5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum DecidedBy {
    /// More games won.
    #[default]
    Wins,
    /// More points in both games together.
    Points,
}

/// A round that has been played or is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RoundState {
    /// Its number, from 0.
    pub number: u16,
    /// The board of all its games (F6).
    pub board: u32,
    /// The winners' bracket; empty once that bracket is done.
    pub winners: BracketRound,
    pub losers: BracketRound,
}

/// One bracket in one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BracketRound {
    /// The entrant with a bye (F4).
    pub bye: Option<EntrantId>,
    /// Its matches, ordered by the better seed of each.
    pub matches: Vec<BracketMatch>,
    /// Whether the bracket had stalled, so that points decided the ties (F8).
    pub stalled: bool,
}

/// A match: two games, with each side first once (F5).
#[derive(Clone, Debug, PartialEq, Eq)]
struct BracketMatch {
    /// Its number in the round, from 0, as in the ids of its games.
    pub table: u32,
    /// The two sides. The better seed comes first; it moves first in game 0 and second in game 1.
    pub sides: [Side; 2],
    /// Whether the second of them is the organizer's filler (F4).
    pub filler: bool,
    /// Whether they have met before (F7).
    pub repeat: bool,
    /// Its result, once both games are played or a side has left.
    pub result: Option<MatchResult>,
    /// Whether a lot decided it (F8).
    pub by_lot: bool,
    /// For each side, whether it left before both games were played.
    pub gone: [bool; 2],
}

/// The result of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchResult {
    /// Both sides stay in their bracket, or in a walkover both drop because both have left.
    Tied,
    /// This entrant stays in its bracket; the other one drops.
    WonBy(EntrantId),
}

/// Brackets whose entrants are known (F4–F8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brackets {
    stage: u8,
    /// In seeding order.
    entrants: Vec<EntrantId>,
    first_board: u32,
    k: usize,
    decided_by: DecidedBy,
    /// The organizer's bot that joins an odd bracket in which all entrants have had a bye (F4).
    filler: EntrantId,
    /// The seed of the lots; `None` if the better seed wins instead.
    lots: Option<u64>,
    /// The organizer's decisions: which bots have left, and which earlier lots hold.
    journal: Journal,
}

impl Brackets {
    /// The brackets of the entrants in `start`.
    ///
    /// # Errors
    /// When there is no filler, an entrant is listed twice or is the filler, or there are more than [`MAX_ENTRANTS`].
    pub fn new(start: &StageInput, settings: &BracketsSettings) -> Result<Brackets, FormatError> {
        let &StageInput { stage, entrants, field, seed, journal } = start;
        let refuse = |why| Err(FormatError(why));
        let Some(&filler) = field.fillers.first() else {
            return refuse("brackets need a filler, a bot of the organizer's (F4): name one in `fillers`".into());
        };
        if entrants.len() > MAX_ENTRANTS {
            return refuse(format!("brackets take at most {MAX_ENTRANTS} entrants, not {}", entrants.len()));
        }
        if entrants.contains(&filler) {
            return refuse(format!("entrant {} cannot be both the filler and a competitor (F4)", filler.0 + 1));
        }
        distinct(entrants)?;
        // With more, all entrants would be finalists without a game.
        let most = (entrants.len().saturating_sub(1) / 2).max(1);
        let k = (settings.k.get() as usize).min(most);
        let entrants = entrants.to_vec();
        let decided_by = settings.decided_by;
        let first_board = settings.first_board.map_or(0, |board| board.0);
        let lots = settings.lots.then_some(seed);
        Ok(Brackets { stage, entrants, first_board, k, decided_by, filler, lots, journal: journal.clone() })
    }

    /// The id of a game of a match.
    fn game(&self, round: u16, table: u32, game: u16) -> GameId {
        GameId { stage: self.stage, round, table, game, attempt: 0 }
    }

    fn board(&self, round: u16) -> u32 {
        far_board(self.stage, round).unwrap_or(self.first_board + u32::from(round))
    }
}

impl Schedule for Brackets {
    fn plan(&self, done: &Results) -> Plan {
        let progress = BracketsState::from_results(self, done);
        if progress.is_over() {
            return Plan::Finished;
        }
        let round = progress.rounds.last().expect("brackets that are not over have a current round");
        let due = round.matches().filter(|m| m.result.is_none()).flat_map(|m| {
            let [first, second] = m.pair();
            let sides = [(0, vec![first, second]), (1, vec![second, first])];
            sides.map(|(game, seats)| Pairing {
                id: self.game(round.number, m.table, game),
                seats,
                board: round.board,
            })
        });
        Plan::Play(due.filter(|pairing| done.outcome_of(pairing.id, 2).is_none()).collect())
    }

    /// `finalist`: 1 or 0. `bracket`: 2 for the winners' bracket, 1 for the losers', 0 for eliminated entrants.
    /// `round`, from 1: the last finished round or, for eliminated entrants, the round in which they went out. `seed`,
    /// from 1: the lower, the better.
    fn columns(&self) -> Vec<StandingsColumn> {
        const BRACKET: FigureKind = FigureKind::Words(&[(2, "winners'"), (1, "losers'"), (0, "out")]);
        let bracket = StandingsColumn { name: "bracket", kind: BRACKET };
        vec![
            StandingsColumn::flag("finalist"),
            bracket,
            StandingsColumn::count("round"),
            StandingsColumn::count("seed"),
        ]
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        let progress = BracketsState::from_results(self, done);
        let finalists = if progress.is_over() { progress.finalists() } else { Vec::new() };
        let mut rows: Vec<[i64; 4]> = Vec::with_capacity(self.entrants.len());
        let mut row = |seed: usize, bracket, rounds: usize| {
            let finalist = finalists.contains(&seed);
            rows.push([i64::from(finalist), bracket, rounds as i64, seed as i64 + 1]);
        };
        for &seed in &progress.winners {
            row(seed, 2, progress.finished);
        }
        for &seed in &progress.losers {
            row(seed, 1, progress.finished);
        }
        for &(round, seed) in &progress.eliminated {
            row(seed, 0, usize::from(round) + 1);
        }
        rows.sort_by_key(|&[finalist, bracket, round, seed]| (-finalist, -bracket, -round, seed));
        let standing = |(place, figures): (u32, [i64; 4])| Standing {
            entrant: self.entrants[figures[3] as usize - 1],
            place,
            figures: figures.to_vec(),
        };
        (1..).zip(rows).map(standing).collect()
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let list =
            BracketsState::from_results(self, done).rounds.iter().map(|round| self.shown(round, done)).collect();
        Some(Rounds { list, seeds: Some(self.entrants.clone()) })
    }

    /// The finalists (F8), in the order of the standings; `None` until all games are played.
    fn advancing(&self, done: &Results) -> Option<Vec<EntrantId>> {
        let progress = BracketsState::from_results(self, done);
        progress.is_over().then(|| progress.finalists().into_iter().map(|seed| self.entrants[seed]).collect())
    }

    fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        let progress = BracketsState::from_results(self, done);
        let mut remarks = Vec::new();
        for round in &progress.rounds {
            round.winners.remark(round.number, "winners'", &mut remarks);
            round.losers.remark(round.number, "losers'", &mut remarks);
        }
        let left = progress.winners.len() + progress.losers.len();
        let finalists = progress.finalists().len();
        if progress.is_over() && left < finalists {
            let text =
                format!("only {left} were left, so the last eliminated make up the {finalists} finalists (F8)");
            remarks.push(StageRemark::Note(text));
        }
        remarks
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts::new(Departure::Brackets, Arrival::Never)
    }
}

impl RoundState {
    /// All matches, those of the winners' bracket first.
    pub(crate) fn matches(&self) -> impl Iterator<Item = &BracketMatch> {
        self.winners.matches.iter().chain(&self.losers.matches)
    }
}

impl BracketMatch {
    /// The entrants of its two sides.
    fn pair(&self) -> [EntrantId; 2] {
        self.sides.map(|side| side.entrant)
    }

    /// Whether it was not played to its end because a side left.
    fn is_walkover(&self) -> bool {
        self.gone != [false; 2]
    }
}

impl BracketRound {
    /// Adds the bye, fillers, repeats, walkovers, lots and stall of this round to `remarks`.
    fn remark(&self, round: u16, bracket: &str, remarks: &mut Vec<StageRemark>) {
        remarks.extend(self.bye.map(|entrant| StageRemark::Bye { round, entrant }));
        for m in &self.matches {
            let [first, second] = m.pair();
            remarks.extend(m.filler.then_some(StageRemark::Filler { round, entrant: second }));
            remarks.extend(m.repeat.then_some(StageRemark::Repeat { round, pair: (first, second) }));
            let walkover =
                || StageRemark::Note(format!("round {}, match {}: a walkover", u32::from(round) + 1, m.table + 1));
            remarks.extend(m.is_walkover().then(walkover));
        }
        if self.stalled {
            for m in self.matches.iter().filter(|m| m.by_lot) {
                let Some(MatchResult::WonBy(winner)) = m.result else { continue };
                let loser = m.pair()[usize::from(winner == m.pair()[0])];
                let round = u32::from(round) + 1;
                let table = m.table + 1;
                let about = format!("round {round}, match {table}, which had stalled with equal points (F8)");
                remarks.push(StageRemark::Lot { about, order: vec![winner, loser] });
            }
            let round = u32::from(round) + 1;
            remarks.push(StageRemark::Note(format!(
                "no entrant lost in the {bracket} bracket for {STALL} rounds, so points decided the ties of round \
                 {round} (F8)"
            )));
        }
    }
}
