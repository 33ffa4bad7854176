//! Replays a Modified Swiss from the results so far: round after round, from the lot to the standings.

use super::ties::{self, DrawPurpose};
use super::{SEATS, Swiss, game_points, ratio};
use crate::format::{EntrantId, GameId, Pairing, Results, StageRemark, Standing, rank};
use crate::game::Outcome;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The state of a tournament after the results so far.
pub(super) struct SwissState {
    /// The games of all rounds so far, including the current one.
    pub games: Vec<Pairing>,
    /// The games without a result; none when all rounds are played.
    pub due: Vec<Pairing>,
    /// The standings after the last complete round.
    pub standings: Vec<Standing>,
    /// The fillers and lots so far.
    pub remarks: Vec<StageRemark>,
}

/// The totals of each player: points, ratios in millionths, territory in spots.
type PlayerTotals = BTreeMap<EntrantId, [i64; 3]>;

impl SwissState {
    /// Replays the tournament up to the first round that is not over.
    pub(super) fn from_results(swiss: &Swiss, done: &Results) -> SwissState {
        let rng = |round, purpose| ties::rng_for(swiss.seed, swiss.stage, round, purpose);
        let mut tally: PlayerTotals = swiss.players.iter().map(|&player| (player, [0; 3])).collect();
        let mut standings = rank(rows(&tally));
        // The figure of the lot: none has been drawn yet.
        for standing in &mut standings {
            standing.figures.push(0);
        }
        let (mut order, start) =
            ties::initial_order(&swiss.players, rng(0, DrawPurpose::InitialOrder), swiss.stage, &swiss.journal);
        let mut games = Vec::new();
        let mut remarks = vec![start];

        for round in 0..swiss.rounds {
            let late = swiss.journal.late(swiss.stage).filter(|(_, first)| *first == u32::from(round));
            let late: Vec<EntrantId> = late.map(|(entrant, _)| entrant).collect();
            for &entrant in &late {
                tally.insert(entrant, [0; 3]);
                let place = standings.len() as u32 + 1;
                // The three totals and the lot.
                standings.push(Standing { entrant, place, figures: vec![0; 4] });
            }
            order = players(swiss, round, order, &late);
            if order.is_empty() {
                break;
            }
            let fillers = swiss.fillers.iter().filter(|id| order.contains(id));
            remarks.extend(fillers.map(|&entrant| StageRemark::Filler { round, entrant }));
            let before = games.len();
            let mut own = self::games(swiss, round, &order);
            let substitutes = fill_open_seats(swiss, round, &mut own);
            remarks.extend(substitutes.iter().map(|&(_, entrant)| StageRemark::Filler { round, entrant }));
            games.extend(own);
            let own = &games[before..];
            let outcome = |game: &Pairing| done.outcome_of(game.id, game.seats.len());
            let due: Vec<Pairing> = own.iter().filter(|game| outcome(game).is_none()).cloned().collect();
            if !due.is_empty() {
                return SwissState { games, due, standings, remarks };
            }
            for game in own {
                if let Some(outcome) = outcome(game) {
                    let counts = |player| !substitutes.contains(&(game.id, player));
                    count(&mut tally, &game.seats, outcome, counts);
                }
            }
            let (ranked, drawn) =
                ties::standings(rows(&tally), round, rng(round, DrawPurpose::Ties), swiss.stage, &swiss.journal);
            order = ranked.iter().map(|standing| standing.entrant).collect();
            standings = ranked;
            remarks.extend(drawn);
        }
        SwissState { games, due: Vec::new(), standings, remarks }
    }
}

/// The players of a round, in their order: the entrants that have not left, the `late` ones whose first round it is,
/// and as many fillers as make fours (S2).
fn players(swiss: &Swiss, round: u16, mut order: Vec<EntrantId>, late: &[EntrantId]) -> Vec<EntrantId> {
    let gone = |id: &EntrantId| swiss.journal.is_unpaired(swiss.stage, round, *id);
    let has_arrived = swiss.journal.late(swiss.stage).any(|(_, first)| first <= u32::from(round));
    if !has_arrived && !order.iter().any(gone) {
        return order;
    }
    order.retain(|id| !gone(id));
    let entrants = swiss.entrants_in(round);
    let needed = entrants.next_multiple_of(SEATS) - entrants;
    let fillers: Vec<EntrantId> = order.iter().copied().filter(|id| swiss.fillers.contains(id)).collect();
    order.retain(|id| !fillers.iter().skip(needed).any(|surplus| surplus == id));
    order.extend(late.iter().filter(|id| !gone(id)));
    let missing = order.len().next_multiple_of(SEATS) - order.len();
    order.extend(swiss.fillers.iter().filter(|id| !fillers.contains(id)).take(missing));
    order
}

/// Gives a filler the seat of each entrant that left in this round before its game was played (S8). Returns the ids of
/// these games, each with its filler: the game does not count for that filler.
fn fill_open_seats(swiss: &Swiss, round: u16, games: &mut [Pairing]) -> Vec<(GameId, EntrantId)> {
    let mut substitutes = Vec::new();
    for (leave, leaving) in swiss.journal.leaving(swiss.stage) {
        let of_round = leaving.round == u32::from(round) + 1;
        let Some(game) = leaving.filled.filter(|_| of_round).and_then(|table| games.get_mut(table as usize))
        else {
            continue;
        };
        let filler = swiss.fillers.iter().find(|id| !game.seats.contains(id)).copied();
        let seat = game.seats.iter_mut().find(|id| **id == leave.entrant);
        if let (Some(filler), Some(seat)) = (filler, seat) {
            *seat = filler;
            substitutes.push((game.id, filler));
        }
    }
    substitutes
}

/// The games of a round: each is between four neighbours in the order (S4), seated by lot.
fn games(swiss: &Swiss, round: u16, order: &[EntrantId]) -> Vec<Pairing> {
    let mut rng = ties::rng_for(swiss.seed, swiss.stage, round, DrawPurpose::Seats);
    let tables = (0u32..).zip(order.chunks(SEATS));
    let game = |(table, four): (u32, &[EntrantId])| {
        let mut seats = four.to_vec();
        rng.shuffle(&mut seats);
        let id = GameId { stage: swiss.stage, round, table, game: 0, attempt: 0 };
        Pairing { id, seats, board: swiss.boards.of_round(round) }
    };
    tables.map(game).collect()
}

/// Adds a game to the totals of the players for which it `counts`. A seat that forfeited keeps its territory (S8). If a
/// recorded outcome lists too few territories, the missing ones count as 0.
fn count(tally: &mut PlayerTotals, seats: &[EntrantId], outcome: &Outcome, counts: impl Fn(EntrantId) -> bool) {
    let territory: [u32; SEATS] =
        core::array::from_fn(|seat| outcome.territory.get(seat).copied().unwrap_or_default());
    let all = territory.iter().copied().map(u64::from).sum();
    for ((player, points), own) in seats.iter().zip(game_points(territory)).zip(territory) {
        if !counts(*player) {
            continue;
        }
        let totals = tally.entry(*player).or_default();
        totals[0] += points;
        totals[1] += ratio(own, all);
        totals[2] += i64::from(own);
    }
}

/// The totals as figures to rank by.
fn rows(tally: &PlayerTotals) -> Vec<(EntrantId, Vec<i64>)> {
    tally.iter().map(|(&player, totals)| (player, totals.to_vec())).collect()
}
