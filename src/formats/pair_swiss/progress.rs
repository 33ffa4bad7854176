//! Replays a Swiss tournament of pairs from the results so far: round after round, from the lot to the standings.

use super::PairSwiss;
use super::colours;
use super::pairing::{self, Pairs};
use super::record::{self, EntrantRounds, GameColour, RoundEntry};
use crate::format::{EntrantId, GameId, Pairing, Results, StageRemark, Standing, rank};
use crate::formats::swiss::ties::{self, DrawPurpose};
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;

/// The state of a tournament after the results so far.
pub(super) struct PairSwissState {
    /// The games of all rounds so far, including the current one.
    pub games: Vec<Pairing>,
    /// The games without a result; none when all rounds are played.
    pub due: Vec<Pairing>,
    /// The standings after the last complete round.
    pub standings: Vec<Standing>,
    /// The byes, repeats and lots so far.
    pub remarks: Vec<StageRemark>,
}

impl PairSwissState {
    /// Replays the tournament up to the first round that is not over.
    pub(super) fn from_results(swiss: &PairSwiss, done: &Results) -> PairSwissState {
        let rng = |round, purpose| ties::rng_for(swiss.seed, swiss.stage, round, purpose);
        let mut records = vec![EntrantRounds::default(); swiss.entrants.len()];
        let mut standings = rank(rows(swiss, 0, &records));
        // The figure of the lot: none has been drawn yet.
        for standing in &mut standings {
            standing.figures.push(0);
        }
        let (mut order, start) = ties::initial_order(
            &playing(swiss, 0),
            rng(0, DrawPurpose::InitialOrder),
            swiss.stage,
            &swiss.journal,
        );
        let mut games = Vec::new();
        let mut remarks = vec![start];

        for round in 0..swiss.rounds {
            for (late, _) in swiss.journal.late(swiss.stage).filter(|(_, first)| *first == u32::from(round)) {
                order.push(late);
                let place = standings.len() as u32 + 1;
                // The four figures of a record and the lot.
                standings.push(Standing { entrant: late, place, figures: vec![0; 5] });
            }
            order.retain(|id| !swiss.journal.is_unpaired(swiss.stage, round, *id));
            if order.len() < 2 {
                break;
            }
            let pairs = pairing::pair(&indices(swiss, &order), &records);
            remarks.extend(notable(swiss, round, &pairs, &records));
            let seated = seat(swiss, &pairs, &records, rng(round, DrawPurpose::Seats));
            let before = games.len();
            games.extend(self::games(swiss, round, &seated));
            // The open match of an entrant that has left is not played.
            let has_left = |id: &EntrantId| swiss.journal.has_left(swiss.stage, *id);
            let is_due =
                |game: &&Pairing| done.outcome_of(game.id, 2).is_none() && !game.seats.iter().any(has_left);
            let due: Vec<Pairing> = games[before..].iter().filter(is_due).cloned().collect();
            if !due.is_empty() {
                return PairSwissState { games, due, standings, remarks };
            }
            count(swiss, round, &seated, done, &mut records);
            if let Some(bye) = pairs.bye {
                records[bye].matches.push(RoundEntry::bye(swiss.games));
            }
            let (ranked, drawn) = ties::standings(
                rows(swiss, round, &records),
                round,
                rng(round, DrawPurpose::Ties),
                swiss.stage,
                &swiss.journal,
            );
            order = ranked.iter().map(|standing| standing.entrant).collect();
            standings = ranked;
            remarks.extend(drawn);
        }
        PairSwissState { games, due: Vec::new(), standings, remarks }
    }
}

/// The entrants whose first round is this one or an earlier one.
fn playing(swiss: &PairSwiss, round: u16) -> Vec<EntrantId> {
    let entrants = swiss.entrants.iter().zip(&swiss.first_rounds);
    entrants.filter(|(_, first)| **first <= u32::from(round)).map(|(entrant, _)| *entrant).collect()
}

/// The figures to rank by, for each entrant that takes part by this round.
fn rows(swiss: &PairSwiss, round: u16, records: &[EntrantRounds]) -> Vec<(EntrantId, Vec<i64>)> {
    let playing = playing(swiss, round);
    let all = swiss.entrants.iter().copied().zip(record::figures(records));
    all.filter(|(entrant, _)| playing.contains(entrant)).collect()
}

/// The indices of the entrants in `order` in the list of all entrants.
fn indices(swiss: &PairSwiss, order: &[EntrantId]) -> Vec<usize> {
    let index = |who| swiss.entrants.iter().position(|entrant| entrant == who);
    order.iter().filter_map(index).collect()
}

/// The bye and the repeats of a round.
fn notable(swiss: &PairSwiss, round: u16, pairs: &Pairs, records: &[EntrantRounds]) -> Vec<StageRemark> {
    let bye = pairs.bye.map(|index| StageRemark::Bye { round, entrant: swiss.entrants[index] });
    let again = pairs.pairs.iter().filter(|&&(one, other)| records[one].met(other) > 0);
    let repeats = again.map(|&(one, other)| {
        let pair = (swiss.entrants[one], swiss.entrants[other]);
        StageRemark::Repeat { round, pair }
    });
    bye.into_iter().chain(repeats).collect()
}

/// The pairs as (first, second): the entrant that moves first in the match's first game, then the other one.
fn seat(swiss: &PairSwiss, pairs: &Pairs, records: &[EntrantRounds], mut rng: Rng) -> Vec<(usize, usize)> {
    let seat = |&(one, other): &(usize, usize)| {
        // A coin is tossed for every match, so that its result does not depend on whether other matches need one.
        let coin = rng.below(2) == 0;
        let first =
            if swiss.games == 1 { colours::moves_first(&records[one], &records[other], coin) } else { coin };
        if first { (one, other) } else { (other, one) }
    };
    pairs.pairs.iter().map(seat).collect()
}

fn id(swiss: &PairSwiss, round: u16, table: usize, game: u16) -> GameId {
    GameId { stage: swiss.stage, round, table: table as u32, game, attempt: 0 }
}

/// The games of a round. The sides of a match swap seats after each game.
fn games(swiss: &PairSwiss, round: u16, seated: &[(usize, usize)]) -> Vec<Pairing> {
    let mut games = Vec::new();
    for (table, &(first, second)) in seated.iter().enumerate() {
        for game in 0..swiss.games {
            let mut seats = vec![swiss.entrants[first], swiss.entrants[second]];
            seats.rotate_left(usize::from(game));
            let board = swiss.boards.of_round(round);
            games.push(Pairing { id: id(swiss, round, table, game), seats, board });
        }
    }
    games
}

/// Adds a complete round to the records. If an entrant left before its match was played, the match counts as a bye for
/// the opponent, even if the opponent leaves in a later round: what was paired because of the bye stays.
fn count(swiss: &PairSwiss, round: u16, seated: &[(usize, usize)], done: &Results, records: &mut [EntrantRounds]) {
    let colour = |colour| (swiss.games == 1).then_some(colour);
    for (table, &(first, second)) in seated.iter().enumerate() {
        let played = |game| done.outcome_of(id(swiss, round, table, game), 2);
        let has_left =
            |index: usize| swiss.journal.is_unpaired(swiss.stage, round.saturating_add(1), swiss.entrants[index]);
        let is_played = (0..swiss.games).all(|game| played(game).is_some());
        if !is_played && (has_left(first) || has_left(second)) {
            for side in [first, second] {
                if !has_left(side) {
                    records[side].matches.push(RoundEntry::bye(swiss.games));
                }
            }
            continue;
        }
        let mut one = RoundEntry::against(second, colour(GameColour::First));
        let mut other = RoundEntry::against(first, colour(GameColour::Second));
        for game in 0..swiss.games {
            let Some(outcome) = played(game) else { continue };
            let place_in = |seat: usize| outcome.places.get(seat).copied().unwrap_or(u8::MAX);
            // The sides swap seats after each game.
            let place_of_one = place_in(usize::from(game));
            let place_of_other = place_in(usize::from(1 - game));
            one.add(place_of_one, place_of_other);
            other.add(place_of_other, place_of_one);
        }
        records[first].matches.push(one);
        records[second].matches.push(other);
    }
}
