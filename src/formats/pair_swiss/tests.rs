//! Whole Swiss tournaments of pairs: a snapshot of one, and properties of all.

use super::*;
use crate::format::Pairing;
use crate::formats::testing::{PlayOrder, play, play_rounds, start, tournament_as_text};
use crate::formats::{BoardNumber, Bounded, FormatSettings, GameDefaults, RoundCount};
use crate::game::{End, Outcome};
use crate::rng::Rng;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn swiss(entrants: u16, rounds: Option<u16>, games: u32, seed: u64) -> PairSwiss {
    let entrants: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
    let rounds = rounds.map(|rounds| RoundCount::new(rounds.into()));
    let games = Bounded::new(games);
    let first_board = Some(BoardNumber(3));
    let settings = PairSwissSettings { rounds, games, first_board, ..PairSwissSettings::default() };
    PairSwiss::new(&StageInput { seed, ..start(1, &entrants) }, &settings).unwrap()
}

/// An outcome that depends only on the game and its entrants: a draw in one of seven games, otherwise more often a win
/// of the lower number.
fn chance(game: &Pairing) -> Outcome {
    let one = u64::from(game.seats[0].0);
    let other = u64::from(game.seats[1].0);
    let mut rng = Rng::new(one << 40 ^ other << 20 ^ u64::from(game.id.round) << 4 ^ u64::from(game.id.game));
    let places = match rng.below(7) {
        0 => vec![1, 1],
        1 | 2 => vec![1 + u8::from(one < other), 1 + u8::from(other < one)],
        _ => vec![1 + u8::from(other < one), 1 + u8::from(one < other)],
    };
    Outcome { places, points: vec![0; 2], territory: vec![0; 2], end: End::Played }
}

#[test]
fn eleven_entrants_play_the_usual_five_rounds() {
    let swiss = swiss(11, None, 1, 1984);
    let (done, rounds) = play_rounds(&swiss, chance);
    insta::assert_snapshot!(tournament_as_text(&swiss, &done, &rounds, |outcome| std::format!(
        "{:?}",
        outcome.places
    )));
}

/// Checks the further rankings and the threshold of a stage with these settings, in a game that has two rankings
/// (R9). With `is_swiss`, there are enough entrants for a Swiss.
#[track_caller]
fn check_rankings(own: PairSwissSettings, is_swiss: bool, wanted: &[ScoringKind], threshold: Option<u32>) {
    let game = GameDefaults {
        scoring: ScoringKind::WonMinusLost,
        tables: vec![ScoringKind::Margins],
        threshold: 31,
        ..GameDefaults::default()
    };
    let entrants: Vec<EntrantId> = (0..if is_swiss { 11 } else { 4 }).map(EntrantId).collect();
    let mut settings = own.clone();
    settings.fill_in_game_defaults(&game, 0);
    settings.fill_in_defaults(&(2..=2), 0).unwrap();
    let schedule = settings.schedule(&start(0, &entrants)).unwrap();
    let found: Vec<Vec<StandingsColumn>> =
        schedule.further_rankings(&Results::new()).into_iter().map(|ranking| ranking.columns).collect();
    let wanted: Vec<Vec<StandingsColumn>> = wanted.iter().map(|kind| kind.with(None).columns().to_vec()).collect();
    assert_eq!((found, schedule.facts().tie_margin), (wanted, threshold), "{own:?}");
}

#[test]
fn both_rankings_of_a_game_are_shown() {
    use ScoringKind::{Margins, Wins, WonMinusLost};
    let by = |scoring| PairSwissSettings { scoring: Some(scoring), ..PairSwissSettings::default() };
    check_rankings(PairSwissSettings::default(), true, &[WonMinusLost, Margins], Some(31));
    check_rankings(PairSwissSettings::default(), false, &[Margins], Some(31));
    check_rankings(by(Margins), true, &[Margins], Some(31));
    check_rankings(by(Margins), false, &[], Some(31));
    check_rankings(PairSwissSettings { threshold: Some(3), ..by(Margins) }, false, &[], Some(3));
    check_rankings(by(Wins), true, &[Margins], Some(31));
    check_rankings(PairSwissSettings { tables: Some(vec![]), ..by(Wins) }, true, &[], None);
}

#[test]
fn further_rankings_count_the_games_played() {
    let settings =
        PairSwissSettings { tables: Some(vec![ScoringKind::WonMinusLost]), ..PairSwissSettings::default() };
    let entrants: Vec<EntrantId> = (0..4).map(EntrantId).collect();
    let swiss = PairSwiss::new(&start(0, &entrants), &settings).unwrap();
    let (done, _) = play_rounds(&swiss, chance);
    let further = swiss.further_rankings(&done).remove(0);
    let won: i64 = further.standings.iter().map(|standing| standing.figures[0]).sum();
    assert_eq!((won, further.standings[0].figures[0] > 0), (0, true));
}

#[test]
fn winners_meet_winners() {
    let swiss = swiss(8, None, 1, 4);
    let mut done = Results::new();
    let first = swiss.plan(&done).into_games();
    let win = Outcome { places: vec![1, 2], points: vec![0; 2], territory: vec![0; 2], end: End::Played };
    for game in &first {
        done.insert(game.id, win.clone());
    }
    let winners: BTreeSet<EntrantId> = first.iter().map(|game| game.seats[0]).collect();
    let won: Vec<usize> = swiss
        .plan(&done)
        .into_games()
        .iter()
        .map(|game| game.seats.iter().filter(|who| winners.contains(who)).count())
        .collect();
    assert_eq!(won, [2, 2, 0, 0]);
}

#[test]
fn in_a_match_of_two_games_each_is_first_once_on_the_same_board() {
    let swiss = swiss(6, None, 2, 8);
    let (_, rounds) = play_rounds(&swiss, chance);
    for pair in rounds.iter().flat_map(|games| games.chunks(2)) {
        let turned: Vec<EntrantId> = pair[1].seats.iter().rev().copied().collect();
        assert_eq!(pair[0].seats, turned);
        assert_eq!((pair[0].id.table, pair[0].board), (pair[1].id.table, pair[1].board));
        assert_eq!((pair[0].id.game, pair[1].id.game), (0, 1));
    }
}

#[test]
fn two_entrants_meet_again_and_swap_colours() {
    let swiss = swiss(2, Some(4), 1, 1);
    let (done, rounds) = play_rounds(&swiss, chance);
    let first: Vec<EntrantId> = rounds.iter().map(|games| games[0].seats[0]).collect();
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "{first:?}");
    let again = swiss.remarks(&done).into_iter().filter(|remark| matches!(remark, StageRemark::Repeat { .. }));
    assert_eq!(again.count(), 3);
}

#[test]
fn a_hundred_entrants_and_three_hundred_play_to_the_end() {
    for entrants in [99, 100, 300] {
        let swiss = swiss(entrants, None, 1, 7);
        let (done, rounds) = play_rounds(&swiss, chance);
        assert_eq!(rounds.len(), usize::from(swiss.rounds));
        assert_eq!(done.len(), usize::from(entrants / 2) * rounds.len());
        let again = swiss.remarks(&done).into_iter().filter(|remark| matches!(remark, StageRemark::Repeat { .. }));
        assert_eq!(again.count(), 0);
    }
}

/// What an observer knows about the earlier rounds.
#[derive(Default)]
struct Observer {
    met: BTreeMap<(EntrantId, EntrantId), u32>,
    surplus: BTreeMap<EntrantId, i32>,
    byes: BTreeSet<EntrantId>,
}

impl Observer {
    fn met(&self, one: EntrantId, other: EntrantId) -> u32 {
        self.met.get(&(one.min(other), one.max(other))).copied().unwrap_or_default()
    }

    fn surplus(&self, who: EntrantId) -> i32 {
        self.surplus.get(&who).copied().unwrap_or_default()
    }

    /// The smallest cost of pairing `left`, found by trying every pairing: the number of repeats, that of earlier
    /// meetings, and the distance of the bye from the last. `left` is in the order of the standings.
    fn least_cost(&self, left: &[EntrantId]) -> Option<(u32, u32, usize)> {
        if left.len() % 2 == 1 {
            let may = (0..left.len()).filter(|&at| !self.byes.contains(&left[at]));
            let without = may.filter_map(|bye| {
                let rest: Vec<EntrantId> = left.iter().copied().filter(|&who| who != left[bye]).collect();
                self.least_cost(&rest).map(|(repeats, met, _)| (repeats, met, rest.len() - bye))
            });
            return without.min();
        }
        let Some((&one, rest)) = left.split_first() else { return Some((0, 0, 0)) };
        let with = rest.iter().filter_map(|&other| {
            if self.surplus(one) == self.surplus(other) && self.surplus(one).abs() == 2 {
                return None;
            }
            let others: Vec<EntrantId> = rest.iter().copied().filter(|&who| who != other).collect();
            let met = self.met(one, other);
            self.least_cost(&others).map(|(repeats, times, _)| (repeats + u32::from(met > 0), times + met, 0))
        });
        with.min()
    }

    /// The cost of the games of a round by the same rules.
    fn cost(&self, games: &[Pairing], order: &[EntrantId]) -> (u32, u32, usize) {
        let met = games.iter().map(|game| self.met(game.seats[0], game.seats[1]));
        let bye = order.iter().position(|who| games.iter().all(|game| !game.seats.contains(who)));
        let distance = bye.map_or(0, |at| order.len() - 1 - at);
        (met.clone().filter(|&met| met > 0).count() as u32, met.sum(), distance)
    }

    /// Records a round, and checks that every entrant plays once or has a bye and that colours are in balance.
    fn record_round(&mut self, games: &[Pairing], order: &[EntrantId]) {
        let mut seated: Vec<EntrantId> = Vec::new();
        for game in games {
            let first = game.seats[0];
            let second = game.seats[1];
            seated.extend([first, second]);
            *self.met.entry((first.min(second), first.max(second))).or_default() += 1;
            *self.surplus.entry(first).or_default() += 1;
            *self.surplus.entry(second).or_default() -= 1;
        }
        assert!(self.surplus.values().all(|surplus| surplus.abs() <= 2), "{:?}", self.surplus);
        let bye = order.iter().copied().filter(|who| !seated.contains(who)).collect::<Vec<_>>();
        assert_eq!(bye.len(), order.len() % 2);
        assert!(bye.iter().all(|&who| self.byes.insert(who)), "{bye:?} twice");
        seated.extend(bye);
        seated.sort_unstable();
        assert!(seated.iter().copied().eq((0..order.len() as u16).map(EntrantId)));
    }
}

/// The order in which a round is paired: by lot before the first round, by the standings before others.
fn order(swiss: &PairSwiss, done: &Results, round: usize) -> Vec<EntrantId> {
    match swiss.remarks(done).swap_remove(0) {
        StageRemark::Lot { order, .. } if round == 0 => order,
        _ => swiss.standings(done).iter().map(|standing| standing.entrant).collect(),
    }
}

/// Plays the tournament while an observer checks it; with `brute`, also against every other pairing of each round.
fn play_observed(swiss: &PairSwiss, brute: bool) -> Results {
    let mut observer = Observer::default();
    let mut done = Results::new();
    for round in 0..usize::from(swiss.rounds) {
        let order = order(swiss, &done, round);
        let games = swiss.plan(&done).into_games();
        if brute {
            assert_eq!(Some(observer.cost(&games, &order)), observer.least_cost(&order));
        }
        observer.record_round(&games, &order);
        for game in &games {
            done.insert(game.id, chance(game));
        }
    }
    assert_eq!(swiss.plan(&done), Plan::Finished);
    let repeats: u32 = observer.met.values().map(|&met| met - 1).sum();
    let remarks = swiss.remarks(&done);
    assert_eq!(remarks.iter().filter(|r| matches!(r, StageRemark::Repeat { .. })).count() as u32, repeats);
    assert_eq!(remarks.iter().filter(|r| matches!(r, StageRemark::Bye { .. })).count(), observer.byes.len());
    done
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_order_of_games_and_any_interruption_give_the_same_tournament(
        entrants in 2u16..24, two: bool, seed: u64, disorder: u64, batch in 1usize..12,
    ) {
        let games = if two { 2 } else { 1 };
        let swiss = swiss(entrants, None, games, seed);
        let (done, _) = play_rounds(&swiss, chance);
        let again = play(&swiss, PlayOrder { seed: disorder, batch }, chance).results;
        prop_assert_eq!(&again, &done);
        prop_assert_eq!(swiss.standings(&again), swiss.standings(&done));
        prop_assert_eq!(swiss.remarks(&again), swiss.remarks(&done));
    }

    #[test]
    fn repeats_are_as_few_as_possible_and_byes_go_to_the_lowest(entrants in 2u16..=8, more in 0u16..7, seed: u64) {
        let most = if entrants % 2 == 1 { entrants } else { 12 };
        play_observed(&swiss(entrants, Some((2 + more).min(most)), 1, seed), true);
    }

    #[test]
    fn every_entrant_plays_once_a_round_with_colours_in_balance_and_at_most_one_bye(entrants in 2u16..=60, seed: u64) {
        let swiss = swiss(entrants, None, 1, seed);
        let done = play_observed(&swiss, false);
        let standings = swiss.standings(&done);
        let points: i64 = standings.iter().map(|standing| standing.figures[0]).sum();
        let byes = i64::from(entrants % 2) * i64::from(swiss.rounds);
        prop_assert_eq!(points, 2 * (done.len() as i64 + byes));
        prop_assert!(standings.iter().zip(1..).all(|(standing, place)| standing.place == place));
    }
}
